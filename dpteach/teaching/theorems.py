r"""The theorems of the course for its formula sheet, with their numbers in one running example.

The example: the registry answers $k = 100$ counts, each with $\varepsilon = 0.1$, and forgives $\delta = 10^{-6}$; a
patient is in at most $m = 20$ of them. Beside what a theorem says stands what is true, computed exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import comb, exp, log, sqrt, tanh

from .. import composition, mechanisms, planning
from ..experiment import Hypothesis, hypothesis_dp
from ..experiment.prior import uniform_epsilon
from ..experiment.sampling import subsampled
from ..figures.style import balanced_error
from ..granularity import DatabaseClass, bounded, dist, unbounded
from ..guarantee import Guarantee
from ..leakage.bounds import big_world_bound, independence_bound, independence_optimum, release_bound
from ..notions.scaling import gdp_epsilon, group_delta, group_factor
from ..numerics.search import first_true
from ..optimum import optimal

K, EPS, DELTA, CAP = 100, 0.1, 1e-6, 20
ONE = Guarantee(EPS)
SLACK = EPS / 2  # how far output and leak are from independence
STEPS = 12  # from one database to another, such as the visits of one patient
DIGITS = 4
BITS = 1e-12  # the float of 0.1 is a little above 0.1, and that is no reason to print 0.1001
EXAMPLE = (
    rf"the registry answers $k = {K}$ counts, each with $\varepsilon = {EPS}$ and $\Delta = 1$, and forgives "
    rf"$\delta = 10^{{-6}}$ in all; a patient is in at most $m = {CAP}$ of them."
)


@dataclass(frozen=True)
class Row:
    """A theorem: its name, what it needs, what it says, when to use it, and both numbers in the example."""

    lecture: int
    name: str
    needs: str
    formula: str
    use: str
    says: Callable[[], str]
    true: Callable[[], str]


def above(value: float, digits: int = DIGITS) -> str:
    """Write a guarantee, rounded up."""
    return _rounded(value * (1 - BITS), digits, ROUND_CEILING)


def below(value: float, digits: int = DIGITS) -> str:
    """Write a bound from below, rounded down: an error that no tester can avoid, or what nobody may promise."""
    return _rounded(value * (1 + BITS), digits, ROUND_FLOOR)


def _rounded(value: float, digits: int, rounding: str) -> str:
    rounded = Context(prec=digits, rounding=rounding).create_decimal(Decimal(value))
    shown = f"{float(rounded):.{digits}g}"
    if "e" not in shown:
        return shown
    number, power = shown.split("e")
    return rf"${number} \cdot 10^{{{int(power)}}}$"


# ------------------------------------------------------------------------------------------------ the numbers


def exact(k: int = K, delta: float = DELTA) -> float:
    """Return the exact price of k answers."""
    return optimal(ONE, k=k).epsilon(delta)


def by(name: str) -> str:
    """Return what a composition theorem charges in the example."""
    return above(composition.THEOREMS[name].at(ONE, DELTA, K).epsilon)


def mean_of_coins() -> float:
    """Return the mean loss of the coins, from their two outcomes."""
    coin = mechanisms.randomized_response(EPS)
    return K * float(coin.p @ coin.losses)


def pays_beyond(name: str) -> str:
    """Return the number of answers beyond which the form is below basic composition."""
    return above(planning.pays_from(name, EPS, DELTA))


def first_that_pays(name: str) -> int:
    """Return the first number of answers for which the form is below basic composition, by trying."""
    drift = composition.THEOREMS[name].drift
    return next(k for k in range(1, K) if k * drift(EPS) + sqrt(2 * k * log(1 / DELTA)) < k)


def theorem_3_3(i: int) -> float:
    """Return delta_i of k equal answers by the formula."""
    r = exp(EPS)
    return sum(comb(K, m) * (r ** (K - m) - r ** (K - 2 * i + m)) for m in range(i)) / (1 + r) ** K


def unequal() -> tuple[float, float]:
    """Return the bracket of a hundred unequal answers."""
    return optimal([Guarantee(EPS * sqrt(j / K)) for j in range(1, K + 1)]).bracket(delta=DELTA)


def somewhere() -> float:
    """Return the exact price of hiding whether somebody is anywhere, if all vectors are equally likely."""
    nowhere, anywhere = Hypothesis.point("0" * K), Hypothesis.nonzero(K)
    return hypothesis_dp([ONE] * K, nowhere, anywhere).epsilon(DELTA)


def with_leak() -> str:
    """Return the promise for all answers together with a leak that is private by itself."""
    bound = release_bound(exp(exact()), DELTA, exp(EPS), DELTA)
    return f"{above(exact() + EPS)}, {above(bound.delta)}"


def with_leak_exactly() -> str:
    """Return what the worst answers and the worst leak of these promises really need."""
    pair = mechanisms.randomized_response(exact(), DELTA) @ mechanisms.randomized_response(EPS, DELTA)
    return f"{above(exact() + EPS)}, {above(pair.delta(exact() + EPS))}"


def given_a_leak() -> float:
    """Return the least epsilon of one answer given a leak that is nearly independent of it, in the worst case."""
    holds = lambda eps: independence_optimum(exp(EPS), 0, exp(SLACK), at=exp(eps)) == 0  # noqa: E731
    return first_true(holds, 0, 1)


def pairs(*eps: float) -> float:
    """Return the exact price of answers at delta = 0."""
    return optimal([Guarantee(e) for e in eps]).epsilon(0)


ROWS = (
    Row(
        1,
        "Laplace noise",
        r"one person changes the answer by at most $\Delta$",
        r"scale $\Delta / \varepsilon$",
        "one count",
        lambda: f"scale {above(planning.laplace_scale(1, EPS))}",
        lambda: rf"$\varepsilon$ = {above(mechanisms.laplace(scale=10).epsilon(0))}",
    ),
    Row(
        1,
        "Basic composition",
        r"answer $j$ is $(\varepsilon_j, \delta_j)$-DP whatever came before, fresh noise",
        r"$\sum_j \varepsilon_j,\ \ \sum_j \delta_j$",
        "few answers, or no $\\delta$ to spare",
        lambda: by("basic"),
        lambda: f"{above(exact(delta=0))} at $\\delta = 0$",
    ),
    Row(
        1,
        "Mean loss",
        r"$\varepsilon$-DP",
        r"$\mathbb{E}_P[L] \leq \varepsilon\,\tanh(\varepsilon/2) \leq \varepsilon^2/2$",
        "the drift, in every proof",
        lambda: above(K * EPS * tanh(EPS / 2)),
        lambda: above(mean_of_coins()),
    ),
    Row(
        1,
        "Advanced composition",
        r"$\varepsilon_j$-DP each, $0 < \delta < 1$",
        r"$\sum_j d_j + \sqrt{2\,\ln(1/\delta)\,\sum_j \varepsilon_j^2}$ with $d = \varepsilon(e^{\varepsilon} - 1)$ "
        r"(DRV), "
        r"$\varepsilon^2/2$ (concentrated), $\varepsilon\,\tanh(\varepsilon/2)$ (KOV)",
        "many small answers; take KOV's drift",
        lambda: f"{by('advanced')}, {by('concentrated')}, {by('kov_closed_form')}",
        lambda: above(exact()),
    ),
    Row(
        1,
        "When it pays",
        r"drift $d\,\varepsilon$ of one answer, $d < 1$",
        r"$k > 2\,\ln(1/\delta) / (1 - d)^2$",
        "before you quote it",
        lambda: f"DRV {pays_beyond('advanced')}, KOV {pays_beyond('kov_closed_form')}",
        lambda: f"from $k$ = {first_that_pays('advanced')}, {first_that_pays('kov_closed_form')} on",
    ),
    Row(
        2,
        "Privacy region",
        r"$(\varepsilon, \delta)$-DP, any test",
        r"$e^{\varepsilon} P_{FA} + P_{MD} \geq 1 - \delta$, and exchanged; equal errors: $\frac{1 - \delta}{1 + "
        r"e^{\varepsilon}}$",
        "to audit; to read a promise",
        lambda: f"error {below(balanced_error(Guarantee(exact(), DELTA).curve.lower_boundary))}",
        lambda: f"error {below(balanced_error(optimal(ONE, k=K).lower_boundary))}",
    ),
    Row(
        2,
        "Optimum, equal answers (3.3)",
        r"$k$ answers, $(\varepsilon, \delta)$-DP each, adaptive or not",
        r"at $(k - 2i)\,\varepsilon$: $1 - (1 - \delta)^k (1 - \delta_i)$, "
        r"$\delta_i = \sum_{\ell < i} \binom{k}{\ell} \frac{r^{k - \ell} - r^{k - 2i + \ell}}{(1 + r)^k}$, $r = "
        r"e^{\varepsilon}$",
        "always: nothing smaller is true",
        lambda: rf"$\delta_{{26}}$ = {above(theorem_3_3(26))} at 4.8",
        lambda: above(optimal(ONE, k=K).delta(4.8)),
    ),
    Row(
        2,
        "Optimum, unequal answers",
        "any guarantees; #P-hard exactly",
        r"$\mathrm{opt}(\lfloor\varepsilon_j\rfloor) \leq \mathrm{opt}(\varepsilon_j) \leq "
        r"\mathrm{opt}(\lceil\varepsilon_j\rceil)$ on a grid",
        r"here $\varepsilon_j = 0.01 \sqrt{j}$",
        lambda: f"at most {above(unequal()[1], 7)}",
        lambda: f"at least {below(unequal()[0], 7)}",
    ),
    Row(
        3,
        "Any question (Theorem 1)",
        "a classic guarantee, against all adversaries",
        r"$P_{p_0}(S) \leq e^{\varepsilon} P_{p_1}(S) + \delta$ for all laws $p_0, p_1$ on bit vectors",
        "whatever somebody wants to know",
        lambda: above(exact()),
        lambda: f"somewhere: {above(somewhere())}",
    ),
    Row(
        3,
        "A cap",
        r"nobody is in more than $m$ of $k$, each asked once; $m$ not read off the data",
        r"$\min(k, m)$ rounds for “at all?”, $\min(k, 2m)$ for “where?”",
        "nobody is everywhere",
        lambda: f"basic {above(CAP * EPS)}, {above(2 * CAP * EPS)}",
        lambda: f"{above(exact(CAP))}, {above(exact(2 * CAP))}",
    ),
    Row(
        3,
        "Subsampling",
        r"the record is used with probability $\gamma$",
        r"$\ln(1 + \gamma (e^{\varepsilon} - 1)),\ \ \gamma \delta$",
        r"here $\gamma = 1/2$, one answer",
        lambda: above(subsampled(ONE).epsilon),
        lambda: above(subsampled(mechanisms.randomized_response(EPS)).epsilon(0)),
    ),
    Row(
        3,
        "Somewhere or nowhere (Cor. 7)",
        r"all vectors but $0 \ldots 0$ equally likely, $\delta = 0$",
        r"$\ln \frac{(1 + e^{\varepsilon})^k - 1}{2^k - 1}$",
        "if you trust that prior",
        lambda: above(uniform_epsilon(EPS, K)),
        lambda: f"{above(somewhere())} at $10^{{-6}}$",
    ),
    Row(
        4,
        "From given to together (4)",
        r"$(\varepsilon_1, \delta_1)$-bLDP; the leak is $(\varepsilon_2, \delta_2)$-DP",
        r"$\varepsilon_1 + \varepsilon_2,\ \ \delta_1 + \delta_2 - \delta_1 \delta_2$",
        r"here the leak is $(0.1, 10^{-6})$-DP",
        with_leak,
        with_leak_exactly,
    ),
    Row(
        4,
        "From DP to given a leak (9)",
        r"output and leak $(\varepsilon', \delta')$-independent",
        r"$\varepsilon + 2 \varepsilon',\ \ (e^{\varepsilon + \varepsilon'} + 1)\,\delta' + e^{\varepsilon'} \delta$; "
        r"independent: as before",
        r"here one answer, $\varepsilon' = 0.05$",
        lambda: above(log(independence_bound(exp(EPS), 0, exp(SLACK)).ratio)),
        lambda: above(given_a_leak()),
    ),
    Row(
        4,
        "Census",
        r"independent leak, two tables with equal counts, $d$ people apart",
        r"$d\,\varepsilon,\ \ \delta (1 + e^{\varepsilon} + \dots + e^{(d-1)\varepsilon})$",
        r"exact counts; here $d = 3$",
        lambda: above(3 * EPS),
        lambda: above(pairs(EPS, EPS, EPS)),
    ),
    Row(
        4,
        "Big world (17)",
        r"at most $t$ of $k$ joined, given a leak; “absent” is a neighbour; nobody reads the studies first",
        r"$\min(2t, k)\,\varepsilon,\ \ \min(2t, k)\,\delta$",
        r"studies one did not join; $t = m$",
        lambda: above(log(big_world_bound(exp(EPS), 0, CAP, K).ratio)),
        lambda: f"{above(exact(2 * CAP, 0))}; {above(exact(2 * CAP))} at $10^{{-6}}$",
    ),
    Row(
        5,
        "Distance",
        r"$\varepsilon$-DP for $\mathcal{G}$-neighbours, a path inside the class",
        r"$\varepsilon\,d^{\mathcal{G}}(D, D')$",
        r"groups; here 2 people",
        lambda: above(2 * EPS),
        lambda: above(mechanisms.laplace(scale=10, sensitivity=2).epsilon(0)),
    ),
    Row(
        5,
        "Preprocessing",
        r"$d_2(f(D), f(D')) \leq \Delta f \cdot d_1(D, D')$",
        r"$\Delta f \cdot d_1$; unbounded to bounded 2, back $\infty$",
        "other neighbours",
        lambda: above(2 * EPS),
        lambda: above(dist(unbounded, bounded, DatabaseClass.multisets("ab", at_most=3)) * EPS),
    ),
    Row(
        5,
        "Composition theorem",
        r"mechanism $i$ sees $f_i(D)$, is $d_i$-private, fresh coins",
        r"$d(D, D') = \sum_i d_i(f_i(D), f_i(D'))$",
        r"each sees a part; here at most $m$ counts see a person",
        lambda: above(CAP * EPS),
        lambda: above(exact(CAP, 0)),
    ),
    Row(
        5,
        "Maximum over pairs (IV.13)",
        r"disjoint kinds of records; each bounded $\varepsilon_i$-DP on the whole",
        r"$\max_{i \neq j} (\varepsilon_i + \varepsilon_j)$",
        "records change; a hundred towns",
        lambda: above(EPS + EPS),
        lambda: above(pairs(EPS, EPS)),
    ),
    Row(
        5,
        "Chain of deltas",
        r"$(\varepsilon, \delta)$-DP for neighbours, distance $n$",
        r"$n \varepsilon,\ \ \delta\,(1 + e^{\varepsilon} + \dots + e^{(n-1)\varepsilon})$",
        rf"avoid it; here $n = {STEPS}$, $\delta = 10^{{-6}}$",
        lambda: above(DELTA * group_factor(STEPS, EPS)),
        lambda: above(group_delta(STEPS, EPS, DELTA)),
    ),
    Row(
        5,
        "Gaussian",
        r"$\mu_i$-GDP each, input $i$ moves by $d_i$",
        r"$\mu = \sqrt{\sum_i (\mu_i d_i)^2}$",
        r"many touched counts; here $\mu_i = 0.1$, $\mu = 1$",
        lambda: above(gdp_epsilon(sqrt(K) * EPS, DELTA)),
        lambda: above((mechanisms.gaussian(scale=1 / EPS) ** K).epsilon(DELTA)),
    ),
)
