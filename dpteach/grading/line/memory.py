"""Memory, as Linux tells it: what processes use together."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

PAGE = 4096


def everybody() -> list[Path]:
    """List the folders of all visible processes."""
    return list(Path("/proc").glob("[0-9]*"))


def family(pid: int) -> list[Path]:
    """List the folders of a process and all that descend from it; only its own where the system does not tell."""
    found = [Path(f"/proc/{pid}")]
    for process in found:
        try:
            children = (process / "task" / process.name / "children").read_text().split()
        except OSError:  # it has just ended, or nobody tells
            continue
        found += [Path(f"/proc/{child}") for child in children]
    return found


def exceeds(processes: Iterable[Path], most: int) -> bool:
    """Say whether processes use more than that many bytes together; a quick look comes first."""
    rough = {process: resident(process) for process in processes}
    if sum(rough.values()) <= most:
        return False
    return sum(share(process) or rough[process] for process in rough) > most


def resident(process: Path) -> int:
    """Return the bytes of a process that are in memory; what processes share counts for each of them."""
    try:
        return PAGE * int((process / "statm").read_text().split()[1])
    except (OSError, IndexError):  # it has just ended
        return 0


def share(process: Path) -> int:
    """Return a process's share of the memory, 0 if it does not let one look."""
    try:
        lines = (process / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
