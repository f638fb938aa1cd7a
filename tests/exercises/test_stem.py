"""Students' processes branch off from a loaded one: they share what was loaded, and nothing else."""

import fcntl
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dpteach.grading.outside import sandbox
from dpteach.grading.outside.remote import StudentProcess
from exercises import small

pytestmark = pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")
LIMITS = replace(small.LIMITS, cell_seconds=60, total_seconds=600)


def told(*cells: str, libraries: tuple[str, ...] = (), copies: int = 0) -> str:
    """Run cells in a process that branched off; return what the last one printed."""
    process = StudentProcess(copies, LIMITS, sandbox.Walls(libraries=libraries))
    assert isinstance(process.process, sandbox.Branch)
    try:
        said = [process.run(cell) for cell in cells]
    finally:
        process.close()
    assert not [one["error"] for one in said if one["error"]], said
    return said[-1]["text"].strip()


def test_a_branch_has_its_lines_and_nothing_else_open():
    """Above all not the line over which the stem is told what to start."""
    cell = """
import fcntl
import os
import resource
open_ones = os.listdir("/proc/self/fd")[:-1]  # without the one that lists them
print(*sorted(os.readlink(f"/proc/self/fd/{fd}").split(":")[0] for fd in open_ones))
"""
    assert told(cell, copies=2) == "/dev/null /dev/null /dev/null socket socket socket"


def test_branches_draw_different_random_numbers():
    cell = """
import random, uuid
import numpy as np
print(random.random(), np.random.rand(), np.random.default_rng().random(), uuid.uuid4())
"""
    first, second = told(cell).split(), told(cell).split()
    assert len(first) == 4 and not set(first) & set(second)


def test_what_a_branch_changes_stays_with_it():
    assert told("import numpy; numpy.pi = 3; import dpteach; dpteach.Pair = None; print(numpy.pi)") == "3"
    assert told("import numpy, dpteach; print(numpy.pi > 3.1, dpteach.Pair is not None)") == "True True"


def test_libraries_are_there_before_the_first_cell():
    cell = (
        "import sys; print(*(name in sys.modules for name in ('scipy.special', 'dpteach.leakage', 'no.such.library')))"
    )
    assert told(cell, libraries=("dpteach.leakage", "no.such.library", "scipy.special")) == "True True False"
    assert told(cell).split()[0] == "False"


def test_nothing_of_the_grader_is_loaded():
    cell = (
        "import sys; print([name for name in sys.modules if {'outside', 'nbgrader', 'nbformat'} & {*name.split('.')}])"
    )
    assert told(cell, libraries=sandbox.libraries_in_use()) == "[]"
    assert not [name for name in sandbox.libraries_in_use() if name.startswith("dpteach.grading")]


def test_another_stem_grows_when_one_has_ended():
    told("pass")
    stem = sandbox._own.stem
    stem.process.kill()
    stem.process.wait()
    assert told("print(1)") == "1" and sandbox._own.stem is not stem


def test_branches_of_the_same_stem_can_run_side_by_side():
    processes = [StudentProcess(0, LIMITS, sandbox.Walls()) for _ in range(3)]
    try:
        for number, process in enumerate(processes):
            process.run(f"x = {number}")
        assert [process.run("print(x)")["text"].strip() for process in processes] == ["0", "1", "2"]
    finally:
        for process in processes:
            process.close()
    assert all(not Path(f"/proc/{process.process.pid}").exists() for process in processes)  # not even as zombies


GRADER = """
import sys, time
from exercises import small
from dpteach.grading.outside import sandbox
from dpteach.grading.outside.remote import StudentProcess, kernel_of
process = StudentProcess(0, small.LIMITS, sandbox.Walls())
print(process.process.stem.process.pid, process.process.pid, kernel_of(process.process.pid), flush=True)
process.run("import time; time.sleep(100)")
"""


def test_a_killed_grader_leaves_nothing_behind():
    path = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parents[2])])
    grader = subprocess.Popen(
        [sys.executable, "-c", GRADER], stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": path}
    )
    pids = grader.stdout.readline().split()
    assert len(pids) == 3 and all(Path(f"/proc/{pid}").exists() for pid in pids)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    until = time.monotonic() + 60
    while any(alive(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [pid for pid in pids if alive(pid)]


def alive(pid: str) -> bool:
    """Say whether a process runs; one that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_file_with_a_large_number_can_be_waited_for():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2000:
        pytest.skip("this system has no such numbers")
    one, other = socket.socketpair()
    resource.setrlimit(resource.RLIMIT_NOFILE, (2000, hard))
    try:
        large = fcntl.fcntl(one, fcntl.F_DUPFD, 1100)
        assert not sandbox.readable(large, 0.01)
        other.send(b"x")
        assert sandbox.readable(large, None)
        os.close(large)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        one.close()
        other.close()
