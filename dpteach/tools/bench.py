"""The benchmark, `python -m dpteach bench`: one table of times and errors, dpteach beside other accountants.

Every library gets the same questions about compositions of pure guarantees. The libraries take turns, so that noise
on the machine hits all alike, and medians are compared. Errors are relative, against 40-digit mpmath numbers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from statistics import median
from time import perf_counter

import numpy as np

from .. import Guarantee, Table, __version__, optimal
from ..accountant import Release, gaussian, laplace, subsampled, times

DELTA = 1e-6
HOMOGENEOUS = ((0.1, 30), (0.1, 1000), (0.01, 10**5), (0.001, 10**6))
LISTS = ((10**4, 1.0), (10**5, 10.0))  # so many different guarantees, in so many seconds
RELEASE = (0.1, 20, 0.1, 20, 1.0, 0.01, 100)  # Laplace eps, how often; Gaussian mu, how often; mu, rate, how often
QUESTIONS = 10**5  # on one composition
FEW = 100  # for libraries that answer one by one
WIDTH = 1e-5  # of the bracket for different eps
RTOL = 3.8e-7  # with which dpteach reaches that width at eps = 24.65
UNWANTED = ("matplotlib", "ipywidgets", "scipy.signal")  # in a plain `import dpteach`
LEGEND = f"""\
slower: time for a question over dpteach's. Errors are relative to mpmath: of eps at delta = {DELTA:g} and of delta
at the true eps; of many questions the worst of ten. dpteach's include its rounding to the safe side. prv-accountant
runs at eps_error = 0.1; shown is the error of its estimate, the middle one of its three numbers."""


@dataclass
class Measurement:
    """One row: how long a library took for a task, and how far off its answers were."""

    task: str
    library: str
    turns: int = 0
    ms: float | None = None
    questions: int = 1
    slower: float | None = None
    eps_error: float | None = None
    delta_error: float | None = None
    note: str = ""


# ---------------------------------------------------------------------------------------------- the libraries
# Each composes k equal eps, or many different ones, into a curve with our methods `epsilon` and `delta`.


class Dpteach:
    """This library: its curves are asked as they are."""

    name = package = module = "dpteach"
    one_by_one = ()

    def compose(self, eps: float, k: int):
        """Compose k equal guarantees."""
        return optimal(Guarantee(eps), k=k)

    def compose_all(self, epsilons: list[float]):
        """Compose different guarantees."""
        return optimal([Guarantee(eps) for eps in epsilons], rtol=RTOL)

    def compose_release(self, eps: float, k: int, mu: float, n: int, sampled_mu: float, rate: float, m: int):
        """Compose Laplace noise, Gaussian noise, and Gaussian noise on a random part of the records."""
        sampled = times(subsampled(gaussian(sampled_mu), rate), m)
        return Release(times(laplace(eps), k), times(gaussian(mu), n), sampled)


class DpAccounting:
    """Google's privacy loss distributions, rounded up to a grid: its default, or the guarantee's own eps."""

    package = "dp-accounting"
    module = "dp_accounting"
    one_by_one = ("epsilon",)

    def __init__(self, own_grid: bool):
        self.own_grid = own_grid
        self.name = "dp-accounting, grid = eps" if own_grid else "dp-accounting, default grid"

    def compose(self, eps: float, k: int):
        """Compose k equal guarantees."""
        return self._curve(self._law(eps).self_compose(k))

    def compose_all(self, epsilons: list[float]):
        """Compose different guarantees pairwise, as in a tree: much faster than one after the other."""
        if self.own_grid:
            raise ValueError("no grid holds every eps")
        laws = [self._law(eps) for eps in epsilons]
        while len(laws) > 1:
            odd_one = laws[len(laws) // 2 * 2 :]
            pairs = zip(laws[::2], laws[1::2], strict=False)
            laws = [one.compose(other) for one, other in pairs] + odd_one
        return self._curve(laws[0])

    def compose_release(self, eps: float, k: int, mu: float, n: int, sampled_mu: float, rate: float, m: int):
        """Compose Laplace noise, Gaussian noise, and Gaussian noise on a random part of the records."""
        from dp_accounting.pld import privacy_loss_distribution

        if self.own_grid:
            raise ValueError("no grid holds every loss")
        law = privacy_loss_distribution.from_laplace_mechanism(1 / eps).self_compose(k)
        law = law.compose(privacy_loss_distribution.from_gaussian_mechanism(1 / mu).self_compose(n))
        sampled = privacy_loss_distribution.from_gaussian_mechanism(1 / sampled_mu, sampling_prob=rate)
        return self._curve(law.compose(sampled.self_compose(m)))

    def _curve(self, law):
        return Curve(one_by_one(law.get_epsilon_for_delta), law.get_delta_for_epsilon)

    def _law(self, eps: float):
        from dp_accounting.pld import common, privacy_loss_distribution

        grid = {"value_discretization_interval": eps} if self.own_grid else {}
        guarantee = common.DifferentialPrivacyParameters(eps, 0)
        return privacy_loss_distribution.from_privacy_parameters(guarantee, **grid)


class PrvAccountant:
    """Microsoft's accountant, with the errors that its documentation calls typical."""

    name = package = "prv-accountant"
    module = "prv_accountant"
    one_by_one = ("epsilon", "delta")
    eps_error = 0.1
    delta_error = 1e-3 * DELTA

    def compose(self, eps: float, k: int):
        """Compose k equal guarantees."""
        return self._curve([eps], [k])

    def compose_all(self, epsilons: list[float]):
        """Compose different guarantees."""
        return self._curve(epsilons, [1] * len(epsilons))

    def _curve(self, epsilons: list[float], counts: list[int]):
        from prv_accountant.privacy_random_variables import PureDPMechanism

        return self._composed([PureDPMechanism(eps) for eps in epsilons], counts)

    def compose_release(self, eps: float, k: int, mu: float, n: int, sampled_mu: float, rate: float, m: int):
        """Compose Laplace noise, Gaussian noise, and Gaussian noise on a random part of the records."""
        from prv_accountant import privacy_random_variables as random

        sampled = random.PoissonSubsampledGaussianMechanism(rate, 1 / sampled_mu)
        laws = [random.LaplaceMechanism(eps), random.GaussianMechanism(1 / mu), sampled]
        return self._composed(laws, [k, n, m])

    def _composed(self, laws: list, counts: list[int]):
        from prv_accountant import PRVAccountant

        accountant = PRVAccountant(laws, self.eps_error, self.delta_error, max_self_compositions=counts)
        law = accountant.compute_composition(counts)

        def epsilon(delta: float) -> float:
            return law.compute_epsilon(delta, self.delta_error, self.eps_error)[1]

        return Curve(one_by_one(epsilon), one_by_one(law.compute_delta_estimate))


@dataclass
class Curve:
    """Another library's composition, under our names."""

    epsilon: Callable
    delta: Callable


def one_by_one(answer: Callable[[float], float]) -> Callable:
    """Let a function of one number take arrays too."""

    def answers(at):
        return np.array([answer(one) for one in at.tolist()]) if np.ndim(at) else answer(at)

    return answers


LIBRARIES = (Dpteach(), DpAccounting(own_grid=False), DpAccounting(own_grid=True), PrvAccountant())
LONG = {"prv-accountant": 10**4, "dp-accounting, default grid": 10**5}  # lists that nobody waits for
SLOW = {"prv-accountant": 10**5, "dp-accounting, default grid": 10**6}  # from this k on, too slow for --quick


def installed(library) -> bool:
    """Import a library, so that nobody's import is timed with its first task; say whether that worked."""
    try:
        with warnings.catch_warnings(action="ignore"):
            importlib.import_module(library.module)
    except ImportError:
        return False
    return True


# -------------------------------------------------------------------------------------------------- the truth


def mpmath_or_none():
    """Return mpmath with 40 digits of our own, or None where it is not installed."""
    try:
        from mpmath import MPContext
    except ImportError:
        return None
    mp = MPContext()  # the shared mpmath.mp belongs to our caller
    mp.dps = 40
    return mp


class EqualTruth:
    """The optimal composition of k equal pure guarantees, from the definition.

    The best events are "at most l coins fall on the wrong side". With A = P(event) and B = Q(event), delta(eps) is the
    largest A - e^eps B, and e^epsilon(delta) the largest (A - delta) / B.
    """

    def __init__(self, mp, eps: float, k: int):
        self.mp = mp
        self.events = []
        A = mp.mpf(0)
        B = mp.mpf(0)
        for p, q in self._wrong_coins(eps, k):
            A += p
            B += q
            self.events.append((A, B))

    def _wrong_coins(self, eps: float, k: int) -> Iterator[tuple]:
        """Yield the probabilities under P and Q that l coins fall on the wrong side, for l up to k / 2."""
        mp = self.mp
        x = mp.exp(mp.mpf(eps))
        first = max(0, int(k / (1 + x) - 25 * k**0.5))  # what lies before it has probability e^-1250
        p = mp.binomial(k, first) * x ** (k - first) / (1 + x) ** k
        q = p * x ** (2 * first - k)
        for wrong in range(first, k // 2 + 1):
            yield p, q
            odds = mp.mpf(k - wrong) / (wrong + 1)
            p *= odds / x
            q *= odds * x

    def epsilon(self, delta: float):
        """Return eps at delta."""
        return self.mp.log(max((A - delta) / B for A, B in self.events))

    def delta(self, eps: float):
        """Return delta at eps."""
        x = self.mp.exp(self.mp.mpf(eps))
        return max(A - x * B for A, B in self.events)


class MixedTruth:
    """The optimal composition of many different pure guarantees, by an inverse Laplace transform.

    2 pi i delta(eps) is the integral of E e^(s loss) e^(-s eps) / (s (s + 1)) over Re s = c. With a thousand generic
    eps the integrand dies off so fast that the trapezoidal rule has more digits than a float.
    """

    def __init__(self, mp, epsilons: list[float], nodes: int = 80):
        self.mp = mp
        eps = [mp.mpf(one) for one in epsilons]
        with mp.workdps(25):
            spread = mp.sqrt(mp.fsum(one**2 for one in eps))
            sigmas = mp.sqrt(-2 * mp.log(DELTA))
            drift = mp.fsum(one * mp.tanh(one / 2) for one in eps)
            self.start = drift + sigmas * spread
            self.step = 12 / spread / nodes
            self.s = [mp.mpc(sigmas / spread, j * self.step) for j in range(nodes)]
            norm = self._log_cosh(eps, 0.5)
            self.log_moments = [self._log_cosh(eps, s + 0.5) - norm for s in self.s]

    def _log_cosh(self, eps: list, t):
        """Return the sum of log cosh(eps t)."""
        return self.mp.fsum(self.mp.log(self.mp.cosh(one * t)) for one in eps)

    def _integral(self, eps, power: int = 0):
        mp = self.mp
        terms = []
        for s, log_moment in zip(self.s, self.log_moments, strict=True):
            term = s**power * mp.exp(log_moment - s * eps) / (s * (s + 1))
            terms.append(term.real)
        return self.step / mp.pi * (mp.fsum(terms) - terms[0] / 2)

    def epsilon(self, delta: float):
        """Return eps at delta, by Newton's method on log delta."""
        eps = self.start
        for _ in range(10):
            value = self._integral(eps)
            eps += self.mp.log(value / delta) * value / self._integral(eps, 1)
        return eps

    def delta(self, eps: float):
        """Return delta at eps."""
        return self._integral(self.mp.mpf(eps))


def relative_error(values, truths) -> float:
    """Return the largest |value / truth - 1|."""
    pairs = zip(values, truths, strict=True)
    return max(abs(float(value / truth - 1)) for value, truth in pairs)


# --------------------------------------------------------------------------------------------- taking turns


@dataclass
class Timing:
    """What a library answered at first, or why it failed, and how long it took."""

    answer: object = None
    failure: str = ""
    seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Pace:
    """How many turns: as many as fit into `budget` seconds, but none for what took longer than `patience` at first.

    What is fast runs `turn` seconds on end, so that nobody pays for the others' use of the processor's caches.
    """

    least: int = 3
    most: int = 25
    budget: float = 3.0
    patience: float = 4.0
    turn: float = 0.02
    quick: bool = False

    def turns(self, first: float) -> int:
        """Return how many turns something gets that took `first` seconds at the first go."""
        if first > self.patience:
            return 0
        return int(np.clip(self.budget / first, self.least, self.most))


QUICK = Pace(least=1, most=5, budget=0.5, patience=1.0, quick=True)


def race(jobs: dict[str, Callable[[], object]], pace: Pace) -> dict[str, Timing]:
    """Time the jobs by turns. The first go warms up; it counts only where there is no other."""
    timings = {name: _first_go(job) for name, job in jobs.items()}
    turns = {name: pace.turns(timings[name].seconds[0]) for name in jobs if not timings[name].failure}
    for turn in range(max(turns.values())):
        for name in (name for name in turns if turn < turns[name]):
            timings[name].seconds.append(_one_turn(jobs[name], pace.turn))
    for timing in timings.values():
        timing.seconds = timing.seconds[1:] or timing.seconds
    return timings


def _one_turn(job: Callable[[], object], least: float) -> float:
    """Run a job for at least so many seconds; return the mean."""
    total = 0.0
    runs = 0
    while total < least:
        seconds, _ = _timed(job)
        total += seconds
        runs += 1
    return total / runs


def _first_go(job: Callable[[], object]) -> Timing:
    try:
        seconds, answer = _timed(job)
    except Exception as error:  # whatever a library raises becomes a row of the table
        return Timing(failure=f"fails: {str(error).split('. ')[0].rstrip('.')}")
    return Timing(answer, seconds=[seconds])


def _timed(job: Callable[[], object]) -> tuple[float, object]:
    with warnings.catch_warnings(action="ignore"):
        start = perf_counter()
        answer = job()
        return perf_counter() - start, answer


def rows_of(task: str, timings: dict[str, Timing], questions: dict[str, int] | None = None) -> list[Measurement]:
    """Make a row of each timing; the first one is dpteach's."""
    rows = [Measurement(task, name, note=timing.failure) for name, timing in timings.items()]
    for row in rows:
        row.questions = (questions or {}).get(row.library, 1)
        if seconds := timings[row.library].seconds:
            row.turns = len(seconds)
            row.ms = 1e3 * median(seconds)
            row.slower = _ms_a_question(row) / _ms_a_question(rows[0])
    return rows


def _ms_a_question(row: Measurement) -> float:
    return row.ms / row.questions


# ------------------------------------------------------------------------------------------------- the tasks


class Bench:
    """All tasks, for the libraries that are installed."""

    def __init__(self, pace: Pace):
        self.pace = pace
        self.mp = mpmath_or_none()
        self.libraries = [library for library in LIBRARIES if installed(library)]
        for library in self.libraries:
            _first_go(lambda library=library: library.compose(1.0, 2).epsilon(0.1))  # some import parts of scipy late

    def run(self) -> list[Measurement]:
        """Run all tasks."""
        rows = [row for eps, k in HOMOGENEOUS for row in self.homogeneous(eps, k)]
        rows += self.many_questions("delta") + self.many_questions("epsilon")
        rows += self.heterogeneous()
        rows += [row for n, seconds in LISTS for row in self.longer_list(n, seconds)]
        return rows + self.release() + self.imports()

    def homogeneous(self, eps: float, k: int) -> list[Measurement]:
        """Compose k equal guarantees and ask for eps at 1e-6, from nothing each time."""
        power = len(str(k)) - 1
        answers = k if power < 4 else f"1e{power}"
        too_slow = [one for one in self.libraries if k >= SLOW.get(one.name, math.inf)]
        skipped = too_slow if self.pace.quick else []
        task = f"k = {answers}, eps = {eps:g}"
        rows = self._from_nothing(task, lambda library: library.compose(eps, k), epsilon_of, skipped)
        if self.mp:
            self._judge(rows, EqualTruth(self.mp, eps, k))
        rows[0].note = target("below 5 ms", rows[0].ms < 5) if k == 10**6 else ten_times(rows)
        return self._complete(rows, skipped)

    def heterogeneous(self) -> list[Measurement]:
        """Compose a thousand different guarantees and bracket eps at 1e-6, from nothing each time."""
        epsilons = np.random.default_rng(0).uniform(0.01, 0.2, 1000).tolist()
        rows = self._from_nothing("n = 1000 different eps", lambda library: library.compose_all(epsilons), upper_end_of)
        low, high = self.curves["dpteach"].bracket(delta=DELTA)
        width = high - low
        rows[0].note = target(f"bracket at most {WIDTH:g} wide, here {width:.1e}", width <= WIDTH)
        if self.mp:
            progress("the mpmath truth for them")
            truth = MixedTruth(self.mp, epsilons)
            self._judge(rows, truth)
            verb = "contains" if low <= truth.epsilon(DELTA) <= high else "misses"
            rows[0].note += f", {verb} the truth"
        for row in rows:
            if row.library == "dp-accounting, default grid" and row.slower:
                rows[0].note += f"; {target(f'no slower than {row.library}', row.slower >= 1)}"
        return self._complete(rows)

    def longer_list(self, n: int, seconds: float) -> list[Measurement]:
        """Compose so many different guarantees, which together lose about as much as a thousand do."""
        epsilons = np.random.default_rng(0).uniform(0.01, 0.2, n) * math.sqrt(1000 / n)
        others = self.libraries[1:]
        skipped = others if self.pace.quick else [one for one in others if n >= LONG.get(one.name, math.inf)]
        task = f"n = 1e{len(str(n)) - 1} different eps"
        rows = self._from_nothing(task, lambda library: library.compose_all(epsilons.tolist()), upper_end_of, skipped)
        rows[0].note = f"{self._width()}; {target(f'below {seconds:g} s', rows[0].ms < 1e3 * seconds)}"
        return self._complete(self._beside_ours(rows), skipped)

    def release(self) -> list[Measurement]:
        """Compose a release of three kinds of noise, one of them subsampled, and bracket eps at 1e-6."""
        rows = self._from_nothing("a release of 140 answers", lambda one: one.compose_release(*RELEASE), upper_end_of)
        rows[0].note = self._width()
        return self._complete(self._beside_ours(rows))

    def _width(self) -> str:
        """Say how wide our bracket of the last task is."""
        low, high = self.curves["dpteach"].bracket(delta=DELTA)
        return f"bracket {high / low - 1:.1e} wide, relative"

    def _beside_ours(self, rows: list[Measurement]) -> list[Measurement]:
        """Say how far the others' eps lies above the lower end of our bracket: there is no other truth to be had."""
        low, _ = self.curves["dpteach"].bracket(delta=DELTA)
        for row in rows[1:]:
            if row.library in self.answers:
                row.note = f"eps {self.answers[row.library] / low - 1:+.1e} beside our lower end, relative"
        return rows

    def _from_nothing(self, task: str, compose: Callable, question: Callable, skipped=()) -> list[Measurement]:
        """Time composition plus one question; keep the curves and the answers for `_judge`."""
        progress(task)
        self.curves = {}

        def job(library) -> Callable[[], float]:
            def ask() -> float:
                curve = self.curves[library.name] = compose(library)
                return question(curve)

            return ask

        jobs = {one.name: job(one) for one in self.libraries if one not in skipped}
        timings = race(jobs, self.pace)
        self.answers = {name: timing.answer for name, timing in timings.items() if not timing.failure}
        return rows_of(task, timings)

    def _judge(self, rows: list[Measurement], truth) -> None:
        """Fill in the errors of eps at 1e-6 and of delta at the true eps."""
        eps = truth.epsilon(DELTA)
        at = float(eps)
        delta = truth.delta(at)
        for row in rows:
            if row.library in self.answers:
                told = self.curves[row.library].delta(at)
                row.eps_error = relative_error([self.answers[row.library]], [eps])
                row.delta_error = relative_error([told], [delta])

    def many_questions(self, what: str) -> list[Measurement]:
        """Ask one composition, k = 1000 and eps = 0.1, for 1e5 values of eps or delta."""
        task = f"1e5 questions for {what}"
        progress(task)
        at = {library.name: _questions(library, what) for library in self.libraries}
        ask = {library.name: getattr(library.compose(0.1, 1000), what) for library in self.libraries}
        timings = race({name: lambda name=name: ask[name](at[name]) for name in ask}, self.pace)
        rows = rows_of(task, timings, {name: len(values) for name, values in at.items()})
        for row in rows:
            if row.ms:
                row.note = f"{1e3 * _ms_a_question(row):.3g} us a question"
        rows[0].note += f"; {target('below 50 ms', rows[0].ms < 50)}"
        if self.mp:
            answers = {name: timing.answer for name, timing in timings.items() if not timing.failure}
            self._judge_ten(rows, what, at, answers)
        return self._complete(rows)

    def _judge_ten(self, rows: list[Measurement], what: str, at: dict, answers: dict) -> None:
        """Fill in the worst error of ten of the many answers."""
        truth = getattr(EqualTruth(self.mp, 0.1, 1000), what)
        for row in rows:
            if row.library in answers:
                some = slice(0, None, row.questions // 10)
                truths = map(truth, at[row.library][some].tolist())
                error = relative_error(answers[row.library][some], truths)
                if what == "epsilon":
                    row.eps_error = error
                else:
                    row.delta_error = error

    def imports(self) -> list[Measurement]:
        """Import the libraries, each in a new Python process."""
        progress("imports")
        modules = {library.package: library.module for library in self.libraries} | {"numpy": "numpy"}
        timings = {name: Timing() for name in modules}
        for _ in range(1 if self.pace.quick else 5):
            for name, module in modules.items():
                seconds, loaded = import_seconds(module)
                timings[name].answer = loaded
                timings[name].seconds.append(seconds)
        rows = rows_of("import", timings)
        unwanted = [f"loads {name}" for name in timings["dpteach"].answer]
        notes = unwanted or [f"loads no {', no '.join(UNWANTED)}"]
        rows[0].note = "; ".join([target("below 300 ms", rows[0].ms < 300), *notes])
        return rows

    def _complete(self, rows: list[Measurement], skipped=()) -> list[Measurement]:
        """Add the libraries that were not run, and say why."""
        missing = [library for library in LIBRARIES if library not in self.libraries]
        for library in (*skipped, *missing):
            skipping = "skipped by --quick" if self.pace.quick else "not run on a list so long"
            note = "not installed" if library in missing else skipping
            rows.append(Measurement(rows[0].task, library.name, questions=0, note=note))
        return rows


def _questions(library, what: str) -> np.ndarray:
    """Return the many values to ask a library for; every thousandth of them if it answers one by one."""
    at = np.linspace(0, 20, QUESTIONS) if what == "delta" else np.geomspace(1e-6, 0.1, QUESTIONS)
    return at[:: QUESTIONS // FEW] if what in library.one_by_one else at


def ten_times(rows: list[Measurement]) -> str:
    """Say whether dpteach is ten times faster than the fastest of the others."""
    fastest = min((row for row in rows[1:] if row.slower), key=lambda row: row.slower, default=None)
    if fastest is None:
        return ""
    return target(f"10 times faster than {fastest.library}", fastest.slower >= 10)


def epsilon_of(curve) -> float:
    """Ask for eps at 1e-6."""
    return curve.epsilon(DELTA)


def upper_end_of(curve) -> float:
    """Ask for both ends of eps at 1e-6 where the library gives two; return the upper one."""
    return curve.bracket(delta=DELTA)[1] if hasattr(curve, "bracket") else curve.epsilon(DELTA)


def import_seconds(module: str) -> tuple[float, list[str]]:
    """Import a module in a new process; return the seconds, and which of the unwanted modules came along."""
    code = (
        f"import sys, time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start, "
        f"*(name for name in {UNWANTED} if name in sys.modules))"
    )
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    seconds, *loaded = told.stdout.split()
    return float(seconds), loaded


def target(what: str, reached: bool) -> str:
    """Say whether a target was reached."""
    return f"target {what}: {'met' if reached else 'missed'}"


# ------------------------------------------------------------------------------------------------- the output


def progress(task: str) -> None:
    """Say on stderr what is being timed."""
    print(f"timing {task} ...", file=sys.stderr, flush=True)


def advice(bench: Bench) -> list[str]:
    """Say what to install for a full table."""
    lines = []
    if bench.mp is None:
        lines.append("There are no errors without mpmath: install it with `python -m pip install mpmath`.")
    if len(bench.libraries) < len(LIBRARIES):
        lines.append("Install the other accountants with `python -m pip install --no-deps -r requirements-peers.txt`.")
    return lines


def table_of(rows: list[Measurement]) -> Table:
    """Make the table, with three digits of each number."""
    columns = ["task", "library", "turns", "median ms", "questions", "slower", "eps error", "delta error", "note"]
    values = [asdict(row).values() for row in rows]
    return Table([list(map(_three_digits, row)) for row in values], columns)


def _three_digits(value):
    return float(f"{value:.3g}") if isinstance(value, float) else value


def versions(bench: Bench) -> dict[str, str]:
    """Return the versions of Python, of dpteach, which need not be installed, and of the other packages."""
    ours = {"python": sys.version.split()[0], "dpteach": __version__}
    others = {library.package for library in bench.libraries} | {"numpy", "scipy"}
    return ours | {package: version(package) for package in sorted(others - ours.keys())}


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser("python -m dpteach bench", description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns, and without what takes many seconds")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(argv)
    bench = Bench(QUICK if options.quick else Pace())
    rows = bench.run()
    for line in advice(bench):
        print(line, file=sys.stderr)
    made_by = versions(bench)
    if options.json:
        print(json.dumps({"versions": made_by, "rows": [asdict(row) for row in rows]}, indent=1))
    else:
        packages = ", ".join(f"{name} {number}" for name, number in made_by.items())
        print(table_of(rows), LEGEND, packages, sep="\n\n")
    return 0
