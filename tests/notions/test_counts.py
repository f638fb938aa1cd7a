"""The price of a release of counts, for many numbers of touched counts at once."""

import pytest

from dpteach.notions.counts import approximate_epsilons, counts_epsilon


@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.1])
def test_many_numbers_of_touched_counts_in_one_search(delta):
    touched = [1, 2, 3, 10, 30]
    found = approximate_epsilons(touched, 4, delta)
    one_by_one = [counts_epsilon("approximate", number, 4, delta) for number in touched]
    assert found == pytest.approx(one_by_one, rel=1e-14)  # both are bounds, from above
    with pytest.raises(ValueError, match="touched must be"):
        approximate_epsilons([0], 4, delta)
