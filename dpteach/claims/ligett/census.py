"""Claims of Ligett, Peale and Reingold: the census (section 6.1)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

from ... import Table
from ...leakage import (
    LeakyMechanism,
    bits,
    examples,
)
from ..entries import CORRECTED, FALSE, claim, ensure
from ..reference import leakage as by_hand
from ..reference.basics import close
from .worlds import BIT, HALF, SAME, agrees


def noisy_count(value: int, top: int, ratio) -> dict:
    """Return a count with two-sided geometric noise, what falls outside moved to the ends: sums of the tails."""
    law, share = dict.fromkeys(range(top + 1), Fraction(0)), Fraction(ratio - 1, ratio + 1)
    for y in range(1, top):
        law[y] = share / Fraction(ratio) ** abs(y - value)
    below = share / Fraction(ratio) ** value * Fraction(ratio, ratio - 1)  # a geometric series
    return {**law, 0: below, top: 1 - below - sum(law.values())}


def town_by_hand(people: int = 2, leak_ratio=None) -> dict:
    """Return the town's world: two noisy flag counts are printed, the number of people in block A leaks."""
    world = {}
    for town in product(product("AB", BIT), repeat=people):
        counts = [sum(flag for block, flag in town if block == name) for name in "AB"]
        inside = sum(block == "A" for block, _ in town)
        told = {inside: Fraction(1)} if leak_ratio is None else noisy_count(inside, people, leak_ratio)
        first, second = (noisy_count(count, people, 3) for count in counts)
        world[town] = {((o,), (y, z)): v * first[y] * second[z] for o, v in told.items() for y in first for z in second}
    return world


@claim(
    "LPR-App-Census",
    verdict=CORRECTED,
    where="Section 6.1",
    title="Beside an exact statistic the release keeps its privacy",
)
def census():
    r"""If a statistic is released exactly, or with independent noise of its own, beside an $(\varepsilon,\delta)$-DP
    mechanism, the two are independent and the mechanism is $(\varepsilon,\delta)$-private given the statistic.

    Formally Lemma 7. But an exact statistic takes neighbours out of the comparison: in a town of two people whose block
    sizes are known, nothing is said about who lives where. A promise must come with the share that it covers. For
    databases with equal statistics use the notion of Remark 19; for the release as a whole, the last column.
    """
    people, rows = 2, []
    for name, leak_ratio in (("exact", None), ("noise, 3 : 1", 3)):
        town, world = examples.census_town(people, 3, leak_ratio=leak_ratio), town_by_hand(people, leak_ratio)
        ensure(town.joint == world, "the same town, built by hand")
        ensure(agrees(town, world, (3,)) and town.ratio() == by_hand.ratio(world), SAME)
        ensure(town.without_leak().ratio() == by_hand.ratio(by_hand.plain(world)) == 9, "who moves changes two counts")
        compared = len(town.neighbours) - len(town.vacuous_pairs)
        share = Fraction(sum(bool(by_hand.leaks(world[x]) & by_hand.leaks(world[z])) for x, z in town.neighbours), 48)
        ensure(share == Fraction(compared, 48) == town.coverage, "who is compared")
        ensure(town.independence().perfect, "independent")
        release = town.released().ratio()
        ensure(release == by_hand.ratio(by_hand.joined(world)), "the whole release")
        rows.append((f"people in A, {name}", town.ratio(), f"{compared} of {len(town.neighbours)}", release))
    moves = examples.census_town().vacuous_pairs
    ensure(all([b for b, _ in x] != [b for b, _ in z] for x, z in moves) and len(moves) == 32, "all who moved house")
    total = LeakyMechanism.from_laws(bits(3), sum, lambda x, o: examples.truthful(x[0], 3))
    ensure(total.vacuous and by_hand.delta(total.joint, 1) is None, "three flags and their total")
    rows.append(("three flags, exact total", total.ratio(), f"0 of {len(total.neighbours)}", total.released().ratio()))
    ensure([row[1] for row in rows[:2]] == [3, 9] and rows[0][2] == "16 of 48", "3 for the few, 9 for all")
    return Table(rows, ["side release", "e^eps given it", "neighbours compared", "e^eps of both"])


@claim(
    "LPR-App-Census-prose",
    verdict=FALSE,
    where="Section 6.1, end",
    title="An exact statistic does not degrade privacy further",
)
def privacy_degrades_further():
    r"""Besides telling that the data agree with the leaked statistic, an exact release is said not to degrade the
    privacy of the private study.

    It can degrade it without bound. Each of $n$ bits is told by randomized response, 3 : 1, and the sums of
    neighbouring bits modulo 2 are exact. Given the sums all $n$ answers are about one bit: they can multiply its odds
    by $3^n$, whatever was believed before. If every bit was a fair coin, the sums alone say nothing of the first bit,
    the answers alone at most 3/4, and both $3^n/(3^n+1)$. (If each bit was 0 with probability 0.9, zero sums of two
    people alone give 81/82, and both 729/730.) Bounded leakage calls this perfect, since no neighbours leak the same
    sums. What holds is the notion of Remark 19: databases at distance $d$ with equal sums are within $d\varepsilon$.
    """
    rows = []
    for n, expected in ((2, Fraction(9, 10)), (3, Fraction(27, 28)), (4, Fraction(81, 82)), (5, Fraction(243, 244))):
        attack = examples.xor_attack(n)
        zeros, sums = (0,) * n, (0,) * (n - 1)
        views = {"leak": {"leak": sums}, "answers": {"output": zeros}, "both": {"leak": sums, "output": zeros}}
        seen = {name: sum(p for x, p in attack.posterior(**view).items() if x[0] == 0) for name, view in views.items()}
        ensure(seen == belief_by_hand(n), "Bayes' rule by enumeration")
        ensure(attack.vacuous and seen["leak"] == HALF and seen["answers"] == Fraction(3, 4), "each alone")
        ensure(seen["both"] == expected and expected / (1 - expected) == 3**n, "together odds of 3^n")
        ensure(close(math.exp(attack.scaled().epsilon()), 3), "three for each step of the distance n")
        rows.append((n, attack.delta(ratio=1), *seen.values()))
    another_prior()
    return Table(rows, ["n", "delta given the sums", "belief in bit 0: from the sums", "from the answers", "from both"])


def another_prior() -> None:
    """Check the belief in a first bit that is 0, each bit of two people being 0 with probability 0.9 beforehand."""
    attack, prior = examples.xor_attack(2), {x: math.prod(Fraction(1 if b else 9, 10) for b in x) for x in bits(2)}
    leak = attack.posterior(leak=(0,), prior=prior)[0, 0]
    both = attack.posterior(leak=(0,), output=(0, 0), prior=prior)[0, 0]
    ensure(leak == prior[0, 0] / (prior[0, 0] + prior[1, 1]) == Fraction(81, 82), "from the sums alone")
    ensure(both == Fraction(9 * 81, 9 * 81 + 1) == Fraction(729, 730), "from both: odds of 81, times nine")


def belief_by_hand(n: int) -> dict:
    """Return Pr[first bit = 0] given zero sums, zero answers, and both, from a uniform prior."""
    weights = {"leak": [0, 0], "answers": [0, 0], "both": [0, 0]}
    for x in product(BIT, repeat=n):
        flat, chance = len(set(x)) == 1, math.prod(Fraction(1 if bit else 3, 4) for bit in x)
        for name, weight in {"leak": flat, "answers": chance, "both": flat * chance}.items():
            weights[name][x[0]] += weight
    return {name: Fraction(pair[0]) / sum(pair) for name, pair in weights.items()}
