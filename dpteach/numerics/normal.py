r"""The Gaussian curve between two floats that certainly enclose it, for every mu and eps.

By Balle and Wang delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu). Three things go wrong in floats: the two
arguments lose all digits where eps is close to mu^2/2, e^eps overflows, and the two terms nearly cancel. So we write it
with t = eps/mu - mu/2 (whose two parts are subtracted with all digits) and b = t + mu. As e^eps phi(b) = phi(t),

    delta = phi(t) (R(t) - R(b)),        R(s) = Phi(-s) / phi(s), Mills' ratio: nothing overflows;
    delta = 1 - phi(t) (R(-t) + R(b)),   the same for t < 0, where R(t) is too large;
    delta = phi(t) (integral of 1 - s R(s) over [t, b]), the same for small mu, where the R nearly cancel: R' = s R - 1.

Errors, in units of rounding (2^-53):

- t is off by 5 units: the square of mu is exact in two floats, then there are a difference, a sum and a quotient.
- phi(t) = e^(-t^2/2) / sqrt(2 pi) is off by 6 t^2 + 12 units, relatively: t^2/2 by t^2 times 5 + 1/2; the exponential
  by 4, the root of 2 pi by 2, the quotient by 1, and 5 are left for products.
- R is off by MILLS = 22 units, relatively: an error of s (at most 5) counts once, as |s R'| <= R; the library's erfcx
  is right up to 12 units (compared with many digits in the tests), s / sqrt(2) up to 2, the factor and the product up
  to 3.
- The difference or sum of two R, the product with phi and the last sum are three units more: MILLS + 6 are enough.
- 1 - s R(s) is off by MILLS + 3 units absolutely, since s R <= 1; the sum over the nodes, of numbers below 1.4, by 17
  with its rounded weights, three products and the last sum by 4: MILLS + 24.
- Gauss and Legendre's rule with 12 nodes on an interval of length mu < 1/2 is off by less than 1e-25, relatively: on
  an ellipse around it that is 20 times as wide, |1 - z R(z)| is at most its value at the left end, below 1e7, and the
  error at most 40^-24 times that.
- Results too small for a normal float carry a few times the smallest float in addition.
"""

from __future__ import annotations

import math

import numpy as np

from .rounding import TINY, UNIT, Near, exact_product

SMALL_MU = 0.5  # below this the two terms of the Gaussian curve nearly cancel
FAR = 40.0  # phi(40) is below the smallest float
MILLS = 22  # units of rounding in Mills' ratio

# Gauss and Legendre's rule with 12 nodes on [-1, 1], rounded once; NumPy's own weights are off by up to eighty units
HALF_NODES = [
    0.1252334085114689, 0.3678314989981802, 0.5873179542866175, 0.7699026741943047, 0.9041172563704749,
    0.9815606342467192,
]  # fmt: skip
HALF_WEIGHTS = [
    0.24914704581340277, 0.2334925365383548, 0.20316742672306592, 0.16007832854334622, 0.10693932599531843,
    0.04717533638651183,
]  # fmt: skip
NODES = np.concatenate([np.negative(HALF_NODES), HALF_NODES])
WEIGHTS = np.concatenate([HALF_WEIGHTS, HALF_WEIGHTS])


def gaussian_delta(mu: float, eps: np.ndarray, rounding: int) -> np.ndarray:
    """Return an end of the Gaussian curve at eps: never below the truth (+1), or never above it (-1)."""
    with np.errstate(over="ignore"):
        middle = eps / mu
        t = np.clip(_distance(mu, eps), -FAR, FAR)
    near = _narrow(mu, t, np.minimum(middle, FAR)) if mu < SMALL_MU else _wide(t, middle + mu / 2)
    moved = near.value + rounding * (near.error + 4 * TINY)
    least = TINY if rounding > 0 else 0.0
    return np.select([eps == np.inf, t >= FAR], [0.0, least], np.clip(moved, 0.0, 1.0))


def gaussian_tradeoff(mu: float, alpha: np.ndarray) -> np.ndarray:
    """Return G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu), never above the truth.

    The library's quantile is right up to 8 units, relatively, and its Phi(x) up to 8 + 2 x^2; the argument is moved by
    more than the two differences, the quantile and that square need.
    """
    from scipy.special import ndtr, ndtri

    inside = np.clip(alpha, TINY, 1 - UNIT)
    quantile = -ndtri(inside)
    doubt = 16 * UNIT * (1 + np.abs(quantile) + mu)
    errors = ndtr(quantile - mu - doubt) * (1 - 16 * UNIT)
    return np.select([alpha == 0, alpha == 1], [1.0, 0.0], errors)


def largest_epsilon(mu: float) -> float:
    """Return an eps at which delta is below the smallest float, or infinity if that is no float."""
    return mu * (mu / 2 + FAR) * (1 + 8 * UNIT)


def _distance(mu: float, eps: np.ndarray) -> np.ndarray:
    """Return t = eps/mu - mu/2 up to 5 units, although the two terms may nearly cancel.

    With mu = m 2^e it is (eps / 4^e - m^2 / 2) 2^e / m, and m^2 is the sum of two floats. For small mu and eps >= 0
    the second term is below 1/4, so nothing worth mentioning is lost.
    """
    if mu < SMALL_MU:
        return eps / mu - mu / 2
    m, exponent = math.frexp(mu)
    square, rest = exact_product(np.float64(m), m)
    above = (np.ldexp(eps, -2 * exponent) - square / 2) - rest / 2
    return np.ldexp(above / m, exponent)


def _phi(t: np.ndarray) -> np.ndarray:
    """Return the normal density."""
    return np.exp(-t * t / 2) / math.sqrt(2 * math.pi)


def _phi_units(t: np.ndarray) -> np.ndarray:
    """Return the error of the normal density, in units of rounding."""
    return 6 * t * t + 12


def _mills(s: np.ndarray) -> np.ndarray:
    """Return Mills' ratio Phi(-s) / phi(s)."""
    from scipy.special import erfcx

    return math.sqrt(math.pi / 2) * erfcx(s / math.sqrt(2))


def _wide(t: np.ndarray, b: np.ndarray) -> Near:
    """Return delta and its error, from the two ratios."""
    phi = _phi(t)
    units = _phi_units(t)
    near = _mills(np.abs(t))
    far = _mills(b)
    both = phi * (near + far)
    right = phi * (near - far)
    left = 1 - both
    right_error = both * (MILLS + 6) + units * right
    left_error = both * (MILLS + 6 + units) + 1
    return Near(np.where(t < 0, left, right), UNIT * np.where(t < 0, left_error, right_error))


def _narrow(mu: float, t: np.ndarray, middle: np.ndarray) -> Near:
    """Return delta and its error for small mu, by integrating from t = middle - mu/2 to middle + mu/2."""
    phi = _phi(t)
    s = middle[..., None] + mu / 2 * NODES
    slope = 1 - s * _mills(s)
    value = phi * (slope @ WEIGHTS / 2) * mu
    units = phi * (MILLS + 24) * mu + _phi_units(t) * value
    return Near(value, UNIT * units)
