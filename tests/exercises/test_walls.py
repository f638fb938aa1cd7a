"""The walls: what a student's process can see, ask and use; and what a busy or small machine costs an honest one."""

import os
import platform
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from exercises.helpers import NAMES

from dpteach import checks
from dpteach.grading.inside import calls, fence, linux
from dpteach.grading.line import clock, memory
from dpteach.grading.line.language import NO_ANSWER
from dpteach.grading.line.limits import KIT
from dpteach.grading.outside import marking, sandbox, workers
from dpteach.grading.outside.marking import mark
from dpteach.grading.outside.remote import StudentProcess
from dpteach.grading.outside.submissions import Submission
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
shut_in = pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return small.assignment(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def process():
    started = StudentProcess(0, replace(small.LIMITS, cell_seconds=60, total_seconds=600), sandbox.Walls())
    started.run("import os")
    yield started
    started.close()


def printed(process, code: str) -> str:
    told = process.run(code)
    assert told["error"] is None, told["error"]
    return told["text"].strip()


# ------------------------------------------------------------------------------------------------ what can be seen


@shut_in
def test_the_disk_holds_what_is_allowed_and_nothing_else(process, tmp_path):
    """Whatever is not on the list is not there: homes, /srv, /opt, exchanges, other copies of the course."""
    (tmp_path / "a second copy").mkdir()
    tops = {place.parts[1] for place in linux.allowed(KIT / "dpteach")}
    assert set(eval(printed(process, "import os\nprint(os.listdir('/'))"))) == tops | {"dev", "proc", "tmp"}
    system = ("/proc", "/dev", "/usr/lib", "/lib", "/etc", "/usr/share/zoneinfo", "/usr/bin/", "/bin/", "/tmp/student/")
    known = (f"{KIT}/dpteach/", f"{sys.prefix}/", f"{sys.base_prefix}/", *system)
    code = f"""
files = [os.path.join(top, name) for top, _, names in os.walk('/') for name in names]
print(len(files), [path for path in files if not path.startswith({known!r})][:9])
print([path for path in files if any(name in path for name in {NAMES!r})][:9])
"""
    seen, secret = printed(process, code).splitlines()
    assert int(seen.split()[0]) > 100 and seen.endswith(" []") and secret == "[]"


@shut_in
def test_there_are_few_devices_and_no_terminal(process):
    assert printed(process, "print(sorted(os.listdir('/dev')))") == str(sorted([*linux.DEVICES, "fd", "shm"]))
    code = "open('/dev/shm/mine', 'w').write('x')\nprint(os.listdir('/dev/shm'), open('/dev/null', 'w').write('x'))"
    assert printed(process, code) == "['mine'] 1"
    assert "['mine']" not in printed(process, "import glob\nprint(glob.glob('/dev/tty*') + glob.glob('/dev/pts*'))")


@shut_in
def test_nothing_but_the_empty_folder_can_be_written(process):
    code = """
def writable(path):
    return os.access(path, os.W_OK)
print([line.split()[4] for line in open('/proc/self/mountinfo') if writable(line.split()[4])])
"""
    assert set(eval(printed(process, code))) <= {"/tmp", "/dev/shm", *(f"/dev/{name}" for name in linux.DEVICES)}


@shut_in
def test_the_machine_tells_nothing_of_itself(process):
    """What others do (memory, load, processes) and what the grader was told are not there to be read."""
    told = printed(process, "print(sorted(name for name in os.listdir('/proc') if not name.isdigit()))")
    assert told in ("['self', 'thread-self']",) or "stat" in told  # an old kernel cannot leave the rest out
    line = printed(process, "print(open('/proc/1/cmdline').read())")
    assert "limits" not in line and "seconds" not in line and "course" not in line.replace(str(KIT), "")


@pytest.mark.parametrize(
    "written, path",
    [
        (b"/home/J\xc3\xb6rg", "/home/Jörg"),
        (b"/mnt/two\\040words", "/mnt/two words"),
        (b"/mnt/tab\\011line\\012back\\134slash", "/mnt/tab\tline\nback\\slash"),
        (b"/mnt/\xc3\xa9\\040\xff", os.fsdecode(b"/mnt/\xc3\xa9 \xff")),
        (b"/mnt/\\134040", "/mnt/\\040"),
    ],
)
def test_mounts_are_read_as_the_kernel_writes_them(written, path):
    assert linux.decoded(written) == path


@shut_in
@pytest.mark.skipif(os.getuid() != 0, reason="only root mounts")
def test_a_disk_with_a_foreign_name_is_read_only_as_well(tmp_path):
    """A mount below what is shown, with a name in another script, is made read-only with the rest."""
    place = tmp_path / "kit" / "日本 é"
    place.mkdir(parents=True)
    code = f"""
import os, sys
sys.path.insert(0, {str(KIT)!r})
from pathlib import Path
from dpteach.grading.inside import linux
linux.unshare()
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
linux.mount(None, "/", None, linux.REC | linux.PRIVATE)
linux.mount("none", {str(place)!r}, "tmpfs", 0)
linux.build_view(Path({str(tmp_path / "kit")!r}), 1 << 20)
try:
    open({str(place / "x")!r}, "w")
except OSError as error:
    os._exit(7 if error.errno == 30 else 8)
os._exit(9)
"""
    tried = subprocess.run([sys.executable, "-I", "-B", "-c", code], capture_output=True, text=True)
    assert tried.returncode == 7, tried.stderr


# ------------------------------------------------------------------------------- a fence where there is no view

fenced = pytest.mark.skipif(not fence.fence_version(), reason="this system has no Landlock")
NO_VIEW = sandbox.Walls(own_view=False)


@pytest.fixture(scope="module")
def fenced_process():
    started = StudentProcess(0, replace(small.LIMITS, cell_seconds=60, total_seconds=600), NO_VIEW)
    started.run("import os\ndef attempt(what):\n    try: return what()\n    except OSError as e: return e.errno")
    yield started
    started.close()


@fenced
def test_a_fenced_process_reads_nothing_but_what_is_allowed(fenced_process, tmp_path):
    """Without user namespaces: the course, homes, other processes' secrets and the terminal are closed."""
    (tmp_path / "answers.txt").write_text("42")
    small.open_to_all(tmp_path)
    places = [tmp_path, KIT / "exercises", KIT / "tests", Path("/"), Path("/home"), Path("/etc"), Path("/dev/shm")]
    code = f"print([attempt(lambda: os.listdir(place)) for place in {list(map(str, places))!r}])"
    assert eval(printed(fenced_process, code)) == [13] * len(places)
    files = [str(tmp_path / "answers.txt"), "/etc/passwd", "/dev/tty", f"/proc/{os.getpid()}/environ"]
    assert printed(fenced_process, f"print([attempt(lambda: open(path)) for path in {files!r}])") == "[13, 13, 13, 13]"
    assert printed(fenced_process, "print(attempt(lambda: open('/dev/null', 'w').write('x')))") == "1"


@fenced
def test_a_fenced_process_changes_nothing_but_its_folder(fenced_process, tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("1")
    mine.chmod(0o777)
    small.open_to_all(tmp_path)
    before = mine.stat()
    code = f"""
path = {str(mine)!r}
print([attempt(what) for what in (
    lambda: open(path, 'w'), lambda: open(path, 'a'), lambda: os.truncate(path, 0), lambda: os.unlink(path),
    lambda: os.rename(path, path + '2'), lambda: os.link(path, path + '2'), lambda: os.symlink(path, path + '2'),
    lambda: os.mkdir(path + '2'), lambda: os.mkfifo(path + '2'), lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
    lambda: os.rename(path, 'stolen'), lambda: os.link(path, 'stolen'))])
print(os.chmod(path, 0), os.utime(path, (0, 0)), attempt(lambda: os.setxattr(path, 'user.a', b'b')))
print(open('own', 'w').write('x'), os.mkdir('inner'), os.rename('own', 'inner/own'), os.listdir('inner'))
"""
    refused, passed_over, own = printed(fenced_process, code).splitlines()
    assert set(eval(refused)) <= {13, 18} and passed_over == "None None None" and own == "1 None None ['own']"
    after = mine.stat()
    assert (before.st_mode, before.st_mtime, before.st_size) == (after.st_mode, after.st_mtime, after.st_size)
    assert os.listdir(tmp_path) == ["mine"] and not os.listxattr(mine)


@fenced
@pytest.mark.skipif(fence.fence_version() < fence.SIGNALS, reason="this Landlock knows no signals")
def test_a_fenced_process_reaches_no_other_process(fenced_process):
    me = os.getpid()
    code = f"""
import resource, socket
print([attempt(what) for what in (
    lambda: os.kill({me}, 0), lambda: os.kill(os.getppid(), 9), lambda: socket.socket(),
    lambda: resource.prlimit({me}, resource.RLIMIT_CPU), lambda: os.setpriority(os.PRIO_PROCESS, {me}, 19),
    lambda: os.sched_setscheduler({me}, os.SCHED_BATCH, os.sched_param(0)))])
print(os.kill(-1, 9), os.kill(os.getpid(), 0), [part.send(b'x') for part in socket.socketpair()])
"""
    refused, own = printed(fenced_process, code).splitlines()
    assert eval(refused) == [1] * 6 and own == "None None [1, 1]"  # all that could be killed was its own, and we live


def test_an_older_fence_guards_files_too(monkeypatch, tmp_path):
    """Landlock before Linux 6.10 and 6.12: the rules that it knows are made."""
    if fence.fence_version() < 3:
        pytest.skip("this system has no Landlock")
    code = f"""
import os, sys
sys.path.insert(0, {str(KIT)!r})
from pathlib import Path
from dpteach.grading.inside import calls, fence
fence.fence_version = lambda: 3
calls.drop_capabilities()
fence.fence_in(Path({str(KIT)!r}) / "dpteach", Path({str(tmp_path)!r}))
open({str(tmp_path / "x")!r}, "w").close()
try:
    os.listdir({str(KIT / "exercises")!r})
except PermissionError:
    os._exit(7)
"""
    tried = subprocess.run([sys.executable, "-I", "-B", "-c", code], capture_output=True, text=True)
    assert tried.returncode == 7, tried.stderr


LEFT_BEHIND = """
import os, time
print(os.getcwd())
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open('pid', 'w').write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
while not os.path.exists('pid') or not open('pid').read(): time.sleep(0.01)
print(open('pid').read())
os.mkdir('closed')
open('closed/x', 'w').close()
os.mkdir('shut', 0)
for _ in range(1500):
    os.mkdir('deep')
    os.chdir('deep')
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes that go their own way are not found")
@pytest.mark.parametrize("walls", [NO_VIEW, replace(NO_VIEW, fence=False)])
def test_without_a_view_nothing_stays_behind(walls):
    process = StudentProcess(0, small.LIMITS, walls)
    folder, pid = printed(process, LEFT_BEHIND).splitlines()
    assert Path(folder).exists() and Path("/proc", pid).exists()
    process.close()
    assert not Path(folder).exists() and not Path(folder).parent.exists()
    assert not Path("/proc", pid, "environ").exists()


def test_frozen_copies_outlive_the_kernel_without_a_view_too(assignment):
    """A kernel that cannot say whether its tools are the same any more has ended; what it froze must still answer."""
    code = "import sys, types\nsys.modules['numpy'] = types.ModuleType('numpy')\ndef attacked(x):\n    return 0\n"
    marked = mark(assignment, small.submission(code), "eve", small.LIMITS, NO_VIEW)
    assert marked.points("check_before") == marked.points("check_after") == 3


# ------------------------------------------------------------------------------------------------- what can be asked


@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="its calls are not known")
def test_no_call_tells_what_is_in_memory_or_who_reads_a_file():
    """The calls by which hidden inputs went from one run to a later one."""
    forbidden = calls.forbidden_numbers()
    asked = {"fadvise64", "preadv2", "mincore", "cachestat", "readahead", "inotify_init1", "fanotify_init", "flock"}
    assert asked <= set(forbidden)


HEADERS = {"x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "/usr/include/asm-generic/unistd.h"}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_of_the_calls_are_those_of_the_header(machine):
    header = Path(HEADERS[machine])
    if not header.exists():
        pytest.skip("the header files are not installed")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    numbers = {call: several[list(HEADERS).index(machine)] for call, several in calls.NUMBERS.items()}
    assert list(HEADERS) == list(calls.MACHINES) and len(numbers.keys() & known.keys()) > 60
    for call, number in numbers.items():
        if call in known or number < 0:
            assert str(number) == known.get(call, "-1"), call


EXCEPTIONS = [
    "raise KeyError(x)",
    "raise type(f'Secret{x}', (Exception,), {})",
    "raise ZeroDivisionError",
    "import os; os._exit(x % 200)",
    "return undefined",
    "raise NotImplementedError",
    "return attacked(x)",
    "raise SystemExit(x)",
]


def test_all_failures_at_hidden_inputs_read_the_same(assignment):
    sentences = set()
    for failure in EXCEPTIONS[::3]:
        code = f"def attacked(x):\n    if x == 2: return 14\n    {failure}"
        marked = mark(assignment, small.submission(code), "eve", small.LIMITS)
        sentences.add(marked.outcomes["check_attacked"][1].message)
    assert sentences == {NO_ANSWER}


def test_all_kinds_of_failures_read_the_same_in_the_notebook_language():
    from dpteach.grading.inside.answers import Here
    from dpteach.grading.line.language import check, evaluate, near, take_defined

    @check(points=1)
    def one(student):
        near(student.attacked(271828), 1)

    (made,) = take_defined()
    for failure in EXCEPTIONS[:3] + EXCEPTIONS[4:]:
        names: dict = {}
        exec(f"def attacked(x):\n    {failure}", names)
        assert evaluate(made, Here(names), hidden=True).message == NO_ANSWER
    assert evaluate(made, Here({}), hidden=True).message == NO_ANSWER
    assert evaluate(made, Here({"attacked": 3}), hidden=True).message == NO_ANSWER


# ------------------------------------------------------------------------------------------------- what can be used


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_the_limit_on_processes_counts_what_is_there_already():
    """The system counts all processes of an account, so a teacher's own must not be taken from the notebook's."""
    root = os.getuid() == 0
    user = sandbox.STRANGER - 1 if root else os.getuid()  # as root, an account of which nobody else has processes
    before = sandbox.tasks_of(user)
    others = [subprocess.Popen(["sleep", "60"], user=user if root else None) for _ in range(80)]
    try:
        assert sandbox.tasks_of(user) >= before + 80 - (0 if root else 60)  # others of this account come and go
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert sandbox.tasks_of(2**31 - 7) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_an_account_with_many_processes_loses_nothing(assignment, monkeypatch):
    """Without walls, on an account at its limit by the old count: honest tasks keep all their points."""
    seen = []
    popen = subprocess.Popen

    def starting(*arguments, **options):
        made = popen(*arguments, **options)
        write = made.stdin.write
        made.stdin = SimpleNamespace(write=lambda data: seen.append(data) or write(data), close=made.stdin.close)
        return made

    monkeypatch.setattr(sandbox, "tasks_of", lambda user: 700)
    monkeypatch.setattr(sandbox.subprocess, "Popen", starting)
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS, sandbox.Walls(own_view=False))
    assert marked.total == 9 and b'"processes": 768' in seen[0]


def options(**told) -> SimpleNamespace:
    return SimpleNamespace(**{"seconds": 40, "workers": 1, "ids": False} | told)


def test_a_machine_that_cannot_mark_the_model_solution_marks_nothing(assignment, tmp_path):
    (tmp_path / "source" / "small").mkdir(parents=True)
    small.path_of(tmp_path / "source" / "small")
    course = (tmp_path, {"small": assignment})
    found = [Submission("ada", "small", None, "Nothing was handed in.")]
    with (
        workers.Crew(*course, found, options(seconds=1e-4)) as crew,
        pytest.raises(workers.Refused, match="the model solution of small gets"),
    ):
        list(crew.mark_all())
    with workers.Crew(*course, found, options()) as crew:
        ((one, marked),) = crew.mark_all()
    assert one == found[0] and marked.total == 0


def test_nbgrader_s_own_command_marks_the_model_solution_first_too(assignment, monkeypatch):
    asked = []
    monkeypatch.setattr(workers, "_fit", set())
    monkeypatch.setattr(workers, "mark", lambda *a: asked.append(a) or marking.Marked(notes=["No room."]))
    with pytest.raises(workers.Refused, match="gets 0 of 9 points: No room"):
        workers.demand_fitness(assignment, small.LIMITS)
    monkeypatch.setattr(workers, "refuse_if_unfit", lambda *a: None)
    workers.demand_fitness(assignment, small.LIMITS)
    workers.demand_fitness(assignment, small.LIMITS)
    assert len(asked) == 2  # once it has passed, it is not marked again


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="a process cannot be told where to run")
def test_there_are_as_many_workers_as_cores_that_may_be_used(monkeypatch):
    from dpteach.grading.outside import command

    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3})
    assert workers.cores() == [3] and command.parser().parse_args(["x"]).workers == 1


# ----------------------------------------------------------------------------------------------------- fair time


class Time:
    """A clock on the wall, and what a process got of it."""

    def __init__(self, share: float, asleep: bool = False):
        self.now, self.share, self.asleep = 0.0, share, asleep

    def core_times(self, pid):
        worked = 0.0 if self.asleep else self.share * self.now
        return worked, 0.0 if self.asleep else self.now - worked


@pytest.mark.parametrize(
    "share, asleep, seconds, late",
    [
        (1.0, False, 9.9, False),
        (1.0, False, 10.1, True),
        (0.3, False, 20, False),  # three cores' worth of others: it has had 6 seconds
        (0.3, False, 34, True),
        (0.01, False, 39, False),
        (0.01, False, 41, True),  # patience has an end
        (1.0, True, 10.1, True),  # a process that sleeps waits for nobody
    ],
)
def test_waiting_for_a_core_is_not_counted(share, asleep, seconds, late, monkeypatch):
    machine = Time(share, asleep)
    monkeypatch.setattr(clock, "core_times", machine.core_times)
    monkeypatch.setattr(clock.time, "monotonic", lambda: machine.now)
    watch = clock.Stopwatch(1)
    machine.now = seconds
    assert watch.late(10) is late


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system does not count waits")
def test_the_system_counts_work_and_waits():
    worked, waited = clock.core_times(os.getpid())
    assert worked > 0 and waited >= 0
    assert clock.core_times(None) == clock.core_times(2**22 + 1) == (0.0, 0.0)


@shut_in
def test_the_kernel_is_found_from_outside(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    assert printed(process, "print(os.getpid())") == status.split("NSpid:")[1].split("\n")[0].split()[-1]


def test_a_part_of_a_budget_takes_from_the_whole():
    whole = clock.Budget(10)
    part = clock.Budget(6, whole)
    part.spend(4)
    assert part.left <= 2 and whole.left <= 6
    whole.spend(5)
    assert part.left <= 1


# ------------------------------------------------------------------------------------------ when the grader stumbles

CRASHES = {
    "a repeating timer": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *a: 1 / 0)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)\ndef attacked(x):\n    return 7 * x"
    ),
    "a timer that kills": (
        "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.3, 0.1)\ndef attacked(x):\n    return 0"
    ),
    "a socket shut down": (
        "import os, socket\nfor fd in range(3, 64):\n    try: socket.socket(fileno=os.dup(fd)).shutdown(2)\n"
        "    except OSError: pass\ndef attacked(x):\n    return 0"
    ),
    "a socket shut down later": (
        "import os, socket\ndef attacked(x):\n    for fd in range(3, 64):\n"
        "        try: socket.socket(fileno=os.dup(fd)).shutdown(2)\n        except OSError: pass\n    return 0"
    ),
    "no processes from now on": (
        "import resource\ndef attacked(x):\n    return 0\nresource.setrlimit(resource.RLIMIT_NPROC, (0, 0))"
    ),
    "no files from now on": (
        "import resource\ndef attacked(x):\n    return 0\nresource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))"
    ),
}


@pytest.mark.parametrize("crash", CRASHES)
def test_honest_tasks_survive(crash, assignment):
    marked = mark(assignment, small.submission(CRASHES[crash]), "eve", small.LIMITS)
    assert marked.points("check_before") == marked.points("check_after") == 3, marked.notes
    assert not any("stumbled" in note for note in marked.notes)


def test_our_own_crash_keeps_what_was_asked_before_and_says_so(assignment, monkeypatch):
    reason = marking.Marking._with_reason

    def crashing(self, task, ran, outcome):
        if task == "check_attacked":
            raise RuntimeError("our fault")
        return reason(self, task, ran, outcome)

    monkeypatch.setattr(marking.Marking, "_with_reason", crashing)
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS)
    points = {task: marked.points(task) for task in assignment.tasks}
    assert points == {"check_before": 3, "check_attacked": 1, "check_after": 1}  # visible checks had been asked
    assert "The grader itself stumbled over this notebook (RuntimeError)" in marked.notes[0]
    assert marked.outcomes["check_after"][1].message == marking.NOT_ASKED


def test_our_own_crash_before_anything_was_asked_gives_a_result(assignment, monkeypatch):
    def crashing(*_):
        raise RuntimeError("our fault")

    monkeypatch.setattr(marking, "next_attempt", crashing)
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS)
    assert marked.total == 0 and "stumbled" in marked.notes[0] and list(marked.outcomes) == list(assignment.tasks)


def test_a_check_of_ours_that_crashes_costs_its_own_points_only(assignment, monkeypatch):
    evaluate = marking.evaluate

    def crashing(one, copy, hidden):
        if hidden and copy.ask("np") is not None and one.points == 2 and "after" in str(one.run.__code__.co_filename):
            raise RuntimeError
        return evaluate(one, copy, hidden)

    monkeypatch.setattr(marking, "evaluate", crashing)
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS)
    assert marked.total == 7 and marked.outcomes["check_after"][1].message == marking.NOT_ASKED


def test_a_worker_that_dies_keeps_what_it_has_told(assignment, tmp_path):
    worker = workers.Worker({"small": str(small.path_of(tmp_path))})
    try:
        one = Submission("eve", "small", None, "Nothing.")
        worker.begin(workers.Order("small", one, small.LIMITS, sandbox.Walls()))
        worker.process.kill()
        worker.process.join()
        kept = [marking.Outcome("visible", 1, 1, "right")]
        worker.known = {"check_before": kept}
        marked = worker.finished({"small": assignment})
        assert marked.outcomes["check_before"] == kept and marked.total == 1 and workers.STOPPED in marked.notes
    finally:
        worker.stop()


def test_a_worker_whose_own_code_stumbles_is_replaced_and_keeps_what_it_has_told(assignment, tmp_path):
    worker = workers.Worker({"small": str(small.path_of(tmp_path))})
    try:
        no_path = Submission("eve", "small", "no path at all")  # upon which our own code raises what nobody expects
        worker.begin(workers.Order("small", no_path, small.LIMITS, sandbox.Walls()))
        kept = [marking.Outcome("visible", 1, 1, "right")]
        worker.known = {"check_before": kept}
        assert worker.line.poll(60)
        marked = worker.finished({"small": assignment})
        assert marked.outcomes["check_before"] == kept and marked.notes == [workers.STOPPED]
        worker.begin(workers.Order("small", None, small.LIMITS, sandbox.Walls()))
        assert worker.line.poll(120) and worker.finished({"small": assignment}).total == 9
    finally:
        worker.stop()


def test_workers_tell_each_task_at_once(assignment):
    told = {}
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS, tell=told.__setitem__)
    assert told == marked.outcomes


# ------------------------------------------------------------------------------------------------------- odds and ends


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_memory_that_hides_is_counted(monkeypatch):
    """A process that lets nobody look is counted with all that it shares."""
    here = Path(f"/proc/{os.getpid()}")
    used = memory.resident(here)
    assert 0 < memory.share(here) <= used and here in memory.everybody()
    monkeypatch.setattr(memory, "share", lambda process: 0)
    assert memory.exceeds([here], used // 2) and not memory.exceeds([here], 100 * used)


@shut_in
def test_processes_that_wait_for_hidden_checks_are_few_if_they_are_large(assignment):
    """Every task that is run alone keeps a process: together they may use no more than one may."""
    cells = small.submission("math.pi = 3\nheld = b'x' * (120 << 20)\ndef attacked(x):\n    return 7 * x")
    cells[1].source = "held = b'x' * (120 << 20)\ndef before(x):\n    return 5 * x if math.pi > 3.1 else 0"
    cells[5].source = "held = b'x' * (120 << 20)\ndef after(x):\n    return 11 * x if math.pi > 3.1 else 0"
    marked = mark(assignment, cells, "eve", replace(small.LIMITS, memory=1 << 30))
    assert marked.total == 9
    history = []
    counting = marking.counting
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marking, "exceeds", lambda processes, most: len(processes) > 6)
        patch.setattr(marking, "counting", lambda a, h: history.append(list(h)) or counting(a, h))
        marked = mark(assignment, cells, "eve", replace(small.LIMITS, memory=1 << 30))
    assert marking.TOO_MUCH_MEMORY in str(history[-1]) and marked.points("check_attacked") == 3


def test_lists_in_lists_are_short_in_a_message():
    value = 1
    for _ in range(8):
        value = [value] * 8
    assert len(checks.shorten(value)) <= checks.LONGEST
    assert checks.shorten([1, 2]) == "[1, 2]"


def test_limits_are_the_same_for_every_run(assignment, monkeypatch):
    """What is left of the time is nobody's to read: it could tell a later run what an earlier one was asked."""
    seen = []
    start = sandbox.start

    def starting(channels, limits, walls):
        seen.append(limits)
        return start(channels, limits, walls)

    monkeypatch.setattr(sandbox, "start", starting)
    limits = replace(small.LIMITS, cell_seconds=1)
    mark(assignment, small.submission("import time\ntime.sleep(1.5)\nmath.pi = 3"), "eve", limits)
    assert len(seen) > 1 and set(seen) == {limits}


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes somebody else")
@pytest.mark.parametrize("own_view", [True, False])
def test_whether_a_stranger_runs_is_told_as_it_is(own_view):
    walls = sandbox.Walls(own_view=own_view)
    process = StudentProcess(0, small.LIMITS, walls)
    user = int(process.run("import os; print(os.getuid())")["text"])
    process.close()
    assert (user >= sandbox.STRANGER) == sandbox.runs_as_stranger(walls.stand)
