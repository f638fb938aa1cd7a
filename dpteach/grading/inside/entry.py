"""The way in: a process shuts itself in and becomes a student's.

A keeper stays outside of the view and ends what it keeps; the first process of the view collects what ends in it; their
child drops all rights and becomes the kernel.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ..line.limits import NEEDED, PACKAGE, Limits
from ..line.memory import end_family, everybody, exceeds, family, threads
from .calls import drop_capabilities, forbid_calls, prctl
from .fence import fence_in
from .linux import build_view, unshare

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
FILES = 64  # besides the lines: each may be a socket, in which the system keeps what nobody has read
SIGNALS = 1024
THREADS = 8  # times as many as processes


def enter() -> None:
    """Become a student's process, by the plan on this process's input."""
    plan = json.load(sys.stdin)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    go_in(plan)


def go_in(plan: dict) -> None:
    """Shut this process in and become the kernel; a keeper stays outside and ends it."""
    limits = Limits(**plan["limits"])
    folder = None
    if plan["own_view"]:
        unshare()
    else:
        folder = Path(tempfile.mkdtemp(prefix="student-"))
        prctl(SUBREAPER, 1)  # what the process leaves behind comes to the keeper
    first = os.fork()
    if first:
        keep(first, plan["fds"], folder)
    inside = folder or build_view(PACKAGE, limits.folder_bytes)
    prctl(SUBREAPER, 1)  # frozen copies outlive the kernel: they come to the process that waits for all of them
    kernel = os.fork()
    if kernel:  # the first process of a view takes all others with it; it must not run student code
        reap(kernel, plan["fds"], limits)
    os.setsid()
    drop_rights(limits, inside, plan)
    from .kernel import serve

    serve(plan["fds"][0], plan["fds"][1:])


def keep(child: int, fds: list[int], folder: Path | None) -> None:
    """Wait for the child; end it and all it started when told to, or when the grader is gone."""

    def end(*_) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
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
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # there is nothing left to end, and something to clear away
        if folder:
            end_children()
            remove(folder)
        os._exit(0)


def end_children() -> None:
    """End what the process left behind, and wait until it is away."""
    end_family(os.getpid())
    until = time.monotonic() + 4
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < until:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.01)


def remove(folder: Path) -> None:
    """Remove a folder, also if folders in it are closed or very deep; no link is followed."""
    subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL)


def reap(kernel: int, fds: list[int], limits: Limits) -> None:
    """Collect processes that ended, for as long as there are any; end all if they are too many, or use too much."""
    prctl(4, 0)  # PR_SET_DUMPABLE: nobody may look into this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Python would stop upon it
    for fd in fds:
        os.close(fd)
    most = len(everybody()) + limits.processes  # on this machine, until a closer look is due
    while True:
        collect_ended(limits.processes)
        crowded = len(everybody()) > most
        if crowded:
            signal_group(kernel, signal.SIGSTOP)  # so that there is time to count them
        watch_over(limits)
        if crowded:
            signal_group(kernel, signal.SIGCONT)
        time.sleep(0.1)


def collect_ended(most: int) -> None:
    """Collect processes that have ended; leave if there is none any more."""
    for _ in range(most):  # and no more: somebody could end processes without end
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            os._exit(0)
        if not pid:
            return


def signal_group(group: int, what: int) -> None:
    """Send a signal to a group of processes, if there is still one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, what)


def watch_over(limits: Limits) -> None:
    """End all processes that descend from this one if they are too many, or use too much memory together."""
    alone = os.getpid() == 1  # in a view of its own: then all that can be seen descend from it
    processes = everybody() if alone else family(os.getpid())
    few = len(processes) <= limits.processes and sum(map(threads, processes)) <= THREADS * limits.processes
    if few and not exceeds(processes, 2 * limits.memory):
        return
    if alone:
        os.kill(-1, signal.SIGKILL)  # all of this view but the caller
    else:
        end_family(os.getpid())


def drop_rights(limits: Limits, folder: Path, plan: dict) -> None:
    """Set the limits, become nobody and go to the empty folder."""
    if plan["core"] is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {plan["core"]})
    home = folder / "home"
    work = folder / "work"
    home.mkdir()
    work.mkdir()
    os.environ.update(HOME=str(home), TMPDIR=str(work), MPLCONFIGDIR=str(home), USER="student", LOGNAME="student")
    os.environ["PIP_NO_INDEX"] = "1"  # `%pip install` would try for long to reach the network
    tempfile.tempdir = str(work)  # it has been asked before
    if os.getuid() == 0 and open_to_all(*NEEDED):
        become(plan["user"], (folder, home, work))
    drop_capabilities()
    if plan["fence"] and not plan["own_view"]:
        fence_in(PACKAGE, folder)
    forbid_calls(shared_disk=not plan["own_view"])
    os.nice(5)
    set_limits(limits, plan["processes"], FILES + max(plan["fds"]))
    os.chdir(work)


def become(stranger: int, folders: tuple[Path, ...]) -> None:
    """Become a user who owns nothing but some folders."""
    for path in folders:
        os.chown(path, stranger, stranger)
    os.setgroups([])
    os.setresgid(stranger, stranger, stranger)
    os.setresuid(stranger, stranger, stranger)


def set_limits(limits: Limits, processes: int, files: int) -> None:
    """Set the limits that the system knows; `processes` counts what the user has already, `files` the lines."""
    import resource

    most = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_CORE: 1,  # byte: with 0, a program that collects crashes would be called all the same
        resource.RLIMIT_NOFILE: files,
        resource.RLIMIT_CPU: int(limits.total_seconds) + 1,
    }
    if hasattr(resource, "RLIMIT_NPROC"):
        most[resource.RLIMIT_NPROC] = processes
    if hasattr(resource, "RLIMIT_SIGPENDING"):
        most[resource.RLIMIT_SIGPENDING] = SIGNALS  # the account has a store of them, from which timers take theirs
    for kind, value in most.items():
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):  # not every system knows every limit, and some have lower ones already
            pass


def open_to_all(*paths: Path) -> bool:
    """Say whether any user may read these folders: without them there is no Python to run."""
    return all(place.stat().st_mode & 0o001 for path in paths for place in (path, *path.resolve().parents))
