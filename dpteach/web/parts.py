"""What the site takes from elsewhere: downloaded once, compared with checksums, never committed.

`requirements-web.txt` names the packages with their checksums, which pip compares. One of them carries Pyodide, Python
for the browser, whose files are compared once more with what its makers publish (`official.txt`).
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

KIT = Path(__file__).parents[2]
LOCK = KIT / "requirements-web.txt"
OFFICIAL = Path(__file__).parent / "official.txt"
CACHE = KIT / ".venv" / "cache" / "web"
PYODIDE = "open_webui/frontend/pyodide/"  # where the runtime lies in its carrier
ANY_MACHINE = "--only-binary=:all: --python-version=3.14 --platform=any --implementation=py --abi=none".split()
TO_BUILD = ("open_webui", "sphinx_mathjax_offline", "sphinx_revealjs", "jupyterlite_core", "jupyterlite_pyodide_kernel")
TO_BUILD += ("doit", "pdoc")
SLIDES = ("sphinx-mathjax-offline", "sphinx-revealjs")  # all that slides need
FOR_ALL = "Python for the browser, JupyterLite, MathJax and reveal.js (about 140 MB, once)"
FOR_SLIDES = "MathJax and reveal.js (9 MB, once)"


def fetch(tell: Callable[[str], None] = print, only: Collection[str] = ()) -> Path:
    """Return a folder with all wheels of the lock, or at least some; what is missing is downloaded."""
    folder = CACHE / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    if (folder / "complete").exists():
        return folder
    if only:
        folder = folder.with_name(f"{folder.name}-{'-'.join(only)}")
    if not (folder / "complete").exists():
        tell(f"Downloading {FOR_SLIDES if only else FOR_ALL} …")
        download(
            folder,
            [line for line in LOCK.read_text(encoding="utf-8").splitlines() if line.startswith(tuple(only) or "")],
        )
        (folder / "complete").touch()
    return folder


def download(folder: Path, lock: list[str]) -> None:
    """Let pip download packages and compare them with their checksums."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lock.txt").write_text("\n".join(lock), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--ignore-requires-python", *ANY_MACHINE, "-d", str(folder), "-r", str(folder / "lock.txt")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"the parts of the site cannot be downloaded: {_last_line(done.stderr)}")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["pip says nothing"])[-1]


def wheel(folder: Path, package: str) -> Path:
    """Return the wheel of a package."""
    return next(folder.glob(f"{package}-*.whl"))


def kernel_wheels(folder: Path) -> list[Path]:
    """Return the wheels that a notebook's kernel in the browser needs."""
    return sorted(path for path in folder.glob("*.whl") if not path.name.startswith(TO_BUILD))


def official() -> dict[str, str]:
    """Return the published checksum of each file of Pyodide that is used."""
    lines = OFFICIAL.read_text(encoding="utf-8").splitlines()
    split = (line.split() for line in lines if not line.startswith("#"))
    return {name: checksum for checksum, name in split}


def pyodide_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Return the files of Pyodide, each as its makers publish it."""
    with zipfile.ZipFile(wheel(folder, "open_webui")) as carrier:
        for name, published in official().items():
            content = carrier.read(PYODIDE + name)
            if hashlib.sha256(content).hexdigest() != published:
                raise OSError(f"{name} is not the file that Pyodide's makers publish")
            yield name, content


def unpack(archive: Path, inside: str, target: Path, only: str = "") -> None:
    """Copy a folder out of a wheel, or only what has a certain name in it."""
    with zipfile.ZipFile(archive) as opened:
        for name in opened.namelist():
            if name.startswith(inside + only) and not name.endswith("/"):
                path = target / name.removeprefix(inside)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(opened.read(name))
