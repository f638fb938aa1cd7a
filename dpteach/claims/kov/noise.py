"""Claims of Kairouz, Oh and Viswanath, section 4.1: Laplace, staircase and Gaussian noise under composition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp

from ... import Guarantee, Pair, Table, composition, mechanisms, optimal, planning
from ...numerics.walk import loss_walk
from ..entries import ASYMPTOTIC, CORRECTED, DEFINITION, FALSE, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import spent

BUDGETS = [(0.5, 1e-5), (0.9, 0.594), (0.9, 1.0), (0.1, 1e-9), (1e-3, 1e-3), (3e-8, 2e-8)]  # epsilon up to 0.9
FLOAT_CURVE = 1e-10  # how closely the noise curves of the library must agree with 50 digits


def spent_in_the_limit(epsilon: float, delta: float, failures: bool = True) -> float:
    """Return the same for k without end: the coins become a normal law, and nothing fails with chance e^(-delta/2)."""
    mu = planning.per_answer(1, epsilon, delta).epsilon
    exact = float(reference.gaussian_delta(mu, epsilon))
    ensure(close(mechanisms.gaussian(mu).delta(epsilon), exact, FLOAT_CURVE), "the Gaussian curve")
    return 1 - math.exp(-delta / 2) * (1 - exact) if failures else exact


def gaussian_spends(variance: float, k: int, epsilon: float) -> float:
    """Return the exact delta at epsilon of k answers with Gaussian noise of that variance."""
    told = (mechanisms.gaussian(scale=math.sqrt(variance)) ** k).delta(epsilon)
    exact = reference.gaussian_delta(mp.sqrt(k / mp.mpf(variance)), epsilon)
    ensure(close(told, exact, FLOAT_CURVE), "the Gaussian curve")
    return float(exact)


# ------------------------------------------------------------------------------------------- 4.1: splitting a budget


@claim("KOV-Sec4-Recipe", verdict=CORRECTED, where="Section 4", title="The recipe splits any budget")
def splitting_a_budget():
    r"""For a total of $(\varepsilon,\delta)$ over $k$ parts, give each of them
    $\varepsilon_0=\varepsilon/(2\sqrt{k\log(e+\varepsilon/\delta)})$ and $\delta_0=\delta/2k$.

    No range is given, and there must be one: for large $\varepsilon$ and many parts the drift, about
    $k\varepsilon_0^2/2$, alone outgrows $\varepsilon$. Right for $\varepsilon\le0.9$ (Corollary 4.1); the first
    failures appear near $\varepsilon=30.7$.
    """
    share = planning.per_answer(100, 0.5, 1e-5)
    ensure(close(share.epsilon, 0.00760028253036323) and close(share.delta, 5e-8), "the shares")
    rows = [(k, e, d, spent(k, e, d)) for k, (e, d) in product((1, 10, 100), BUDGETS[:3])]
    ensure(all(exact <= d for _, _, d, exact in rows), "up to epsilon = 0.9 the budget is kept")
    ensure(all(spent_in_the_limit(e, d) <= d for e, d in BUDGETS[:3]), "also for k without end")
    ensure(close(rows[6][3], 4.9999876697e-06, 1e-10), "half of the budget is left over")
    rows = [*rows[6:], (1000, 33.0, 0.3, spent(1000, 33.0, 0.3))]
    ensure(close(rows[-1][3], 0.347796933869, 1e-11) and rows[-1][3] > 0.3, "at epsilon = 33 it is overspent")
    for epsilon, kept in ((30.6869, True), (30.687, False)):
        total = spent_in_the_limit(epsilon, 0.2888314)
        ensure((total <= 0.2888314) == kept, "the first failure lies at 30.68694")
        rows.append(("no end", epsilon, 0.2888314, total))
    return Table(rows, ["k", "epsilon", "delta", "exact total delta"])


@claim("KOV-Def-Sensitivity", verdict=DEFINITION, where="Section 4.1", title="Sensitivity")
def sensitivity():
    r"""The sensitivity $\Delta$ of a numerical query is the largest change of its value between neighbours.

    Here by running through all pairs of databases of three people with values 0 to 3 that differ in one of them.
    Geometric noise made for that $\Delta$ loses exactly $\varepsilon$ on the worst pair, and never more.
    """
    people, eps = range(3), 0.5
    neighbours = [
        (a, (*a[:i], new, *a[i + 1 :])) for a in product(range(4), repeat=3) for i in people for new in range(4)
    ]
    queries = {
        "how many above 1": lambda d: sum(x > 1 for x in d),
        "sum": sum,
        "largest": max,
        "twice the sum": lambda d: 2 * sum(d),
    }
    rows = []
    for (name, query), expected in zip(queries.items(), (1, 3, 3, 6), strict=True):
        shifts = {abs(query(a) - query(b)) for a, b in neighbours}
        noise = mechanisms.geometric(eps, sensitivity=max(shifts))
        log_mass = lambda n, noise=noise: abs(n) * math.log(noise.decay)  # noqa: E731
        loss = max(log_mass(n) - log_mass(n - s) for n, s in product(range(-30, 31), shifts))
        ensure(max(shifts) == expected and close(loss, eps) and close(noise.epsilon(0), eps), "loses eps, not more")
        rows.append((name, expected, loss))
    return Table(rows, ["query", "sensitivity", "largest loss at eps = 0.5"])


@claim("KOV-Sec4.1-Derivation", verdict=MISPRINT, where="Section 4.1", title="A slack of delta over root 2 suffices")
def slack_of_the_derivation():
    r"""The corollary is derived with $\delta_0=\delta/2k$ and a slack of $\tilde\delta=\delta/\sqrt2$, for a total of
    $k\delta_0+\tilde\delta$.

    That is $1.207\,\delta$, too much; even $1-(1-\delta_0)^k(1-\tilde\delta)$ exceeds $\delta$ unless
    $\delta>2-\sqrt2$ (for $k=1$). With $\tilde\delta=\delta/2$ the proof closes: the closed form then stays below
    $\varepsilon^2/8+\varepsilon/\sqrt2\le\varepsilon$ up to $\varepsilon=2.34$ (1.17 without the hyperbolic tangent).
    """
    rows = []
    for k, (epsilon, delta) in product((1, 100), [(0.9, 0.1), (0.5, 1e-5), (1.17, 0.01), (2.34, 1e-12)]):
        share = planning.per_answer(k, epsilon, delta)
        printed = composition.kov_closed_form(share, delta / math.sqrt(2), k)
        mended = composition.kov_closed_form(share, delta / 2, k)
        ensure(close(k * share.delta + delta / math.sqrt(2), 1.2071067811865475 * delta), "20.7 percent too much")
        ensure(printed.delta > delta >= mended.delta * (1 - 1e-12), "delta/2 keeps the budget, delta/sqrt(2) does not")
        ensure(mended.epsilon <= epsilon**2 / 8 + epsilon / math.sqrt(2) <= epsilon, "and so does epsilon")
        mu = math.sqrt(k) * share.epsilon
        simple = mu**2 + mu * math.sqrt(2 * math.log(math.e + mu / (delta / 2)))
        ensure(simple <= epsilon or epsilon > 4 - 4 / math.sqrt(2), "without tanh up to 1.17")
        rows.append((k, epsilon, delta, printed.delta / delta, mended.delta / delta, mended.epsilon))
    ensure(close(rows[0][3] * 0.1, 0.11717514421272201), "0.117 for a budget of 0.1")
    one, many = 2 - math.sqrt(2), 0.4819633809383928
    ensure(close(1 - (1 - one / 2) * (1 - one / math.sqrt(2)), one), "k = 1 is saved from 2 - sqrt 2 on")
    ensure(close(1 - math.exp(-many / 2) * (1 - many / math.sqrt(2)), many), "many answers from 0.482 on")
    return Table(rows, ["k", "epsilon", "delta", "printed total / delta", "mended total / delta", "mended epsilon"])


@claim(
    "KOV-Cor-4.1", verdict=HOLDS, where="Corollary 4.1", title="Each answer may spend this much, up to epsilon = 0.9"
)
def what_each_answer_may_spend():
    r"""Up to $\varepsilon=0.9$ it is enough that each of $k$ answers is
    $\big(\sqrt{\varepsilon^2/(4k\log(e+\varepsilon/\delta))},\,\delta/2k\big)$-private.

    The exact total never exceeds $0.502\,\delta$, of which $0.5\,\delta$ is the sum of the $\delta_0$.
    """
    rows = []
    for epsilon, delta in BUDGETS:
        ratios = [spent(k, epsilon, delta) / delta for k in (1, 3, 30, 300)]
        mu, half = planning.per_answer(1, epsilon, delta).epsilon, -math.expm1(-delta / 2)
        limit = (half + (1 - half) * float(reference.gaussian_delta(mu, epsilon))) / delta
        ensure(max(*ratios, limit) <= 0.501704, "never more than 0.5017 delta")
        rows.append((epsilon, delta, ratios[0], ratios[-1], limit))
    ensure(max(row[-1] for row in rows) > 0.5017, "and nearly that much for epsilon and delta near 0")
    return Table(rows, ["epsilon", "delta", "exact / delta, k = 1", "k = 300", "k without end"])


# ------------------------------------------------------------------------------------------------ 4.1: Laplace noise


@claim("KOV-Laplace", verdict=HOLDS, where="Section 4.1", title="Laplace noise is (epsilon, 0)-private")
def laplace_noise():
    r"""Noise of density $\frac{\varepsilon_0}{2\Delta}e^{-\varepsilon_0|x|/\Delta}$ has variance
    $2\Delta^2/\varepsilon_0^2$ and makes a query of sensitivity $\Delta$ $(\varepsilon_0,0)$-private.

    Integration says so too, and gives the whole curve $\delta(\varepsilon)=1-e^{(\varepsilon-\varepsilon_0)/2}$. Mind
    the notation: here Lap takes the inverse of the scale, in Steinke's post the scale itself.
    """
    rows = []
    for eps, shift in ((0.7, 1), (2.0, 3)):
        noise, scale = mechanisms.laplace(eps, sensitivity=shift), mp.mpf(shift) / eps
        density = lambda x, scale=scale: reference.laplace_density(scale, x)  # noqa: E731
        variance = 2 * mp.quad(lambda x: x**2 * density(x), [0, 10 * scale, 60 * scale])  # noqa: B023
        ensure(close(noise.variance, variance, 1e-12) and close(noise.variance, 2 * shift**2 / eps**2), "the variance")
        for at in (0.0, 0.3, 0.6):
            turn = scale * (eps - at) / 2  # up to here the loss exceeds `at`
            exact = reference.excess_of_densities(density, shift, at, [-50 * scale, 0, turn])
            ensure(abs(noise.delta(at) - exact) < 1e-12, "the curve, by integration")
            ensure(abs(-math.expm1((at - eps) / 2) - exact) < 1e-12, "the formula of the curve")
            rows.append((eps, shift, at, noise.delta(at), float(exact)))
        ensure(noise.delta(eps) == 0 and close(noise.epsilon(0), eps), "pure privacy")
    twice = loss_walk(0.7, 2).delta(0.3)
    ensure(close(twice, 0.264388991764879) and close(twice, reference.laplace_walk(0.7, 2, 0.3)[1]), "two answers")
    return Table(rows, ["eps0", "sensitivity", "epsilon", "delta(epsilon)", "by integration"])


@claim(
    "KOV-Cor-4.2", verdict=HOLDS, where="Corollary 4.2", title="Laplace noise of this variance suffices for k answers"
)
def laplace_under_composition():
    r"""Laplace noise of variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$ on each of $k$ answers gives
    $(\varepsilon,\delta)$ for $\varepsilon\le0.9$; the squared error is then of order $k$ times that.

    It is at least 379 times more private than claimed. The mean squared error is meant as a sum over the $k$ answers.
    """
    rows = []
    for k, (epsilon, delta) in product((10, 40), [(0.9, 0.9), (0.9, 0.6138), (0.5, 0.5)]):
        eps0 = mechanisms.laplace(scale=math.sqrt(planning.noise_variance(k, epsilon, delta) / 2)).eps
        ensure(close(eps0, planning.per_answer(k, epsilon, delta).epsilon), "the share of Corollary 4.1")
        exact, worst = float(reference.laplace_walk(eps0, k, epsilon)[1]), optimal(Guarantee(eps0), k=k).delta(epsilon)
        ensure(abs(loss_walk(eps0, k).delta(epsilon) - exact) <= 1e-10 * exact, "the law of the loss")
        ensure(exact <= worst * (1 + 1e-9) and worst <= delta / 379, "379 times more private")
        rows.append((k, epsilon, delta, exact, worst))
    ensure(all_close(rows[0][3:], (0.00151334005664, 0.0019197225210766616), 1e-11), "k = 10, epsilon = delta = 0.9")
    shares = [spent_in_the_limit(0.9, delta, False) / delta for delta in (0.594, 0.613, 0.6138, 0.6146, 0.63)]
    ensure(max(shares) == shares[2] < 1 / 379, "the largest share, in the limit")
    ensure(close(shares[2], 0.00263291759, 1e-8), "0.263%")
    below, above = (spent_in_the_limit(e, 0.296394, False) for e in (34.6621, 34.6622))
    ensure(below <= 0.296394 < above, "beyond epsilon = 34.662 it would fail")
    return Table(rows, ["k", "epsilon", "delta", "exact delta of the noise", "exact delta of any such mechanism"])


# ------------------------------------------------------------------------------------------------ 4.1: the staircase


def staircase_variance_by_summing(eps: float, gamma: float) -> float:
    """Integrate x^2 times the density stair by stair, until e^-60 is left."""
    stairs = np.arange(math.ceil(60 / eps))
    edges = np.stack([stairs, stairs + gamma], axis=1).ravel()
    noise = mechanisms.staircase(eps, gamma=gamma)
    heights = noise.density((edges[:-1] + edges[1:]) / 2)
    ensure(close(2 * np.sum(heights * np.diff(edges)), 1, 1e-9), "a density")
    return float(2 * np.sum(heights * np.diff(edges**3) / 3))


@claim(
    "KOV-Staircase-Var",
    verdict=ASYMPTOTIC,
    where="Section 4.1",
    title="Staircase noise has a variance of order min(1/eps^2, 1/delta^2)",
)
def variance_of_the_staircase():
    r"""Staircase noise needs a variance of order $\min\{1/\varepsilon^2,1/\delta^2\}$ for $(\varepsilon,\delta)$.

    For $\delta=0$ the least variance is $\frac{2^{-2/3}b^{2/3}(1+b)^{2/3}+b}{(1-b)^2}$ with $b=e^{-\varepsilon}$, at
    most that of Laplace noise, $2/\varepsilon^2$. And uniform noise of width $1/\delta$ is $(0,\delta)$-private with
    variance $1/(12\delta^2)$. So the smaller of these two constants does.
    """
    rows = []
    for eps in (0.1, 0.5, 1.0, 2.0, 5.0):
        told, best = planning.staircase_variance(eps), mechanisms.staircase(eps)
        others = [staircase_variance_by_summing(eps, g) for g in (*np.linspace(0.01, 0.99, 25), best.gamma)]
        ensure(close(told, others[-1], 1e-9) and close(told, best.variance, 1e-11), "the closed form, by summing")
        ensure(min(others) == others[-1] and told <= 2 / eps**2, "the least of all, and below Laplace")
        rows.append((eps, told, 2 / eps**2, best.gamma))
    known = (199.91668056105902, 7.917017215366336, 1.9181035312355252, 0.42273284904654684, 0.029711024136372863)
    ensure(all_close([row[1] for row in rows], known, 1e-11), "the five variances")
    for delta in (Fraction(1, 5), Fraction(2, 9)):  # uniform noise: the ends stick out by 1, the middle is common
        flat = Pair([delta, 1 - delta, 0], [0, 1 - delta, delta])
        ensure(flat.delta(ratio=1) == flat.delta(ratio=9) == delta, "(0, delta)-private")
        ensure(2 * (1 / delta / 2) ** 3 / 3 * delta == 1 / (12 * delta**2), "the integral of x^2 delta over its width")
    return Table(rows, ["epsilon", "least variance", "Laplace", "gamma"])


@claim(
    "KOV-Staircase-Comp", verdict=ASYMPTOTIC, where="Section 4.1", title="Staircase noise suffices under composition"
)
def staircase_under_composition():
    r"""By Corollary 4.1 staircase noise of variance of order $k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$ is
    enough for $k$ answers.

    The constant 8 will do, as for Laplace noise. With $\gamma=1/2$ the loss is always $\pm\varepsilon_0$: under
    composition this noise is exactly as bad as randomized response.
    """
    rows = []
    for k, (epsilon, delta) in product((20, 60), [(0.9, 0.9), (0.5, 0.01)]):
        eps0, budget = planning.per_answer(k, epsilon, delta).epsilon, planning.noise_variance(k, epsilon, delta)
        best, half = mechanisms.staircase(eps0), mechanisms.staircase(eps0, gamma=0.5)
        ensure(best.variance <= budget and half.variance <= budget, "constant 8")
        worst = float(reference.optimal_delta(eps0, 0, k, epsilon))
        ensure(abs((half.pair**k).delta(epsilon) - worst) <= 1e-9 * worst, "gamma = 1/2 is randomized response")
        ensure((best.pair**k).delta(epsilon) <= worst * (1 + 1e-9) and worst <= delta, "private as promised")
        rows.append((k, epsilon, delta, best.variance / budget, (best.pair**k).delta(epsilon), worst))
    return Table(rows, ["k", "epsilon", "delta", "variance / budget", "exact delta", "exact delta, gamma = 1/2"])


# ------------------------------------------------------------------------------------------------ 4.1: Gaussian noise


@claim("KOV-Gauss-Single", verdict=FALSE, where="Section 4.1", title="This Gaussian noise suffices for one query")
def gaussian_for_one_query():
    r"""Gaussian noise of variance $\sigma^2\ge2\Delta^2\log(2/\delta_0)/\varepsilon_0^2$ is said to give
    $(\varepsilon_0,\delta_0)$, without a range for $\varepsilon_0$.

    For large $\varepsilon_0$ it does not: the exact curve is
    $\Phi(\mu/2-\varepsilon/\mu)-e^{\varepsilon}\Phi(-\mu/2-\varepsilon/\mu)$ with $\mu=\Delta/\sigma$. Right for
    $\varepsilon_0\le1$, and numerically up to 6.36 for every $\delta_0$.
    """
    limits = {0.5: 6.3954768901, 0.1: 7.0871616943, 0.01: 7.9064900745, 1e-5: 9.3913214622, 1e-12: 11.1437094059}
    rows = []
    for delta, limit in limits.items():
        places = (1.0, limit * (1 - 1e-8), limit * (1 + 1e-8), 10.0)
        spends = [gaussian_spends(planning.gaussian_variance(e, delta), 1, e) for e in places]
        ensure(spends[0] <= delta and spends[1] <= delta < spends[2], "fails from there on")
        rows.append((delta, limit, spends[0], spends[3]))
    ensure(close(planning.gaussian_variance(10, 1e-5), 0.244121452910603), "the variance at epsilon = 10")
    ensure(close(rows[3][3], 1.36441033672985e-5, 1e-11) and close(rows[0][3], 0.87599223902593, 1e-11), "overspent")
    first = [gaussian_spends(planning.gaussian_variance(e, 0.59994755), 1, e) > 0.59994755 for e in (6.36767, 6.36768)]
    ensure(first == [False, True], "the first failure of all, 6.367674")
    for epsilon, delta in product((1e-3, 0.5, 1.0, 6.36), (1e-12, 1e-3, 0.3, 0.6, 0.99)):
        ensure(gaussian_spends(planning.gaussian_variance(epsilon, delta), 1, epsilon) <= delta, "right up to 6.36")
    return Table(rows, ["delta0", "fails from eps0", "exact delta at eps0 = 1", "exact delta at eps0 = 10"])


@claim(
    "KOV-Gauss-FromCor",
    verdict=MISPRINT,
    where="Section 4.1",
    title="Corollary 4.1 yields Gaussian noise with log(1/delta)",
)
def gaussian_through_the_corollary():
    r"""The corollary is said to yield Gaussian noise of variance of order
    $k\Delta^2\log(1/\delta)\log(e+\varepsilon/\delta)/\varepsilon^2$.

    It yields $8k\Delta^2\log(4k/\delta)\log(e+\varepsilon/\delta)/\varepsilon^2$, because each answer has to get by
    with $\delta_0=\delta/2k$: the first logarithm is $\log(k/\delta)$, and the ratio to the printed order grows.
    """
    epsilon, delta, rows = 0.5, 1e-5, []
    for k in (1, 10, 10**3, 10**6, 10**9):
        share = planning.per_answer(k, epsilon, delta)
        variance = planning.gaussian_variance_by_splitting(k, epsilon, delta)
        order = k * math.log(1 / delta) * math.log(math.e + epsilon / delta) / epsilon**2
        constant = planning.gaussian_variance_by_splitting(1, epsilon, delta) * k  # the printed order, fitted at k = 1
        enough, fitted = (gaussian_spends(v, 1, share.epsilon) <= share.delta for v in (variance, constant))
        ensure(enough and fitted == (k <= 10**6), "each answer keeps its share; the printed order fails for large k")
        ensure(close(variance / order, 8 * math.log(4 * k / delta) / math.log(1 / delta)), "a ratio of logarithms")
        rows.append((k, variance / order, enough, fitted))
    ratios = [row[1] for row in rows]
    ensure(all_close(ratios, (8.96, 10.56, 13.76, 18.56, 23.36), 1e-3), "it grows like log k")
    single = planning.gaussian_variance_by_splitting(1, epsilon, delta)
    ensure(close(single, 4466.156794092788), "the variance at k = 1")
    return Table(rows, ["k", "variance / printed order", "log(4k/delta) is enough", "log(4/delta) is enough"])


@claim(
    "KOV-Gauss-Prior",
    verdict=ASYMPTOTIC,
    where="Section 4.1",
    title="Gaussian noise with log(1/delta) was known to suffice",
)
def gaussian_as_known_before():
    r"""It was known that Gaussian noise of variance of order $k\Delta^2\log(1/\delta)/\varepsilon^2$ is enough for $k$
    answers.

    With $2k\Delta^2\log(1.25/\delta)/\varepsilon^2$ it is, up to $\varepsilon=1$: the exact $\delta$ stays below a
    third of the target. A range is needed here as well: $\varepsilon=10$ fails.
    """
    rows = []
    for epsilon in (1e-6, 1e-3, 0.1, 0.5, 1.0):
        deltas = [*np.geomspace(1e-12, 0.9, 9), 0.99, 1.0]
        ratios = [gaussian_spends(planning.classical_gaussian_variance(7, epsilon, d), 7, epsilon) / d for d in deltas]
        rows.append((epsilon, min(ratios), max(ratios)))
    ensure(close(max(row[2] for row in rows), 0.3191593908, 1e-9), "below a third of the target")
    ensure(gaussian_spends(planning.classical_gaussian_variance(7, 10.0, 0.1), 7, 10.0) > 0.1, "not for epsilon = 10")
    return Table(rows, ["epsilon", "least exact delta / delta", "largest"])


@claim("KOV-Thm-4.3", verdict=FALSE, where="Theorem 4.3", title="This Gaussian noise suffices for any epsilon")
def gaussian_under_composition():
    r"""Gaussian noise of variance $8k\Delta^2\log(e+\varepsilon/\delta)/\varepsilon^2$ is said to give
    $(\varepsilon,\delta)$ over $k$ answers for any $\varepsilon>0$.

    Together the answers are $\mu$-Gaussian with $\mu=\varepsilon/\sqrt{8\log(e+\varepsilon/\delta)}$, whatever $k$; and
    for every $\delta<1$ that is too much for large $\varepsilon$: the mean loss $\mu^2/2$ outgrows $\varepsilon$.
    Right up to $\varepsilon=83$ for every $\delta$ (numerically), with a margin of four orders for $\varepsilon\le0.9$.
    """
    limits = {0.9: 90.702512884, 0.5: 83.046746324, 0.1: 91.321892376, 1e-3: 129.691745420, 1e-6: 188.930920553}
    rows = []
    for delta, limit in limits.items():
        at = lambda e, d=delta: gaussian_spends(planning.noise_variance(3, e, d), 3, e)  # noqa: E731
        ensure(at(limit * (1 - 1e-6)) <= delta < at(limit * (1 + 1e-6)), "fails from there on")
        rows.append((delta, limit, at(0.9), at(200.0)))
    examples = {
        (100, 0.1): 0.216876863794631,
        (100, 0.5): 0.860787521228165,
        (200, 1e-5): 0.00123323249887569,
        (84, 0.5): 0.524258390639415,
    }
    for (epsilon, delta), exact in examples.items():
        spends = gaussian_spends(planning.noise_variance(1, epsilon, delta), 1, epsilon)
        ensure(close(spends, exact, 1e-10) and exact > delta, "too much")
    ensure(close(planning.noise_variance(1, 100, 0.1), 0.0055283758983712845), "the variance at epsilon = 100")
    for epsilon, delta in product((1e-6, 0.9, 20.0, 83.0), (1e-15, 1e-5, 0.1, 0.4934293, 0.9)):
        exact = gaussian_spends(planning.noise_variance(5, epsilon, delta), 5, epsilon)
        ensure(exact <= delta * (7.9e-5 if epsilon <= 0.9 else 1), "right up to 83, with a margin up to 0.9")
    return Table(rows, ["delta", "fails from epsilon", "exact delta at epsilon = 0.9", "exact delta at epsilon = 200"])


@claim(
    "KOV-Sec4.1-SameVariance",
    verdict=ASYMPTOTIC,
    where="Section 4.1",
    title="Laplace and staircase noise are as private as Gaussian noise",
)
def nothing_special_about_gaussian_noise():
    r"""Under composition Laplace and staircase noise reach the same privacy as Gaussian noise with the same variance.

    The same order, not the same variance: for many answers of variance $V$, Gaussian noise is $\sqrt{k/V}$-Gaussian
    private and Laplace noise $\sqrt{2k/V}$. So Laplace noise needs twice the variance.
    """
    k, per_answer, rows = 10**4, 8, []  # a variance of 8 k each
    gauss, half = (mechanisms.gaussian(scale=math.sqrt(v)) for v in (per_answer, per_answer / 2))  # k answers together
    worst = optimal(Guarantee(mechanisms.laplace(scale=math.sqrt(per_answer * k / 2)).eps), k=k)
    noise = loss_walk(mechanisms.laplace(scale=math.sqrt(per_answer * 500 / 2)).eps, 500)
    for delta, exact in ((1e-3, 0.8940542573686159), (1e-6, 1.543630451757453), (1e-9, 2.0120777150541658)):
        ensure(close(gauss.epsilon(delta), exact, 1e-10), "the Gaussian curve")
        ensure(close(reference.gaussian_delta(gauss.mu, exact), delta, 1e-10), "the same with 50 digits")
        row = (delta, exact, noise.epsilon(delta), worst.epsilon(delta), half.epsilon(delta))
        ensure(row[2] <= row[3] and all_close(row[2:4], [row[4]] * 2, 0.02), "Laplace is Gaussian of half the variance")
        ensure(row[2] > 1.4 * exact, "and that is much worse")
        rows.append(row)
    known = (1.3521910005095779, 2.2537167208960716, 2.9088398418490553)
    ensure(all_close([row[3] for row in rows], known), "10 000 answers, the worst that Laplace noise can be")
    return Table(
        rows, ["delta", "Gaussian", "Laplace, k = 500", "its worst case, k = 10 000", "Gaussian of half the variance"]
    )


@claim("KOV-Thm-4.3-Gain", verdict=ASYMPTOTIC, where="Section 4.1", title="Theorem 4.3 saves a logarithm")
def gain_of_a_logarithm():
    r"""When $\delta$ is of order $\varepsilon$, Theorem 4.3 needs less variance than before by a factor
    $\log(1/\delta)$.

    It does, as $\log(e+\varepsilon/\delta)$ stays bounded. The exact requirement has no logarithm either: for
    $\delta=\varepsilon$ it is $0.0762\,k/\varepsilon^2$.
    """
    rows = []
    for epsilon in (1e-3, 1e-6, 1e-9):
        gain = planning.noise_variance(1, epsilon, epsilon) / (8 * math.log(1 / epsilon) / epsilon**2)
        needed = planning.noise_scale(4, epsilon, epsilon, "gaussian", "exact") ** 2 * epsilon**2 / 4
        spends = lambda extra, e=epsilon: reference.gaussian_delta(1 / (1 + extra), e)  # noqa: E731  scale 1 + extra
        scale = 1 + reference.inverse(spends, epsilon, 1 / epsilon)
        ensure(close(gain, math.log(math.e + 1) / math.log(1 / epsilon)), "log(e + 1) in place of log(1/delta)")
        ensure(
            close(needed, (epsilon * scale) ** 2, 1e-9) and 0.0761 < needed < 0.0763, "the exact need has no logarithm"
        )
        rows.append((epsilon, gain, needed, math.log(1 / epsilon)))
    ensure(close(rows[1][1], 0.0950570506973528) and close(rows[2][1], 0.06337136713156853), "the two ratios")
    return Table(rows, ["epsilon = delta", "new / old order", "exact variance times eps^2 / k", "log(1/delta)"])
