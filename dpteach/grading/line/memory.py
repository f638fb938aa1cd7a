"""Processes that belong together, as Linux tells it: what they use, and how to end them all."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path


def everybody() -> list[Path]:
    """List the folders of all visible processes."""
    return list(Path("/proc").glob("[0-9]*"))


def family(pid: int) -> list[Path]:
    """List the folders of a process and all that descend from it; only its own where the system does not tell."""
    found = [Path(f"/proc/{pid}")]
    for process in found:
        for thread in process.glob("task/*/children"):  # whichever thread has started it
            with contextlib.suppress(OSError):  # it has just ended
                found += [Path(f"/proc/{child}") for child in thread.read_text().split()]
    return found


def end_family(pid: int, seconds: float = 4) -> None:
    """End all that descend from a process: they are stopped first, or they would start others meanwhile."""
    stopped: set[Path] = set()
    until = time.monotonic() + seconds
    while (running := set(family(pid)[1:]) - stopped) and time.monotonic() < until:
        signal_all(running, signal.SIGSTOP)
        stopped |= running
    signal_all(stopped, signal.SIGKILL)


def signal_all(processes: Iterable[Path], what: int) -> None:
    """Send a signal to processes, if they are still there."""
    for process in processes:
        with contextlib.suppress(OSError):
            os.kill(int(process.name), what)


def threads(process: Path) -> int:
    """Count the threads of a process."""
    try:
        return os.stat(process / "task").st_nlink - 2
    except OSError:  # it has just ended
        return 0


def exceeds(processes: Iterable[Path], most: int) -> bool:
    """Say whether processes use more than that many bytes together; a quick look comes first."""
    rough = {process: resident(process) for process in processes}
    if sum(rough.values()) <= most:
        return False
    return sum(share(process) or rough[process] for process in rough) > most


def resident(process: Path) -> int:
    """Return the bytes of a process that are in memory or were moved out to a disk; shared ones count for each."""
    try:
        lines = (process / "status").read_text(errors="replace").splitlines()
    except OSError:  # it has just ended
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(("VmRSS:", "VmSwap:")))


def share(process: Path) -> int:
    """Return a process's share of the memory, 0 if it does not let one look."""
    try:
        lines = (process / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(("Pss:", "SwapPss:")))
