"""A check must be able to fail: every formula of the library is spoilt once, and some claim has to notice.

Each row names a function, a piece of its source, what to write there instead, and the claims of which at least one
must then fail. A second test rebuilds the same functions without a change, and there the same claims must stand: so
it is the wrong formula that was noticed, not the surgery.
"""

import __future__

import importlib
import inspect
import sys
import textwrap
from functools import cached_property

import pytest

from dpteach.claims import ledger

SPOILT = [
    # the composition theorems
    ("composition:basic", "given.sum_delta", "0.0", "KOV-Thm-3.1"),
    ("composition:basic", "given.sum_eps", "given.mu", "KOV-Thm-3.1"),
    ("composition:advanced", "given.drift(_expm1)", "given.drift(_tanh_half)", "KOV-Thm-3.2"),
    ("composition:advanced", "given.drift(_expm1) + ", "", "KOV-Thm-3.2"),
    ("composition:advanced", "given.sum_delta_and(slack)", "given.sum_delta", "KOV-Thm-3.2"),
    ("composition:concentrated", "given.mu**2 / 2", "given.mu**2", "KOV-Thm-3.4-Simplified"),
    ("composition:concentrated", "given.mu**2 / 2 + ", "", "KOV-Thm-3.4-Simplified"),
    ("composition:kov_closed_form", "math.e + given.mu / slack", "1 + given.mu / slack", "KOV-Thm-3.4"),
    ("composition:kov_closed_form", "given.mu / slack", "given.mu**2 / slack", "KOV-Thm-3.4"),
    (
        "composition:kov_closed_form",
        "drift + _deviation(given.mu, log_second)",
        "_deviation(given.mu, log_second)",
        "KOV-Thm-3.4",
    ),
    (
        "composition:kov_closed_form",
        "drift + _deviation(given.mu, log_inverse)",
        "_deviation(given.mu, log_inverse)",
        "KOV-Thm-3.4",
    ),
    ("composition:kov_closed_form", "given.drift(_tanh_half)", "given.drift(_expm1)", "KOV-Thm-3.4"),
    ("composition:kov_closed_form", "min(branches", "max(branches", "KOV-Thm-3.4"),
    ("composition:kov_closed_form", "given.failure_or(slack)", "given.sum_delta_and(slack)", "KOV-Sec3.2-DeltaStrict"),
    ("composition:_deviation", "2 * log_inverse", "log_inverse", "KOV-Thm-3.2"),
    ("composition:_log_inverse", "-math.log(slack)", "-math.log10(slack)", "KOV-Thm-3.2"),
    ("composition:_expm1", "math.expm1(eps)", "eps", "KOV-Thm-3.2"),
    ("composition:_tanh_half", "eps / 2", "eps", "KOV-Thm-3.4"),
    ("composition:_tanh_half", "math.tanh(eps / 2)", "eps / 2", "KOV-Thm-3.4"),
    (
        "composition:Given.__init__",
        "for _, count in groups",
        "for _, count in [(g, n + 1) for g, n in groups]",
        "KOV-Thm-3.1",
    ),
    ("composition:Given.__init__", "count * eps**2", "eps**2", "KOV-Thm-3.2"),
    ("composition:Given.__init__", "count * eps**2", "count * eps", "KOV-Thm-3.2"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "eps * per_step(eps)", "KOV-Thm-3.2"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "count * per_step(eps)", "KOV-Sec3.3-Replace"),
    ("composition:Given.failure_or", "if self.sum_delta > 0", "if self.sum_delta > 1", "KOV-Thm-3.4"),
    # the guarantee and its worst pair
    ("guarantee:worst_pair", "(1 - delta) * likely", "likely", "KOV-Fig-3a KOV-Eq-2 KOV-Fig-1"),
    ("guarantee:worst_pair", "1 / (1 + np.exp(-eps))", "1 / (1 + np.exp(-2 * eps))", "KOV-Eq-2"),
    ("guarantee:as_groups", "groups.get(guarantee, 0) + 1", "1", "KOV-Sec3.3-Replace"),
    ("guarantee:as_groups", 'checks.count("k", k)', 'checks.count("k", k) + 1', "KOV-Thm-3.1"),
    # the pair
    ("pair:Pair._towards", '"both": [self, self.reversed()]', '"both": [self]', "KOV-Def-1.1"),
    (
        "pair:Pair._towards",
        '"pq": [self], "qp": [self.reversed()]',
        '"qp": [self], "pq": [self.reversed()]',
        "KOV-Def-1.1",
    ),
    ("pair:Pair.delta", "np.max(", "np.min(", "KOV-Def-1.1"),
    ("pair:_excess", "a - ratio * b", "ratio * a - b", "KOV-Def-1.1"),
    ("pair:_excess", "max(a - ratio * b, 0)", "abs(a - ratio * b)", "KOV-Def-1.1"),
    ("pair:_steepest", "(a - delta) / b for", "a / b for", "KOV-Def-1.1"),
    ("pair:_steepest", "merged = pair.merged()", "merged = pair", "KOV-Def-1.1"),
    ("pair:Pair.total_variation", "ratio=1", "ratio=2", "KOV-Fig-1"),
    ("pair:Pair.tradeoff", "missed, alarm = ", "alarm, missed = ", "KOV-Rem-2.2"),
    ("pair:_interpolate", "ys[right - 1] + share", "ys[right] + share", "KOV-Rem-2.2"),
    ("pair:Pair.region", "1 - lower[1:-1]", "lower[-2:0:-1]", "KOV-Eq-3"),
    ("pair:Pair._lower_boundary", "alarm[1:]", "alarm[:-1]", "KOV-Eq-3"),
    ("pair:Pair._lower_boundary", "np.cumsum(merged.q)", "np.cumsum(merged.p)", "KOV-Eq-3"),
    ("pair:Pair.dominates", "<= missed for", ">= missed for", "KOV-Cor-2.3"),
    (
        "pair:Pair.dominates",
        "self.tradeoff(alarm) <= missed for missed, alarm",
        "self.tradeoff(missed) <= alarm for missed, alarm",
        "KOV-Thm-2.5",
    ),
    ("pair:Pair.then", "self.q @ table", "self.p @ table", "KOV-Def-Dominates"),
    ("pair:Pair._reversed", "Pair._of(self.q, self.p,", "Pair._of(self.p, self.q,", "KOV-Def-RM"),
    ("pair:_merge_exactly", "old[1] + b", "b", "KOV-Eq-3 KOV-Def-1.1"),
    ("pair:_merge_exactly", "reverse=True", "reverse=False", "KOV-Rem-2.2"),
    ("pair:_exact_power", "left = [(1, 1)], k", "left = [(1, 1)], k + 1", "KOV-Thm-3.3-Tight"),
    ("pair:_merge_weights", "(a + c, b + d)", "(a + c, b)", "KOV-Thm-3.3-Tight"),
    ("pair:_blackwell_map", "two.q.astype(float)", "two.p.astype(float)", "KOV-Def-Dominates"),
    ("pair:Pair.sample", "(self.p, self.q)", "(self.q, self.p)", "KOV-Def-Errors"),
    # the privacy loss and the exact optimum
    ("loss:PrivacyLoss.delta", "S[last] + T[last] * below", "T[last] * below", "KOV-Thm-3.3"),
    ("loss:PrivacyLoss.delta", "S[last] + T[last] * below", "S[last]", "KOV-Thm-3.3"),
    ("loss:PrivacyLoss.delta", "self.at_infinity + outward", "outward", "KOV-Def-1.1"),
    ("loss:PrivacyLoss.epsilon", "(spare - S[at])", "spare", "KOV-Thm-3.3"),
    ("loss:PrivacyLoss.epsilon", "np.log1p(-np.clip", "-(np.clip", "KOV-Thm-3.3"),
    ("loss:PrivacyLoss._sum_up", "np.cumsum(rise * self.T[:-1])", "np.cumsum(self.T[:-1])", "KOV-Thm-3.3"),
    ("loss:discounted_sums", "-decay", "-1", "KOV-Thm-3.3"),
    ("coins:coin_law", "(k - up) / (up + 1)", "(k - up) / (up + 2)", "KOV-Thm-3.3"),
    ("coins:coin_law", "down / (k - down + 1) / odds", "down / (k - down + 1)", "KOV-Thm-3.3"),
    ("coins:coin_law", "exact_product(k - 2 * i, eps)", "exact_product(k - i, eps)", "KOV-Thm-3.3"),
    ("coins:coin_law", "exact_product(k - 2 * i, eps)", "exact_product(k + 1 - 2 * i, eps)", "KOV-Thm-3.3"),
    ("coins:_rounded_odds", "np.exp(-eps)", "np.exp(eps)", "KOV-Thm-3.3"),
    ("coins:LossLaw.__matmul__", "total = x + y", "total = x - y", "KOV-Thm-3.5"),
    ("optimal:Failure.__init__", "count * math.log1p(-delta)", "math.log1p(-delta)", "KOV-Thm-3.1"),
    ("optimal:Failure.__init__", "math.log1p(-delta)", "-delta", "KOV-Thm-3.1"),
    ("optimal:Failure.add", "self.kept_end(rounding) * delta", "delta", "KOV-Thm-3.3"),
    ("optimal:Failure.spare", "(delta - self.lost_end(rounding))", "delta", "KOV-Sec3.1-BasicTight"),
    ("optimal:Failure.spare", "/ self.kept_end(rounding)", "", "KOV-Sec3.1-BasicTight"),
    ("optimal:Optimal._pair", "np.exp(-losses)", "np.exp(losses)", "KOV-Fig-2"),
    ("optimal:Optimal._pair", "kept * weights", "weights", "KOV-Fig-2"),
    ("optimal:ExactCurve.__init__", "coin_law(eps, k) for", "coin_law(eps, 1) for", "KOV-Thm-3.3"),
    # the mechanisms
    (
        "mechanisms:_exact_worst_pair",
        "(1 - delta) * ratio / (1 + ratio), (1 - delta) / (1 + ratio)",
        "(1 - delta) * 2 * ratio / (1 + 2 * ratio), (1 - delta) / (1 + 2 * ratio)",
        "KOV-Eq-2",
    ),
    ("mechanisms:_exact_worst_pair", "law[::-1]", "law", "KOV-Def-1.1"),
]
CONSTANTS = [
    ("pair:SAME_POINT", 0.01, "KOV-Def-Dominates"),
    ("coins:REACH", 0.5, "KOV-Thm-3.3"),
]


def rebuild(monkeypatch, where: str, old: str = "", new: str = "") -> None:
    """Compile a function of the library again with `old` replaced by `new`, and put it wherever the library uses it."""
    module_name, _, path = where.partition(":")
    module = importlib.import_module(f"dpteach.{module_name}")
    *outer, name = path.split(".")
    owner = getattr(module, outer[0]) if outer else module
    original = inspect.getattr_static(owner, name)
    source = textwrap.dedent(inspect.getsource(plain_function(original)))
    assert old in source, f"{where} no longer contains {old!r}: adapt this table"
    scope: dict = {}
    code = compile(source.replace(old, new), where, "exec", flags=__future__.annotations.compiler_flag)
    exec(code, vars(module), scope)
    again = scope[name]
    if isinstance(again, cached_property):
        again.__set_name__(owner, name)
    users = [owner] if outer else [m for n, m in sys.modules.items() if n.startswith("dpteach")]
    for user in users:
        for known, thing in list(vars(user).items()):
            if thing is original:
                monkeypatch.setattr(user, known, again)


def plain_function(thing):
    """Return the function inside a property, cached property or class method."""
    for attribute in ("fget", "func", "__func__"):
        thing = getattr(thing, attribute, None) or thing
    return thing


def fails(ids: str) -> bool:
    """Say whether one of the claims does not stand."""
    for id in ids.split():
        try:
            ledger()[id].evidence()
        except Exception:
            return True
    return False


@pytest.mark.parametrize(("where", "old", "new", "ids"), SPOILT)
def test_a_wrong_formula_is_noticed(monkeypatch, where, old, new, ids):
    ledger()
    rebuild(monkeypatch, where, old, new)
    assert fails(ids)


@pytest.mark.parametrize(("where", "value", "ids"), CONSTANTS)
def test_a_wrong_constant_is_noticed(monkeypatch, where, value, ids):
    ledger()
    module, _, name = where.partition(":")
    monkeypatch.setattr(importlib.import_module(f"dpteach.{module}"), name, value)
    assert fails(ids)


CONTROLS = {
    where: " ".join(dict.fromkeys(" ".join(r[3] for r in SPOILT if r[0] == where).split())) for where, *_ in SPOILT
}


@pytest.mark.parametrize("where", CONTROLS)
def test_without_a_change_nothing_is_noticed(monkeypatch, where):
    ledger()
    rebuild(monkeypatch, where)
    assert not fails(CONTROLS[where])


def test_there_are_enough():
    assert len(SPOILT) + len(CONSTANTS) >= 40
    assert len({tuple(row[:3]) for row in SPOILT}) == len(SPOILT)
