"""Python for the browser as one folder: the runtime, the packages, and a lock that says what an import needs.

With that lock `import dpteach` loads what it needs by itself, and no page asks another host for anything.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .parts import KIT, kernel_wheels, pyodide_files, wheel

INFO = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.0"}
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix", "extra": ""}
BROWSER |= {"python_version": "3.14", "python_full_version": "3.14.0", "implementation_name": "cpython"}
ALL_OF_IT = ["anywidget", "ipywidgets", "matplotlib"]  # what a notebook that imports dpteach will ask for
NEVER_NEEDED = {"widgetsnbextension", "pexpect", "psutil", "colorama", "ipykernel"}  # or a part of the kernel itself


def make_runtime(target: Path, wheels: Path) -> None:
    """Write the folder."""
    target.mkdir(parents=True, exist_ok=True)
    for name, content in pyodide_files(wheels):
        (target / name).write_bytes(content)
    for path in [*kernel_wheels(wheels), build_dpteach()]:
        (target / path.name).write_bytes(path.read_bytes())
    for name, content in parts_of_the_kernel(wheel(wheels, "jupyterlite_pyodide_kernel")):
        (target / name).write_bytes(content)
    (target / "pyodide-lock.json").write_text(json.dumps(lock(target.glob("*.whl"))), encoding="utf-8")


def build_dpteach() -> Path:
    """Return a wheel of this library."""
    folder = Path(tempfile.mkdtemp(prefix="dpteach-wheel-"))
    code = "import sys; from hatchling import build; build.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=KIT, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def parts_of_the_kernel(archive: Path) -> Iterable[tuple[str, bytes]]:
    """Return the wheels that JupyterLite's kernel brings along for itself."""
    with zipfile.ZipFile(archive) as opened:
        for name in opened.namelist():
            if "/static/pypi/" in name and name.endswith(".whl"):
                yield Path(name).name, opened.read(name)


def lock(wheels: Iterable[Path]) -> dict:
    """Return the list of packages that Pyodide reads: what each file offers, and what it needs."""
    entries = [entry(path) for path in sorted(wheels)]
    known = {found["name"] for found in entries}
    for found in entries:
        wanted = found["depends"] + (ALL_OF_IT if found["name"] == "dpteach" else [])
        found["depends"] = [name for name in wanted if name in known]
    return {"info": INFO, "packages": {found["name"]: found for found in entries}}


def entry(path: Path) -> dict:
    """Return what the lock says about one wheel."""
    content = path.read_bytes()
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        told = Parser().parsestr(opened.read(next(n for n in names if n.endswith("METADATA"))).decode())
    return {
        "name": canonicalize_name(told["Name"]),
        "version": told["Version"],
        "file_name": path.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(content).hexdigest(),
        "package_type": "package",
        "imports": modules(names),
        "depends": needed(told.get_all("Requires-Dist") or []),
        "unvendored_tests": False,
    }


def modules(names: Iterable[str]) -> list[str]:
    """Return what can be imported from a wheel with these files."""
    tops = {name.split("/")[0] for name in names if re.fullmatch(r"[^/]+/__init__\.py|[^/]+\.py", name)}
    return sorted(top.removesuffix(".py") for top in tops)


def needed(lines: Iterable[str]) -> list[str]:
    """Return the packages that a wheel asks for in the browser."""
    asked = [Requirement(line) for line in lines]
    needed = {canonicalize_name(r.name) for r in asked if r.marker is None or r.marker.evaluate(BROWSER)}
    return sorted(needed - NEVER_NEEDED)
