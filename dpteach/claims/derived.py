"""What was derived for this kit: how the closed forms compare, a sharper one, and how the optimum is computed."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from mpmath import mp

from .. import Guarantee, Table, composition, optimal, planning
from .entries import HOLDS, claim, ensure
from .reference import basics as reference
from .reference.basics import all_close, close

ADVANCED = ("kov_closed_form", "concentrated", "advanced")


def bounds(eps: float, k: int, slack: float) -> tuple:
    """Return the bounds with log(1/slack), sharpest first: KOV's third member, the post's, and Theorem 3.2."""
    third, mu2 = reference.closed_form([(eps, k)], slack)[2], k * mp.mpf(eps) ** 2
    return third, mu2 / 2 + mp.sqrt(2 * mu2 * mp.log(1 / mp.mpf(slack))), reference.old_bound([(eps, k)], slack)


def simplified(mu: float, inside: float) -> float:
    """Return mu^2 + mu sqrt(2 log(inside)), a member of KOV's minimum with its drift replaced by k eps^2."""
    return mu**2 + mu * math.sqrt(2 * math.log(inside))


@claim("X-Orderings", verdict=HOLDS, where="lecture 1", title="Which closed form is the smallest")
def which_closed_form_is_smallest():
    r"""For $k$ equal parts KOV's third member is at most the post's bound, and that at most Theorem 3.2. The second
    member is below the third if and only if $\sqrt k\varepsilon+e\tilde\delta<1$. With the drift simplified to
    $k\varepsilon^2$ the third never beats the post's bound, the second does for small $\mu=\sqrt k\varepsilon$.

    They beat $k\varepsilon$ beyond $k=2\log(1/\tilde\delta)/(1-c)^2$, where $c$ is $\tanh(\varepsilon/2)$,
    $\varepsilon/2$ or $e^{\varepsilon}-1$; if $c\ge1$ never.
    """
    for eps, k, slack in product((1e-3, 0.1, 0.5, 1.0, 3.0), (1, 30, 1000), (1e-9, 0.01, 0.3, 0.9)):
        first, second, third = reference.closed_form([(eps, k)], slack)
        kov, post, old = bounds(eps, k, slack)
        ensure(kov <= post <= old, "KOV, the post, Theorem 3.2")
        ensure((second < third) == (math.sqrt(k) * eps + math.e * slack < 1), "when the second member pays")
        ensure(simplified(math.sqrt(k) * eps, 1 / slack) >= post, "the simplified third member never")
        told = [getattr(composition, name)(Guarantee(eps), slack, k).epsilon for name in ADVANCED]
        ensure(all_close(told, (min(first, second, third), post, old)), "the library's three bounds")
    for slack, mu in {1e-2: 0.4738846289, 1e-3: 0.4453339337, 1e-6: 0.3774657161, 1e-12: 0.3145239014}.items():
        post = lambda m, s=slack: m**2 / 2 + m * math.sqrt(2 * math.log(1 / s))  # noqa: E731
        wins = [simplified(m, math.e + m / slack) < post(m) for m in (mu * (1 - 1e-8), mu * (1 + 1e-8))]
        ensure(wins == [True, False], "the simplified second member only for small mu")
    rows = []
    for eps in (0.1, 0.5, 1.0, 2.0):
        places = [planning.pays_from(name, eps, 1e-6) for name in ADVANCED]
        for i, place in enumerate(places):
            crosses = [bounds(eps, k, 1e-6)[i] < k * mp.mpf(eps) for k in _around(place)]
            ensure(crosses == ([False, True] if place < math.inf else [False, False]), "pays exactly from there on")
        rows.append((eps, *(place if place < math.inf else "never" for place in places)))
    ensure(all_close(rows[0][1:], (30.613407116, 30.616089879, 34.507758843), 1e-10), "eps = 0.1")
    ensure(close(rows[3][1], 486.14199694, 1e-10) and rows[3][2:] == ("never", "never"), "eps = 2")
    return Table(rows, ["eps", "KOV's third member beats k eps beyond", "the post's bound", "Theorem 3.2"])


def _around(place: float) -> tuple[int, int]:
    """Return the whole numbers on both sides, or two large ones."""
    return (math.floor(place), math.floor(place) + 1) if place < math.inf else (10**3, 10**12)


@claim("X-Sharper", verdict=HOLDS, where="lecture 2", title="A sharper closed form")
def sharper_closed_form():
    r"""With $\mu^2=\sum\varepsilon_\ell^2$ and $t\ge0$ the root of $e^{-t^2/2}\mu/(\mu+t)=\tilde\delta$, the
    composition of pure parts is $\big(\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)+\mu t,\,\tilde\delta\big)$-private:
    never worse than the last two members of (7) and (8). The first, $\sum\varepsilon_\ell$, may be smaller still.

    By the same proof: the loss exceeds its mean by $s$ with probability at most $e^{-s^2/2\mu^2}$ (Hoeffding), and
    $\delta(\varepsilon)=\int_0^\infty e^{-u}\,P(\text{loss}>\varepsilon+u)\,du$.
    """
    rows = []
    for k, eps, slack in ((100, 0.1, 1e-6), (10**4, 1e-3, 1e-5), (10**6, 1e-5, 1e-4), (5, 1.0, 0.1), (50, 3.0, 1e-9)):
        told, seven = (
            composition.sharper(Guarantee(eps), slack, k),
            composition.kov_closed_form(Guarantee(eps), slack, k),
        )
        exact = optimal(Guarantee(eps), k=k).epsilon(slack)
        ensure(k > 100 or reference.optimal_delta(eps, 0, k, told.epsilon) <= slack, "it holds, with 50 digits")
        ensure(exact <= told.epsilon <= seven.epsilon * (1 + 1e-12), "between the exact value and (7)")
        mu, drift = math.sqrt(k) * eps, k * eps * math.tanh(eps / 2)
        t = (told.epsilon - drift) / mu
        ensure(told.branch == "the sum" or close(math.exp(-t * t / 2) * mu / (mu + t), slack, 1e-8), "t is the root")
        rows.append((k, eps, slack, exact, told.epsilon, seven.epsilon))
    known = (4.7745675881079865, 5.406593199312651, 5.756105519335732)
    ensure(all_close(rows[0][3:], known, 1e-11), "k = 100")
    ensure(all_close(rows[1][3:], (0.3406402097337904, 0.4002471007866502, 0.4341995374027593), 1e-11), "k = 1e4")
    ensure(all_close(rows[2][3:], (0.019420427930313688, 0.026929958897468617, 0.030486787324071386), 1e-10), "k = 1e6")
    rng = np.random.default_rng(21)
    for _ in range(20):
        eps, slack = rng.uniform(0.02, 1.5, 6), 10 ** rng.uniform(-5, -0.1)
        told = composition.sharper([Guarantee(e) for e in eps], slack)
        ensure(reference.mixed_delta([(e, 0) for e in eps], told.epsilon) <= slack, "unequal parts, all 2^6 answers")
        eight = composition.kov_closed_form([Guarantee(e) for e in eps], slack)
        ensure(told.epsilon <= eight.epsilon * (1 + 1e-12), "and never above (8)")
    return Table(rows, ["k", "eps", "slack", "exact", "sharper", "equation (7)"])


@claim("X-Algorithm", verdict=HOLDS, where="dpteach.optimal", title="Summing Theorem 3.3 without losing digits")
def summing_without_losing_digits():
    r"""Theorem 3.3 is evaluated by sums of positive terms only: binomial weights outward from the mode, then
    $T_j=w_j+e^{-2\varepsilon}T_{j-1}$ and $S_i=(1-e^{-2\varepsilon})\sum_{j<i}T_j$, read off at
    $\delta'(e)=S_m-T_m\,(e^{e-(k-2m)\varepsilon}-1)$; the inverse needs no search.

    Against 50 digits the relative error stays below $10^{-12}$, down to $\delta=10^{-300}$; the difference of two sums,
    as printed in (6), would lose everything there. The bracket contains the exact value.
    """
    rng, worst, rows = np.random.default_rng(22), 0.0, []
    for k in (1, 7, 100, 1000):
        for _ in range(8):
            eps, delta = 10 ** rng.uniform(-6, 1), float(rng.choice([0.0, 1e-9, 0.01]))
            at = rng.uniform(0, 1) ** 2 * k * eps
            curve, exact = optimal(Guarantee(eps, delta), k=k), min(reference.optimal_delta(eps, delta, k, at), mp.one)
            low, high = curve.bracket(eps=at)
            ensure(low <= exact <= high, "the bracket contains it")
            if exact > 1e-300:
                worst = max(worst, abs(float(curve.delta(at) / exact - 1)))
        back = curve.epsilon(float(exact)) if exact < 1 else 0.0
        ensure(reference.optimal_delta(eps, delta, k, back) <= exact * (1 + mp.mpf(10) ** -12), "the inverse")
    ensure(worst < 1e-12, "twelve digits")
    for k, eps, at in ((100, 0.1, 9.9), (1000, 0.1, 60.0), (1000, 0.1, 95.0), (1000, 1.0, 999.0)):
        exact, told = reference.optimal_delta(eps, 0, k, at), optimal(Guarantee(eps), k=k).delta(at)
        ensure(close(told, exact), "deep in the tail")
        rows.append((k, eps, at, told, abs(float(told / exact - 1)) < 1e-12))
    return Table(rows, ["k", "eps", "e", "delta'(e)", "twelve digits right"])
