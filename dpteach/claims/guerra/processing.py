"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: post-processing and the reverse (section VII).

Every theorem is tried on small worlds in which everything can be computed at all pairs of databases: by
`dpteach.granularity` and `dpteach.notions`, and a second time from the definitions (all events, all orders, all paths).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from ... import Table
from ...notions import (
    FiniteMechanism,
    concentrated_loss,
    gaussian_loss,
    pure_loss,
)
from ..entries import HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import granularity as hand
from ..reference.basics import delta_by_events
from ..reference.granularity import Laws
from .worlds import POWERS, least_mu, least_rho, log, random_world, renyi, same, two


@claim("GMPS-Thm-VII.1", verdict=HOLDS, where="Theorem VII.1", title="Post-processing keeps all four notions")
def post_processing():
    r"""Whatever is done with the output, by whatever coins: pure, approximate, zero-concentrated and Gaussian privacy
    over a metric all remain.

    Between any two databases the loss can only shrink. Every fifth of the random kernels is a function without coins.
    """
    rng, rows, kept = np.random.default_rng(28), [], {name: [] for name in MEASURES}
    for n in range(60):
        laws = hand.random_laws(rng, range(2), 4, zeros=0.1 * (n % 2))
        kernel = random_kernel(rng, 4, 3, coins=n % 5 > 0)
        after = [reference.push([*laws[D].values()], kernel) for D in range(2)]
        before = FiniteMechanism(range(2), laws)
        made = before.then(lambda y, kernel=kernel: dict(enumerate(kernel[y])))
        done = [[made.law(D).get(z, 0) for z in range(3)] for D in range(2)]
        ensure(done == after, "the law of what is done with the output")
        for name, (by_hand, told) in MEASURES.items():
            kept[name].append((by_hand(*two(laws, 0, 1)), by_hand(*after)))
            ensure(same([told(m.pair(0, 1)) for m in (before, made)], kept[name][-1]), f"{name}, a second time")
    for name, pairs in kept.items():
        slack = 1e-9 if name in POWERS else 0
        ensure(all(y <= x * (1 + slack) for x, y in pairs), "never larger")
        shares = [float(y / x) for x, y in pairs if 0 < x < math.inf]
        rows.append((name, len(pairs), max(shares), sum(shares) / len(shares)))
    return Table(rows, ["privacy", "kernels", "largest share of the loss that is left", "on average"])


def random_kernel(rng: np.random.Generator, n: int, m: int, coins: bool) -> list[list[Fraction]]:
    """Draw what is done with each of n outputs: a law on m, or one of them."""
    if coins:
        return reference.random_map(rng, n, m)
    return [[Fraction(int(x == y)) for x in range(m)] for y in rng.integers(0, m, n)]


@claim("GMPS-Thm-VII.2", verdict=HOLDS, where="Theorem VII.2", title="What holds for the whole holds for the parts")
def from_the_whole_to_the_parts():
    r"""If independent mechanisms together satisfy a notion that survives post-processing, then each of them does.

    Forgetting the other outputs is post-processing; independence is not needed for that. It gives much more: the
    largest losses add up exactly, $\sum_iD_\infty(\mathcal M_i)=D_\infty(\mathcal M)\le d$, and so do all $D_\alpha$.
    """
    rng, rows = np.random.default_rng(29), []
    for n in range(1, 31):
        parts = [hand.random_laws(rng, range(2), 3) for _ in range(3)]
        whole = hand.joint(*parts)
        one, *others = (FiniteMechanism(range(2), laws) for laws in parts)
        pair, exact = (one @ others[0] @ others[1]).pair(0, 1), two(whole, 0, 1)
        forth = [reference.ratio_by_events(*two(laws, 0, 1), 0) for laws in parts]
        largest = max(a / b for a, b in zip(*exact, strict=True))
        ensure(math.prod(forth) == largest, "the largest ratios multiply, exactly")
        each = [hand.ratio(laws[0], laws[1]) for laws in parts]
        ensure(pair.ratio() == hand.ratio(whole[0], whole[1]) >= max(each), "pure")
        for alpha in (1, 1.5, 4, math.inf):
            each = [renyi(*two(laws, 0, 1), alpha) for laws in parts]
            ensure(same(pair.renyi(alpha), float(sum(each))), "Rényi divergences add up")
        for loss, told in ((least_rho, concentrated_loss), (least_mu, gaussian_loss)):
            ensure(max(loss(*two(laws, 0, 1)) for laws in parts) <= told(pair) * (1 + 1e-9), "each at most the whole")
        deltas = [delta_by_events(*two(laws, 0, 1), 2) for laws in parts]
        ensure(max(deltas) <= pair.delta(ratio=2, direction="pq"), "approximate")
        rows += [(*map(math.log, forth), math.log(largest), pair.renyi(math.inf))] if n <= 6 else []
    return Table(rows, ["D_inf of M_1", "of M_2", "of M_3", "sum", "of all three"])


@claim(
    "GMPS-Thm-VII.3",
    verdict=MISPRINT,
    where="Theorem VII.3",
    title="What holds for an adaptive whole holds for each output",
)
def from_an_adaptive_whole():
    r"""If an adaptive composition satisfies a notion that survives post-processing, then so does each output
    $\mathcal N_i(D)$ by itself.

    Right. But the earlier outputs are printed in the reverse order, $\mathcal M_i(\mathcal N_{i-1},\dots,\mathcal
    N_1,D)$; Definition V.1 hands over the first output first, and from three mechanisms on that makes a difference.
    """
    joint, _ = expensive_second(Fraction(1, 2))
    second = joint.then(lambda y: y[1])
    ensure(joint.ratio(0, 1) == 4 and second.ratio(0, 1) == Fraction(46, 19), "46/19 <= 4")
    rows = [("example, second output", joint.loss(0, 1), second.loss(0, 1))]
    rng = np.random.default_rng(30)
    for n in range(6):
        world, third = random_world(rng, whole=True), [hand.random_laws(rng, range(4), 2) for _ in range(2)]
        laws = hand.adaptive(world.laws(), lambda y, third=third: third[y[0]])
        mechanism = FiniteMechanism(range(4), laws)
        for i, pick in enumerate((lambda y: y[0][0], lambda y: y[0][1], lambda y: y[1]), 1):
            alone, told = marginal(laws, pick), mechanism.then(pick)
            ensure(all(told.law(D) == alone[D] for D in range(4)), "the law of one output")
            for pair in combinations(range(4), 2):
                for name, (by_hand, _) in MEASURES.items():
                    ensure(by_hand(*two(alone, *pair)) <= by_hand(*two(laws, *pair)) * (1 + 1e-9), name)
            rows += [(f"random, output {i}", mechanism.loss(0, 1), told.loss(0, 1))] if n == 0 else []
    both = FiniteMechanism.printing(range(2)) @ FiniteMechanism.printing(range(2), lambda D: 1 - D)
    for n in (0, 1):  # the third repeats its first argument: the first output, or, in the printed order, the second
        third = both.adaptively(lambda y, n=n: FiniteMechanism.printing(range(2), lambda D: y[n])).then(lambda y: y[1])
        ensure([third.law(D).get(1, 0) for D in (0, 1)] == [n, 1 - n], "D itself, or 1 - D")
    return Table(rows, ["mechanism", "eps of the whole", "eps of one output"])


def marginal(laws: Laws, pick: Callable) -> Laws:
    """Return the laws of a function of the output."""
    made: Laws = {D: {} for D in laws}
    for D, law in laws.items():
        for y, p in law.items():
            made[D][pick(y)] = made[D].get(pick(y), 0) + p
    return made


def expensive_second(ratio: Fraction, more: Fraction = Fraction(0)) -> tuple[FiniteMechanism, FiniteMechanism]:
    """Return an adaptive composition that is exactly ln(4)-private, and its second mechanism after the output 0.

    The first prints 0 with a likelihood ratio of `ratio` > 1/4; the second then makes up for it, as often as 4 allows.
    """
    zero, likely = Fraction(2, 3), 4 * (4 * ratio - 1) / (15 * ratio) + more
    first = FiniteMechanism(range(2), [[zero * ratio, 1 - zero * ratio], [zero, 1 - zero]])
    after = FiniteMechanism(range(2), [[likely, 1 - likely], [likely * ratio / 4, 1 - likely * ratio / 4]])
    fair = FiniteMechanism(range(2), [[Fraction(1, 2)] * 2] * 2)
    return first.adaptively([after, fair].__getitem__), after


@claim(
    "GMPS-Text-VII.3-converse",
    verdict=HOLDS,
    where="After Theorem VII.3",
    title="A private whole may have parts that are not",
)
def what_the_parts_may_cost():
    r"""If an adaptive composition is private, it does not follow that $\mathcal M_i(\bar s,\cdot)$ is, for all earlier
    outputs $\bar s$.

    A composition that is exactly $\ln4$-private can contain a second mechanism that costs anything below $2\ln4$: the
    first leans the other way, and the second makes up for it. After an output of probability zero it may cost anything.
    """
    rows = []
    for ratio in (Fraction(1, 2), Fraction(3, 10), Fraction(13, 50), Fraction(251, 1000)):
        whole, after = expensive_second(ratio)
        laws, alone = ({D: m.law(D) for D in (0, 1)} for m in (whole, after))
        ensure(whole.ratio(0, 1) == hand.ratio(laws[0], laws[1]) == 4, "exactly ln(4)")
        ensure(after.ratio(0, 1) == hand.ratio(alone[0], alone[1]) == 4 / ratio < 16, "4 / ratio, below 16")
        ensure(expensive_second(ratio, Fraction(1, 1000))[0].ratio(0, 1) > 4, "as often as 4 allows")
        rows.append((ratio, whole.ratio(0, 1), after.ratio(0, 1), after.loss(0, 1) / math.log(4)))
    ensure([row[2] for row in rows[:3]] == [8, Fraction(40, 3), Fraction(200, 13)], "8, 40/3, 200/13")
    always, loud = FiniteMechanism(range(2), [[Fraction(1), Fraction(0)]] * 2), FiniteMechanism.printing(range(2))
    never = always.adaptively([expensive_second(Fraction(1, 2))[0], loud].__getitem__)
    ensure(never.ratio(0, 1) == 4 and loud.ratio(0, 1) == math.inf, "after what never happens")
    rows.append(("never printed", never.ratio(0, 1), math.inf, math.inf))
    return Table(rows, ["ratio of the first output", "e^eps, whole", "e^eps, second after it", "in units of ln 4"])


def largest_loss(p: Sequence, q: Sequence) -> float:
    """Return the largest privacy loss in either direction."""
    return log(hand.ratio(dict(enumerate(p)), dict(enumerate(q))))


MEASURES = {  # what two laws lose, by hand and by the library
    "pure": (largest_loss, pure_loss),
    "approximate, e^eps = 2": (lambda p, q: reference.hockey_stick_both(p, q, 2), lambda pair: pair.delta(ratio=2)),
    "zero-concentrated": (least_rho, concentrated_loss),
    "Gaussian": (least_mu, gaussian_loss),
}
