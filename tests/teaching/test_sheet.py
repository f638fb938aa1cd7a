"""The formula sheet: its numbers computed another way, its page up to date, and that it fits on one sheet of paper."""

import re
import shutil

import pytest
from truth import mp as mpmath

from dpteach.teaching import sheet, theorems
from dpteach.teaching.sheet import SHEET, main
from dpteach.teaching.theorems import ROWS, above, below
from dpteach.tools.browser import BROWSERS

K, M, N = 100, 20, 12
EPS, DELTA = mpmath.mpf("0.1"), mpmath.mpf("1e-6")
R = mpmath.exp(EPS)
LOG = mpmath.log(1 / DELTA)
browser = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="needs Chromium or Chrome")


def by_counting(eps, k=K):
    """Return the delta of k coins: over all numbers of lies, with 60 digits."""
    total = mpmath.mpf(0)
    for lies in range(k + 1):
        p = mpmath.binomial(k, lies) * R ** (k - lies) / (1 + R) ** k
        q = mpmath.binomial(k, lies) * R**lies / (1 + R) ** k
        total += max(p - mpmath.exp(eps) * q, 0)
    return total


def least_epsilon(delta_of, delta=DELTA, high=20):
    """Return where a falling delta reaches its aim, by bisection."""
    low, high = mpmath.mpf(0), mpmath.mpf(high)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(middle) <= delta else (middle, high)
    return high


def somewhere(eps):
    """Return the larger of both deltas of nowhere against somewhere; with all vectors, answers are fair coins."""
    true, false, n = R / (1 + R), 1 / (1 + R), mpmath.mpf(2) ** K
    deltas = [mpmath.mpf(0), mpmath.mpf(0)]
    for said in range(K + 1):  # how many files say yes
        count = mpmath.binomial(K, said)
        nowhere = false**said * true ** (K - said)
        anywhere = ((mpmath.mpf(1) / 2) ** K * n - nowhere) / (n - 1)
        deltas[0] += count * max(nowhere - mpmath.exp(eps) * anywhere, 0)
        deltas[1] += count * max(anywhere - mpmath.exp(eps) * nowhere, 0)
    return max(deltas)


def gaussian(eps, mu=1):
    return mpmath.ncdf(mu / mpmath.mpf(2) - eps / mu) - mpmath.exp(eps) * mpmath.ncdf(-mu / mpmath.mpf(2) - eps / mu)


def majority():
    """Return the error of whoever follows the majority of 100 coins, and tosses one at a tie."""
    chances = [mpmath.binomial(K, lies) * R ** (K - lies) / (1 + R) ** K for lies in range(K + 1)]
    return sum(chances[K // 2 + 1 :]) + chances[K // 2] / 2


def advanced(drift):
    return K * drift + EPS * mpmath.sqrt(2 * K * LOG)


def pays(d):
    return 2 * LOG / (1 - d) ** 2


EXACT = least_epsilon(by_counting)
CHAIN = DELTA * sum(R**i for i in range(N))
FORMS = (EPS * (R - 1), EPS**2 / 2, EPS * mpmath.tanh(EPS / 2))
EXPECTED = {  # what the theorem says, and what is true
    "Laplace noise": ([1 / EPS], [EPS]),
    "Basic composition": ([K * EPS], [K * EPS, 0]),
    "Mean loss": ([K * FORMS[2]], [K * EPS * (R - 1) / (R + 1)]),
    "Advanced composition": ([advanced(drift) for drift in FORMS], [EXACT]),
    "When it pays": ([pays(R - 1), pays(mpmath.tanh(EPS / 2))], [35, 31]),
    "Privacy region": ([(1 - DELTA) / (1 + mpmath.exp(EXACT))], [majority()]),
    "Optimum, equal answers (3.3)": ([by_counting(48 * EPS), 48 * EPS], [by_counting(48 * EPS)]),
    "Any question (Theorem 1)": ([EXACT], [least_epsilon(somewhere)]),
    "A cap": ([M * EPS, 2 * M * EPS], [least_epsilon(lambda e, n=n: by_counting(e, n)) for n in (M, 2 * M)]),
    "Subsampling": ([mpmath.log((1 + R) / 2)], [mpmath.log((R / (1 + R) + 1 / (1 + R)) / 2 * (1 + R))]),
    "Somewhere or nowhere (Cor. 7)": (
        [mpmath.log(((1 + R) ** K - 1) / (mpmath.mpf(2) ** K - 1))],
        [least_epsilon(somewhere), DELTA],
    ),
    "From given to together (4)": ([EXACT + EPS, 2 * DELTA - DELTA**2],) * 2,
    "From DP to given a leak (9)": ([2 * EPS],) * 2,
    "Census": ([3 * EPS],) * 2,
    "Big world (17)": ([40 * EPS], [40 * EPS, least_epsilon(lambda e: by_counting(e, 40)), DELTA]),
    "Distance": ([2 * EPS],) * 2,
    "Preprocessing": ([2 * EPS],) * 2,
    "Composition theorem": ([M * EPS],) * 2,
    "Maximum over pairs (IV.13)": ([2 * EPS],) * 2,
    "Chain of deltas": ([CHAIN],) * 2,
    "Gaussian": ([least_epsilon(gaussian)],) * 2,
}  # fmt: skip


def numbers_of(text):
    """Return the numbers of a cell, powers of ten written out; indices are none."""
    text = re.sub(r"\\delta_\{\d+\}", "", text)
    text = re.sub(r"(?:(\S+) \\cdot )?10\^\{(-?\d+)\}", lambda m: f"{m[1] or 1}e{m[2]}", text)
    return [mpmath.mpf(found) for found in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?", text.replace("$", ""))]


@pytest.mark.parametrize("row", [row for row in ROWS if row.name in EXPECTED], ids=lambda row: row.name)
def test_the_numbers_are_what_another_way_gives(row):
    """Four digits agree, and no promise is below the truth by more than a rounding of its last one."""
    for shown, expected in zip((row.says(), row.true()), EXPECTED[row.name], strict=True):
        found = numbers_of(shown)
        assert len(found) == len(expected), shown
        for given, value in zip(found, expected, strict=True):
            down = shown.startswith("error")
            assert abs(given - value) <= abs(value) * mpmath.mpf("1.001e-3"), (shown, value)
            assert given <= value if down else given >= value * (1 - mpmath.mpf("1e-11")), (shown, value)


def test_the_bracket_of_unequal_answers_is_that_of_another_grid():
    """Rounded to a grid of its own, once up and once down, the losses enclose the same number."""
    (row,) = [row for row in ROWS if row.name not in EXPECTED]
    high, low = numbers_of(row.says())[0], numbers_of(row.true())[0]
    ours = [bound(width=1e-4, up=up) for up in (False, True)]
    assert ours[0] <= high and low <= ours[1] and ours[1] - ours[0] < 0.02
    assert 0 < high - low < 1e-5


def bound(width, up):
    """Return the epsilon of a hundred unequal coins on a grid, by adding coin after coin."""
    import numpy as np

    exact = 0.1 * np.sqrt(np.arange(1, 101) / 100)
    steps = (np.ceil if up else np.floor)(exact / width).astype(int)
    law = np.array([1.0])
    for step in steps:
        grown = np.zeros(len(law) + 2 * step)
        chance = 1 / (1 + np.exp(-step * width))
        grown[2 * step :] += law * chance
        grown[: len(law)] += law * (1 - chance)
        law = grown
    losses = (np.arange(len(law)) - steps.sum()) * width
    deltas = lambda eps: (law * np.maximum(1 - np.exp(eps - losses), 0)).sum()  # noqa: E731
    return float(least_epsilon(lambda eps: deltas(float(eps)), high=10))


def test_rounding_goes_to_the_safe_side():
    assert (above(4.7745001), below(4.7749), above(0.1), below(0.3)) == ("4.775", "4.774", "0.1", "0.3")
    assert above(8.05494e-7) == r"$8.055 \cdot 10^{-7}$"


def words(html):
    """Return a page without its drawings, of which only the titles stay: outlines differ by version of matplotlib."""
    return re.sub(r"<svg.*?<title>(.*?)</title>.*?</svg>", r"⟨\1⟩", html, flags=re.S)


def test_the_committed_sheet_is_up_to_date():
    assert words(SHEET.read_text(encoding="utf-8")) == words(sheet.sheet()), "run python -m dpteach formulas"


def test_every_lecture_has_its_theorems():
    assert [row.lecture for row in ROWS] == sorted(row.lecture for row in ROWS)
    assert {row.lecture for row in ROWS} == {1, 2, 3, 4, 5}


@browser
@pytest.mark.parametrize(("name", "size"), [("a4", (842, 595)), ("letter", (792, 612))])
def test_it_prints_on_one_page(tmp_path, capsys, name, size):
    file = tmp_path / "sheet.pdf"
    assert main([str(file), "--paper", name]) == 0
    printed = file.read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed)
    assert [round(float(side)) for side in box.groups()] == list(size)


def test_what_cannot_be_written_is_told(tmp_path, capsys, monkeypatch):
    assert main([str(tmp_path / "sheet.doc")]) == 2
    assert "must end in .html or .pdf" in capsys.readouterr().err
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main([str(tmp_path / "sheet.pdf")]) == 2
    assert "print it from your browser" in capsys.readouterr().err


def test_the_example_is_that_of_the_page():
    assert (theorems.K, theorems.EPS, theorems.DELTA, theorems.CAP, theorems.STEPS) == (K, 0.1, 1e-6, M, N)
