"""The numbers in the question of the first page, computed."""

from fractions import Fraction

from accounting import Account, account

from dpteach.mechanisms import randomized_response


@account("0.1")
def one_coin():
    coin = randomized_response(ratio=3)
    prior = Fraction(1, 2)
    posterior = prior * coin.p[0] / (prior * coin.p[0] + (1 - prior) * coin.q[0])
    by_counting = Fraction(3, 3 + 1)  # of 4 people with either secret who say yes, 3 tell the truth
    return Account(
        given="3 1 1/2 half two",
        facts={
            "3/4": (posterior, by_counting),
            "1/4": (coin.q[0], 1 - by_counting),
            "4": (1 / coin.q[0], 3 + 1),
        },
        slips={"5/8": (prior + Fraction(3, 4)) / 2},
        answer=Fraction(3, 4),
    )
