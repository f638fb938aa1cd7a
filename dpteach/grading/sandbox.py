"""The walls around a student's process: what it may use, and what it cannot see.

On Linux, as root or where user namespaces are allowed, the process has its own view of the machine: no network, no
other processes, a read-only disk on which the course, the tests, the other submissions, the home folder and the
temporary files are missing, and an empty folder in memory to work in. On every Linux some calls of the system are
forbidden: those by which memory escapes the limits, and those that leave something behind for a later submission.
Everywhere else it has the limits of `resource` only. `protections()` says what holds here.
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from .linux import build_view, drop_capabilities, forbid_calls, prctl, unshare, used

KIT = Path(__file__).resolve().parent.parent.parent
PACKAGE = KIT / "dpteach"
STRANGER = 61000  # first of the user numbers that belong to nobody, used if the grader runs as root
# One thread: a process with several of them may not make a user namespace.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 20  # for a cell
    check_seconds: float = 10  # for the answers to one check
    total_seconds: float = 120  # for everything
    memory: int = 2 << 30  # bytes of address space, each process; all together may use twice as much (Linux)
    processes: int = 64
    file_bytes: int = 16 << 20  # one file
    folder_bytes: int = 64 << 20  # the working folder (Linux)
    message_bytes: int = 4 << 20  # one answer


@dataclass(frozen=True)
class Walls:
    """How to shut a process in: what it must not see, and whether the system offers its own view of the machine."""

    hidden: tuple[str, ...] = ()
    own_view: bool = True
    core: int | None = None  # the one to run on, so that submissions marked at the same time do not slow one another

    @property
    def stand(self) -> bool:
        """Say whether nothing that a process leaves behind can be seen by a later one."""
        return self.own_view and can_shut_in()


def start(channels: list[socket.socket], limits: Limits, walls: Walls) -> subprocess.Popen:
    """Start a student's process; it talks over the sockets, the first one for cells, the others for checks."""
    fds = [channel.fileno() for channel in channels]
    plan = {"fds": fds, "limits": asdict(limits), "hidden": walls.hidden, "own_view": walls.stand, "core": walls.core}
    plan["user"] = STRANGER + os.getpid() % 4000  # graders at work at the same time do not share one
    code = f"import sys; sys.path.insert(0, {str(KIT)!r}); from dpteach.grading.sandbox import enter; enter({plan!r})"
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=fds,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def stop(process: subprocess.Popen) -> None:
    """End a student's process and everything it started."""
    process.terminate()  # the keeper of the process ends what it keeps
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


# ------------------------------------------------------------------------------------------ inside the process


def enter(plan: dict) -> None:
    """Shut this process in and become the kernel; a keeper stays outside and ends it when told to."""
    limits, folder = Limits(**plan["limits"]), None
    if plan["own_view"]:
        unshare()
    else:
        folder = Path(tempfile.mkdtemp(prefix="student-"))
        prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what the process leaves behind comes to the keeper
    first = os.fork()
    if first:
        keep(first, plan["fds"], folder)
    inside = folder or build_view(PACKAGE, [KIT, *map(Path, plan["hidden"])], limits.folder_bytes)
    if os.fork():  # the first process of a view takes all others with it; it must not run student code
        reap(plan["fds"], limits.memory)
    drop_rights(limits, inside, plan["user"], plan["core"])
    from .kernel import serve

    serve(plan["fds"][0], plan["fds"][1:])


def keep(child: int, fds: list[int], folder: Path | None) -> None:
    """Wait for the child; end it and all it started when told to, or when the grader is gone."""

    def end(*_) -> None:
        os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    for fd in fds:
        os.close(fd)
    prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    while True:
        try:
            os.waitpid(child, 0)
        except InterruptedError:
            continue
        if folder:
            end_children()
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def end_children() -> None:
    """End what the process left behind, with whatever that starts meanwhile."""
    children, until = Path(f"/proc/self/task/{os.getpid()}/children"), time.monotonic() + 4
    while children.exists() and time.monotonic() < until:
        for pid in map(int, children.read_text().split()):
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def reap(fds: list[int], memory: int) -> None:
    """Collect processes that ended, for as long as there are any; end all if together they use too much memory."""
    prctl(4, 0)  # PR_SET_DUMPABLE: nobody may look into this process
    for fd in fds:
        os.close(fd)
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            os._exit(0)
        if not pid:
            if os.getpid() == 1 and used("statm") > 2 * memory and used("smaps_rollup") > 2 * memory:
                os.kill(-1, signal.SIGKILL)  # all of this view but the caller
            time.sleep(0.1)


def drop_rights(limits: Limits, folder: Path, stranger: int, core: int | None) -> None:
    """Set the limits, become nobody and go to the empty folder."""
    import resource

    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    most = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CPU: int(limits.total_seconds) + 1,
    }
    if hasattr(resource, "RLIMIT_NPROC"):
        most[resource.RLIMIT_NPROC] = limits.processes
    home, work = folder / "home", folder / "work"
    home.mkdir(), work.mkdir()
    os.environ.update(HOME=str(home), TMPDIR=str(work), MPLCONFIGDIR=str(home), USER="student", LOGNAME="student")
    if os.getuid() == 0 and open_to_all(PACKAGE, Path(sys.prefix), Path(sys.base_prefix)):
        for path in (folder, home, work):
            os.chown(path, stranger, stranger)
        os.setgroups([])
        os.setresgid(stranger, stranger, stranger)
        os.setresuid(stranger, stranger, stranger)
    drop_capabilities()
    forbid_calls()
    os.nice(5)
    for kind, value in most.items():
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):  # not every system knows every limit
            pass
    os.chdir(work)


def open_to_all(*paths: Path) -> bool:
    """Say whether any user may read these folders: without them there is no Python to run."""
    return all(place.stat().st_mode & 0o001 for path in paths for place in (path, *path.resolve().parents))


# ---------------------------------------------------------------------------------------- what holds on this system


@functools.cache
def can_shut_in() -> bool:
    """Try whether this system lets a process have its own view of the machine."""
    if sys.platform != "linux":
        return False
    code = (
        f"import sys; sys.path.insert(0, {str(KIT)!r}); import os; from dpteach.grading import linux, sandbox as s; "
        "linux.unshare(); child = os.fork()\n"
        "if child == 0:\n"
        "    linux.build_view(s.PACKAGE, [s.KIT], s.Limits.folder_bytes); os._exit(7)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    tried = subprocess.run([sys.executable, "-I", "-B", "-c", code], capture_output=True, env=ENVIRONMENT)
    return tried.returncode == 7


def protections() -> dict[str, bool]:
    """Say which walls stand on this system."""
    posix, linux, shut_in = os.name == "posix", sys.platform == "linux", can_shut_in()
    return {
        "a process of its own, which ends after its time": posix,
        "limits on memory, processes and file size": linux,
        "no network": shut_in,
        "no sight of the course, other submissions and other processes": shut_in,
        "an empty folder in memory, all else read-only": shut_in,
        "a user number that owns nothing": posix and os.getuid() == 0 and (shut_in or open_to_all(PACKAGE)),
    }
