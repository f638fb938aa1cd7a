"""The walls around a student's process: what it may use, and what it can see.

On Linux, as root or where user namespaces are allowed, the process has its own view of the machine: no network, no
other processes, and a disk on which there is nothing but Python with its libraries, the package dpteach, a few devices
that hold nothing, and an empty folder in memory to work in. What is not on this list cannot be seen. Where there is no
such view, but Linux is new enough to have Landlock, it can still read nothing else, and write only to its folder.
On every Linux some calls of the system are forbidden: those by which memory escapes the limits, those that leave
something behind for a later submission, those that tell what others have read, and those that open a way to the
network. Everywhere else it has the limits of `resource` only. `protections()` says what holds here.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..inside.calls import can_forbid_calls
from ..inside.entry import open_to_all
from ..inside.fence import SIGNALS, fence_version
from ..line.limits import KIT, NEEDED, PACKAGE, Limits
from ..line.memory import end_family

STRANGER = 61000  # first of the user numbers that belong to nobody, used if the grader runs as root
STRANGERS = 4000
# One thread: a process with several of them may not make a user namespace.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}

FIND_KIT = f"import sys; sys.path.insert(0, {str(KIT)!r})"
WAY_IN = f"{FIND_KIT}; from dpteach.grading.inside.entry import enter; enter()"
STOP_SECONDS = 10  # for a keeper to end what it keeps, and to clear away
LOADED = f"{FIND_KIT}; from dpteach.grading.inside.stem import serve"
LIBRARIES = ("dpteach", "mpmath", "numpy", "scipy")
NOT_FOR_STUDENTS = ("dpteach.grading", "dpteach.tools", "dpteach.teaching", "dpteach.web", "dpteach.__main__")
NOT_FOR_STUDENTS += ("dpteach.claims.",)  # what shows the ledger reads notebooks
STEM_SECONDS = 120  # to load the libraries, on a busy machine
SPARE_TASKS = 200  # that a teacher's other programs may start meanwhile
TRY = f"""{FIND_KIT}
import os
from dpteach.grading.inside import linux
from dpteach.grading.line.limits import PACKAGE, Limits

linux.unshare()
child = os.fork()
if child == 0:
    linux.build_view(PACKAGE, Limits.folder_bytes)
    os._exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@dataclass(frozen=True)
class Walls:
    """How to shut a process in."""

    own_view: bool = True  # of the machine, if the system offers that
    fence: bool = True  # without a view of its own, if the system offers that
    core: int | None = None  # the one to run on, so that submissions marked at the same time do not slow one another
    libraries: tuple[str, ...] = ()  # to have loaded before a process begins, where it can branch off from another one

    @property
    def stand(self) -> bool:
        """Say whether nothing that a process leaves behind can be seen by a later one."""
        return self.own_view and can_shut_in()


def start(channels: list[socket.socket], limits: Limits, walls: Walls) -> subprocess.Popen | Branch:
    """Start a student's process; it talks over the sockets, the first one for cells, the others for checks.

    Where it gets its own view of the machine it branches off from a process that has loaded the libraries.
    """
    user, tasks = account()
    limits = replace(limits, processes=limits.processes + len(channels))  # a frozen copy for each line, and the rest
    plan = {
        "limits": asdict(limits),
        "own_view": walls.stand,
        "fence": walls.fence,
        "core": walls.core,
        "user": user,
        "processes": limits.processes + tasks,
    }
    return branch(plan, channels, walls.libraries) if walls.stand else start_alone(plan, channels)


def start_alone(plan: dict, channels: list[socket.socket]) -> subprocess.Popen:
    """Start a process from nothing.

    What it must know comes over its input and not on its command line, which student code can read.
    """
    fds = [channel.fileno() for channel in channels]
    process = run_python(WAY_IN, fds, stdin=subprocess.PIPE)
    with contextlib.suppress(BrokenPipeError):  # it has ended already, which the first question will tell
        process.stdin.write(json.dumps(plan | {"fds": fds}).encode())
        process.stdin.close()
    return process


def run_python(code: str, fds: list[int], stdin: int = subprocess.DEVNULL) -> subprocess.Popen:
    """Run some Python in a session of its own, with nothing of ours but some lines."""
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-I", "-B", "-c", code]
    return subprocess.Popen(
        command, stdin=stdin, stdout=nothing, stderr=nothing, pass_fds=fds, env=ENVIRONMENT, start_new_session=True
    )


# ----------------------------------------------------------------------------------- branches of a loaded process


class Stem:
    """The grader's end of the line to a process from which students' processes branch off."""

    def __init__(self, libraries: tuple[str, ...]):
        self.libraries = libraries
        self.line, theirs = socket.socketpair()
        self.process = run_python(f"{LOADED}; serve({theirs.fileno()})", [theirs.fileno()])
        theirs.close()
        self.line.settimeout(STEM_SECONDS)
        self._do(do="load", libraries=libraries)

    def _do(self, **message) -> None:
        """Ask for something, and wait until it is done."""
        self.line.sendall(json.dumps(message).encode())
        if self.line.recv(4) != b"done":
            raise OSError("the process from which others branch off has ended")

    def branch(self, plan: dict, channels: list[socket.socket]) -> Branch:
        """Start a student's process."""
        message = json.dumps({"do": "branch", "plan": plan}).encode()
        socket.send_fds(self.line, [message], [channel.fileno() for channel in channels])
        told, handles, _, _ = socket.recv_fds(self.line, 100, 1)
        if not handles:
            raise OSError("the process from which others branch off has ended")
        return Branch(self, int(told), handles[0])

    def reap(self, pid: int) -> None:
        """Let a process that has ended go; until then no other one gets its number."""
        self._do(do="reap", pid=pid)

    def close(self) -> None:
        """End it."""
        self.line.close()
        self.process.kill()
        self.process.wait()


def readable(fd: int, seconds: float | None) -> bool:
    """Wait until there is something to read, or to hear of an end; `select` would refuse large numbers of files."""
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    return bool(waiting.poll(None if seconds is None else max(0.0, 1000 * seconds)))


@dataclass
class Branch:
    """A process that branched off: like one that we have started, but its parent is the stem."""

    stem: Stem
    pid: int
    handle: int  # means this process, whatever happens to its number

    def terminate(self) -> None:
        """Ask it to end."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGTERM)

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended."""
        if not readable(self.handle, seconds):
            raise subprocess.TimeoutExpired("a student's process", seconds)

    def let_go(self) -> None:
        """Give its number back."""
        os.close(self.handle)
        with contextlib.suppress(OSError):  # with the stem gone, the system does that
            self.stem.reap(self.pid)


_own = threading.local()  # the stem of each thread, once it has been needed


def branch(plan: dict, channels: list[socket.socket], libraries: tuple[str, ...]) -> Branch:
    """Let a student's process branch off; if the stem has ended or has loaded other things, another one grows."""
    if stem_of(libraries) is None:
        _own.stem = Stem(libraries)
    try:
        return _own.stem.branch(plan, channels)
    except OSError:
        close_stem()
        _own.stem = Stem(libraries)
        return _own.stem.branch(plan, channels)


def stem_of(libraries: tuple[str, ...]) -> Stem | None:
    """Return this thread's stem if it has loaded these libraries; one that has loaded others is ended."""
    stem = getattr(_own, "stem", None)
    if stem is not None and stem.libraries != libraries:
        close_stem()
        return None
    return stem


def close_stem() -> None:
    """End this thread's stem."""
    _own.stem.close()
    _own.stem = None


def libraries_in_use() -> tuple[str, ...]:
    """List what this process has loaded for the checks: solutions use the same libraries."""
    ours = [name for name in sys.modules if name.split(".")[0] in LIBRARIES]
    return tuple(sorted(name for name in ours if not name.startswith(NOT_FOR_STUDENTS)))


def account() -> tuple[int, int]:
    """Return the number of a user to run as, and how many tasks the account has that is used in the end.

    As root that is a user who has none: what one notebook uses up is not taken from another.
    """
    user = STRANGER + secrets.randbelow(STRANGERS)
    if os.getuid():
        return user, tasks_of(os.getuid())
    tasks = tasks_of(user)
    for _ in range(10):
        if not tasks:
            break
        user = STRANGER + secrets.randbelow(STRANGERS)
        tasks = tasks_of(user)
    return user, tasks


def tasks_of(user: int) -> int:
    """Count the processes and threads of a user: the system's limit on processes is one on all of them together."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            found += int(fields["Threads"]) * (int(fields["Uid"].split()[0]) == user)
        except (OSError, ValueError, KeyError):  # it has just ended
            continue
    return found + SPARE_TASKS * bool(found)


def stop(process: subprocess.Popen | Branch) -> None:
    """End a student's process and everything it started."""
    process.terminate()  # the keeper of the process ends what it keeps
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        end_family(process.pid)  # without its keeper, nobody would know what belongs to it
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if isinstance(process, Branch):
        process.let_go()


# ---------------------------------------------------------------------------------------- what holds on this system


@functools.cache
def can_shut_in() -> bool:
    """Try whether this system lets a process have its own view of the machine."""
    if sys.platform != "linux":
        return False
    tried = subprocess.run([sys.executable, "-I", "-B", "-c", TRY], capture_output=True, env=ENVIRONMENT)
    return tried.returncode == 7


def protections() -> dict[str, bool]:
    """Say which walls stand on this system."""
    posix = os.name == "posix"
    shut_in = can_shut_in()
    fence = fence_version()
    return {
        "a process of its own, which ends after its time": posix,
        "limits on memory, processes and file size": sys.platform == "linux",
        "calls that tell of others or leave something behind are refused": can_forbid_calls(),
        "no network": shut_in or can_forbid_calls(),
        "nothing to read but Python and the package dpteach, nothing to write but a folder": shut_in or bool(fence),
        "other processes safe from it": shut_in or fence >= SIGNALS,
        "an empty folder in memory, all else out of sight": shut_in,
        "a user number that owns nothing": posix and os.getuid() == 0 and runs_as_stranger(shut_in),
    }


def runs_as_stranger(shut_in: bool) -> bool:
    """Say whether a user who owns nothing can run Python; in a view of its own, the folders above are made anew."""
    return bool(PACKAGE.stat().st_mode & 0o001) if shut_in else open_to_all(*NEEDED)
