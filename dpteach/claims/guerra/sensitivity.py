"""Claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe: maps and sensitivity (section III-B).

Everything is exact: mechanisms have fractions for probabilities, distances are whole numbers, and the loss is counted
in units of log 2. The second way walks from neighbour to neighbour and compares multisets record by record.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np

from ... import Table, mechanisms
from ...granularity import (
    PrivacySpace,
    bounded,
    dist,
    free_lunch,
    sensitivity,
    times,
    unbounded,
)
from ...notions import (
    FiniteMechanism,
    Pure,
)
from ..entries import CORRECTED, DEFINITION, HOLDS, MISPRINT, claim, ensure
from ..reference import granularity as by_hand
from ..reference.basics import all_close, close
from .spaces import HALF, INF, UP_TO_3, as_function, graph, metric_space, random_function, same_laws


def rounded_up(told: float, exact) -> bool:
    """Say whether a number is the least float that is not below the exact one."""
    return told == exact if exact in (0, INF) else math.nextafter(told, 0) < exact <= Fraction(told)


def pulled(d: by_hand.Distances, f: Callable) -> Callable:
    """Return the distance of the images under f."""
    return lambda x, y: d[f(x), f(y)]


@claim("GMPS-Def-III.5", verdict=DEFINITION, where="Definition III.5", title="Sensitivity")
def sensitivity_of_a_map():
    r"""The sensitivity $\Delta f$ of $f:(\mathbb D_1,d_1)\to(\mathbb D_2,d_2)$ is the smallest number in $[0,\infty]$
    with $d_2(f(D),f(D'))\le\Delta f\,d_1(D,D')$ wherever $d_1(D,D')<\infty$.

    It is infinite if $d_1=0<d_2$ or $d_1<d_2=\infty$ somewhere. What $f$ does to pairs at infinite distance does not
    count.
    """
    rng, seen = np.random.default_rng(327), Counter()
    for _ in range(100):
        d1, d2, f = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 3), random_function(rng, 4, 3)
        told = sensitivity(f, metric_space(d1, 4), metric_space(d2, 3))
        exact = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(4))
        ensure(rounded_up(told, exact), "the largest quotient, in fractions")
        seen["infinite" if exact == INF else "zero" if exact == 0 else "between"] += 1
    ensure(min(seen[kind] for kind in ("infinite", "zero", "between")) >= 5, "all three kinds occur")
    size = sensitivity(len, unbounded.on(UP_TO_3), lambda n, m: abs(n - m))
    share = sensitivity(lambda D: D.count("a"), bounded.on(UP_TO_3), lambda n, m: abs(n - m))
    split = sensitivity(len, bounded.on(UP_TO_3), lambda n, m: abs(n - m))
    flat = PrivacySpace([0, 1], lambda x, y: 0)
    ensure((size, share, split) == (1, 1, 0), "counts")
    ensure(sensitivity(None, flat, free_lunch.on([0, 1])) == INF, "0 < d2 at distance 0")
    rows = [
        ("|D|, unbounded", float(size)),
        ("number of a, bounded", float(share)),
        ("|D|, bounded: different sizes are at infinite distance", float(split)),
        ("identity, from d1 = 0 to d2 = 1", INF),
        *((f"100 random maps: {kind}", f"{n} times") for kind, n in sorted(seen.items())),
    ]
    return Table(rows, ["map", "sensitivity"])


@claim("GMPS-Prop-III.6", verdict=CORRECTED, where="Proposition III.6", title="Preprocessing costs the sensitivity")
def preprocessing():
    r"""If $\Delta f<\infty$ and $\mathcal M$ is $d_2$-private, then $\mathcal M\circ f$ is $(\Delta f)d_1$-private.

    With $0\cdot\infty=\infty$ as always. Two databases at $d_1=\infty$ and $f=\mathrm{id}$ have $\Delta f=0$, since
    only finite distances count; read $0\cdot\infty=0$, and every private mechanism would have to ignore its input.
    """
    rng, counts = np.random.default_rng(328), Counter()
    for _ in range(80):
        d1, d2, f = by_hand.random_metric(rng, 4), by_hand.random_metric(rng, 3), random_function(rng, 4, 3)
        one, two = metric_space(d1, 4), metric_space(d2, 3)
        spread = sensitivity(f, one, two)
        if spread == INF:
            counts["infinite sensitivity"] += 1
            continue
        laws = by_hand.after(by_hand.attaining(range(3), d2, 2), f, range(4))
        mechanism = FiniteMechanism.attaining(two, 2).after(f, range(4))
        ensure(same_laws(mechanism, laws), "M after f, by hand")
        exact = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(4))
        lost = {pair: math.log2(by_hand.ratio(*map(laws.get, pair))) for pair in d1}  # whole numbers
        ensure(all(lost[pair] <= exact * d for pair, d in d1.items() if d < INF), "private, in fractions")
        ensure(mechanism.keeps(Pure(one, spread * math.log(2))), "as the library says")
        ensure(spread == 0 or not mechanism.keeps(Pure(one, 0.999 * spread * math.log(2))), "and no smaller factor")
        wrong = any(d == INF and lost[pair] > 0 for pair, d in d1.items())
        counts["with 0 * inf = 0 it would be false" if spread == 0 and wrong else "true either way"] += 1
    ensure(counts["with 0 * inf = 0 it would be false"] >= 3, "the convention matters")
    apart = PrivacySpace([0, 1], lambda x, y: 0 if x == y else INF)
    lunch = free_lunch.on([0, 1])
    sharp = FiniteMechanism.attaining(lunch, 2).after(lambda D: D, apart.cls)
    ensure(sensitivity(None, apart, lunch) == 0 and sharp.ratio(0, 1) == 2, "sensitivity 0, ratio 2")
    ensure((0 * apart).distance(0, 1) == INF, "so 0 d1 must be inf")
    return Table(sorted(counts.items()), ["random spaces, maps and mechanisms", "cases"])


@claim(
    "GMPS-Text-sens-nb",
    verdict=HOLDS,
    where="Section III-B, after Proposition III.6",
    title="Neighbours decide the sensitivity",
)
def sensitivity_by_neighbours():
    r"""If the metrics are canonical, the sensitivity is the largest distance of the images of neighbours,
    $\Delta f=\max_{D\sim_{\mathcal G_1}D'}d_2(f(D),f(D'))$.

    Only $d_1$ has to be canonical; $d_2$ may be any metric. In infinite classes the maximum is a supremum. For other
    $d_1$ the nearest pairs do not decide: three points at distances 2, 2, 3, mapped to 0, 1, 2.
    """
    rng, seen = np.random.default_rng(329), Counter()
    for _ in range(100):
        pairs, d2, f = by_hand.random_graph(rng, 6, 0.3), by_hand.random_metric(rng, 4), random_function(rng, 6, 4)
        space, d1 = graph(pairs, 6), by_hand.steps(range(6), pairs)
        near = max((d2[f(x), f(y)] for x, y in pairs), default=0)
        everywhere = by_hand.factor(pulled(d2, f), lambda x, y, d=d1: d[x, y], range(6))
        told = sensitivity(f, space, metric_space(d2, 4))
        ensure(told == near == everywhere, "neighbours decide")
        ensure(sensitivity(f, PrivacySpace(range(6), space.matrix), metric_space(d2, 4)) == told, "as the metric says")
        seen["infinite" if near == INF else "zero" if near == 0 else "between"] += 1
    apart = {(0, 1): 2, (1, 2): 2, (0, 2): 3}
    line = PrivacySpace(range(3), lambda x, y: apart.get((min(x, y), max(x, y)), 0))
    told = sensitivity(None, line, lambda x, y: abs(x - y))
    nearest = max(Fraction(y - x, d) for (x, y), d in apart.items() if d == 2)
    ensure(line.is_metric and close(told, 2 / 3) and nearest == HALF, "the nearest pairs alone do not decide")
    rows = [("canonical", f"random, {kind}", f"{n} times the same") for kind, n in sorted(seen.items())]
    return Table([*rows, ("2, 2, 3", told, float(nearest))], ["d1", "sensitivity", "from the nearest pairs"])


@claim(
    "GMPS-Text-Delta-id",
    verdict=MISPRINT,
    where="Section III-B, after Proposition III.6",
    title="The sensitivity of the identity is dist(G1, G2)",
)
def sensitivity_of_the_identity():
    r"""For $f=\mathrm{id}$ from $(\mathbb D,d^{\mathcal G_1})$ to $(\mathbb D,d^{\mathcal G_2})$ the sensitivity is
    $\mathrm{dist}(\mathcal G_1,\mathcal G_2)$.

    The arguments are swapped: $\Delta\mathrm{id}=\max_{D\sim_{\mathcal G_1}D'}d^{\mathcal G_2}(D,D')
    =\mathrm{dist}(\mathcal G_2,\mathcal G_1)$. Not harmless: from unbounded to bounded the printed formula says 2, but
    the sensitivity is infinite.
    """
    rng, rows = np.random.default_rng(330), []
    relations = {unbounded: by_hand.added, bounded: by_hand.replaced, free_lunch: by_hand.anything}
    walked = {notion: by_hand.steps(UP_TO_3.databases, related) for notion, related in relations.items()}
    for one, two in ((bounded, unbounded), (unbounded, bounded), (unbounded, free_lunch), (free_lunch, unbounded)):
        told = sensitivity(None, one.on(UP_TO_3), two.on(UP_TO_3))
        exact = by_hand.factor(*(lambda D, E, d=walked[g]: d[D, E] for g in (two, one)), UP_TO_3.databases)
        ensure(told == exact == dist(two, one, UP_TO_3), "dist with the arguments swapped")
        ensure(told != dist(one, two, UP_TO_3), "not as printed")
        rows.append((one.name, two.name, float(told), float(dist(two, one, UP_TO_3)), float(dist(one, two, UP_TO_3))))
    ensure([row[2:] for row in rows[:2]] == [(2, 2, INF), (INF, INF, 2)], "2 and inf")
    for _ in range(30):
        one, two = graph(by_hand.random_graph(rng, 5), 5), graph(by_hand.random_graph(rng, 5), 5)
        exact = by_hand.factor(as_function(two), as_function(one), range(5))
        ensure(sensitivity(None, one, two) == exact == dist(two.granularity, one.granularity, range(5)), "at random")
    return Table(rows, ["G1", "G2", "sensitivity of id", "dist(G2, G1)", "dist(G1, G2), printed"])


@claim("GMPS-Rem-III.7", verdict=CORRECTED, where="Remark III.7", title="Preprocessing has no converse")
def preprocessing_has_no_converse():
    r"""$\mathcal M\circ f$ may be private although $\mathcal M$ is not. Take
    $\mathcal M(x)=x+\mathrm{Lap}(1/\varepsilon)$ and $f(x)=1/(1+e^x)$ on the real numbers: $\mathcal M\circ f$ is
    free-lunch $\varepsilon$-DP, but $\mathcal M$ is not free-lunch $\varepsilon'$-DP for any $\varepsilon'$.

    True, but the spaces are muddled: the Remark declares both to be free lunch, and then computes with $|f(x)-f(y)|$.
    The sensitivity of $f$ is 1 both ways (a supremum for $|f(x)-f(y)|$), that of the identity is 1 from free lunch to
    free lunch and infinite from free lunch to $|x-y|$. A constant $f$ is a simpler example.
    """
    eps, rows, squash = 0.5, [], lambda x: 1 / (1 + math.exp(x))
    distance, noise = (lambda x, y: abs(x - y)), mechanisms.laplace(eps)
    for reach in (1, 5, 30):
        points = [-reach, 0, reach]
        space = free_lunch.on(points)
        spread, identity = sensitivity(squash, space, distance), sensitivity(None, space, distance)
        ensure(spread == max(abs(squash(x) - squash(y)) for x, y in combinations(points, 2)) <= 1, "below 1")
        ensure(identity == 2 * reach and sensitivity(None, space, space) == 1, "the identity: 2 reach, and 1")
        losses = [_laplace_loss(noise.scale, f(-reach), f(reach)) for f in (squash, float)]
        told = [mechanisms.laplace(scale=noise.scale / shift).epsilon(0) for shift in (spread, identity)]
        ensure(all_close(losses, told, 1e-9) and all_close(told, (eps * spread, eps * identity), 1e-9), "the losses")
        ensure(told[0] <= eps * (1 + 1e-12) and told[1] > eps, "private after f, not before")
        rows.append((f"-{reach} and {reach}", spread, told[0], float(identity), told[1]))
    far = _laplace_loss(noise.scale, 0.0, 1e6)
    ensure(close(far, 1e6 * eps, 1e-9), "a million eps between 0 and a million")
    printing = FiniteMechanism.printing([0, 1, 2])
    constant = printing.after(lambda D: 0, [0, 1, 2])
    lunch = free_lunch.on([0, 1, 2])
    ensure(constant.level(lunch) == 0 and printing.level(lunch) == INF, "a constant map makes anything private")
    rows.append(("0 and 1000000", squash(0), eps * squash(0), 1e6, far))
    return Table(rows, ["x and y", "|f(x) - f(y)|", "loss of M after f", "|x - y|", "loss of M (eps = 0.5)"])


def _laplace_loss(scale: float, x: float, y: float) -> float:
    """Return the largest log-likelihood ratio of Laplace noise around x and y, at outputs in and around [x, y]."""
    outputs = np.linspace(min(x, y) - 1, max(x, y) + 1, 401)
    return float(np.max(np.abs(np.abs(outputs - x) - np.abs(outputs - y))) / scale)


@claim("GMPS-Prop-III.8", verdict=CORRECTED, where="Proposition III.8", title="Sensitivities multiply")
def sensitivity_of_a_composition():
    r"""For $f:\mathbb D_1\to\mathbb D_2$ and $g:\mathbb D_2\to\mathbb D_3$, $\Delta(g\circ f)\le\Delta f\,\Delta g$.

    With $\infty\cdot0=\infty$. Otherwise false: the identity from $d_1=1$ over $d_2=\infty$ to $d_3=1$ has
    $\Delta f=\infty$, $\Delta g=0$ and $\Delta(g\circ f)=1$.
    """
    rng, counts, strict = np.random.default_rng(332), Counter(), 0
    for _ in range(150):
        metrics = [by_hand.random_metric(rng, size) for size in (4, 3, 3)]
        f, g = random_function(rng, 4, 3), random_function(rng, 3, 3)
        one, two, three = (metric_space(d, size) for d, size in zip(metrics, (4, 3, 3), strict=True))
        told = (
            sensitivity(f, one, two),
            sensitivity(g, two, three),
            sensitivity(lambda x, f=f, g=g: g(f(x)), one, three),
        )
        exact = by_hand.factor(
            pulled(metrics[2], lambda x, f=f, g=g: g(f(x))), lambda x, y, d=metrics[0]: d[x, y], range(4)
        )
        ensure(rounded_up(told[2], exact), "the sensitivity of the composition, in fractions")
        bound = INF if INF in told[:2] else told[0] * told[1]
        ensure(bound == float(times(*told[:2])) and told[2] <= bound * (1 + 1e-12), "at most the product")
        false = {0.0, INF} == set(map(float, told[:2])) and told[2] > 0
        counts["false with inf * 0 = 0" if false else "infinite bound" if bound == INF else "finite bound"] += 1
        strict += told[2] < bound < INF
    ensure(min(counts.values()) >= 3 and len(counts) == 3 and strict >= 3, "all cases occur")
    one, far = free_lunch.on([0, 1]), PrivacySpace([0, 1], lambda x, y: 0 if x == y else INF)
    example = sensitivity(None, one, far), sensitivity(None, far, one), sensitivity(None, one, one)
    ensure(example == (INF, 0, 1), "inf, 0 and 1")
    return Table([*sorted(counts.items()), ("of the finite ones, strict", strict)], ["random spaces and maps", "cases"])
