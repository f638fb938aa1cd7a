"""What one submission may use, and where the kit is."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

KIT = Path(__file__).resolve().parents[3]
PACKAGE = KIT / "dpteach"
NEEDED = (PACKAGE, Path(sys.prefix), Path(sys.base_prefix))  # to run Python and the kit


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
