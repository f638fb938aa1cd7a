"""Where the numbers along an axis stand, and how they are written: computed once, for all who paint a sheet."""

from __future__ import annotations

import math

STEPS = (1, 2, 2.5, 5)  # in a decade
MOST = 9  # steps along an axis, however long it is
MOST_DECADES = 8
PLAIN = range(-2, 5)  # powers of ten that are written out
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Tick = tuple[float, str]


def round_ticks(low: float, high: float, most: int = MOST, whole: bool = False) -> list[Tick]:
    """Return round numbers between two ends of an axis, at most so many steps apart, with their words."""
    low, high = sorted((low, high))
    step = _step((high - low) / max(most, 1), whole)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    digits = _decimals(step)
    return [(i * step, _decimal(i * step, digits)) for i in range(first, last + 1)]


def _step(least: float, whole: bool) -> float:
    """Return the smallest round step that is large enough."""
    decade = 10.0 ** math.floor(math.log10(least))
    steps = [decade * step for step in (*STEPS, 10)]
    if whole:
        steps = [step for step in (1, *steps) if step == int(step)]
        return next((step for step in steps if step >= least * (1 - 1e-9)), math.ceil(least))
    return next(step for step in steps if step >= least * (1 - 1e-9))


def _decimals(step: float) -> int:
    """Return how many decimals it takes to tell the multiples of a step apart."""
    return next(digits for digits in range(20) if abs(round(step, digits) - step) < 1e-9 * step)


def _decimal(x: float, digits: int) -> str:
    return f"{x:.{digits}f}".replace("-", "−")


def written(places: list[float]) -> list[str]:
    """Return numbers as they stand along an axis, all with as many decimals as one of them needs."""
    digits = max((_decimals(abs(place)) for place in places if place), default=0)
    return [_decimal(place, digits) for place in places]


def log_ticks(low: float, high: float) -> list[Tick]:
    """Return the powers of ten between two ends of an axis; of a short one, some of their multiples too."""
    low, high = sorted((low, high))
    powers = _powers(low, high)
    stride = math.ceil(len(powers) / MOST_DECADES) or 1
    plain = all(power in PLAIN for power in powers)
    if len(powers) < 2:
        return [(x, f"{x:g}") for x in _multiples(low, high, (1, 2, 5))]
    return [(10.0**power, power_of_ten(power, plain)) for power in powers[::stride]]


def small_log_ticks(low: float, high: float) -> list[float]:
    """Return the places of the small ticks between the powers of ten; none on a long axis."""
    low, high = sorted((low, high))
    return _multiples(low, high, range(2, 10)) if len(_powers(low, high)) <= MOST_DECADES else []


def _powers(low: float, high: float) -> range:
    first = math.ceil(math.log10(low) - 1e-9)
    last = math.floor(math.log10(high) + 1e-9)
    return range(first, last + 1)


def _multiples(low: float, high: float, factors) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    places = [float(f"{factor}e{decade}") for decade in decades for factor in factors]
    return [x for x in places if low * (1 - 1e-9) <= x <= high * (1 + 1e-9)]


def power_of_ten(power: int, plain: bool = False) -> str:
    """Return 10⁻⁶, or 100 where plain numbers are asked for."""
    if plain or power == 0:
        return f"{10.0**power:g}"
    return "10" + str(power).translate(SUPERSCRIPTS)
