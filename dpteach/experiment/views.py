"""The experiment itself (HBW, Algorithms 1 and 2): run it, or compute the law of everything the adversary sees.

An adversary is a plain function: it takes the view so far, the tuple of answers, and returns its next move. A move is

- `(x0, x1, mechanism)` or `(x0, x1, mechanism, w)`: two databases, a function that takes a database (and parameters w)
  and returns the law of its answer as a dictionary; or
- a `Pair`, which is all that matters of it: the law of the answer on x0 and on x1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from .. import checks
from ..channel import as_law, as_pair
from ..guarantee import Guarantee
from ..pair import Pair
from .bits import as_bits
from .hypothesis import Hypothesis

MOST_VIEWS = 2**18  # a view is a tuple in a dictionary; more of them would take a student's whole memory

View = tuple[Hashable, ...]
Move = Pair | tuple[Any, ...]
Adversary = Callable[[View], Move]


def run_experiment(
    adversary: Adversary, mechanisms: Iterable[Any], bits: Any, rng: np.random.Generator, coins: Any = None
) -> View:
    """Run the generalized composition experiment (HBW, Algorithm 2) and return the adversary's view.

    `mechanisms` says for each round from what the adversary may choose: a `Guarantee` that the move must obey, or a
    collection of mechanisms. `bits` is the vector that selects the databases, such as "0110"; one bit for all rounds
    (0 or 1, Algorithm 1); or a `Hypothesis` to draw it from. A randomized adversary is a function of its coins that
    returns an adversary; `coins` is their law, and they are the first entry of the view.
    """
    rng = checks.generator(rng)
    allowed = _classes(mechanisms)
    vector = _vector(bits.sample(rng) if isinstance(bits, Hypothesis) else bits, len(allowed))
    tossed = _toss(coins, rng)
    person = _person(adversary, tossed)
    answers: View = ()
    for i, bit in enumerate(vector):
        pair = _pair_of(person(answers), allowed[i], i)
        answers += (pair.sample(rng, hypothesis=bit),)
    return tossed + answers


def view_law(
    adversary: Adversary, mechanisms: Iterable[Any], bits: Any, coins: Any = None
) -> dict[View, Fraction | float]:
    """Return the exact law of the view of an adversary, adaptive or not: a dictionary from views to probabilities."""
    return _view_law(adversary, _classes(mechanisms), bits, coins, "bits")


def _view_law(adversary: Adversary, allowed: list, bits, coins, name: str) -> dict[View, Fraction | float]:
    """Return the law of the view; `name` is what the caller calls the bits."""
    hypothesis = bits if isinstance(bits, Hypothesis) else Hypothesis.point(_vector(bits, len(allowed), name))
    if hypothesis.k != len(allowed):
        raise ValueError(f"{name} must have one bit for each of the {len(allowed)} rounds, not {hypothesis.k}")
    law: dict = {}
    for vector, weight in hypothesis.law.items():
        for tossed, chance in _coins(coins).items():
            person = _person(adversary, tossed)
            for answers, probability in _views(person, allowed, vector).items():
                view = tossed + answers
                law[view] = law.get(view, 0) + weight * chance * probability
    return law


def _views(adversary: Adversary, allowed: list, vector: tuple[int, ...]) -> dict[View, Fraction | float]:
    """Return the law of the answers to a deterministic adversary: a walk through the tree of its views."""
    law: dict = {(): 1}
    for i, bit in enumerate(vector):
        longer: dict = {}
        for view, weight in law.items():
            pair = _pair_of(adversary(view), allowed[i], i)
            chances = (pair.p, pair.q)[bit].tolist()
            for answer, chance in zip(pair.outcomes, chances, strict=True):
                if chance:
                    longer[(*view, answer)] = weight * chance
        if len(longer) > MOST_VIEWS:
            raise ValueError(
                f"view_law lists at most {MOST_VIEWS} views, which round {i + 1} exceeds; use hypothesis_dp"
            )
        law = longer
    return law


def view_pair(adversary: Adversary, mechanisms: Iterable[Any], bits0: Any, bits1: Any, coins: Any = None) -> Pair:
    """Return the laws of the view under two vectors (or hypotheses) as a pair (HBW, Definitions 2 and 3)."""
    mechanisms = _classes(mechanisms)
    law0 = _view_law(adversary, mechanisms, bits0, coins, "bits0")
    law1 = _view_law(adversary, mechanisms, bits1, coins, "bits1")
    return as_pair(law0, law1)


def both_databases(adversary: Adversary, bits0: Any, bits1: Any) -> Adversary:
    """Return the adversary that submits in round i the databases which two vectors select (HBW, Theorem 1).

    In the *classic* experiment it sees, for bit 0, what `adversary` sees under `bits0`, and for bit 1 what it sees
    under `bits1`. That is the whole proof: a classic guarantee covers every two vectors.
    """
    one = as_bits("bits0", bits0)
    two = as_bits("bits1", bits1)
    _function(adversary)
    if len(one) != len(two):
        raise ValueError(f"bits1 must have as many bits as bits0 ({len(one)}), not {len(two)}")

    def submit(view: View) -> Move:
        move = adversary(view)
        i = len(view)
        if isinstance(move, Pair):
            laws = (move.p, move.q)
            return Pair(laws[one[i]], laws[two[i]], outcomes=move.outcomes)
        return (move[one[i]], move[two[i]], *move[2:])

    return submit


# ---------------------------------------------------------------------------------------------- one step each


def _function(adversary) -> Callable:
    if not callable(adversary):
        raise ValueError(f"adversary must be a function of the view (or of its coins), not {checks.shorten(adversary)}")
    return adversary


def _classes(mechanisms: Iterable) -> list:
    listed = list(mechanisms) if np.iterable(mechanisms) else []
    if not listed or not all(isinstance(c, Guarantee) or _is_collection(c) for c in listed):
        raise ValueError(
            "mechanisms must list for each round a Guarantee or a collection of mechanisms, "
            f"not {checks.shorten(mechanisms)}"
        )
    return listed


def _is_collection(value) -> bool:
    return isinstance(value, Collection) and not isinstance(value, str | Pair)


def _vector(bits, k: int, name: str = "bits") -> tuple[int, ...]:
    vector = (int(bits),) * k if checks.is_number(bits) and bits in (0, 1) else as_bits(name, bits)
    if len(vector) != k:
        raise ValueError(f"{name} must have one bit for each of the {k} rounds, not {len(vector)}")
    return vector


def _person(adversary, tossed: View) -> Adversary:
    """Return the deterministic adversary: a function of the answers, after its coins have fallen."""
    return _function(_function(adversary)(*tossed) if tossed else adversary)


def _coins(coins) -> dict[View, Fraction | float]:
    """Return the law of the coins, each of them as the beginning of a view; without coins it is empty."""
    if coins is None:
        return {(): 1}
    if not isinstance(coins, Mapping) or not coins:
        raise ValueError(f"coins must map the adversary's coins to probabilities, not {checks.shorten(coins)}")
    weights = checks.law("coins", coins.values()).tolist()
    return {(coin,): weight for coin, weight in zip(coins, weights, strict=True)}


def _toss(coins, rng: np.random.Generator) -> View:
    """Draw the coins; without coins nothing is drawn."""
    law = _coins(coins)
    if coins is None:
        return ()
    weights = np.array([float(weight) for weight in law.values()])
    return list(law)[rng.choice(len(weights), p=weights / weights.sum())]


def _pair_of(move: Move, allowed, i: int) -> Pair:
    """Return the pair of a move in round i + 1, after checking that the adversary may make it."""
    pair = move if isinstance(move, Pair) else _laws(move, i)
    if isinstance(allowed, Guarantee):
        if not _obeys(pair, allowed):
            raise ValueError(
                f"the adversary's move in round {i + 1} must obey {allowed}, "
                f"not lose delta = {pair.delta(allowed.epsilon):.6g} at that epsilon"
            )
        return pair
    mechanism = move if isinstance(move, Pair) else move[2]
    if not any(mechanism is one for one in allowed):
        raise ValueError(f"the adversary's mechanism in round {i + 1} must be one of the mechanisms of that round")
    return pair


@lru_cache(maxsize=1024)
def _obeys(pair: Pair, guarantee: Guarantee) -> bool:
    """Say whether the pair keeps the guarantee; remembered, for adversaries submit the same pair again and again."""
    return guarantee.curve.dominates(pair)


def _laws(move, i: int) -> Pair:
    """Run the mechanism of a move on both databases."""
    if not isinstance(move, tuple) or len(move) not in (3, 4) or not callable(move[2]):
        raise ValueError(
            f"the adversary's move in round {i + 1} must be a Pair or (x0, x1, mechanism) or "
            f"(x0, x1, mechanism, w), not {checks.shorten(move)}"
        )
    x0, x1, mechanism, *parameters = move
    laws = [mechanism(x0, *parameters), mechanism(x1, *parameters)]
    for law in laws:
        if not isinstance(law, Mapping):
            raise ValueError(
                f"the mechanism in round {i + 1} must return a dictionary of answers and probabilities, "
                f"not {checks.shorten(law)}"
            )
    return as_pair(*(as_law(f"the law of the answer in round {i + 1}", law) for law in laws))
