"""The game: honest rounds, an exact region, and no rule that beats it."""

import itertools
import math

import numpy as np
import pytest
from exploring import assert_asks_nobody, move
from scipy.stats import binomtest

from dpteach.explore.testing.game import Game, Tally, best_guess, interval, place
from dpteach.explore.testing.tester_game import PLACES
from dpteach.explore.testing.tester_game import TesterGame as Beat  # pytest would take the name for that of a test
from dpteach.mechanisms import randomized_response


def tally(misses: int, d1: int, alarms: int, d0: int) -> Tally:
    made = Tally()
    for secret, bit, times in ((1, 0, misses), (1, 1, d1 - misses), (0, 1, alarms), (0, 0, d0 - alarms)):
        for _ in range(times):
            made.add(secret, bit)
    return made


# ------------------------------------------------------------------------------------------------------ the game


def test_same_seed_and_guesses_same_game():
    one, two, other = Game(seed=3), Game(seed=3), Game(seed=4)
    told = [[game.outputs] + [(game.guess(i % 2), game.outputs) for i in range(30)] for game in (one, two, other)]
    assert told[0] == told[1] != told[2]
    assert one.errors == two.errors and one.you.trail == two.you.trail


def test_secrets_do_not_depend_on_what_is_guessed_or_on_the_best_test():
    one, two = Game(), Game()
    for i in range(20):
        assert one.outputs == two.outputs
        assert one.guess(0) != two.guess(1)
        two.play_best(i)


def test_errors_are_counted():
    game = Game(seed=1)
    rounds = [(game._dealt.secret, i % 2, game.guess(i % 2)) for i in range(40)]
    on_d0, on_d1 = ([bit for secret, bit, _ in rounds if secret == d] for d in (0, 1))
    assert game.errors == (on_d1.count(0) / len(on_d1), on_d0.count(1) / len(on_d0))
    assert game.you.right == sum(right for *_, right in rounds)
    assert game.you.rounds == 40 and game.round == 41
    assert all(right == (secret == bit) for secret, bit, right in rounds)


def test_errors_are_unknown_before_both_secrets_came_up():
    assert all(map(math.isnan, Game().errors))
    assert tally(1, 2, 0, 0).errors[0] == 0.5 and math.isnan(tally(1, 2, 0, 0).errors[1])
    assert tally(1, 2, 0, 0).box()[1] == (0, 1) and tally(1, 2, 0, 0).trail == []


@pytest.mark.parametrize(("errors", "rounds"), [(0, 0), (0, 5), (3, 7), (9, 9), (40, 200)])
def test_interval_is_that_of_clopper_and_pearson(errors, rounds):
    wanted = binomtest(errors, rounds).proportion_ci(0.975) if rounds else (0, 1)
    assert interval(errors, rounds) == pytest.approx(tuple(wanted), abs=1e-9)


def test_secret_is_fair_and_answers_follow_the_coin():
    game, secrets, answers = Game(eps=1, k=2, seed=5), [], []
    for _ in range(4000):
        secrets.append(game._dealt.secret)
        answers += [answer == game._dealt.secret for answer in game.outputs]
        game.guess(0)
    assert abs(np.mean(secrets) - 0.5) < 4 * 0.5 / math.sqrt(4000)
    assert abs(np.mean(answers) - 1 / (1 + math.exp(-1))) < 4 * 0.5 / math.sqrt(8000)


@pytest.mark.parametrize("bit", [2, -1, 0.5, "0", None])
def test_bad_guess_is_refused(bit):
    with pytest.raises(ValueError, match="must be 0"):
        Game().guess(bit)
    with pytest.raises(ValueError, match="the strategy's guess must be 0"):
        Game().play(lambda outputs: bit)


# --------------------------------------------------------------------------------------- no strategy gets below


def test_no_rule_whatsoever_has_errors_below_the_region():
    coin, game = randomized_response(1), Game(eps=1, k=3)
    three = coin @ coin @ coin
    for rule in itertools.product((0, 1), repeat=8):
        says_d1 = np.array(rule, dtype=bool)
        missed, alarm = three.q[~says_d1].sum(), three.p[says_d1].sum()
        assert not game.is_below(missed, min(alarm, 1.0))


@pytest.mark.parametrize("k", [1, 2, 3, 20])
@pytest.mark.parametrize("eps", [0.1, 1, 3])
def test_best_test_is_a_corner_of_the_region_and_is_right_most_often(eps, k):
    game = Game(eps, k)
    corners = game.runs.region()
    assert min(np.abs(corners - game.best_errors()).max(axis=1)) < 1e-12
    assert sum(game.best_errors()) == pytest.approx(1 - game.runs.total_variation(), abs=1e-12)
    outcomes = [best_guess([1] * ones + [0] * (k - ones)) for ones in range(k + 1)]
    assert outcomes == [int(loss < 0) for loss in game.runs.losses.round(9)]


def test_best_test_lands_on_the_boundary():
    game = Game()
    game.play_best()
    (left, right), (low, high) = game.best.box()
    missed, alarm = game.best_errors()
    assert left <= missed <= right and low <= alarm <= high and game.best.rounds == 200
    game.play_best(20000)
    assert np.allclose(game.best.errors, (missed, alarm), atol=4 * 0.5 / math.sqrt(10000))


def test_a_rule_that_plays_long_is_not_below():
    for rule in (best_guess, lambda outputs: outputs[0], lambda outputs: max(outputs), lambda outputs: 0):
        game = Game(seed=2)
        game.play(rule, 3000)
        missed, alarm = game.errors
        slack = 4 * 0.5 / math.sqrt(1500)
        assert not game.is_below(missed + slack, min(alarm + slack, 1))


# -------------------------------------------------------------------------------------------------- the explorer


def test_text_at_the_start():
    assert repr(Beat()) == (
        "Round 1 shows 1, 1, 0; the best test is right in 82.2% of all rounds.\n"
        "Each round a fair coin picks D0 or D1, and randomized response with ε = 1 answers 3 times: which was it? "
        "Round 1 shows 1, 1, 0.\nYou have not guessed yet.\nThe best test says D1 if most answers are 1; it is "
        "right in 82.2% of all rounds, with errors on the boundary: false alarm 0.1781, missed detection 0.1781."
    )


def test_text_after_some_rounds():
    game = Beat()
    assert game.guess(0) == "Wrong: it was D1 (a missed detection)."
    assert "There is a point to draw once D0 and D1 have both come up." in game.text
    assert [game.guess(bit) for bit in (1, 0)] == ["Right: it was D1.", "Right: it was D0."]
    assert "You guessed 3 times, 2 right: false alarm 0 of 1 = 0.0000, missed detection 1 of 2 = 0.5000." in game.text
    assert PLACES["below"] in game.text
    game.play(lambda outputs: outputs[0], 500)
    game.play_best()
    assert PLACES["inside"] in game.text and "It played 200 times: false alarm" in game.text


def test_a_false_alarm_is_called_so():
    game = Beat(seed=1)
    said = {game.guess(1) for _ in range(20)}
    assert said == {"Right: it was D1.", "Wrong: it was D0 (a false alarm)."}


@pytest.mark.parametrize(
    ("made", "where"),
    [
        (tally(2, 10, 2, 10), "inside"),
        (tally(0, 3, 0, 3), "below"),
        (tally(0, 100, 0, 100), "far below"),
        (tally(3, 3, 3, 3), "above"),
    ],
)
def test_place(made, where):
    assert place(made, Game().is_below) == where


def test_one_answer_and_ties_have_their_own_words():
    assert "answers once" in Beat(k=1).text and "says D1 if the answer is 1;" in Beat(k=1).text
    assert "most answers are 1 (D0 on a tie)" in Beat(k=2).text


def test_bundle_has_widget_picture_and_text():
    game, again = Beat(seed=7), Beat(seed=7)
    for played in (game, again):
        played.play(best_guess, 30)
        played.play_best(50)
    data, metadata = game._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert data["text/plain"] == metadata["image/png"]["alt"] == again.text
    assert data["image/png"] == again.png()


def test_new_settings_begin_a_new_game_and_reset_returns():
    game = Beat()
    game.guess(1)
    game.set(k=5)
    assert "answers 5 times" in game.text and game.game.round == 1
    game.guess(1)
    game.reset()
    assert game.text == Beat().text


def test_board_follows_and_stale_keys_are_ignored():
    game = Beat()
    assert game.state()["board"]["outputs"] == game.game.outputs
    for _ in range(2):  # the same key twice, before the browser has seen the new round
        board = move(game, do="guess", bit=1, round=1)["board"]
    assert game.game.round == board["round"] == 2 and board["verdict"] == "right"
    assert board["feedback"] == "Right: it was D1." and board["outputs"] == game.game.outputs
    assert board["score"] == "You: 1 of 1 right, 100.0%. The best test, in the long run: 82.2%."
    move(game, do="best")
    assert game.game.best.rounds == 200 and "200 times" in game.text
    assert move(game, do="next")["board"]["round"] == 1
    assert game.settings["seed"] == 1 and game.text == Beat(seed=1).text
    shown = move(game, reset=True, **game.state()["first"])
    assert game.settings["seed"] == 0 and shown["board"]["feedback"].startswith("Game 0")


def test_a_guess_changes_the_picture():
    game = Beat(k=1)
    game.play(best_guess, 20)
    before = game.shown()["sheet"]
    game.guess(0)
    assert game.shown()["sheet"] != before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(eps=0), "eps must lie in [0.1, 3], not 0"),
        (dict(k=0), "k must lie in [1, 20], not 0"),
        (dict(k=2.5), "k must be a whole number"),
        (dict(seed=-1), "seed must be a whole number from 0 to 9007199254740992, not -1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError) as caught:
        Beat(**settings)
    assert message in str(caught.value)


def test_script_asks_nobody():
    assert_asks_nobody(Beat())
