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
from dpteach.claims import ledger, reference
from dpteach.claims.reference import all_close, close
from dpteach.experiment import Hypothesis
from dpteach.walk import loss_walk

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
    ("composition:Given.__init__", "count * (eps / scale) ** 2", "(eps / scale) ** 2", "KOV-Thm-3.2"),
    ("composition:Given.__init__", "count * (eps / scale) ** 2", "count * (eps / scale)", "squares"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "eps * per_step(eps)", "KOV-Thm-3.2"),
    ("composition:Given.drift", "count * eps * per_step(eps)", "count * per_step(eps)", "KOV-Sec3.3-Replace"),
    ("composition:Given.failure_or", "if self.sum_delta > 0", "if self.sum_delta > 1", "KOV-Thm-3.4"),
    ("composition:sharper", "given.drift(_tanh_half) + ", "", "X-Sharper"),
    ("composition:sharper", "given.drift(_tanh_half)", "given.drift(_expm1)", "X-Sharper"),
    ("composition:_deviation_of_tail", "mu / (mu + t)", "mu / (mu + 2 * t)", "X-Sharper"),
    ("composition:_deviation_of_tail", "t**2 / 2", "t**2", "X-Sharper"),
    # the guarantee and its worst pair
    ("guarantee:worst_pair", "(1 - delta) * likely", "likely", "KOV-Fig-3a KOV-Eq-2 KOV-Fig-1"),
    ("guarantee:worst_pair", "1 / (1 + np.exp(-eps))", "1 / (1 + np.exp(-2 * eps))", "KOV-Eq-2"),
    ("guarantee:as_groups", "Counter(listed)", "dict.fromkeys(listed, 1)", "KOV-Sec3.3-Replace"),
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
    ("mechanisms:laplace.variance", "2 * self.scale", "self.scale", "STK-NoiseScale"),
    ("mechanisms:laplace._draw", "scale=self.scale", "scale=1", "STK-NoiseScale"),
    ("mechanisms:laplace._delta", "/ 2", "", "STK-Laplace-Single"),
    (
        "mechanisms:laplace._epsilon",
        "self.eps + 2 * np.log1p(-delta)",
        "self.eps / 2 + 2 * np.log1p(-delta)",
        "STK-Laplace-Single",
    ),
    ("mechanisms:laplace.__init__", "self.sensitivity / e", "e / self.sensitivity", "STK-L1"),
    ("mechanisms:gaussian.__pow__", "np.sqrt(k)", "k", "KOV-Thm-4.3"),
    ("mechanisms:gaussian.__pow__", "np.sqrt(k)", "np.sqrt(k + 1)", "KOV-Thm-4.3"),
    ("mechanisms:gaussian._delta", "x * self.mu + log_ndtr", "log_ndtr", "KOV-Thm-4.3 KOV-Gauss-Single"),
    (
        "mechanisms:gaussian._delta",
        "log_ndtr(self.mu / 2 - x)",
        "log_ndtr(self.mu - x)",
        "KOV-Thm-4.3 KOV-Gauss-Single",
    ),
    ("mechanisms:_narrow_gaussian_delta", "(x - mu / 2) ** 2", "x**2", "KOV-Gauss-Single"),
    (
        "mechanisms:_narrow_gaussian_delta",
        "x[..., None] + mu / 2 * nodes",
        "x[..., None] + mu * nodes",
        "KOV-Gauss-Single",
    ),
    ("mechanisms:geometric._pair", "[np.exp(-self.eps)]", "[np.exp(-2 * self.eps)]", "geometric"),
    ("mechanisms:geometric._pair", "p[::-1]", "p", "geometric"),
    (
        "mechanisms:geometric.__init__",
        "np.exp(-self.eps / self.sensitivity)",
        "np.exp(-self.eps)",
        "KOV-Def-Sensitivity",
    ),
    ("mechanisms:geometric.variance", "np.expm1(-step) ** 2", "-np.expm1(-step)", "KOV-Geometric"),
    ("mechanisms:geometric._draw", " - rng.geometric(success, size)", " - 1", "KOV-Geometric"),
    ("mechanisms:staircase.variance", "3 * g * sums[2] + sums[3]", "3 * g * sums[2]", "KOV-Staircase-Var"),
    ("mechanisms:staircase.density", ">= self.gamma", "<= self.gamma", "KOV-Staircase-Var"),
    ("mechanisms:staircase._pair", "abs(2 * self.gamma - 1)", "self.gamma", "KOV-Staircase-Comp"),
    ("mechanisms:_best_gamma", "b * (1 + b) / 2", "b * (1 + b)", "KOV-Staircase-Var"),
    # the recipes
    ("recipes:per_answer", "2 * math.sqrt", "math.sqrt", "KOV-Sec4-Recipe"),
    ("recipes:per_answer", "delta / (2 * k)", "delta / k", "KOV-Sec4-Recipe"),
    ("recipes:_log_term", "math.e * delta + epsilon", "delta + epsilon", "KOV-Sec4-Recipe KOV-Thm-4.3-Gain"),
    ("recipes:noise_variance", "8 * k", "4 * k", "KOV-Cor-4.2 KOV-Thm-4.3"),
    ("recipes:noise_variance", "8 * k", "8", "KOV-Cor-4.2 KOV-Thm-4.3"),
    ("recipes:gaussian_variance", "math.log(2) - ", "-", "KOV-Gauss-Single"),
    (
        "recipes:gaussian_variance_by_splitting",
        "*per_answer(k, epsilon, delta)",
        "*per_answer(1, epsilon, delta)",
        "KOV-Gauss-FromCor",
    ),
    ("recipes:staircase_variance", "** 2 + b", "** 2", "KOV-Staircase-Var"),
    ("recipes:cut_query_error", "spread / epsilon", "spread", "KOV-Eq-10"),
    ("recipes:cut_query_error", "math.sqrt(privacy_log", "(privacy_log", "KOV-Eq-10"),
    ("recipes:variance_query_error", "log_log**2", "log_log", "KOV-Sec4.2-Variance"),
    ("recipes:privacy_log", "if improved", "if not improved", "KOV-Eq-11"),
    ("recipes:_query_logs", "math.log(k / nu)", "math.log(1 / nu)", "KOV-Fn-1"),
    ("recipes:rho", "+ 4 * epsilon", "", "STK-Rho STK-Fn-2"),
    ("recipes:rho", "4 * -math.log(delta)", "2 * -math.log(delta)", "STK-Rho STK-Fn-2"),
    ("recipes:largest_rho", "root**2 + epsilon) + root", "root**2 + epsilon)", "STK-Fn-2"),
    ("recipes:laplace_scale", "k / (2 * rho(epsilon, delta))", "k / rho(epsilon, delta)", "STK-Rho"),
    ("recipes:laplace_scale", "k / epsilon", "math.sqrt(k) / epsilon", "STK-Laplace-Vector"),
    ("recipes:largest_loss_probability", "math.exp(-checks.positive", "math.exp(checks.positive", "STK-Rare-General"),
    ("recipes:pays_from", "2 / (1 + math.exp(e))", "1 / (1 + math.exp(e))", "X-Orderings"),
    ("recipes:pays_from", "1 - e / 2", "1 - e", "X-Orderings"),
    ("recipes:pays_from", "/ gain / gain", "/ gain", "X-Orderings"),
    # the walk of Laplace losses, and the planning of noise
    ("walk:LossWalk.atoms", "self.eps * (self.k - count)", "self.eps * self.k", "STK-Rare"),
    ("walk:LossWalk.atoms", "2 * count - self.k", "count - self.k", "STK-Rare"),
    ("walk:LossWalk._cells", "lift / (m - 1)", "lift / m", "STK-HighProb STK-Rho KOV-Cor-4.2"),
    (
        "walk:LossWalk._chance",
        "-math.expm1(-self.eps) / 2",
        "-math.expm1(-self.eps)",
        "STK-HighProb STK-Rho KOV-Cor-4.2",
    ),
    ("walk:LossWalk.delta", "-np.expm1(-above)", "above", "STK-HighProb STK-Rho KOV-Cor-4.2"),
    ("planning:noise_scale", "Guarantee(1 / scale)", "Guarantee(2 / scale)", "STK-Rho"),
    ("planning:_total", "optimal(guarantee, k=k)", "optimal(guarantee, k=k + 1)", "STK-Rho"),
    # what the claims of the two sources do not use: checked by the functions below
    ("mechanisms:gaussian.tradeoff", "- self.mu", "+ self.mu", "tradeoffs"),
    ("mechanisms:laplace.tradeoff", "small / (4", "small / (2", "tradeoffs"),
    ("mechanisms:laplace.tradeoff", "np.exp(min(self.eps, 700.0))", "1", "tradeoffs"),
    (
        "mechanisms:gaussian._epsilon",
        "low, high = np.where(enough, low, eps)",
        "low, high = np.where(enough, eps, low)",
        "inverses",
    ),
    ("mechanisms:gaussian.variance", "self.scale * self.scale", "self.scale", "draws"),
    ("mechanisms:gaussian._draw", "scale=self.scale", "scale=1", "draws"),
    ("mechanisms:staircase._draw", "size) - 1,", "size),", "draws"),
    ("mechanisms:exponential_mechanism", "(2 * sensitivity)", "sensitivity", "exponential"),
    ("pair:Pair._renyi", "(alpha - 1) * loss", "alpha * loss", "renyi"),
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
    ("composition:Theorem.at", "delta - given.sum_delta", "delta", "totals"),
    ("composition:Given.slack_by_product", "self._failure.spare(delta, +1)", "delta", "totals"),
    ("walk:LossWalk.tail", "np.ones_like", "lambda above: -np.expm1(-above)", "STK-HighProb"),
    ("walk:LossWalk.density", "/ (2 * self.eps)", "/ self.eps", "walk"),
    ("walk:LossWalk._moment", "/ 4", "/ 2", "walk"),
    ("planning:_least", "1e-12", "0.1", "STK-Rho"),
    ("planning:_gaussian_fits", "(gaussian(scale=scale) ** k)", "gaussian(scale=scale)", "planning"),
    ("grid:TiltedGrid._connect_dots", "np.expm1(-beyond) / np.expm1(-self.h)", "beyond / self.h", "grid"),
    ("grid:TiltedGrid._connect_dots", "np.expm1(-beyond) / np.expm1(-self.h)", "0.0 * beyond", "grid"),
    ("grid:TiltedGrid._round", "hypothesis * block.losses", "0", "grid"),
    ("grid:TiltedGrid.lower_delta", "np.exp(eps - self.centre)", "np.exp(-self.centre)", "grid"),
    ("grid:TiltedGrid.lower_epsilon", "P - delta", "P", "grid"),
    ("grid:TiltedGrid._added", "one.log_mass + two.log_mass", "one.log_mass", "grid"),
    ("grid:TiltedGrid._tilted", "np.log(total) + top", "top", "grid"),
    ("loss:PrivacyLoss._sums", "self.S + rounding * self.S_error", "self.S - rounding * self.S_error", "X-Algorithm"),
    # the generalized experiment
    ("experiment.views:both_databases", "laws[two[i]]", "laws[one[i]]", "experiment"),
    ("experiment.views:both_databases", "move[one[i]], move[two[i]]", "move[0], move[1]", "experiment"),
    ("experiment.views:_views", "(pair.p, pair.q)[bit]", "(pair.q, pair.p)[bit]", "experiment"),
    ("experiment.views:view_law", "weight * chance * probability", "chance * probability", "experiment"),
    ("experiment.exact:_columns", "groups[column, _key(g)] = g, count + 1", "groups[column, _key(g)] = g, 1", "few"),
    ("experiment.exact:_columns", "tuple(1 - b for b in column)", "(0,) * len(column)", "few"),
    ("experiment.exact:_exact_columns", "power.q if bit else power.p", "power.p", "few"),
    ("experiment.exact:_log_columns", "log_q if bit else log_p", "log_p if bit else log_q", "few"),
    ("experiment.exact:_log_power", "math.log(math.comb(count, m))", "0.0", "few"),
    ("experiment.exact:_log_power", "math.expm1(count * math.log1p(-surely))", "-surely", "few"),
    (
        "experiment.exact:_answers",
        "A.times(zero, a), A.times(one, b)",
        "A.times(zero, b), A.times(one, a)",
        "all_views",
    ),
    ("experiment.exact:_tensor", "Fraction(w) / math.comb(h.k, j)", "Fraction(w)", "all_views"),
    ("experiment.exact:prior_ratio", "a - b + 16", "b - a + 16", "few"),
    ("experiment.exact:_Side.delta", "eps - self._error", "eps + 1e6 * self._error", "few all_views"),
    ("experiment.by_count:_weights", "math.comb(k - j, s) * math.comb(j, t)", "math.comb(k - j, s)", "counts"),
    ("experiment.by_count:_weights", "math.comb(k - j, s) * math.comb(j, t)", "1", "counts"),
    ("experiment.by_count:_likelihoods", "A.times(rise[::-1], u0)", "A.times(rise, u0)", "counts"),
    (
        "experiment.by_count:_likelihoods",
        "v0_powers[i::-1], v1_powers[: i + 1]",
        "v0_powers[: i + 1], v1_powers[i::-1]",
        "counts",
    ),
    ("experiment.by_count:_polynomial", "weights[-2::-1]", "weights[:-1]", "counts"),
    ("experiment.by_count:_block", "size - n", "size", "counts"),
    ("experiment.by_count:_block", "n * math.log(2)", "0.0", "counts"),
    ("experiment.by_count:closed_form", "-np.expm1(log_p) / -math", "1 / -math", "closed"),
    ("experiment.by_count:closed_form", "+ m * eps  #", "+ 2 * m * eps  #", "closed"),
    ("experiment.matching:refine", "w = min(w0, w1)", "w = w0", "matching"),
    ("experiment.matching:Recipe.reverse", "eps - float(g.epsilon) + log_of(w)", "log_of(w)", "matching"),
    ("experiment.matching:Recipe.reverse", "[-float(g.epsilon) for", "[float(g.epsilon) for", "matching"),
    ("experiment.matching:Recipe.valid", "self.ordered or same", "True", "matching"),
    ("experiment.matching:Recipe.valid", '{"pq": same, "qp": same}', '{"pq": True, "qp": True}', "matching"),
    ("experiment.matching:_Grid.bottleneck", "sum(blocked) > 0", "False", "couplings"),
    ("experiment.matching:_Grid.arithmetic", "max(means)", "min(means)", "couplings"),
    ("experiment.matching:_Grid.harmonic", "max(-_log_mean", "min(-_log_mean", "couplings"),
    ("experiment.matching:_Grid.product", "np.max(self.delta)", "np.min(self.delta)", "couplings"),
    ("experiment.contribution:contribution_bound", "1 + NEIGHBOURS.index", "NEIGHBOURS.index", "hospitals"),
    ("experiment.contribution:_choices", "and g.delta <= other.delta", "", "hospitals"),
    (
        "experiment.contribution:_largest_of_each",
        "(float(g.delta) for g in everyone), reverse=True",
        "(float(g.delta) for g in everyone)",
        "hospitals",
    ),
    ("experiment.contribution:column_bound", "free + paid", "common + free + paid", "hospitals"),
    ("experiment.prior:subsampled", "up(-_log_mixture(q, -eps))", "up(_log_mixture(q, eps) / 2)", "prior"),
    ("experiment.prior:subsampled", "delta / 2 if", "delta / 4 if", "prior"),
    ("experiment.prior:UniformPrior.weights", "2 ** (self.k - i)", "2 ** (i - 1)", "prior"),
    ("experiment.prior:UniformPrior.theorem_3", "self.halved[i + 1 :]", "self.halved[i + 2 :]", "prior"),
    ("experiment.prior:_removed", "math.expm1(a) / (1 - share)", "math.expm1(a)", "prior"),
    ("experiment.prior:_taken", "- math.log(left)", "", "prior"),
]
CONSTANTS = [
    ("pair:SAME_POINT", 0.01, "KOV-Def-Dominates"),
    ("coins:REACH", 0.5, "KOV-Thm-3.3"),
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
    grid = importlib.import_module("dpteach.grid")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid, "BLOCK", 4)  # several blocks, although there are few coins
        patch.setattr(grid, "MOST_POINTS", 2**15)
        bracket = grid.GridBracket(dict.fromkeys(eps, 1), 1e-4)
        for at in (0.0, 1.0, 4.0):
            low, high = (float(bracket.delta(np.float64(at), rounding)) for rounding in (-1, 1))
            assert low <= reference.mixed_delta([(e, 0) for e in eps], at) <= high <= low * 1.001
        low, high = (float(bracket.epsilon(np.float64(1e-3), rounding)) for rounding in (-1, 1))
        lost = [reference.mixed_delta([(e, 0) for e in eps], end) for end in (low, high)]
        assert lost[0] >= 1e-3 >= lost[1] and high <= low * 1.001


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
            assert curve.delta(float(bound.epsilon)) <= float(bound.delta) * (1 + 1e-9) + 1e-12


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
            CHECKS[id]() if id in CHECKS else ledger()[id].evidence()
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
