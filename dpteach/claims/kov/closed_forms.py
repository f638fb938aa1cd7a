"""Claims of Kairouz, Oh and Viswanath, sections 3.2 and 3.3: closed forms for equal and unequal mechanisms."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from ... import Guarantee, Table, composition, optimal
from ..entries import ASYMPTOTIC, CORRECTED, HOLDS, MISPRINT, claim, ensure
from ..reference import basics as reference
from ..reference.basics import all_close, close
from .pairs import TENTH


@claim(
    "KOV-Sec3.2-Order",
    verdict=MISPRINT,
    where="Section 3.2",
    title="The closed form is of the order k eps^2 + eps log(eps/delta)",
)
def announced_order():
    r"""Before Theorem 3.4 its bound is announced as $O(k\varepsilon^2+\min\{\sqrt{k\varepsilon^2\log(1/\tilde\delta)},
    \varepsilon\log(\varepsilon/\tilde\delta)\})$.

    The last term has lost its root, a $k$ and the $e$ in the logarithm. With $\tilde\delta = \varepsilon$ it is 0 and
    $k\varepsilon^2$ would be enough, but the exact value exceeds any multiple of it. Right is
    $\sqrt{k\varepsilon^2\log(e+\sqrt{k\varepsilon^2}/\tilde\delta)}$.
    """
    k, rows = 10**6, []
    for eps, expected in ((1e-4, 0.27592411274623535), (1e-5, 0.02721939530727037), (1e-6, 0.0027182170558518147)):
        exact = optimal(Guarantee(eps), k=k).epsilon(eps)
        ensure(close(exact, expected, 1e-9), "the exact value")
        ensure(close(reference.delta_by_tails(eps, k, exact), eps, 1e-6), "by binomial tails")
        root = math.sqrt(k) * eps
        right = root**2 + root * math.sqrt(math.log(math.e + root / eps))
        ensure(exact <= math.sqrt(2) * right, "the corrected order holds")
        rows.append((eps, exact, k * eps**2, exact / (k * eps**2), exact / right))
    ensure([round(row[3], -1) for row in rows] == [30, 270, 2720], "ten times more each time")
    return Table(rows, ["eps = slack", "exact", "announced, k eps^2", "exact / announced", "exact / corrected"])


@claim("KOV-Sec3.2-DeltaStrict", verdict=CORRECTED, where="Section 3.2", title="The new delta is strictly smaller")
def strictly_smaller_delta():
    r"""The new total $1-(1-\delta)^k(1-\tilde\delta)$ is said to be strictly smaller than the old
    $k\delta+\tilde\delta$.

    Never larger, but the two are equal if $\delta = 0$, or if $k = 1$ and $\tilde\delta = 0$.
    """
    some = (0, Fraction(1, 1000), TENTH, 1)
    for k, delta, slack in product((1, 2, 3, 30), some, some):
        new, old = 1 - (1 - delta) ** k * (1 - slack), k * delta + slack
        equal = delta == 0 or (k == 1 and slack == 0)
        ensure(new == old if equal else new < old, "equality exactly in these cases")
    rows = []
    cases = (30, 0.001, 0.001), (30, 0.0, 0.001), (1, 0.001, 0.0), (1, 0.001, 0.001), (1000, 1e-5, 1e-3)
    for k, delta, slack in cases:
        new = composition.kov_closed_form(Guarantee(0.1, delta), slack, k).delta
        old = composition.advanced(Guarantee(0.1, delta), slack, k).delta
        ensure(close(new, total_delta([delta] * k, slack)) and close(old, k * delta + slack), "both totals")
        rows.append((k, delta, slack, new, old, bool(new < old)))
    ensure(close(rows[0][3], 0.0305394637041774), "k = 30")
    ensure([row[5] for row in rows] == [True, False, False, True, True], "strict but for the two cases")
    return Table(rows, ["k", "delta", "slack", "new total", "old total", "strictly smaller"])


def total_delta(deltas, slack) -> float:
    """Return 1 - (1 - slack) prod(1 - delta_i), exactly and then rounded: in floats it would lose digits."""
    return float(1 - (1 - Fraction(slack)) * math.prod(1 - Fraction(delta) for delta in deltas))


@claim("KOV-Eq-7", verdict=HOLDS, where="Equation (7)", title="The epsilon of the closed form")
@claim("KOV-Thm-3.4", verdict=HOLDS, where="Theorem 3.4", title="The closed form: the least of three bounds")
def closed_form():
    r"""The composition is $(\tilde\varepsilon, 1-(1-\delta)^k(1-\tilde\delta))$-private, $\tilde\varepsilon$ being the
    least of three numbers: $k\varepsilon$; the drift $k\varepsilon\tanh(\varepsilon/2)$ plus
    $\varepsilon\sqrt{2k\log(e+\sqrt{k\varepsilon^2}/\tilde\delta)}$; and the drift plus
    $\varepsilon\sqrt{2k\log(1/\tilde\delta)}$.

    The exact $\delta$ at each member, with 50 digits, is below $\tilde\delta$. The second member is the smaller of the
    last two exactly when $\sqrt k\,\varepsilon+e\tilde\delta<1$.
    """
    rows = []
    for (k, eps, slack), (second, third, value) in CLOSED_FORMS.items():
        members, exact = reference.closed_form([(eps, k)], slack), optimal(Guarantee(eps), k=k).epsilon(slack)
        ensure(all_close(members[1:], (second, third)), "the two members")
        ensure((second < third) == (math.sqrt(k) * eps + math.e * slack < 1), "which one is smaller")
        ensure(close(exact, value, 1e-11) and exact <= min(members), "the exact value is below")
        ensure(close(composition.kov_closed_form(Guarantee(eps), slack, k).epsilon, min(members), 1e-13), "(7)")
        rows.append((k, eps, slack, *map(float, members), exact))
    branches = []
    for k, eps, delta, slack in ((3, 0.1, 0.0, 1e-5), (20, 0.5, 0.01, 0.1), (30, 0.1, 1e-6, 1e-5), (40, 3.0, 0.0, 0.9)):
        told = composition.kov_closed_form(Guarantee(eps, delta), slack, k)
        members = reference.closed_form([(eps, k)], slack)
        ensure(close(told.epsilon, min(members), 1e-13), "the minimum")
        ensure(close(told.delta, total_delta([delta] * k, slack)), "the total delta")
        exact = [reference.optimal_delta(eps, delta, k, member) for member in members]
        ensure(all(x <= told.delta for x in exact), "valid, all three members")
        branches.append(told.branch.split(":")[0])
    ensure(branches == ["first", "third", "second", "third"], "each member can be the least")
    return Table(rows, ["k", "eps", "slack", "k eps", "second member", "third member", "exact"])


CLOSED_FORMS = {  # (k, eps, slack): second member, third member, exact
    (100, 0.1, 1e-6): (5.756106036460575, 5.756105519335732, 4.7745675881079865),
    (30, 0.1, 1e-5): (2.7085062460458538, 2.778136009752106, 2.1101544222423825),
    (10**4, 1e-3, 1e-5): (0.4341995374027593, 0.4848525908021415, 0.3406402097337904),
    (10**6, 1e-5, 1e-4): (0.030486787324071386, 0.04296932052578653, 0.019420427930313688),
    (1000, 0.01, 1e-3): (1.1237800040445747, 1.2253935835758998, 0.782363963145507),
}


@claim(
    "KOV-Thm-3.4-Simplified",
    verdict=CORRECTED,
    where="After Theorem 3.4",
    title="For small epsilon the drift may be k epsilon squared",
)
def simpler_form():
    r"""For $\varepsilon \le 0.9$ the drift $k\varepsilon\tanh(\varepsilon/2)$ in (7) may be replaced by
    $k\varepsilon^2$.

    True, and needlessly weak: since $\tanh(\varepsilon/2)\le\varepsilon/2$, half of it is enough, for every
    $\varepsilon$. The third member is then the bound of Steinke's post.
    """
    rows = []
    for eps in (0.01, 0.5, 0.9, 2.0, 10.0, 100.0):
        worst = 0.0
        for k, slack in product((1, 10, 100), (1e-9, 1e-3, 0.5)):
            logs = math.log(math.e + math.sqrt(k) * eps / slack), math.log(1 / slack)
            halved = [k * eps**2 / 2 + eps * math.sqrt(2 * k * log) for log in logs]
            told = composition.kov_closed_form(Guarantee(eps), slack, k).epsilon
            ensure(told <= min(k * eps, *halved) * (1 + 1e-12), "half the drift is enough, for every eps")
            ensure(close(halved[1], composition.concentrated(Guarantee(eps), slack, k).epsilon), "the post's bound")
            exact = reference.optimal_delta(eps, 0, k, min(halved))
            worst = max(worst, float(exact / slack))
        ensure(worst <= 1, "valid")
        rows.append((eps, eps / 2, math.tanh(eps / 2), worst))
    return Table(rows, ["eps", "eps / 2", "tanh(eps / 2)", "largest exact delta / slack at the halved bound"])


@claim("KOV-Sec3.2-Slack", verdict=ASYMPTOTIC, where="Section 3.2", title="The new bound needs less slack")
def slack_that_is_needed():
    r"""To reach an $\tilde\varepsilon$ of order $\sqrt{k\varepsilon^2}$ the new bound needs a slack of that order only,
    the old one a constant slack.

    Right as an order. With $\mu = \sqrt k\,\varepsilon$: at $\tilde\delta=\mu$ the new bound is a multiple of $\mu$,
    the old one $\mu\sqrt{2\log(1/\mu)}$. But from the total variation on, for many parts
    $\tilde\delta = 2\Phi(\mu/2)-1\approx0.3989\,\mu$, the exact $\tilde\varepsilon$ is 0: the constant must be smaller
    to say anything.
    """
    k, rows = 10**4, []
    for mu in (0.1, 0.01, 1e-3, 1e-4):
        coin = Guarantee(mu / math.sqrt(k))
        new, old = (f(coin, mu, k).epsilon for f in (composition.kov_closed_form, composition.advanced))
        exact, distance = optimal(coin, k=k), 2 * float(reference.normal_cdf(mu / 2)) - 1
        ensure(close(exact.delta(0), distance, 1e-3) and exact.epsilon(mu) == 0, "the total variation is about 0.4 mu")
        rows.append((mu, new / mu, old / mu, exact.epsilon(mu / 10) / mu, exact.delta(0) / mu))
    most = math.sqrt(2 * math.log(math.e + 1))
    ensure(all(row[1] <= (most + row[0] / 2) * (1 + 1e-12) for row in rows), "a multiple of mu")
    ensure(all(close(row[2], math.sqrt(2 * math.log(1 / row[0])), 0.06) for row in rows), "a logarithm more")
    ensure(all_close(rows[0][1:4], (1.6706552259907062, 2.2460160429601816, 0.9270960315847615), 1e-10), "mu = 0.1")
    ensure(all_close(rows[1][1:4], (1.6256552301532057, 3.0448547587869603, 0.904813967781363), 1e-10), "mu = 0.01")
    return Table(rows, ["mu", "new / mu", "old / mu", "exact at mu / 10, over mu", "total variation / mu"])


@claim("KOV-Eq-8", verdict=HOLDS, where="Equation (8)", title="The epsilon for unequal mechanisms")
@claim("KOV-Thm-3.5", verdict=HOLDS, where="Theorem 3.5", title="The closed form holds for unequal mechanisms")
def closed_form_for_unequal_mechanisms():
    r"""For $(\varepsilon_\ell,\delta_\ell)$-private mechanisms the closed form holds with $\sum\varepsilon_\ell$,
    $\sum\varepsilon_\ell^2$ and $\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$, and with a total of
    $1-(1-\tilde\delta)\prod(1-\delta_\ell)$.

    The exact optimum is the sum over all $2^k$ truthful or untruthful answers, with 50 digits.
    """
    rng, rows = np.random.default_rng(42), []
    for k in (1, 2, 3, 5, 7, 8):
        eps, deltas = 10 ** rng.uniform(-2, 0.3, size=k), 10 ** rng.uniform(-4, -1, size=k)
        coins, slack = [*zip(eps, deltas, strict=True)], 10 ** rng.uniform(-4, -0.5)
        given, members = [Guarantee(*coin) for coin in coins], reference.closed_form([(e, 1) for e in eps], slack)
        told = composition.kov_closed_form(given, slack)
        ensure(close(told.epsilon, min(members), 1e-13), "equation (8)")
        ensure(close(told.delta, total_delta(deltas, slack)), "the total delta")
        exact = [reference.mixed_delta(coins, member) for member in members]
        ensure(all(x <= told.delta for x in exact), "valid, all three members")
        half = told.epsilon / 2
        ensure(close(optimal(given).delta(half), reference.mixed_delta(coins, half)), "the library's optimum")
        rows.append((k, slack, told.epsilon, told.delta, float(max(exact))))
    example = optimal([Guarantee(0.1), Guarantee(0.2), Guarantee(0.3)]).epsilon(0.01)
    ensure(close(example, 0.537796170501605), "(0.1, 0.2, 0.3) at 0.01")
    members = reference.closed_form([(0.1, 1), (0.2, 1), (0.3, 1)], 0.01)
    ensure(all_close(members, (0.6, 1.086368593546623, 1.2051334320187967)), "its members")
    return Table(rows, ["k", "slack", "told eps", "told delta", "exact delta there, worst member"])


@claim("KOV-Sec3.3-Replace", verdict=HOLDS, where="Section 3.3", title="For unequal mechanisms sums replace multiples")
def sums_in_place_of_multiples():
    r"""For unequal mechanisms one replaces $k\varepsilon$ by $\sum\varepsilon_\ell$, $k\varepsilon^2$ by
    $\sum\varepsilon_\ell^2$, and the drift by a sum as well.

    The drift is a sum of products, $\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$: the mean of the privacy loss, here
    by enumeration. With the average $\varepsilon$ in both places it would be too small as long as no
    $\varepsilon_\ell$ exceeds 2.399; for 3 and 9 it is too large.
    """
    slack, rows = 0.9, []
    for eps in ([0.5] * 4, [0.1, 0.2, 0.3], [0.01, 1.0, 0.01, 1.0], [1.5, 0.1, 0.1, 0.1, 0.1]):
        p, q = reference.product_pair([reference.worst_pair(math.exp(e)) for e in eps])
        mean = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0)
        mu = math.sqrt(math.fsum(e**2 for e in eps))
        second, third = (mean + mu * math.sqrt(2 * math.log(x)) for x in (math.e + mu / slack, 1 / slack))
        told = composition.kov_closed_form([Guarantee(e) for e in eps], slack).epsilon
        ensure(close(told, min(second, third)) and told < math.fsum(eps), "with the enumerated mean")
        average = math.fsum(eps) * math.tanh(math.fsum(eps) / len(eps) / 2)
        ensure(average <= mean * (1 + 1e-12) and (average < 0.99 * mean) == (len(set(eps)) > 1), "too small")
        rows.append((", ".join(map(str, eps)), mean, average, told))
    rng, drift = np.random.default_rng(23), lambda e: e * math.tanh(e / 2)
    for _ in range(50):
        one, two = rng.uniform(0, 2.399, 2)
        ensure(2 * drift((one + two) / 2) <= (drift(one) + drift(two)) * (1 + 1e-12), "convex up to 2.399")
    ensure(2 * drift(6) > drift(3) + drift(9) and 1.199 * math.tanh(1.199) < 1 < 1.2 * math.tanh(1.2), "not beyond")
    equal = composition.kov_closed_form(Guarantee(0.5), 0.9, k=400).epsilon
    ensure(close(equal, min(reference.closed_form([(0.5, 1)] * 400, 0.9)), 1e-13), "equal epsilons: (8) is (7)")
    return Table(rows, ["eps", "mean loss", "with the average eps", "told eps"])
