"""The pages of the library, made of its docstrings by pdoc, which runs apart: it is no part of the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .parts import unpack, wheel


def make_library(target: Path, wheels: Path, work: Path) -> None:
    """Write the pages."""
    unpack(wheel(wheels, "pdoc"), "", work)
    command = [sys.executable, "-m", "dpteach", "api", str(target)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(work)}, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"the pages of the library cannot be made: {done.stderr.strip()[-300:]}")
