"""What git holds, whatever has been done to the files since."""

import shutil
import subprocess
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[1]


def committed(path: Path) -> str:
    """Return a file's text as the next commit will have it; skip where git does not know the file."""
    if not shutil.which("git"):
        pytest.skip("there is no git here to say what is committed")
    command = ["git", "show", f":{path.relative_to(CLONE).as_posix()}"]
    found = subprocess.run(command, cwd=CLONE, capture_output=True, encoding="utf-8")
    if found.returncode:
        pytest.skip("this folder is no git repository, so nothing says what is committed")
    return found.stdout
