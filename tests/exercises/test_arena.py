"""Many attacks in one notebook, a task for each: none earns a point that is not due, and honest tasks keep theirs."""

import os
import sys
from dataclasses import replace

import nbformat
import pytest
from nbformat.v4 import new_notebook

from dpteach.grading.line.language import Broken
from dpteach.grading.outside.assignment import Assignment
from dpteach.grading.outside.marking import mark
from dpteach.grading.outside.remote import plain_answer
from dpteach.grading.outside.sandbox import Walls
from exercises import small

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the grader needs Linux or macOS")
LIMITS = replace(small.LIMITS, memory=1 << 30)
EACH_LINE = "import os, socket\nfor fd in range(3, 60):\n    try: {}\n    except OSError: pass\n"
VALUES = {  # with ideas of their own
    "a truth value": "def attacked(x): return True",
    "a number with two parts": "def attacked(x): return complex(7 * x, 0)",
    "a date": "def attacked(x): return np.datetime64('2020')",
    "a table of numbers with names": "def attacked(x): return np.array([(7, 7)], dtype=[('a', int), ('b', float)])",
    "all numbers at once": "import mpmath\ndef attacked(x): return mpmath.iv.mpf([0, 10**9])",
    "a decimal that is none": "from decimal import Decimal\ndef attacked(x): return Decimal('sNaN')",
    "a fraction that equals everything": (
        "from fractions import Fraction\nclass F(Fraction):\n    __eq__ = __le__ = __ge__ = lambda s, o: True\n"
        "def attacked(x): return F(3)"
    ),
    "a class of which everything is one": (
        "class M(type):\n    __instancecheck__ = lambda *a: True\nclass I(int, metaclass=M): pass\n"
        "def attacked(x): return I(3)"
    ),
    "a dictionary without end": (
        "class D(dict):\n    def items(self): return iter(lambda: ('a', 1), None)\ndef attacked(x): return D()"
    ),
    "an object that unpacks to a program": (
        "class R:\n    def __reduce__(self): return exec, ('raise SystemExit',)\ndef attacked(x): return R()"
    ),
    "a text that looks like an answer": 'def attacked(x): return \'{"int": "%d"}\' % (7 * x)',
    "an array that says it is one number": (
        "class A(np.ndarray):\n    def tolist(self): return 7 * 271\n    size = 1\n"
        "def attacked(x): return np.zeros(3).view(A)"
    ),
}
GROUPS = {  # several in one cell; none of them ends it
    "hooks": """
import codecs, faulthandler, gc, os, sys
sys.displayhook = lambda *a: 1 / 0
get_ipython().showtraceback = lambda *a, **k: 1 / 0
gc.disable()
gc.callbacks.append(lambda *a: 1 / 0)
codecs.register(lambda name: 1 / 0)
faulthandler.dump_traceback_later(600, exit=True, file=open("f", "w"))
os.environ.clear()
sys.set_int_max_str_digits(640)
for fd in (0, 1, 2):
    os.close(fd)
""",
    "lines": """
import os, socket
for fd in range(3, 60):
    try:
        line = socket.socket(fileno=os.dup(fd))
        line.send(b"x", socket.MSG_OOB)
        socket.send_fds(line, [b"\\n"], [0] * 50)
    except OSError:
        pass
""",
    "processes": """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(600)
    os._exit(0)
if os.fork() == 0:
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(600)
for _ in range(30):
    if os.fork() == 0: os._exit(0)
for number in range(1, 65):
    try: os.kill(1, number)
    except OSError: pass
""",
    "disks": """
import os
for place in ("/dev/shm", "/tmp", "."):
    try:
        for i in range(9): open(f"{place}/full{i}", "wb").write(bytes(15 << 20))
    except OSError: pass
    try:
        for i in range(5000): open(f"{place}/{i}", "w").close()
    except OSError: pass
os.chmod(os.environ["HOME"], 0)
os.chmod(".", 0)
""",
    "a search for what is hidden": """
import ctypes
def spans():
    for line in open("/proc/self/maps"):
        begin, end = (int(part, 16) for part in line.split()[0].split("-"))
        if "rw-p" in line and end - begin < 1 << 26: yield begin, end - begin
hits = 0
for span in spans():
    a = np.frombuffer(ctypes.string_at(*span), np.uint8)
    places = np.flatnonzero(a[:-5] == 50)
    for k, sign in enumerate((55, 49, 56, 50, 56), 1): places = places[a[places + k] == sign]
    hits += len(places)
print("found", hits)
""",
}


@pytest.fixture(scope="module")
def arena(tmp_path_factory) -> Assignment:
    """An assignment with a task for every value, between two honest ones."""
    middle = []
    for i in range(len(VALUES)):
        middle.append(small.cell("", f"attacked{i}", solution=True))
        code = small.check_of(f"attacked{i}", 7, small.SECRET)
        middle.append(small.cell(code, f"check_attacked{i}", grade=True, points=3))
    path = tmp_path_factory.mktemp("arena") / "arena.ipynb"
    nbformat.write(new_notebook(cells=[*small.CELLS[:3], *middle, *small.CELLS[5:]]), path)
    return Assignment.read(path)


def with_attacks(arena: Assignment) -> list:
    """Return a submission in which every task is attacked but the first and the last one."""
    cells = [nbformat.from_dict(cell) for cell in arena.cells]
    answers = [cell for cell in cells if cell.metadata.nbgrader.grade_id.startswith("attacked")]
    for i, (cell, code) in enumerate(zip(answers, VALUES.values(), strict=True)):
        cell.source = code.replace("attacked(", f"attacked{i}(")
    return cells


def test_no_value_is_believed_for_what_it_says_of_itself(arena):
    marked = mark(arena, with_attacks(arena), "eve", LIMITS)
    points = {task: marked.points(task) for task in arena.tasks}
    assert points.pop("check_before") == points.pop("check_after") == 3
    assert not any(points.values()), [list(VALUES)[i] for i, got in enumerate(points.values()) if got]


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
@pytest.mark.parametrize("walls", [Walls(), Walls(own_view=False)], ids=["view", "fence"])
@pytest.mark.parametrize("group", GROUPS)
def test_several_attacks_at_once_earn_nothing_and_harm_nobody(group, walls, tmp_path):
    if group == "disks" and not walls.own_view:
        pytest.skip("the disk of the machine is not limited")
    code = GROUPS[group] + "def attacked(x):\n    return 0\n"
    marked = mark(small.assignment(tmp_path), small.submission(code), "eve", LIMITS, walls)
    assert [marked.points(task) for task in ("check_before", "check_attacked", "check_after")] == [3, 0, 3], marked
    said = str(marked.outcomes) + str(marked.notes) + str(marked.outputs)
    assert small.SECRET not in said and "stumbled" not in said and ("found" not in said or "found 0" in said)


TRAPS = {  # for the cells that come later
    "JSON that lies": (
        "import json\nold = json.dumps\ndef dumps(message, **options):\n"
        "    return old(message | {'value': {'int': '15'}} if 'value' in message else message, **options)\n"
        "json.dumps = dumps\n"
    ),
    "an ear at the compiler": (
        "import sys\ndef hear(event, _):\n    if event == 'compile': raise RuntimeError\nsys.addaudithook(hear)\n"
    ),
    "names that mean something else": (
        "class Names(dict):\n    __getitem__ = lambda self, name: lambda *a: 15\n"
        "get_ipython().user_ns = Names(get_ipython().user_ns)\n"
    ),
    "lines that do not wait": EACH_LINE.format("os.set_blocking(fd, False)"),
    "lines that lead nowhere": EACH_LINE.format("os.dup2(os.open('/dev/null', os.O_RDWR), fd)"),
    "another import": "import builtins\nbuiltins.__import__ = lambda *a, **k: 1 / 0\n",
    "no classes any more": "import builtins\nbuiltins.__build_class__ = None\n",
    "errors for warnings": "import warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')\n",
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_for_later_cells_catches_nobody(trap, tmp_path):
    code = TRAPS[trap] + "def attacked(x):\n    return 0"
    marked = mark(small.assignment(tmp_path), small.submission(code), "eve", LIMITS)
    assert [marked.points(task) for task in ("check_before", "check_attacked", "check_after")] == [3, 0, 3], marked


@pytest.mark.parametrize("value", [{"pair": []}, {"pair": 3}, {"dict": [[1]]}, {"int": None}, {"fraction": "1/0"}, 7])
def test_whatever_a_changed_kernel_sends_is_an_answer_or_none(value):
    with pytest.raises(Broken, match="no plain value"):
        plain_answer({"value": value}, "it")


HONEST = """
%matplotlib inline
%config InlineBackend.figure_format = 'retina'
!pip install nothing
%pip install nothing
listed = !echo {}
import subprocess, tempfile
import matplotlib.pyplot as plt
with tempfile.TemporaryDirectory() as folder:
    open(folder + "/x", "w").close()
plt.plot([1, 2])
plt.show()

def attacked(x):
    with tempfile.TemporaryFile() as file:
        return 7 * x if listed == ["{}"] else 0
"""


@pytest.mark.parametrize("walls", [Walls(), Walls(own_view=False)], ids=["view", "fence"])
def test_what_people_write_in_notebooks_costs_no_points(walls, tmp_path):
    """Lines for a screen, a terminal or the network that is not there, and files that go away again."""
    marked = mark(small.assignment(tmp_path), small.submission(HONEST), "ada", replace(LIMITS, cell_seconds=20), walls)
    assert marked.total == 9 and not marked.notes, marked.notes
