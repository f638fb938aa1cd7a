"""A check must be able to fail: every formula of the library is spoilt once, and some claim has to notice.

Each row names a function, a piece of its source, what to write there instead, and the claims of which at least one
must then fail. A second test rebuilds the same functions without a change, and there the same claims must stand: so
it is the wrong formula that was noticed, not the surgery.
"""

import __future__

import importlib
import inspect
import math
import sys
import textwrap
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
import pytest
import truth_experiment as truth

from dpteach import Guarantee, Pair, composition, experiment, mechanisms, optimal, planning
from dpteach.claims import all_claims
from dpteach.claims.reference import basics as reference
from dpteach.claims.reference.basics import all_close, close
from dpteach.experiment import Hypothesis
from dpteach.numerics.walk import loss_walk

LEANING = (0.9, 0.1), (0.6, 0.4)  # a pair whose two laws are not mirror images
RR2, RR3 = mechanisms.randomized_response(ratio=2), mechanisms.randomized_response(ratio=3)

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
    ("composition:Given._root_of_squares", "count * (eps / scale) ** 2", "(eps / scale) ** 2", "KOV-Thm-3.2"),
    ("composition:Given._root_of_squares", "count * (eps / scale) ** 2", "count * (eps / scale)", "squares"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "eps * per_step(eps)", "KOV-Thm-3.2"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "count * per_step(eps)", "KOV-Sec3.3-Replace"),
    ("composition:Given.failure_or", "if self.sum_delta > 0", "if self.sum_delta > 1", "KOV-Thm-3.4"),
    ("composition:sharper", "given.drift(_tanh_half) + ", "", "X-Sharper"),
    ("composition:sharper", "given.drift(_tanh_half)", "given.drift(_expm1)", "X-Sharper"),
    ("composition:_deviation_of_tail", "t / mu", "2 * t / mu", "X-Sharper"),
    ("composition:_deviation_of_tail", "t**2 / 2", "t**2", "X-Sharper"),
    # the guarantee and its worst pair
    ("guarantee:worst_pair", "(1 - delta) * likely", "likely", "KOV-Fig-3a KOV-Eq-2 KOV-Fig-1"),
    ("guarantee:worst_pair", "np.exp(-eps)", "np.exp(-2 * eps)", "KOV-Eq-2"),
    ("guarantee:as_groups", "groups[guarantee] += times[name]", "groups[guarantee] = 1", "KOV-Sec3.3-Replace"),
    ("guarantee:as_groups", 'checks.count("k", k)', 'checks.count("k", k) + 1', "KOV-Thm-3.1"),
    # the pair
    ("curve:TwoSided._delta_at", "in self._sides", "in self._sides[:1]", "KOV-Def-1.1"),
    ("curve:TwoSided._exact_delta", "max(", "min(", "KOV-Def-1.1"),
    ("pair:Pair.side", "direction == FORTH", "direction == BACK", "KOV-Def-1.1"),
    ("curve:_largest", "np.max(", "np.min(", "KOV-Def-1.1"),
    ("pair:Pair._excess", "a - ratio * b", "ratio * a - b", "KOV-Def-1.1"),
    ("pair:Pair._excess", "max(a - ratio * b, 0)", "abs(a - ratio * b)", "KOV-Def-1.1"),
    ("pair:Pair._steepest", "(a - delta) / b for", "a / b for", "KOV-Def-1.1"),
    ("pair:Pair._steepest", "merged = self.merged()", "merged = self", "KOV-Def-1.1"),
    ("pair:Pair.total_variation", "ratio=1", "ratio=2", "KOV-Fig-1"),
    ("pair:Pair.tradeoff", "missed, alarm = ", "alarm, missed = ", "KOV-Rem-2.2"),
    ("pair:_interpolate", "ys[right - 1] + share", "ys[right] + share", "KOV-Rem-2.2"),
    ("curve:Curve.region", "1 - lower[1:-1]", "lower[-2:0:-1]", "KOV-Eq-3"),
    ("pair:Pair.lower_boundary", "alarm[1:]", "alarm[:-1]", "KOV-Eq-3"),
    ("pair:Pair.lower_boundary", "np.cumsum(merged.q)", "np.cumsum(merged.p)", "KOV-Eq-3"),
    ("curve:Curve.dominates", "self.tradeoff(x) <= y", "self.tradeoff(x) >= y", "KOV-Cor-2.3"),
    ("curve:Curve.dominates", "self.tradeoff(x) <= y", "self.tradeoff(y) <= x", "KOV-Thm-2.5"),
    ("pair:Pair.then", "self.q @ table", "self.p @ table", "KOV-Def-Dominates"),
    ("pair:Pair._reversed", "Pair._of(self.q, self.p,", "Pair._of(self.p, self.q,", "KOV-Def-RM"),
    ("pair:_merge_exactly", "old[1] + b", "b", "KOV-Eq-3 KOV-Def-1.1"),
    ("pair:_merge_exactly", "reverse=True", "reverse=False", "KOV-Rem-2.2"),
    ("numerics.powers:power_step_by_step", "range(k)", "range(k + 1)", "KOV-Thm-3.3-Tight"),
    ("numerics.coins:binomials", "(k - i) // (i + 1)", "(k - i)", "KOV-Thm-3.3-Tight"),
    ("numerics.powers:merge_weights", "(a + c, b + d)", "(a + c, b)", "KOV-Thm-3.3-Tight"),
    ("pair:_blackwell_map", "two.q.astype(float)", "two.p.astype(float)", "KOV-Def-Dominates"),
    ("pair:Pair.sample", "(self.p, self.q)", "(self.q, self.p)", "KOV-Def-Errors"),
    # the privacy loss and the exact optimum
    ("numerics.loss:PrivacyLoss.delta", "sums.S[last] + ", "", "KOV-Thm-3.3"),
    ("numerics.loss:PrivacyLoss.delta", " + sums.T[last] * gain", "", "KOV-Thm-3.3"),
    (
        "numerics.side:Side._certain_end",
        "total(self._certain, [1] * len(self._certain), rounding)",
        "0.0",
        "KOV-Def-1.1",
    ),
    ("numerics.loss:PrivacyLoss._reached", "(spare - sums.S[at])", "spare", "KOV-Thm-3.3"),
    ("numerics.loss:PrivacyLoss._reached", "np.log1p(-np.clip", "-(np.clip", "KOV-Thm-3.3"),
    ("numerics.loss:PrivacyLoss._sum_up", "risen = rise * T[:-1]", "risen = T[:-1]", "KOV-Thm-3.3"),
    ("numerics.loss:discounted_sums", "-decay", "-1", "KOV-Thm-3.3"),
    ("numerics.coins:_binomial_weights", "(k - up) / (up + 1)", "(k - up) / (up + 2)", "KOV-Thm-3.3"),
    ("numerics.coins:_binomial_weights", "(k - down + 1) / odds.value", "(k - down + 1)", "KOV-Thm-3.3"),
    ("numerics.coins:coin_law", "exact_product(k - 2 * numbers", "exact_product(k - numbers", "KOV-Thm-3.3"),
    ("numerics.coins:coin_law", "exact_product(k - 2 * numbers", "exact_product(k + 1 - 2 * numbers", "KOV-Thm-3.3"),
    ("numerics.coins:RoundedOdds.of", "np.exp(-eps)", "np.exp(eps)", "KOV-Thm-3.3"),
    ("numerics.coins:LossLaw.__matmul__", "[:, None], other.losses)", "[:, None], -other.losses)", "KOV-Thm-3.5"),
    ("optimum:_log_kept", "count * math.log1p(-delta)", "math.log1p(-delta)", "KOV-Thm-3.1"),
    ("optimum:_log_kept", "math.log1p(-delta)", "-delta", "KOV-Thm-3.1"),
    ("optimum:Failure.add", "self.kept_end(rounding) * delta", "delta", "KOV-Thm-3.3"),
    ("optimum:Failure.spare", "(delta - self.lost_end(rounding))", "delta", "KOV-Sec3.1-BasicTight"),
    ("optimum:Failure.spare", "/ self.kept_end(rounding)", "", "KOV-Sec3.1-BasicTight"),
    ("optimum:Optimum.lower_boundary", "np.exp(-losses[harmful])", "np.exp(losses[harmful])", "KOV-Fig-2"),
    ("optimum:Optimum.lower_boundary", "self._failure.kept * lower", "lower", "KOV-Fig-2"),
    ("numerics.coins:law_of_coins", "coin_law(eps, k) for", "coin_law(eps, 1) for", "KOV-Thm-3.3"),
    # the mechanisms
    (
        "mechanisms:_exact_worst_pair",
        "(1 - delta) * ratio / (1 + ratio)\n    lie = (1 - delta) / (1 + ratio)",
        "(1 - delta) * 2 * ratio / (1 + 2 * ratio)\n    lie = (1 - delta) / (1 + 2 * ratio)",
        "KOV-Eq-2",
    ),
    ("mechanisms:_exact_worst_pair", "law[::-1]", "law", "KOV-Def-1.1"),
    ("mechanisms:laplace.variance", "2 * self.scale", "self.scale", "STK-NoiseScale"),
    ("mechanisms:laplace._draw", "scale=self.scale", "scale=1", "STK-NoiseScale"),
    ("mechanisms:laplace._delta_at", "below / 2", "below", "STK-Laplace-Single"),
    ("mechanisms:laplace._epsilon_at", "[own, 0.0]", "[own / 2, 0.0]", "STK-Laplace-Single"),
    ("mechanisms:laplace._epsilon_at", "own + fallen", "own / 2 + fallen", "inverses"),
    (
        "mechanisms:laplace.__init__",
        "_quotient(self.sensitivity, self.eps, +1)",
        "_quotient(self.eps, self.sensitivity, +1)",
        "STK-L1",
    ),
    ("mechanisms:gaussian.__pow__", "_times_root(self.mu, k, +1)", "self.mu * k", "KOV-Thm-4.3"),
    ("mechanisms:gaussian.__pow__", "_times_root(self.mu, k, +1)", "_times_root(self.mu, k + 1, +1)", "KOV-Thm-4.3"),
    ("numerics.normal:_wide", "phi * (near - far)", "phi * near", "KOV-Thm-4.3 KOV-Gauss-Single"),
    ("numerics.normal:gaussian_delta", "middle + mu / 2", "middle + mu", "KOV-Thm-4.3 KOV-Gauss-Single"),
    ("numerics.normal:_distance", "eps / mu - mu / 2", "eps / mu", "KOV-Gauss-Single"),
    (
        "numerics.normal:_narrow",
        "middle[..., None] + mu / 2 * NODES",
        "middle[..., None] + mu * NODES",
        "KOV-Gauss-Single",
    ),
    ("mechanisms:geometric.pair", "[np.exp(-self.eps)]", "[np.exp(-2 * self.eps)]", "geometric"),
    ("mechanisms:geometric.pair", "p[::-1]", "p", "geometric"),
    (
        "mechanisms:geometric.__init__",
        "np.exp(-self.eps / self.sensitivity)",
        "np.exp(-self.eps)",
        "KOV-Def-Sensitivity",
    ),
    ("mechanisms:geometric.variance", "spread * spread", "spread", "KOV-Geometric"),
    ("mechanisms:geometric._draw", " - rng.geometric(success, size)", " - 1", "KOV-Geometric"),
    ("mechanisms:staircase.variance", "3 * g * sum_n2 + sum_n3", "3 * g * sum_n2", "KOV-Staircase-Var"),
    ("mechanisms:staircase.density", ">= self.gamma", "<= self.gamma", "KOV-Staircase-Var"),
    ("mechanisms:staircase.pair", "abs(2 * self.gamma - 1)", "self.gamma", "KOV-Staircase-Comp"),
    ("mechanisms:_best_gamma", "b * (1 + b) / 2", "b * (1 + b)", "KOV-Staircase-Var"),
    # the sources' recipes
    ("planning:per_answer", "2 * math.sqrt", "math.sqrt", "KOV-Sec4-Recipe"),
    ("planning:per_answer", "delta / (2 * k)", "delta / k", "KOV-Sec4-Recipe"),
    ("planning:_log_term", "math.e * delta + epsilon", "delta + epsilon", "KOV-Sec4-Recipe KOV-Thm-4.3-Gain"),
    ("planning:noise_variance", "8 * k", "4 * k", "KOV-Cor-4.2 KOV-Thm-4.3"),
    ("planning:noise_variance", "8 * k", "8", "KOV-Cor-4.2 KOV-Thm-4.3"),
    ("planning:gaussian_variance", "math.log(2) - ", "-", "KOV-Gauss-Single"),
    (
        "planning:gaussian_variance_by_splitting",
        "*per_answer(k, epsilon, delta)",
        "*per_answer(1, epsilon, delta)",
        "KOV-Gauss-FromCor",
    ),
    ("planning:staircase_variance", "** 2 + b", "** 2", "KOV-Staircase-Var"),
    ("planning:cut_query_error", "spread / epsilon", "spread", "KOV-Eq-10"),
    ("planning:cut_query_error", "math.sqrt(privacy_log", "(privacy_log", "KOV-Eq-10"),
    ("planning:variance_query_error", "log_log**2", "log_log", "KOV-Sec4.2-Variance"),
    ("planning:privacy_log", "if improved", "if not improved", "KOV-Eq-11"),
    ("planning:_query_logs", "math.log(k) - math.log(nu)", "-math.log(nu)", "KOV-Fn-1"),
    ("planning:_root_of_rho", "epsilon - math.log(delta)", "-math.log(delta)", "STK-Rho STK-Fn-2"),
    ("planning:_root_of_rho", "math.log(delta)", "math.log(delta) / 2", "STK-Rho STK-Fn-2"),
    ("planning:largest_rho", "root**2 + epsilon) + root", "root**2 + epsilon)", "STK-Fn-2"),
    ("planning:laplace_scale", "math.sqrt(k / 2)", "math.sqrt(k)", "STK-Rho"),
    ("planning:laplace_scale", "k / epsilon", "math.sqrt(k) / epsilon", "STK-Laplace-Vector"),
    ("planning:largest_loss_probability", "math.exp(-epsilon)", "math.exp(epsilon)", "STK-Rare-General"),
    ("planning:pays_from", "2 / (1 + math.exp(e))", "1 / (1 + math.exp(e))", "X-Orderings"),
    ("planning:pays_from", "1 - e / 2", "1 - e", "X-Orderings"),
    ("planning:pays_from", "/ gain / gain", "/ gain", "X-Orderings"),
    # the walk of Laplace losses, and the planning of noise
    ("numerics.walk:LossWalk.atoms", "self.eps * (self.k - count)", "self.eps * self.k", "STK-Rare"),
    ("numerics.walk:LossWalk.atoms", "2 * count - self.k", "count - self.k", "STK-Rare"),
    ("numerics.walk:LossWalk._cells", "_lift / (m - 1)", "_lift / m", "STK-HighProb STK-Rho KOV-Cor-4.2"),
    (
        "numerics.walk:LossWalk._chances",
        "math.tanh(self.eps / 2)",
        "math.tanh(self.eps)",
        "STK-HighProb STK-Rho KOV-Cor-4.2",
    ),
    (
        "numerics.walk:LossWalk._delta_end",
        "_gain(above[first:])",
        "above[first:]",
        "STK-HighProb STK-Rho KOV-Cor-4.2",
    ),
    ("planning:noise_scale", "Guarantee(1 / scale)", "Guarantee(2 / scale)", "STK-Rho"),
    ("planning:_total", "optimal(guarantee, k=k)", "optimal(guarantee, k=k + 1)", "STK-Rho"),
    # what the claims of the two sources do not use: checked by the functions below
    ("numerics.normal:gaussian_tradeoff", "quantile - mu", "quantile + mu", "tradeoffs"),
    ("mechanisms:laplace.tradeoff", "math.log(2))) / 4", "math.log(2))) / 2", "tradeoffs"),
    ("mechanisms:laplace.tradeoff", "np.minimum(self.eps + log_alpha, 0.0)", "log_alpha", "tradeoffs"),
    (
        "mechanisms:gaussian._epsilon_at",
        "np.maximum(delta, TINY)",
        "np.maximum(delta / 2, TINY)",
        "inverses",
    ),
    ("mechanisms:gaussian.variance", "self.scale * self.scale", "self.scale", "draws"),
    ("mechanisms:gaussian._draw", "scale=self.scale", "scale=1", "draws"),
    ("mechanisms:staircase._draw", "size) - 1", "size)", "draws"),
    ("mechanisms:exponential_mechanism", "(2 * sensitivity)", "sensitivity", "exponential"),
    ("numerics.divergence:bent", "np.expm1(beyond * loss)", "np.expm1((beyond + 1) * loss)", "renyi"),
    ("pair:Pair.__matmul__", "self.outcomes, other.outcomes", "other.outcomes, self.outcomes", "mixing"),
    ("pair:Pair._times", "np.multiply.outer(self.q, other.q)", "np.multiply.outer(self.q, other.p)", "STK-Basic"),
    (
        "pair:_added_losses",
        "np.add.outer(one.losses, two.losses)",
        "np.add.outer(one.losses, -two.losses)",
        "KOV-Staircase-Comp",
    ),
    ("pair:Pair.given", "q / q.sum()", "q / p.sum()", "mixing"),
    ("pair:Pair.mixture", "weight * b", "b", "mixing"),
    ("composition:Given.slack_by_sum", "[1, *self.counts]", "[1, *[0] * len(spent)]", "totals"),
    ("composition:Given.slack_by_product", "self._failure.spare(delta, +1)", "delta", "totals"),
    ("numerics.walk:LossWalk._tail_at", "np.ones_like", "lambda above: -np.expm1(-above)", "STK-HighProb"),
    ("numerics.walk:LossWalk.density", "/ (2 * self.eps)", "/ self.eps", "walk"),
    ("planning:_least", "rtol=DIGITS", "rtol=0.1", "STK-Rho"),
    ("numerics.walk:LossWalk._moment", "self.eps / 2 * between", "self.eps * between", "walk"),
    ("planning:_gaussian_fits", "(gaussian(scale=scale) ** k)", "gaussian(scale=scale)", "planning"),
    ("numerics.grid:TiltedGrid._connect_dots", "np.expm1(-beyond) / np.expm1(-self.h)", "beyond / self.h", "grid"),
    ("numerics.grid:TiltedGrid._connect_dots", "np.expm1(-beyond) / np.expm1(-self.h)", "0.0 * beyond", "grid"),
    ("numerics.grid:TiltedGrid._round", "hypothesis * sheet.losses", "0", "grid"),
    ("numerics.grid:TiltedGrid._lower_delta", "(at - self.centre, LOG_RANGE)", "(-self.centre, LOG_RANGE)", "grid"),
    ("numerics.grid:TiltedGrid.epsilon", "inverse(self.delta, delta", "inverse(self.delta, 2 * delta", "grid"),
    ("numerics.grid:TiltedGrid._composed", "log_mass += float(np.sum(log_sums))", "pass", "grid"),
    ("numerics.grid:TiltedGrid.delta", "eps - self.large.losses", "eps + 0 * self.large.losses", "grid"),
    ("numerics.blocks:_all_signs", "(losses - largest) / 2", "losses / 2", "grid"),
    ("numerics.search:inverse", "delta(eps, +1) <= targets", "delta(eps, +1) <= 2 * targets", "grid"),
    ("numerics.halves:HalvesCurve._left_over", "-self.first.losses", "self.first.losses[::-1] / 2", "halves"),
    ("numerics.halves:HalvesCurve._gains", "sums.S[next_above] + ", "", "halves"),
    ("numerics.halves:HalvesCurve._delta", "self.first.weights / HALF_SCALE", "self.first.weights / SCALE", "halves"),
    ("numerics.coins:LossLaw.merged", "np.add.reduceat(self.weights", "np.maximum.reduceat(self.weights", "halves"),
    (
        "numerics.loss:PrivacyLoss._moved",
        "self._nearest.S + rounding",
        "self._nearest.S - rounding",
        "X-Algorithm",
    ),
    # the generalized experiment
    ("experiment.views:both_databases", "laws[two[i]]", "laws[one[i]]", "experiment"),
    ("experiment.views:both_databases", "move[one[i]], move[two[i]]", "move[0], move[1]", "experiment"),
    ("experiment.views:_views", "(pair.p, pair.q)[bit]", "(pair.q, pair.p)[bit]", "experiment"),
    ("experiment.views:_view_law", "weight * chance * probability", "chance * probability", "experiment"),
    ("experiment.columns:columns_of", "counts.get((bits, mechanism), 0) + 1", "1", "few"),
    ("experiment.columns:columns_of", "tuple(1 - bit for bit in bits)", "(0,) * len(bits)", "few"),
    ("experiment.columns:_in_fractions", "power.q if bit else power.p", "power.p", "few"),
    ("experiment.columns:_in_logarithms", "power.under(bit)", "power.under(1 - bit)", "few"),
    ("experiment.columns:_log_power", "math.log(math.comb(rounds, second))", "0.0", "few"),
    ("experiment.columns:_log_any", "math.expm1(rounds * math.log1p(-chance))", "-chance", "few"),
    (
        "experiment.all_views:_answers",
        "times(zero, p[y]), times(one, q[y])",
        "times(zero, q[y]), times(one, p[y])",
        "all_views",
    ),
    ("experiment.all_views:_tensor", "Fraction(weight) / math.comb(h.k, ones)", "Fraction(weight)", "all_views"),
    ("experiment.exact:_largest_difference", "np.max(a - b +", "np.max(b - a +", "few"),
    ("experiment.exact:_largest_difference", "np.max(a - b + UNIT", "np.max(a - b - 1e6 * UNIT", "few"),
    ("experiment.view_laws:ViewLaws.error", "loss = UNIT *", "loss = -1e6 * UNIT *", "few all_views"),
    (
        "numerics.side:Side._safe_eps",
        "eps - rounding * self._error.loss",
        "eps + 1e6 * self._error.loss",
        "few all_views",
    ),
    (
        "experiment.by_count:Opened.weights",
        "math.comb(k - j, self.zeros) * math.comb(j, self.ones)",
        "math.comb(k - j, self.zeros)",
        "counts",
    ),
    ("experiment.by_count:Opened.weights", "math.comb(k - j, self.zeros) * math.comb(j, self.ones)", "1", "counts"),
    (
        "experiment.recurrence:Likelihoods._step",
        "times(share[::-1], self._constant)",
        "times(share, self._constant)",
        "counts",
    ),
    (
        "experiment.recurrence:Likelihoods._power_of_v",
        "self._constant_powers[i::-1], self._slope_powers[: i + 1]",
        "self._constant_powers[: i + 1], self._slope_powers[i::-1]",
        "counts",
    ),
    ("experiment.recurrence:polynomial", "weights[-2::-1]", "weights[:-1]", "counts"),
    ("experiment.by_count:_block_of_floats", "lengths - n", "lengths", "counts"),
    ("experiment.by_count:_block_of_logs", "n * math.log(2)", "0.0", "counts"),
    ("experiment.closed_form:closed_form", "fair.at(m) * others / all", "fair.at(m) / all", "closed"),
    ("experiment.closed_form:closed_form", "+ m * eps  #", "+ 2 * m * eps  #", "closed"),
    ("experiment.matching:_refine", "weight = min(w0, w1)", "weight = w0", "matching"),
    (
        "experiment.recipe:Recipe.reverse",
        "eps - part.epsilon + log_fraction(weight)",
        "log_fraction(weight)",
        "matching",
    ),
    ("experiment.recipe:Recipe.reverse", "[-part.epsilon for", "[part.epsilon for", "matching"),
    ("experiment.recipe:Recipe.valid", "self.ordered or same", "True", "matching"),
    ("experiment.recipe:Recipe.valid", '{"pq": same, "qp": same}', '{"pq": True, "qp": True}', "matching"),
    ("experiment.couplings:VectorPairs._carries_all", "not any(", "True or any(", "couplings"),
    ("experiment.couplings:VectorPairs.arithmetic", "max(means)", "min(means)", "couplings"),
    ("experiment.couplings:VectorPairs.harmonic", "-min(means)", "-max(means)", "couplings"),
    ("experiment.couplings:VectorPairs.product", "np.max(self.delta)", "np.min(self.delta)", "couplings"),
    ("experiment.contribution:contribution_bound", "else 2 * at_most", "else at_most", "hospitals"),
    ("experiment.contribution:Choice.take", "max(self.left_out, guarantee.delta)", "math.inf", "hospitals"),
    (
        "experiment.contribution:_largest_of_each",
        "(g.delta for g in everyone), reverse=True",
        "(g.delta for g in everyone)",
        "hospitals",
    ),
    ("experiment.contribution:column_bound", "free + paid", "common + free + paid", "hospitals"),
    (
        "experiment.sampling:_bound_back",
        "-log_mixture(float(rate), -guarantee.epsilon)",
        "log_mixture(float(rate), guarantee.epsilon) / 2",
        "prior",
    ),
    ("experiment.sampling:_bound_forth", "Fraction(rate) * Fraction", "Fraction(rate) ** 2 * Fraction", "prior"),
    ("experiment.prior:UniformPrior.weights", "2 ** (self.k - i)", "2 ** (i - 1)", "prior"),
    ("experiment.prior:UniformPrior.theorem_3", "self.halved[i + 1 :]", "self.halved[i + 2 :]", "prior"),
    ("experiment.prior:_stretched", "math.expm1(a) / share", "math.expm1(a)", "prior"),
    ("experiment.prior:_stretched", "- math.log(share)", "", "prior"),
]
CONSTANTS = [
    ("curve:SAME_POINT", 0.01, "KOV-Def-Dominates"),
    ("numerics.coins:REACH", 0.5, "KOV-Thm-3.3"),
]

# ------------------------------------------------------------- second ways for what the two sources do not talk about


def tradeoffs():
    """The trade-off is the envelope of the lines that the curve delta(eps) allows."""
    eps = np.linspace(0, 12, 4801)  # with 1, where the Laplace curve has its corner
    for curve in (mechanisms.laplace(1.0), mechanisms.gaussian(1.0)):
        lost = curve.delta(eps)
        for alpha in (0.01, 0.1, 0.3, 0.5, 0.8):
            steep, flat = 1 - lost - np.exp(eps) * alpha, np.exp(-eps) * (1 - lost - alpha)
            assert abs(curve.tradeoff(alpha) - max(steep.max(), flat.max(), 0)) < 1e-5


def inverses():
    """epsilon and delta undo each other."""
    for curve in (mechanisms.laplace(2.0), mechanisms.gaussian(2.0), mechanisms.gaussian(0.1)):
        for eps in (0.01, 0.2, 1.0):
            assert close(curve.epsilon(curve.delta(eps)), eps, 1e-8)


def draws():
    """The variance is that of the draws."""
    for noise in (mechanisms.gaussian(0.5), mechanisms.staircase(1.0), mechanisms.geometric(0.7)):
        drawn = noise.sample(0, np.random.default_rng(1), 40_000)
        assert close(np.var(drawn), noise.variance, 0.05)


def squares():
    """Different epsilons add in squares."""
    told = composition.concentrated([Guarantee(0.1), Guarantee(0.3)], math.exp(-2)).epsilon
    assert close(told, 0.05 + 2 * math.sqrt(0.1))


def geometric():
    """The pair is made of sums of the noise's chances, of which the other law has the mirror image."""
    pair, a = mechanisms.geometric(1.2, sensitivity=3).pair, math.exp(-0.4)
    chances = [sum((1 - a) / (1 + a) * a ** abs(n) for n in part) for part in (range(-200, 1), [1], [2], range(3, 200))]
    assert all_close(pair.p, chances) and all_close(pair.q, chances[::-1])


def exponential():
    """The chances are proportional to e^(eps score / 2)."""
    pair = mechanisms.exponential_mechanism([0, 3, 1], [1, 2, 1], 0.8)
    weights = [math.exp(0.4 * score) for score in (0, 3, 1)]
    assert all_close(pair.p, [w / sum(weights) for w in weights])


def renyi():
    """Order 2 is the logarithm of sum p^2 / q."""
    pair = Pair([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
    assert close(pair.renyi(2), math.log(0.25 / 0.2 + 0.3 + 0.04 / 0.5))


def mixing():
    """Products, mixtures and conditioning by hand."""
    one, two = Pair([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)], "ab"), Pair([1, 0], [0, 1], "cd")
    assert (one @ two).outcomes == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    mixed = Pair.mixture([Fraction(1, 3), Fraction(2, 3)], [one, two])
    assert dict(zip(mixed.outcomes, mixed.q, strict=True)) == {
        "a": Fraction(1, 12),
        "b": Fraction(1, 4),
        "c": 0,
        "d": Fraction(2, 3),
    }
    three = Pair([Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    assert [*three.given({0, 1}).q] == [Fraction(2, 3), Fraction(1, 3)]


def totals():
    """A theorem at a total delta spends exactly that much."""
    guarantee, k, total = Guarantee(0.1, 1e-4), 50, 0.02
    for name, slack in (
        ("advanced", total - k * 1e-4),
        ("kov_closed_form", 1 - (1 - total) / (1 - 1e-4) ** k),
    ):
        expected = getattr(composition, name)(guarantee, slack, k)
        assert close(composition.THEOREMS[name].at(guarantee, total, k).epsilon, expected.epsilon, 1e-9)


def walk():
    """Spikes and density together have mass 1, and the mean of k single losses."""
    law = loss_walk(0.5, 4)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    places = np.concatenate([nodes * 0.5 + centre for centre in (-1.5, -0.5, 0.5, 1.5)])
    mass = law.density(places) @ np.tile(weights * 0.5, 4)
    assert close(mass + law.atoms[1].sum(), 1, 1e-10)
    assert close(law.mean, 4 * (0.5 - 1 + math.exp(-0.5)), 1e-10)


def planning_of_noise():
    """The planned Gaussian noise spends the whole delta."""
    scale = planning.noise_scale(10, 1.0, 1e-5, "gaussian", "exact")
    assert close(reference.gaussian_delta(math.sqrt(10) / scale, 1.0), 1e-5, 1e-8)


def grids():
    """The two grids bracket the sum over all answers, narrowly."""
    eps = [0.31, 0.52, 0.77, 0.94, 1.13, 1.21, 1.48, 1.66]
    grid = importlib.import_module("dpteach.numerics.grid")
    blocks = importlib.import_module("dpteach.numerics.blocks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", 4)  # several blocks, although there are few coins
        patch.setattr(blocks, "MIXED", 0)
        patch.setattr(grid, "MOST_LARGE", 4)
        patch.setattr(grid, "MOST_POINTS", 2**15)
        bracket = grid.GridBracket(dict.fromkeys(eps, 1), 1e-4)
        for at in (0.0, 1.0, 4.0):
            low, high = (float(bracket.delta(np.float64(at), rounding)) for rounding in (-1, 1))
            assert low <= reference.mixed_delta([(e, 0) for e in eps], at) <= high <= low * 1.001
        low, high = (float(bracket.epsilon(np.float64(1e-3), rounding)) for rounding in (-1, 1))
        lost = [reference.mixed_delta([(e, 0) for e in eps], end) for end in (low, high)]
        assert lost[0] >= 1e-3 >= lost[1] and high <= low * 1.001


def halved():
    """Two halves give the sum over all answers, with all digits; some of the sums are equal."""
    eps = [0.25, 0.5, 0.75, 1.0, 1.25, 3e-9, 7e-9]
    halves = importlib.import_module("dpteach.numerics.halves")
    coins = dict.fromkeys(eps, 1)
    curve = halves.HalvesCurve(coins, halves.two_halves(coins))
    for at in (0.0, 1.0, 3.75):
        low, high = (float(curve.delta(np.float64(at), rounding)) for rounding in (-1, 1))
        assert low <= reference.mixed_delta([(e, 0) for e in eps], at) <= high <= low * (1 + 1e-12)


def experiment_runs():
    """Theorem 1 for one adaptive adversary and for moves of databases, and a mixture of two vectors."""

    def adversary(view):
        return RR2.reversed() if view == (1,) else RR3

    allowed = [Guarantee(1.2)] * 2
    both = experiment.both_databases(adversary, "01", "10")
    for bit, bits in ((0, "01"), (1, "10")):
        told = experiment.view_law(both, allowed, bit)
        assert told == experiment.view_law(adversary, allowed, bits)
        assert told[1, 1] == (Fraction(1, 4) * Fraction(1, 3) if bit == 0 else Fraction(3, 4) * Fraction(2, 3))
    mixed = experiment.view_law(adversary, allowed, Hypothesis.uniform(["00", "01"]))
    assert sum(mixed.values()) == 1

    def count(database):
        return {0: Fraction(1 + database, 4), 1: Fraction(3 - database, 4)}

    by_database = experiment.both_databases(lambda view: (0, 1, count), "01", "10")
    assert experiment.view_law(by_database, [[count]] * 2, 0) == experiment.view_law(
        lambda view: (0, 1, count), [[count]] * 2, "01"
    )


def same_as_listed(rounds, tables, h0, h1):
    """Compare a curve with the list of all views."""
    curve = experiment.hypothesis_dp(rounds, h0, h1)
    weights = [{b: truth.as_mp(w) for b, w in h.law.items()} for h in (h0, h1)]
    p, q = truth.hypothesis_pair(tables, *weights)
    for direction, (a, b) in {"pq": (p, q), "qp": (q, p)}.items():
        for eps in (0.0, 0.3, 0.9):
            true = float(truth.delta_at(a, b, truth.mp.exp(eps)))
            assert true * (1 - 1e-15) - 1e-300 <= curve.delta(eps, direction) <= true * (1 + 1e-9) + 1e-12
    return curve


def few_vectors():
    """Few vectors in both arithmetics, with and without open answers; the vector itself bounds the loss."""
    h0, h1 = (
        Hypothesis.uniform(["1000", "0101"]),
        Hypothesis.from_dict({"1110": Fraction(1, 3), "0001": Fraction(2, 3)}),
    )
    for g in ((0.8, 0.05), (0.5, 0)):
        assert same_as_listed(Guarantee(*g), [truth.kov(*g)] * 4, h0, h1).method == "columns of bits"
    same_as_listed(RR3, [truth.worst_pair(truth.mp.mpf(3), truth.mp.mpf(0))] * 4, h0, h1)
    same_as_listed(Pair(*LEANING), [LEANING] * 4, h0, h1)
    known = Hypothesis.from_dict({"01": 0.5, "10": 0.5}), Hypothesis.from_dict({"01": 0.9, "10": 0.1})
    assert close(experiment.hypothesis_dp(Guarantee(math.inf), *known).epsilon(0), math.log(5))


def all_views():
    """Different guarantees, laws by count and listed ones."""
    given = [(0.8, 0), (0.5, 0.1), (1.2, 0)]
    rounds, tables = [Guarantee(*g) for g in given], [truth.kov(*g) for g in given]
    same_as_listed(rounds, tables, Hypothesis.fewer_than(3, 2), Hypothesis.at_least(3, 2))
    rounds, tables = [Pair(*LEANING), *rounds[:2]], [LEANING, *tables[:2]]
    same_as_listed(rounds, tables, Hypothesis.fewer_than(3, 2), Hypothesis.at_least(3, 2))


def counts_of_ones():
    """Laws by count in floats, in fractions and in logarithms, with and without open answers."""
    h0, h1 = Hypothesis.by_count(4, [0.5, 0.1, 0.1, 0.1, 0.2]), Hypothesis.by_count(4, [0.1, 0.1, 0.6, 0.1, 0.1])
    for g in ((0.8, 0.05), (0.5, 0)):
        assert same_as_listed(Guarantee(*g), [truth.kov(*g)] * 4, h0, h1).method == "number of ones"
    sharp = experiment.hypothesis_dp(Guarantee(400), h0, h1)  # every answer is nearly open
    assert close(sharp.delta(0.0), 0.4 + 0.1, 1e-9)
    exact = experiment.hypothesis_dp(RR3, Hypothesis.at_least(4, 2), Hypothesis.fewer_than(4, 2))
    assert (exact.ratio(0, "pq"), exact.ratio(0, "qp")) == (Fraction(1215, 143), Fraction(2079, 335))


def closed_forms():
    """00...0 against all others at k = 3 and k = 30."""
    for k in (3, 30):
        curve = experiment.hypothesis_dp(Guarantee(0.6), Hypothesis.point([0] * k), Hypothesis.nonzero(k))
        p, q = truth.nonzero_pair(0.6, 0, k)
        for eps in (0.0, 0.4):
            assert close(curve.delta(eps, "pq"), float(truth.delta_at(p, q, truth.mp.exp(eps))), 1e-11)
            assert close(curve.delta(eps, "qp"), float(truth.delta_at(q, p, truth.mp.exp(eps))), 1e-11)


def matchings():
    """Algorithm 3's margins, the corrected reverse bound, and what the recipe may call valid."""
    half, third = Hypothesis.uniform(["00", "01"]), Hypothesis.uniform(["00", "10", "11"])
    pairs = experiment.refine(half, third)
    assert all(sum(x.weight for x in pairs if x.b0 == b) == Fraction(1, 2) for b in half.law)
    x = 4
    rounds = [Guarantee(0, 0.1), Guarantee(math.log(x))]
    recipe = experiment.matching_bound(rounds, Hypothesis.point("00"), Hypothesis.uniform(["10", "01"]))
    assert recipe.valid == {"pq": False, "qp": True}
    assert close(recipe.reverse.epsilon, math.log(8 / 5)) and close(recipe.reverse.delta, 2 / 25)
    practices = experiment.matching_bound(
        Guarantee(math.log(2)), Hypothesis.fewer_than(5, 2), Hypothesis.at_least(5, 2)
    )
    assert close(math.exp(practices.epsilon), 187 / 39) and not any(practices.valid.values())


def couplings():
    """The bounds that always hold do, for guarantees of several sizes."""
    rounds = [Guarantee(1.5), Guarantee(0.2, 0.05), Guarantee(0.7)]
    laws = [
        (Hypothesis.fewer_than(3, 2), Hypothesis.at_least(3, 2)),
        (Hypothesis.from_dict({"000": Fraction(1, 5), "011": Fraction(4, 5)}), Hypothesis.uniform(["100", "001"])),
        (Hypothesis.uniform(["000", "010"]), Hypothesis.from_dict({"111": Fraction(1, 7), "000": Fraction(6, 7)})),
    ]
    for h0, h1 in laws:
        curve = experiment.hypothesis_dp(rounds, h0, h1)
        for bound in vars(experiment.coupling_bounds(rounds, h0, h1)).values():
            assert curve.delta(bound.epsilon) <= bound.delta * (1 + 1e-9) + 1e-12


def hospitals():
    """The worst subset by trying all, where the guarantees are not ordered; and the columns."""
    rounds = [Guarantee(1.0), Guarantee(0.5, 0.2), Guarantee(0.1, 0.3), Guarantee(0.5, 0.1)]
    for neighbours, size in (("unbounded", 1), ("bounded", 2)):
        bound = experiment.contribution_bound(rounds, 1, neighbours)
        for eps in (0.0, 0.3, 0.8):
            assert close(bound.delta(eps), max(optimal(list(s)).delta(eps) for s in combinations(rounds, size)))
    many = [Guarantee(0.1 + 0.01 * i, 0.01 * (12 - i)) for i in range(12)]
    assert experiment.contribution_bound(many, 6).delta(10.0) >= optimal(many[:6]).delta(10.0)
    common, free, paid = [Guarantee(0.5)], [Guarantee(0.3)], [Guarantee(0.9)]
    assert close(experiment.column_bound(common, free, paid, "bounded", known_user=True).by("basic").epsilon, 1.2)


def prior():
    """Theorem 3 at k = 2 and 3, both directions of subsampling, and Corollary 7 without it."""
    pair = Guarantee(math.log(3), 0.1)
    assert close(math.exp(experiment.subsampled(pair, direction="pq").epsilon), 1.5)
    assert close(experiment.subsampled(pair).delta, 0.05)
    told = experiment.uniform_prior([Guarantee(0, 0.1), Guarantee(math.log(20))]).theorem_3()
    assert close(math.exp(told.epsilon), 41 / 3) and close(told.delta, 1 / 15)
    for eps in (0.1, 1.0):
        three, x = experiment.uniform_prior(Guarantee(eps), k=3), math.exp(eps)
        true, back = math.log(((1 + x) ** 3 - 1) / 7), math.log(7 / ((1 + 1 / x) ** 3 - 1))
        assert close(three.corollary_7().epsilon, true) and close(three.theorem_3().epsilon, true)
        assert close(three.by_subsampling()[1].epsilon, back)


CHECKS = {
    "experiment": experiment_runs,
    "few": few_vectors,
    "all_views": all_views,
    "counts": counts_of_ones,
    "closed": closed_forms,
    "matching": matchings,
    "couplings": couplings,
    "hospitals": hospitals,
    "prior": prior,
    "tradeoffs": tradeoffs,
    "inverses": inverses,
    "draws": draws,
    "exponential": exponential,
    "geometric": geometric,
    "squares": squares,
    "renyi": renyi,
    "mixing": mixing,
    "totals": totals,
    "walk": walk,
    "planning": planning_of_noise,
    "grid": grids,
    "halves": halved,
}


# ------------------------------------------------------------------------------------------------ the surgery


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
    """Say whether one of the claims, or of the checks of this file, does not stand."""
    for id in ids.split():
        try:
            CHECKS[id]() if id in CHECKS else all_claims()[id].evidence()
        except Exception:
            return True
    return False


@pytest.mark.parametrize(("where", "old", "new", "ids"), SPOILT)
def test_a_wrong_formula_is_noticed(monkeypatch, where, old, new, ids):
    all_claims()
    rebuild(monkeypatch, where, old, new)
    assert fails(ids)


@pytest.mark.parametrize(("where", "value", "ids"), CONSTANTS)
def test_a_wrong_constant_is_noticed(monkeypatch, where, value, ids):
    all_claims()
    module, _, name = where.partition(":")
    monkeypatch.setattr(importlib.import_module(f"dpteach.{module}"), name, value)
    assert fails(ids)


CONTROLS = {
    where: " ".join(dict.fromkeys(" ".join(r[3] for r in SPOILT if r[0] == where).split())) for where, *_ in SPOILT
}


@pytest.mark.parametrize("where", CONTROLS)
def test_without_a_change_nothing_is_noticed(monkeypatch, where):
    all_claims()
    rebuild(monkeypatch, where)
    assert not fails(CONTROLS[where])


def test_there_are_enough():
    assert len(SPOILT) + len(CONSTANTS) >= 40
    assert len({tuple(row[:3]) for row in SPOILT}) == len(SPOILT)
