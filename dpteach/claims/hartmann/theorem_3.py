"""Claims of Hartmann, Bindschaedler and West: Theorem 3, its corollaries, and appendix C.

A round that promises (log x, d) is played by its worst pair. Wherever x and d can be fractions, the checks are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Guarantee, Table, composition, optimal
from ...experiment import (
    subsampled,
    uniform_prior,
)
from ..entries import CORRECTED, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference import experiment as brute
from ..reference.basics import all_close, close
from .rounds import TENTH, exact_pair, keeps, promises, random_parts, somewhere_or_nowhere, table, worst_pairs


@claim("HBW-Thm-3", verdict=FALSE, where="Theorem 3", title="Nowhere or somewhere, by any composition theorem")
def theorem_3():
    r"""Let $(\hat\varepsilon_i,\hat\delta_i)$ be a guarantee for $M_i$ together with the subsampled
    $M_{i+1},\dots,M_k$. Nowhere against a uniform somewhere is then said to be $(\varepsilon,\delta)$-private with
    $e^\varepsilon=\sum_iw_ie^{\hat\varepsilon_i}$, $\delta=\sum_iw_i\hat\delta_i$, $w_i=\frac{2^{k-i}}{2^k-1}$.

    Somewhere is bounded by nowhere in this way. Nowhere by somewhere need not be, if some $\hat\varepsilon_i$ is larger
    with a smaller $\hat\delta_i$: $k=2$ with the guarantees $(0,1/10)$ and $(\ln20,0)$. Right is the larger of
    $\delta$ and $\sum_iw_ie^{-\hat\varepsilon_i}\hat\delta_i\big/\sum_iw_ie^{-\hat\varepsilon_i}$. Nothing changes if
    all $\hat\delta_i$ are equal, as for a theorem used at a fixed total $\delta$.
    """
    rows, parts = [], [(1, TENTH), (20, 0)]
    recipe, (p, q) = uniform_prior(promises(parts)).theorem_3(), somewhere_or_nowhere(parts)
    at, lost = Fraction(41, 3), Fraction(139, 1890)
    ensure(all_close((math.exp(recipe.epsilon), recipe.delta), (41 / 3, 1 / 15)), "what the theorem says")
    ensure(reference.hockey_stick(p, q, at) == Fraction(1, 15) and recipe.valid == {"pq": False, "qp": True}, "forth")
    ensure(reference.hockey_stick(q, p, at) == lost > Fraction(1, 15), "but not back")
    ensure(close(uniform_prior(promises(parts)).exact.delta(recipe.epsilon, "pq"), 139 / 1890, 1e-11), "the library")
    ensure(close(recipe.corrected.delta, 8 / 101), "the correction")
    rows.append(("(0, 1/10) and (ln 20, 0)", at, Fraction(1, 15), Fraction(1, 15), lost, Fraction(8, 101)))
    rows.append(equal_coins_at_two_points())
    rng = np.random.default_rng(52)
    for _ in range(12):
        k = int(rng.integers(2, 4))
        parts = random_parts(rng, k)
        told = uniform_prior(promises(parts)).theorem_3()
        p, q = somewhere_or_nowhere(parts)
        ensure(keeps(p, q, Guarantee(told.epsilon, min(told.delta, 1))), "somewhere by nowhere")
        ensure(keeps(q, p, told.corrected) and keeps(p, q, told.corrected), "corrected, both ways")
    check_theorem_3_at_a_fixed_delta()
    return Table(rows, ["rounds", "e^eps", "delta", "exact", "exact, nowhere by somewhere", "corrected delta"])


def equal_coins_at_two_points() -> tuple:
    """Use Theorem 3 for two randomized responses with e^eps = 20, told as (0, 19/21) and (ln 20, 0)."""
    x, coin = Fraction(20), table(Fraction(20))
    half = [(a + b) / 2 for a, b in zip(*coin, strict=True)], coin[0]
    first = reference.hockey_stick_both(*reference.product_pair([coin, half]), 1)
    ensure(first == Fraction(19, 21), "the total variation of the first and the subsampled second round")
    at, told = (2 + x) / 3, 2 * first / 3
    p, q = somewhere_or_nowhere([(x, 0)] * 2)
    lost = reference.hockey_stick(p, q, at), reference.hockey_stick(q, p, at)
    ensure(
        (at, told, *lost) == (Fraction(22, 3), Fraction(38, 63), Fraction(418, 1323), Fraction(2698, 3969)), "x = 20"
    )
    right = (2 * first) / (2 + 1 / x)
    ensure(lost[1] > told and lost[1] <= right, "too little, and enough")
    return "ln 20 twice, told as (0, 19/21), (ln 20, 0)", at, told, *lost, right


def check_theorem_3_at_a_fixed_delta() -> None:
    """At a fixed total delta the theorem holds; compare it with the exact value and with the classic experiment."""
    known = {
        (5, 0.5, 1e-3): (1.416446400360391, 1.39695975095822, 2.489240816279697),
        (10, 0.5, 1e-4): (2.78987851678041, 2.70229019152044, 4.988481684987001),
        (20, 0.2, 1e-5): (1.746010592302237, 1.66778401920133, 3.524570369373077),
    }
    for (k, eps, delta), expected in known.items():
        prior = uniform_prior(Guarantee(eps), k)
        recipe = prior.theorem_3("optimal", delta)
        ensure(recipe.valid == {"pq": True, "qp": True}, "all deltas are equal")
        told = recipe.epsilon, prior.exact.epsilon(delta), optimal(Guarantee(eps), k=k).epsilon(delta)
        ensure(all_close(told, expected, 1e-11) and told[1] < told[0] < told[2], "close to exact, half of the classic")


@claim(
    "HBW-Cor-6", verdict=FALSE, where="Corollary 6", title="Theorem 3 with the first round added by basic composition"
)
def corollary_6():
    r"""As Theorem 3, but with $M_i$ added by basic composition:
    $e^\varepsilon=\sum_iw_ie^{\varepsilon_i+\hat\varepsilon_i}$ and $\delta=\sum_iw_i(\delta_i+\hat\delta_i)$, where
    $(\hat\varepsilon_i,\hat\delta_i)$ is for the subsampled $M_{i+1},\dots,M_k$.

    False for the same two rounds, corrected in the same way. With basic composition throughout, the bound of somewhere
    by nowhere does not depend on the order of the rounds: $e^\varepsilon=\frac{\prod(1+x_i)-1}{2^k-1}$ and
    $\delta=\frac{2^{k-1}}{2^k-1}\sum\delta_i$, with $x_i=e^{\varepsilon_i}$.
    """
    rows, rng = [], np.random.default_rng(53)
    cases = [[(1, TENTH), (20, 0)], [(20, 0), (1, TENTH)], *(random_parts(rng, k) for k in (2, 3, 3, 3))]
    for i, parts in enumerate(cases):
        k = len(parts)
        recipe, n = uniform_prior(promises(parts)).corollary_6(), 2**k - 1
        at, told = Fraction(math.prod(1 + x for x, _ in parts) - 1) / n, sum(d for _, d in parts) * 2 ** (k - 1) / n
        ensure(all_close((math.exp(recipe.epsilon), recipe.delta), (at, told), 1e-11), "the closed form")
        p, q = somewhere_or_nowhere(parts)
        lost = reference.hockey_stick(p, q, at), reference.hockey_stick(q, p, at)
        ensure(lost[0] <= told and (lost[1] > told) == (i < 2), "forth always, back not for the first two")
        ensure(keeps(q, p, recipe.corrected) and keeps(p, q, recipe.corrected), "corrected, both ways")
        rows.append((show(parts), float(at), float(told), *map(float, lost), recipe.corrected.delta))
    ensure(close(rows[0][3], 1 / 15) and close(rows[0][4], 139 / 1890), "1/15 and 139/1890")
    return Table(
        rows, ["e^eps_i, delta_i", "e^eps", "delta", "exact", "exact, nowhere by somewhere", "corrected delta"]
    )


@claim("HBW-Cor-7", verdict=HOLDS, where="Corollary 7", title="Equal guarantees have a closed form")
def corollary_7():
    r"""For equal guarantees $(\varepsilon',\delta')$, nowhere against a uniform somewhere is
    $\big(\ln\frac{(1+e^{\varepsilon'})^k-1}{2^k-1},\frac{2^{k-1}}{2^k-1}k\delta'\big)$-private.

    In both directions, and at this $\varepsilon$ hardly anything is wasted if $k\delta'$ is small; nothing at all if
    $\delta'=0$. But it is a bound for $\delta$ near its least value: at $\delta=10^{-6}$, a hundred rounds with
    $\varepsilon'=0.1$ need 2.218, not 5.125.
    """
    rows = []
    for k, eps, delta, target in (
        (10, 0.5, 1e-4, 2e-3),
        (5, 1.0, 0.0, 1e-3),
        (50, 0.1, 0.0, 1e-6),
        (100, 0.1, 0.0, 1e-6),
    ):
        prior = uniform_prior(Guarantee(eps, delta), k)
        told, exact = prior.corollary_7(), prior.exact
        lost = exact.delta(told.epsilon)
        ensure(close(lost, 1 - ((2 - delta) ** k - 1) / (2**k - 1), 1e-9) if delta else lost < 1e-12, "at this epsilon")
        ensure(lost <= told.delta + 1e-12, "a guarantee")
        rows.append((k, eps, delta, *map(float, told), lost if delta else 0, target, exact.epsilon(target)))
    ensure(all_close(rows[0][3:6], (2.810216238894993, 0.0005004887585532747, 0.000500376163595951), 1e-9), "k = 10")
    prior = uniform_prior(Guarantee(0.5, 1e-4), 10)
    ensure(close(prior.exact.delta(rows[0][3], "pq"), 3.00333158702667e-09, 1e-6), "almost nothing the other way")
    sides = [prior.exact.epsilon(d, way) for d in (rows[0][4], 2e-3) for way in ("qp", "pq")]
    known = (2.81010092557321, 2.14041290760677, 2.19622854216532, 1.94150699905315)
    ensure(all_close(sides, known, 1e-9), "exact epsilons, both ways")
    ensure(all_close((rows[3][3], rows[3][7]), (5.124947951362559, 2.217896625938951), 1e-11), "k = 100")
    for k, x, d in ((2, 3, TENTH), (3, Fraction(3, 2), Fraction(1, 20)), (3, 20, Fraction(1, 5))):
        p, q = somewhere_or_nowhere([(x, d)] * k)
        told = uniform_prior(promises([(x, d)])[0], k).corollary_7()
        ensure(keeps(p, q, told) and keeps(q, p, told), "by all views, both ways")
    names = ["k", "eps'", "delta'", "epsilon", "delta", "exact delta there", "another delta", "exact epsilon there"]
    return Table(rows, names)


@claim("HBW-Cor-7-eps", verdict=HOLDS, where="Proof of Corollary 7", title="The sum for epsilon is geometric")
@claim("HBW-Eq-6", verdict=HOLDS, where="Equation (6)", title="The sum for delta is k times a power of two")
@claim("HBW-Eq-5", verdict=HOLDS, where="Equation (5)", title="The sum for delta splits in two")
def sums_of_corollary_7():
    r"""In the proof $\sum_i2^{k-i}(1+\frac{k-i}2)=\sum_{j<k}2^j+\sum_{j<k}j2^{j-1}=k2^{k-1}$ gives $\delta$, and
    $\sum_ix\,2^{k-i}\big(\frac{1+x}2\big)^{k-i}=\sum_ix(1+x)^{k-i}=(1+x)^k-1$ with $x=e^{\varepsilon'}$ gives
    $\varepsilon$.

    The two sums of the first line are $2^k-1$ and $(k-2)2^{k-1}+1$. All in fractions, for $k$ up to 15.
    """
    rows = []
    for k in range(1, 16):
        first = sum(2 ** (k - i) * (1 + Fraction(k - i, 2)) for i in range(1, k + 1))
        two = sum(2**j for j in range(k)), sum(j * Fraction(2) ** (j - 1) for j in range(k))
        ensure(
            two == (2**k - 1, (k - 2) * Fraction(2) ** (k - 1) + 1) and first == sum(two) == k * 2 ** (k - 1), "delta"
        )
        for x in (Fraction(3, 2), Fraction(5)):
            steps = [2 ** (k - i) * x * ((1 + x) / 2) ** (k - i) for i in range(1, k + 1)]
            ensure(sum(steps) == sum(x * (1 + x) ** (k - i) for i in range(1, k + 1)) == (1 + x) ** k - 1, "epsilon")
            prior = uniform_prior(Guarantee(math.log(x), 1e-3), k)
            for told in (prior.corollary_7(), prior.theorem_3(), prior.corollary_6()):
                ensure(close(math.exp(told.epsilon), sum(steps) / (2**k - 1), 1e-11), "the library, three ways")
                ensure(close(told.delta, 1e-3 * first / (2**k - 1)), "and its delta")
        if k in (1, 2, 3, 10, 15):
            rows.append((k, first, *two, float(first / (2**k - 1)), float(sum(steps) / (2**k - 1))))
    ensure(close(rows[3][4], 5.00488758553275), "k = 10")
    return Table(rows, ["k", "k 2^(k-1)", "first sum", "second sum", "delta / delta'", "e^eps for e^eps' = 5"])


@claim("HBW-AppC", verdict=CORRECTED, where="Appendix C", title="The first round with the record splits the vectors")
def first_round_with_the_record():
    r"""The proof of Theorem 3 splits the vectors other than $00\dots0$ by their first one: $B_i$ has $2^{k-i}$ of them,
    and on it the rounds before $i$ use $x^0$, round $i$ uses $x^1$, and the rounds after $i$ are subsampled. Compared
    with nowhere this is said to give the theorem.

    The decomposition is exact. The last step averages the inequalities of the blocks, which bounds somewhere by
    nowhere; for the other direction the weights are wrong (HBW-Thm-3). The inequalities for all of $B$, derived at the
    beginning, are not used; they alone give a simpler theorem (HBW-X-6).
    """
    k, rows = 3, []
    parts = random_parts(np.random.default_rng(54), k)
    told, pairs, halves = promises(parts), worst_pairs(parts), [subsampled(pair) for pair in worst_pairs(parts)]
    somewhere, nowhere = somewhere_or_nowhere(parts)
    mixed = [Fraction(0)] * len(somewhere)
    for i in range(k):
        block = [b for b in brute.vectors(k) if b[:i] == (0,) * i and b[i]]
        law, _ = exact_pair(parts, brute.uniform(block), {(0,) * k: 1})
        rounds = [pair.p for pair in pairs[:i]], [pairs[i].q], [pair.q for pair in halves[i + 1 :]]
        by_rounds = [math.prod(atoms) for atoms in product(*(atoms for group in rounds for atoms in group))]
        ensure(law == by_rounds and len(block) == 2 ** (k - 1 - i), "before, in and after round i")
        bound = composition.basic([told[i], *(subsampled(g) for g in told[i + 1 :])])
        ensure(keeps(law, nowhere, bound) and keeps(nowhere, law, bound), "each block, both ways")
        mixed = [a + Fraction(len(block), 2**k - 1) * b for a, b in zip(mixed, law, strict=True)]
        exact = brute.least_ratio(law, nowhere, Fraction(bound.delta))
        rows.append((i + 1, len(block), math.exp(bound.epsilon), float(exact)))
    ensure(mixed == somewhere, "the blocks add up to the law of somewhere")
    return Table(rows, ["first round i", "vectors", "told e^eps of the block", "exact e^eps, at the told delta"])


@claim(
    "HBW-AppC-Misprints",
    verdict=MISPRINT,
    where="Appendix C",
    title="The proof compares with a view that ends in M_k(x_{i-1})",
)
def slips_in_appendix_c():
    r"""The inequalities for a uniform vector are printed with $e^{\varepsilon}$, the final comparison is with a view
    that ends in $M_k(x_{i-1}^0)$, and the proof follows Appendix B without a heading.

    Read $e^{\tilde\varepsilon}$: that is $\big(\frac{1+x}2\big)^k$ with $x=e^{\varepsilon'}$, a smaller number than the
    $e^{\varepsilon}$ of the theorem, and it is attained. And the comparison is with the whole view under $00\dots0$,
    which ends in $M_k(x_k^0)$; a view of $i-1$ answers would be another space. In our copy the heading is missing.
    """
    rows = []
    for k, x in ((1, Fraction(3)), (2, Fraction(3)), (3, Fraction(3, 2)), (4, Fraction(2))):
        zero, everything = {(0,) * k: 1}, brute.uniform(brute.vectors(k))
        tilde = brute.least_ratio(*exact_pair([(x, 0)] * k, everything, zero))
        theorem = brute.least_ratio(*exact_pair([(x, 0)] * k, brute.uniform(b for b in everything if any(b)), zero))
        ensure(tilde == ((1 + x) / 2) ** k < theorem == ((1 + x) ** k - 1) / (2**k - 1), "two different numbers")
        told = composition.basic(subsampled(Guarantee(math.log(x))), k)
        ensure(close(math.exp(told.epsilon), float(tilde)), "the library's subsampled rounds")
        ensure(
            close(math.exp(uniform_prior(Guarantee(math.log(x)), k).theorem_3().epsilon), float(theorem)), "Theorem 3"
        )
        rows.append((k, x, tilde, theorem, len(exact_pair([(x, 0)] * k, everything, zero)[1])))
    return Table(rows, ["k", "e^eps'", "e^eps~ (uniform vector)", "e^eps (Theorem 3)", "views compared"])


def show(parts: Iterable[tuple]) -> str:
    """Write down rounds (e^eps, delta)."""
    return "; ".join(f"{float(x):g}, {float(d):g}" for x, d in parts)
