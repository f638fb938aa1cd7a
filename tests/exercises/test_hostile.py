"""Submissions that try to fool, stop or slow the grader: no point that was not earned, honest tasks keep theirs."""

import copy
import json
import math
import os
import platform
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from dpteach.grading.inside import calls
from dpteach.grading.line.limits import KIT, PACKAGE
from dpteach.grading.outside import sandbox, submissions, workers
from dpteach.grading.outside.assignment import only_draws, read_cells
from dpteach.grading.outside.marking import Marked, mark
from dpteach.grading.outside.outputs import with_outputs
from dpteach.grading.outside.remote import believable
from exercises import small

pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="the grader needs Linux or macOS")
AT_A_TIME = 4
WRONG = "def attacked(x):\n    return 0\n"
FIND_LINES = """
import os, socket, stat
def lines():
    found = [fd for fd in range(3, 256) if _is_socket(fd)]
    return found
def _is_socket(fd):
    try:
        return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError:
        return False
"""
KERNEL = "import sys\nkernel = sys.modules['dpteach.grading.inside.kernel']\n"

# name: (code, points of the attacked task, what the student is told)
ATTACKS = {
    "asserts deleted by an AST transformer": (
        "import ast\nclass T(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "    def visit_Raise(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(T())\n" + WRONG, 0, "multiply by 7"),
    "equal to everything": (
        "class A:\n    __eq__ = __ge__ = __le__ = __gt__ = __lt__ = lambda s, o: True\n"
        "    __float__ = lambda s: 14.0\n    __sub__ = __rsub__ = __abs__ = lambda s, *o: 0\n"
        "def attacked(x): return A()", 0, "an object of type A"),
    "a float that is equal to everything": (
        "class A(float):\n    __eq__ = __ge__ = __le__ = lambda s, o: True\n    __sub__ = __rsub__ = lambda s, o: 0.0\n"
        "    __repr__ = lambda s: '14.0'\ndef attacked(x): return A(3)", 0, "Got 3"),
    "rigged __array__": (
        "class A:\n    def __array__(self, *a, **k): return np.array(14.0)\ndef attacked(x): return A()",
        0, "an object of type A"),
    "patched numpy and math": (
        "np.isclose = np.allclose = lambda *a, **k: True\nmath.isclose = lambda *a, **k: True\nnp.abs = lambda x: 0\n"
        + WRONG, 0, "replaces parts of Python"),
    "patched dpteach": (
        "import dpteach.grading.line.language as l, dpteach.grading as g\n"
        "l.is_near = g.is_near = lambda *a, **k: True\nl.evaluate = None\n"
        "l.near = g.near = lambda *a, **k: True\n" + WRONG, 0, "multiply by 7"),
    "patched builtins": (
        "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.max = lambda *a: 0\n" + WRONG, 0,
        "replaces parts of Python"),
    "builtins that Python itself needs": (
        "import builtins\nbuiltins.isinstance = lambda *a: True\n" + WRONG, 0, "it was left out"),
    "modules exchanged": (
        "import sys, types\nfake = types.ModuleType('numpy')\nsys.modules['numpy'] = fake\n"
        "sys.modules['dpteach.grading'] = fake\n" + WRONG, 0, "replaces parts of Python"),
    "an import hook": (
        "import sys\nclass H:\n    def find_spec(self, name, *a): raise ImportError(name)\n"
        "sys.meta_path.insert(0, H())\n" + WRONG, 0, "replaces parts of Python"),
    "atexit": (
        "import atexit, os\natexit.register(lambda: os.write(1, b'3 of 3 points'))\n" + WRONG, 0, "multiply by 7"),
    "a thread that forges answers": (
        FIND_LINES + "import threading, time\ndef forge():\n    while True:\n"
        "        for fd in lines():\n            try:\n                os.write(fd, "
        "b'{\"id\": \"0\", \"value\": {\"int\": \"14\"}}\\n')\n            except OSError: pass\n"
        "        time.sleep(0.01)\nthreading.Thread(target=forge, daemon=True).start()\n" + WRONG, 0,
        "wrote to the grader's line"),
    "forged messages": (
        FIND_LINES + "for fd in lines():\n"
        "    os.write(fd, b'{\"points\": 3}\\ngarbage{\\n{\"id\": 1, \"ended\": \"well\"}')\n" + WRONG, 0,
        "wrote to the grader's line"),
    "closed lines": (FIND_LINES + "for fd in lines(): os.close(fd)\n" + WRONG, 0, "was left out"),
    "printed scores": ("print('✓ 3 of 3 points')\n3\n" + WRONG, 0, "multiply by 7"),
    "visible inputs recognised": ("def attacked(x):\n    return 14 if x == 2 else 0", 1, "other numbers"),
    "stack inspection": (
        "import inspect, gc\ndef attacked(x):\n    for frame in inspect.stack():\n"
        "        for value in frame.frame.f_locals.values():\n"
        "            if 'near' in repr(value)[:10000] and 'hidden number' in repr(value)[:10000]: return 7 * x\n"
        "    return 0", 0, "multiply by 7"),
    "infinite loop": ("while True: pass", 0, "took longer than 1 s"),
    "a loop that swallows everything": (
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True:\n    try:\n"
        "        while True: pass\n    except BaseException: pass", 0, "took longer than 1 s"),
    "a loop in the function": ("def attacked(x):\n    while True: pass", 0, "took longer than 1 s"),
    "a sleeping function": ("import time\ndef attacked(x):\n    time.sleep(1000)", 0, "took longer than 1 s"),
    "a fork bomb": (
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", 0, "ended its process"),
    "a fork bomb with a pause": (
        "import os, time\nwhile True:\n    try: os.fork()\n    except OSError: time.sleep(0.3)", 0,
        "ended its process"),
    "a memory bomb": ("x = []\nwhile True: x.append(bytearray(10**8))", 0, "not defined"),
    "a memory bomb in the function": ("def attacked(x):\n    return [0] * 10**10", 0, "MemoryError"),
    "gigabytes of output": ("while True: print('x' * 10**6)", 0, "printed more than"),
    "endless output, errors swallowed": (
        "while True:\n    try: print('x')\n    except BaseException: pass", 0, "took longer than 1 s"),
    "output below Python": (
        "import os\nfor fd in (0, 1, 2) * 2000:\n    try: os.write(fd, b'3 of 3 points' * 10**5)\n"
        "    except OSError: pass\n" + WRONG, 0, "multiply by 7"),
    "gigabytes on the channel": (
        FIND_LINES + "import fcntl\nfor fd in lines():\n    os.set_blocking(fd, True)\nwhile True:\n"
        "    for fd in lines()[:1]: os.write(fd, b'x' * 65536)", 0, "more than the grader reads"),
    "a huge file": (
        "with open('big', 'wb') as f:\n    for _ in range(10**4): f.write(bytes(10**6))", 0, "not defined"),
    "os._exit": ("import os\nos._exit(0)", 0, "ended its process"),
    "os._exit in the function": ("import os\ndef attacked(x):\n    os._exit(0)", 0, "ended its process"),
    "sys.exit": ("import sys\nsys.exit(0)", 0, "not defined"),
    "the kernel killed": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", 0, "ended its process"),
    "everything killed": ("import os, signal\nos.kill(-1, signal.SIGKILL)\n", 0, "ended its process"),
    "everything killed by the function": (
        "import os, signal\ndef attacked(x):\n    os.kill(-1, signal.SIGKILL)\n    return 0", 0, "ended its process"),
    "a fork bomb in the function": (
        "import os\ndef attacked(x):\n    while True:\n        try: os.fork()\n        except OSError: pass", 0,
        "ended its process"),
    "the watcher blinded": (
        "import resource\nfor pid in (1, __import__('os').getppid()):\n"
        "    try: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0))\n    except OSError: pass\n" + WRONG, 0,
        "multiply by 7"),
    "processes that end without end": (
        "import os\nif os.fork() == 0:\n    while True:\n        if os.fork() == 0:\n"
        "            if os.fork() == 0: os._exit(0)\n            os._exit(0)\n        os.wait()\n" + WRONG, 0,
        "multiply by 7"),
    "a crash": ("import ctypes\nctypes.string_at(0)", 0, "ended its process"),
    "a missing function": ("pass", 0, "is not defined"),
    "a wrong signature": ("def attacked():\n    return 14", 0, "raised TypeError"),
    "not a function": ("attacked = 14", 0, "is not a function"),
    "an exception": ("def attacked(x):\n    raise RuntimeError('3 of 3 points')", 0, "raised RuntimeError"),
    "an exception that cannot be printed": (
        "class E(Exception):\n    def __str__(self): raise self\ndef attacked(x): raise E", 0, "raised E"),
    "NaN": ("def attacked(x):\n    return float('nan')", 0, "is NaN"),
    "infinity": ("def attacked(x):\n    return float('inf')", 0, "multiply by 7"),
    "a huge integer": ("def attacked(x):\n    return 10 ** 10**6", 0, "too long"),
    "an endless generator": (
        "import itertools\ndef attacked(x):\n    return itertools.count()", 0, "an object of type count"),
    "a generator": ("def attacked(x):\n    yield 7 * x", 3, "right for other numbers"),
    "lists in lists": (
        "def attacked(x):\n    r = 14\n    for _ in range(100000): r = [r]\n    return r", 0, "inside one another"),
    "endless recursion": ("def attacked(x):\n    return attacked(x)", 0, "called itself too often"),
    "syntax error": ("def attacked(x:\n    return 14", 0, "not defined"),
    "a dictionary": ("def attacked(x):\n    return {'answer': 14}", 0, "the dictionary"),
    "text": ("def attacked(x):\n    return '14'", 0, "the text"),
    "half a sign": ("print('\\ud800')\nraise ValueError('\\ud800')", 0, "stopped with ValueError"),
    "signs that steer a terminal": ("raise ValueError('\\x1b[2J\\x07')", 0, "stopped with ValueError: “�[2J�”"),
    "a kernel that tells nonsense of its cells": (
        KERNEL + "kernel.run_cell = lambda *a: {'text': 5, 'shown': 'abc', 'error': 7}\n" + WRONG, 0,
        "replaces parts of Python"),
    "a kernel that quotes what it is asked": (
        KERNEL + "kernel.answers.respond = lambda names, name, sent: {'failed': f'was asked {sent}'}\n" + WRONG, 0,
        "your code gave no answer to a hidden input"),
    "a kernel that answers with too much": (
        KERNEL + "kernel.answers.respond = lambda *a: {'value': [None] * 320_000}\n" + WRONG, 0, "no plain value"),
    "a kernel that answers with lists in lists": (
        KERNEL + "deep = []\nfor _ in range(400): deep = [deep]\n"
        "kernel.answers.respond = lambda *a: {'value': deep}\n" + WRONG, 0, "no plain value"),
    "a kernel whose reasons are no words": (
        KERNEL + "kernel.answers.respond = lambda *a: {'failed': [[1]]}\n" + WRONG, 0, "gave no answer"),
    "a name of the given cells exchanged": ("np = None\n" + WRONG, 0, "multiply by 7"),
    "everything forgotten": ("%reset -f\n" + WRONG, 0, "multiply by 7"),
    "Python set to fail": ("import sys\nsys.setrecursionlimit(60)\n" + WRONG, 0, "replaces parts of Python"),
    "children not waited for": (
        "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + WRONG, 0, "multiply by 7"),
    "no processes left": (
        "import resource\nresource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\n" + WRONG, 0, "could not go on"),
    "another fork": (KERNEL + "kernel._fork = lambda: 0\n" + WRONG, 0, "could not go on"),
    "an array that holds an object": (
        "class A:\n    __eq__ = __le__ = lambda s, o: True\ndef attacked(x): return np.array(A(), dtype=object)", 0,
        "an object of type A"),
    "a number of 16 bytes": ("def attacked(x):\n    return np.longdouble(7) * x", 3, "right for other numbers"),
    "the lock of imports": (
        "import threading, _imp, time\ndef hold():\n    _imp.acquire_lock()\n    time.sleep(99)\n"
        "threading.Thread(target=hold, daemon=True).start()\ntime.sleep(0.2)\n" + WRONG, 0, "could not go on"),
    "cells rewritten before they run": (
        "get_ipython().input_transformers_post.append(lambda lines: ['pass'])\n" + WRONG, 0,
        "replaces parts of Python"),
    "later cells blocked": (
        "import time\nget_ipython().events.register('pre_run_cell', lambda *a: time.sleep(99))\n" + WRONG, 0,
        "replaces parts of Python"),
    "a text of megabytes": ("def attacked(x):\n    return 'x' * 5_000_000", 0, "more than the grader reads"),
}  # fmt: skip


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    made = small.assignment(tmp_path_factory.mktemp("small"))
    _ = made.checks
    return made


def told(marked) -> str:
    return "\n".join([*marked.notes, *(str(outcome) for found in marked.outcomes.values() for outcome in found)])


HASTY = replace(small.LIMITS, cell_seconds=1, check_seconds=1, memory=1 << 30)  # for what goes on until it is stopped
ENDLESS = ("took longer", "could not go on", "ended its process", "replaces parts")


def judged(attack: str, assignment) -> tuple[Marked, float]:
    """Mark an attack; return also how many seconds that took."""
    code, _, message = ATTACKS[attack]
    limits = HASTY if message.startswith(ENDLESS) or "bomb" in attack else small.LIMITS
    started = time.monotonic()
    return mark(assignment, small.submission(code), "eve", limits), time.monotonic() - started


@pytest.fixture(scope="module")
def verdicts(request, assignment) -> Iterator[dict[str, Future]]:
    """Mark all attacks that are to be tested, a few at a time: most of them wait for something."""
    tests = [item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    attacks = [item.callspec.params["attack"] for item in tests if "attack" in item.callspec.params]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        yield {attack: pool.submit(judged, attack, assignment) for attack in attacks}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_earn_nothing_and_harm_nobody(attack, assignment, verdicts):
    _, points, message = ATTACKS[attack]
    marked, seconds = verdicts[attack].result()
    assert seconds < small.LIMITS.total_seconds + 20
    assert {task: marked.points(task) for task in assignment.tasks} == {
        "check_before": 3, "check_attacked": points, "check_after": 3
    }, told(marked)  # fmt: skip
    assert message in told(marked)
    assert told(marked).replace("\n", "").isprintable()
    assert small.SECRET not in told(marked) + str(with_outputs(marked, assignment)).replace(
        assignment.tasks["check_attacked"].code, ""
    ).replace(repr(assignment.tasks["check_attacked"].code), "")


def test_an_honest_submission_gets_everything(assignment):
    marked = mark(assignment, small.CELLS, "ada", small.LIMITS)
    assert marked.total == 9 and not marked.notes


SPY = """
seen = []
def attacked(x):
    seen.append(x)
    open('seen', 'a').write(f'{x} ')
    raise ValueError(f'the input was {x}')
"""


def test_hidden_inputs_cannot_be_printed_or_raised(assignment):
    cells = small.submission(SPY)
    cells[5].source += "\nprint(seen)\nimport os; print(os.listdir())"
    marked = mark(assignment, cells, "eve", small.LIMITS)
    text = told(marked) + "".join(str(cell.get("outputs")) for cell in with_outputs(marked, assignment))
    assert small.SECRET not in text and marked.points("check_after") == 3


def test_a_visible_check_cannot_tell_what_a_hidden_one_asked(assignment):
    cells = small.submission("def attacked(x):\n    open('seen', 'a').write(f'{x} ')\n    return 0")
    cells[5].source = "def after(x):\n    raise ValueError(open('seen').read())"
    marked = mark(assignment, cells, "eve", small.LIMITS)
    assert "raised ValueError: 2" in told(marked) and small.SECRET not in told(marked)


LEAVE_SOMETHING = """
import os, time
math.pi = 3  # asks for a second run, of each task alone
print(os.path.exists({path!r}) and open({path!r}).read())
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({path!r} + '.pid', 'w').write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
while not os.path.exists({path!r} + '.pid'): time.sleep(0.01)
open({path!r} + '.folder', 'w').write(os.getcwd())
def attacked(x):
    open({path!r}, 'a').write(str(x))
    return 0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes that go their own way are not found")
def test_without_a_view_of_its_own_nothing_is_left_and_nothing_told(assignment, tmp_path):
    small.open_to_all(tmp_path)
    code = LEAVE_SOMETHING.format(path=str(tmp_path / "seen"))
    walls = sandbox.Walls(own_view=False, fence=False)
    marked = mark(assignment, small.submission(code), "eve", small.LIMITS, walls)
    assert small.SECRET in (tmp_path / "seen").read_text()
    assert small.SECRET not in told(marked) + str(marked.outputs) and marked.total == 6
    assert not Path("/proc", (tmp_path / "seen.pid").read_text(), "environ").exists()
    assert not Path((tmp_path / "seen.folder").read_text()).exists()


CALLS = """
import ctypes, os
call = ctypes.CDLL(None, use_errno=True).syscall
numbers = {numbers!r}
print({{name: call(numbers[name], *[0] * 5) == -1 and ctypes.get_errno() for name in numbers}})
print(os.path.isdir('/run') and os.listdir('/run'), os.access('/proc/sys/kernel/core_pattern', os.W_OK))
"""


@pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")
@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="its calls are not known")
def test_what_a_student_process_cannot_do(assignment):
    numbers = calls.forbidden_numbers()
    marked = mark(assignment, small.submission(CALLS.format(numbers=numbers)), "eve", small.LIMITS)
    refused, others = marked.outputs[3]["text"].splitlines()
    assert refused == str(dict.fromkeys(numbers, 1)) and others in ("[] False", "False False")  # 1 is EPERM


HOG = """
import os, threading, time
def hog():
    for _ in range(5):
        if os.fork() == 0:
            x = b'x' * (400 << 20)
            time.sleep(30)
    time.sleep(60)
if "student_id" not in globals():  # the second time, when the task is run alone, it need not hog anything
    {start}
    time.sleep(60)
"""
IN_A_THREAD = "threading.Thread(target=hog, daemon=True).start()"  # which has children of its own


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells")
@pytest.mark.parametrize("start, walls", [("hog()", sandbox.Walls()), (IN_A_THREAD, sandbox.Walls(own_view=False))])
def test_memory_of_several_processes_counts_together(start, walls, assignment):
    limits = replace(small.LIMITS, memory=700 << 20, cell_seconds=25)  # the time must not be up before the memory is
    marked = mark(assignment, small.submission(HOG.format(start=start)), "eve", limits, walls)
    assert "too much memory); it was left out" in told(marked) and marked.total == 6


def test_what_cells_print_is_bounded_and_pictures_are_pictures():
    nonsense = {"text": "x" * 10**6, "warnings": 3, "shown": [5, {"image/png": '"><script>'}], "error": ["a"]}
    assert believable(nonsense) == {"text": "x" * 25_000, "warnings": "", "shown": [{}], "error": ["a", ""]}
    assert believable({"shown": [{"image/png": "iVBORw0=\n"}]})["shown"] == [{"image/png": "iVBORw0=\n"}]
    marked = Marked()
    for i in range(1000):
        marked.note(f"Cell {i} stopped.")
    assert len(marked.notes) == 20 and "More happened" in marked.notes[-1]


ODD = [
    {"nbformat": "four", "cells": [{"cell_type": "code", "source": [1, {}], "metadata": {"tags": 5}}]},
    {"nbformat": 99, "cells": [{"cell_type": [], "source": 7, "metadata": {"tags": {"picture": 1}, "nbgrader": []}}]},
    {"cells": [{"source": "\ud800", "metadata": {"nbgrader": {"grade_id": "x", "points": "1e9"}}}, None, 3]},
]


def test_odd_cells_are_read():
    for notebook in ODD[:1] + ODD[2:]:
        (cell,) = read_cells(json.dumps(notebook))
        assert cell.source.encode() and not only_draws(cell)
    with pytest.raises(ValueError, match="not a notebook"):
        read_cells(json.dumps(ODD[1]))  # a kind of cell that is a list
    with pytest.raises(ValueError, match="more than 2000 cells"):
        read_cells('{"cells": [' + "{}," * 2000 + "{}]}")


def test_odd_files_are_found_and_stop_nothing(assignment, tmp_path):
    for name in ("...ipynb", "..ipynb", "new\nline.ipynb", "\x1b[2J.ipynb", "bad\udcff.ipynb"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "a.ipynb").symlink_to("a.ipynb")
    (tmp_path / "folder" / "b.ipynb").mkdir(parents=True)
    deep = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):  # a path that is longer than the system opens
        os.mkdir("d" * 250, dir_fd=deep)
        deep, above = os.open("d" * 250, os.O_RDONLY, dir_fd=deep), deep
        os.close(above)
    os.close(deep)
    found = submissions.find(tmp_path, {"small": assignment})
    students = {one.student for one in found}
    assert students == {
        "_..", "_.", "new＼nline", "＼x1b［2J", "bad＼udcff", "self", "folder", "d" * 250
    }  # fmt: skip
    for one in found:
        marked = workers.mark_file(one, assignment, small.LIMITS, sandbox.Walls(), False)
        assert marked.total == 0 and marked.notes


def test_a_worker_that_ends_or_blocks_is_replaced(assignment, tmp_path):
    worker = workers.Worker({"small": str(small.path_of(tmp_path))})
    try:
        for until in (math.inf, 0.0):
            one = submissions.Submission("eve", "small", None, "Nothing.")
            worker.begin(workers.Order("small", one, small.LIMITS, sandbox.Walls()))
            if until:
                worker.process.kill()
                worker.process.join()
            worker.until = until
            assert workers.STOPPED in worker.finished({"small": assignment}).notes
    finally:
        worker.stop()


@pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")
def test_what_a_student_process_cannot_see(assignment, tmp_path):
    secret = tmp_path / "course"
    secret.mkdir()
    (secret / "answers.txt").write_text("42")
    probe = f"""
import os, socket
def attempt(what):
    try:
        return what()
    except OSError as error:
        return type(error).__name__
print('course', attempt(lambda: os.listdir({str(secret)!r})))
print('kit', attempt(lambda: sorted(os.listdir({str(KIT)!r}))))
print('tests', attempt(lambda: os.listdir({str(KIT / "tests")!r})))
print('network', attempt(lambda: socket.create_connection(('192.0.2.1', 80), 2)))
print('write', attempt(lambda: open({str(PACKAGE / "x.py")!r}, 'w')))
print('processes', len([name for name in os.listdir('/proc') if name.isdigit()]) < 20)
print('folder', os.listdir(), attempt(lambda: open('mine', 'w').write('x')))
print('first process', attempt(lambda: open('/proc/1/environ').read()), attempt(lambda: os.listdir('/proc/1/fd')))
print('environment', sorted(set(os.environ) - {{'PATH', 'LANG', 'HOME', 'TMPDIR', 'USER', 'LOGNAME', 'MPLBACKEND',
                                              'MPLCONFIGDIR', 'OPENBLAS_NUM_THREADS', 'LC_CTYPE'}}))
"""
    cells = small.submission(probe)
    marked = mark(assignment, cells, "eve", small.LIMITS, sandbox.Walls())
    lines = dict(line.split(" ", 1) for line in marked.outputs[3]["text"].splitlines())
    assert "answers" not in lines["course"]
    assert lines["kit"] in ("['dpteach']", "['.venv', 'dpteach']")
    assert lines["tests"] == "FileNotFoundError"
    assert lines["network"] in ("OSError", "PermissionError")
    assert lines["write"] in ("OSError", "PermissionError")
    assert lines["processes"] == "True" and lines["folder"] == "[] 1"
    assert lines["first"].startswith("process PermissionError")


@pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")
def test_without_a_view_of_its_own_the_checks_hold_as_well(assignment):
    walls = sandbox.Walls(own_view=False)
    marked = mark(assignment, small.submission(ATTACKS["equal to everything"][0]), "eve", small.LIMITS, walls)
    assert marked.total == 6
    marked = mark(assignment, small.submission("import os; os._exit(1)"), "eve", small.LIMITS, walls)
    assert marked.total == 6


def changed(change) -> list:
    cells = copy.deepcopy(small.CELLS)
    change(cells)
    return cells


EDITS = {
    "an answer doubled": (lambda c: c.insert(4, copy.deepcopy(c[3])), 9, "more than once"),
    "a check doubled": (lambda c: c.insert(4, copy.deepcopy(c[4])), 9, "more than once"),
    "a check deleted": (lambda c: c.pop(4), 9, "put back"),
    "all checks deleted": (lambda c: [c.pop(i) for i in (6, 4, 2)], 9, "put back"),
    "the first cell deleted": (lambda c: c.pop(0), 9, "put back"),
    "an answer deleted": (lambda c: c.pop(3), 6, "put back"),
    "a check edited": (lambda c: c[4].update(source="report(points=3)\n3"), 9, ""),
    "a check of one's own": (lambda c: (c[3].update(source=WRONG), c[4].update(source="3")), 6, "multiply by 7"),
    "points edited": (lambda c: c[4].metadata.nbgrader.update(points=1000), 9, ""),
    "names edited": (lambda c: c[3].metadata.nbgrader.update(grade_id="check_attacked", grade=True), 6, ""),
    "cells reordered": (lambda c: c.reverse(), 0, ""),
    "everything deleted": (lambda c: c.clear(), 0, "put back"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_notebooks_are_put_right(edit, assignment):
    change, points, message = EDITS[edit]
    marked = mark(assignment, changed(change), "eve", small.LIMITS)
    assert marked.total == points, told(marked)
    assert message in told(marked)
