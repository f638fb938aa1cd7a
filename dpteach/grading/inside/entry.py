"""The way in: a process shuts itself in and becomes a student's.

A keeper stays outside of the view and ends what it keeps; the first process of the view collects what ends in it; their
child drops all rights and becomes the kernel.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from ..line.limits import PACKAGE, Limits
from ..line.memory import everybody, exceeds
from .linux import build_view, drop_capabilities, forbid_calls, prctl, unshare


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
        prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what the process leaves behind comes to the keeper
    first = os.fork()
    if first:
        keep(first, plan["fds"], folder)
    inside = folder or build_view(PACKAGE, limits.folder_bytes)
    if os.fork():  # the first process of a view takes all others with it; it must not run student code
        reap(plan["fds"], limits.memory)
    drop_rights(limits, inside, plan)
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
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    until = time.monotonic() + 4
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
            if os.getpid() == 1 and exceeds(everybody(), 2 * memory):
                os.kill(-1, signal.SIGKILL)  # all of this view but the caller
            time.sleep(0.1)


def drop_rights(limits: Limits, folder: Path, plan: dict) -> None:
    """Set the limits, become nobody and go to the empty folder."""
    if plan["core"] is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {plan["core"]})
    home = folder / "home"
    work = folder / "work"
    home.mkdir()
    work.mkdir()
    os.environ.update(HOME=str(home), TMPDIR=str(work), MPLCONFIGDIR=str(home), USER="student", LOGNAME="student")
    if os.getuid() == 0 and open_to_all(PACKAGE, Path(sys.prefix), Path(sys.base_prefix)):
        become(plan["user"], (folder, home, work))
    drop_capabilities()
    forbid_calls()
    os.nice(5)
    set_limits(limits, plan["processes"])
    os.chdir(work)


def become(stranger: int, folders: tuple[Path, ...]) -> None:
    """Become a user who owns nothing but some folders."""
    for path in folders:
        os.chown(path, stranger, stranger)
    os.setgroups([])
    os.setresgid(stranger, stranger, stranger)
    os.setresuid(stranger, stranger, stranger)


def set_limits(limits: Limits, processes: int) -> None:
    """Set the limits that the system knows; `processes` counts what the user has already."""
    import resource

    most = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CPU: int(limits.total_seconds) + 1,
    }
    if hasattr(resource, "RLIMIT_NPROC"):
        most[resource.RLIMIT_NPROC] = processes
    for kind, value in most.items():
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):  # not every system knows every limit, and some have lower ones already
            pass


def open_to_all(*paths: Path) -> bool:
    """Say whether any user may read these folders: without them there is no Python to run."""
    return all(place.stat().st_mode & 0o001 for path in paths for place in (path, *path.resolve().parents))
