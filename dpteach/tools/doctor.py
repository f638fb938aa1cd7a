"""Check a student's machine: at most one problem is told, the first cause, with the one thing to do about it.

    python -m dpteach doctor         or, from outside the environment: python3 start.py doctor

Every check is a short function that returns a `Finding`; the first problem ends the examination, because what comes
after it would only be its consequences. The file imports nothing but the standard library at its top, so that it
also runs, as `python dpteach/tools/doctor.py`, where a package is missing or broken.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
FOLDERS = (CLONE / "my", CLONE / "notebooks")  # where notebooks are run: the student's own, and the kit's
ENVIRONMENT = CLONE / ".venv"
STAMP = ENVIRONMENT / "dpteach-is-installed.txt"  # start.py writes it when nothing is missing
START = 'run "python3 start.py" in the folder of the kit'
REBUILD = f"delete the folder .venv and {START}: it makes the environment again"
REINSTALL = "install dpteach[lab] again, with pip's option --force-reinstall"  # where there is only the package
IMPORTS = ("numpy", "scipy", "matplotlib", "jupyterlab", "ipywidgets", "anywidget", "dpteach")
WIDGET_EXTENSIONS = {"ipywidgets": "@jupyter-widgets/jupyterlab-manager", "anywidget": "anywidget"}
GIGABYTES_TO_INSTALL = 1.0
GIGABYTES_TO_WORK = 0.1
KERNEL_SECONDS = 300  # also on a busy machine; a kernel that dies is noticed at once


@dataclass(frozen=True)
class Finding:
    """What one check found: `ok`, a `hint` (nothing is broken) or a `problem`, and its remedy."""

    name: str
    status: str
    detail: str
    remedy: str = ""

    def __str__(self) -> str:
        """Write the finding as one line."""
        line = f"{self.status:<8} {self.name}: {self.detail}."
        return f"{line} Remedy: {self.remedy}." if self.remedy else line


def ok(name: str, detail: str) -> Finding:
    """Report that all is well."""
    return Finding(name, "ok", detail)


def hint(name: str, detail: str, remedy: str) -> Finding:
    """Report something worth knowing that does not stop anybody."""
    return Finding(name, "hint", detail, remedy)


def problem(name: str, detail: str, remedy: str) -> Finding:
    """Report something that has to be repaired."""
    return Finding(name, "problem", detail, remedy)


def to_install(name: str, detail: str, remedy: str) -> Finding:
    """Report something that has to be installed, and first what stands in the way of that."""
    if not is_clone():
        return problem(name, detail, REINSTALL)
    obstacle = obstacle_to_installing()
    if obstacle is None:
        return problem(name, detail, remedy)
    return problem(name, f"{detail}, and {obstacle.detail}", f"{obstacle.remedy}, then {remedy}")


def obstacle_to_installing() -> Finding | None:
    """Find the first thing that would make an installation fail."""
    for look in (rights, room, network):
        found = look()
        if found.status != "ok":
            return found
    return None


def is_clone() -> bool:
    """Say whether this is the whole kit, not only the installed package."""
    return (CLONE / "start.py").exists()


# What an installation needs


def rights() -> Finding:
    """See whether the folder of the kit can be written."""
    try:
        tempfile.TemporaryFile(dir=CLONE).close()
    except OSError:
        return problem("rights", f"the folder {CLONE} cannot be written", "move the kit to a place of your own")
    return ok("rights", "the kit's folder can be written")


def room(gigabytes: float = GIGABYTES_TO_INSTALL) -> Finding:
    """See whether the disk has so much room."""
    free = shutil.disk_usage(CLONE).free / 1e9
    if free < gigabytes:
        return problem("disk", f"only {free:.2f} GB of the disk are free", f"free at least {gigabytes:.1f} GB")
    return ok("disk", f"{free:.1f} GB free")


def network() -> Finding:
    """See whether pip, with its own settings, reaches its package server."""
    ask = ["index", "versions", "uv", "--timeout", "10", "--retries", "0", "--disable-pip-version-check"]
    told = subprocess.run([sys.executable, "-m", "pip", *ask], capture_output=True, encoding="utf-8", errors="replace")
    if "No module named pip" in told.stderr:
        return ok("network", "not looked at, because this Python has no pip")
    if told.returncode:
        return hint("network", "the package server cannot be reached", "connect to the internet")
    return ok("network", "the package server answers")


# The checks


def check_python() -> Finding:
    """Compare the running Python with the versions the lock was made for."""
    running = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= tuple(sys.version_info[:2]) <= (3, 14):
        return ok("Python", f"{running} in {sys.prefix}")
    return problem("Python", f"{running} is not 3.11, 3.12, 3.13 or 3.14", "install Python 3.13 from python.org")


def check_set_up() -> Finding:
    """See how far the set-up came: not begun, broken off, or finished and then damaged."""
    lost = [name for name in IMPORTS if importlib.util.find_spec(name) is None]
    if not lost and (STAMP.exists() or not ours()):
        return ok("set-up", f"finished; dpteach is in {Path(__file__).resolve().parents[1]}")
    if is_clone() and not ENVIRONMENT.exists():
        return to_install("set-up", "the kit is not set up yet", START)
    if is_clone() and not STAMP.exists():
        return to_install("set-up", "the set-up was broken off before its end", START)
    return to_install("set-up", f"{', '.join(lost)} got lost", REBUILD)


def ours() -> bool:
    """Say whether the environment is the one that start.py makes."""
    return Path(sys.prefix).resolve() == ENVIRONMENT.resolve()


def check_rights() -> Finding:
    """See that notebooks can be saved."""
    return rights() if is_clone() else ok("rights", "there is no kit here, only the package")


def check_disk() -> Finding:
    """See that there is room for notebooks."""
    return room(GIGABYTES_TO_WORK)


def check_packages() -> Finding:
    """Compare the installed versions with the bounds of pyproject.toml and, more softly, with the lock."""
    outside = [fault for name, bound in bounds().items() if (fault := fault_of(name, bound))]
    outside += [f"{name} is missing" for name in pins() if ours() and version(name) is None]
    if outside:
        return to_install("packages", "; ".join(dict.fromkeys(outside)), REBUILD)
    unpinned = {name: pin for name, pin in pins().items() if version(name) not in (None, pin)}
    differing = [f"{name} {version(name)}, not {pin}" for name, pin in unpinned.items()]
    if differing:
        detail = "within their bounds, but not as in the lock: " + "; ".join(differing)
        return hint("packages", detail, f"if numbers differ in the last digits, {REBUILD}")
    return ok("packages", f"all {len(pins())} as in the lock" if pins() else "within their bounds")


def bounds() -> dict[str, str]:
    """Read what dpteach asks for, notebooks and explorers included: name -> bound, such as `>=2.0`."""
    if is_clone():
        project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        asked = project["dependencies"] + project["optional-dependencies"]["lab"]
    else:
        lines = (line.partition(";") for line in metadata.requires("dpteach") or ())
        asked = [package.strip() for package, _, when in lines if "extra ==" not in when or "lab" in when]
    split = (re.fullmatch(r"([\w.-]+)(.*)", requirement) for requirement in asked)
    return {match[1]: match[2] for match in split if match}


def pins() -> dict[str, str]:
    """Read what the lock pins for this machine: name -> version; nothing where there is no lock."""
    from packaging.requirements import Requirement

    if not is_clone():
        return {}
    lines = (CLONE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    locked = (Requirement(line) for line in lines if line.strip() and not line.startswith("#"))
    return {r.name: str(r.specifier)[2:] for r in locked if r.marker is None or r.marker.evaluate()}


def version(name: str) -> str | None:
    """Look up the installed version of a package, None if there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def fault_of(name: str, bound: str) -> str | None:
    """Say what is wrong with an installed package, None if nothing is."""
    from packaging.specifiers import SpecifierSet

    installed = version(name)
    if installed is None:
        return f"{name} is missing"
    return None if SpecifierSet(bound).contains(installed) else f"{name} {installed} is not {bound}"


IN_KERNEL = f"""
import importlib, json, sys
answer = {{"prefix": sys.prefix, "files": {{}}, "errors": {{}}}}
for name in {IMPORTS}:
    try:
        answer["files"][name] = importlib.import_module(name).__file__
    except BaseException as error:
        answer["errors"][name] = " ".join(f"{{type(error).__name__}}: {{error}}".split())[:200]
print(json.dumps(answer))
"""


def check_kernel() -> Finding:
    """Start the kernel that notebooks use and let it import what they import."""
    try:
        answer = json.loads(ask_kernel(IN_KERNEL))
    except Exception as error:  # whatever is wrong with Jupyter, the doctor must live to tell
        return to_install("Jupyter kernel", f"does not start ({type(error).__name__}: {error})", REBUILD)
    if answer["prefix"] != sys.prefix:
        return to_install("Jupyter kernel", f"runs in {answer['prefix']}, not in {sys.prefix}", REBUILD)
    for name, file in answer["files"].items():
        if remedy := way_back(name, file):
            return problem("Jupyter kernel", f"{name} is taken from {file}", remedy)
    for name, error in answer["errors"].items():
        return to_install("Jupyter kernel", f"cannot import {name} ({error})", way_back(name) or REBUILD)
    return ok("Jupyter kernel", f"starts and imports {', '.join(IMPORTS)}")


def way_back(name: str, file: str = "") -> str:
    """Say how to get from a wrong file to the right one; empty if it is the right one, or nothing is known to be."""
    for folder in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        leads_there = Path(folder) in Path(file).parents[:2] if file else (Path(folder) / name).exists()
        if leads_there and Path(folder).resolve() != CLONE:
            return "unset the variable PYTHONPATH, or start with python3 start.py, which does not heed it"
    if any(Path(file).is_relative_to(folder) for folder in FOLDERS if file):
        return f"give {file} another name"
    if file and name == "dpteach" and not Path(file).resolve().is_relative_to(CLONE):
        return START if is_clone() else REINSTALL
    return ""


def ask_kernel(code: str, name: str = "python3") -> str:
    """Return what the code prints in a fresh kernel, which works where the student's kernels do."""
    from jupyter_client.manager import start_new_kernel

    printed: list[str] = []
    folder = next((str(folder) for folder in FOLDERS if folder.is_dir()), None)
    options = {"kernel_name": name, "startup_timeout": KERNEL_SECONDS, "stderr": subprocess.DEVNULL, "cwd": folder}
    manager, client = start_new_kernel(**options)
    try:
        client.execute_interactive(
            code, timeout=KERNEL_SECONDS, output_hook=lambda message: printed.append(message["content"].get("text", ""))
        )
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "".join(printed)


def check_widgets() -> Finding:
    """See that the widget packages and their JupyterLab extensions are there."""
    missing = [name for name in WIDGET_EXTENSIONS if version(name) is None]
    for extension in WIDGET_EXTENSIONS.values():
        files = [folder / extension / "package.json" for folder in extension_folders()]
        if not any(file.exists() for file in files):
            missing.append(f"JupyterLab extension {extension}")
    if missing:
        return to_install("widgets", f"{', '.join(missing)} not found, so sliders stay invisible", REBUILD)
    return ok("widgets", " and ".join(WIDGET_EXTENSIONS) + ", with their JupyterLab extensions")


def extension_folders() -> Iterator[Path]:
    """List the folders where JupyterLab looks for extensions, none if Jupyter is missing."""
    try:
        from jupyter_core.paths import jupyter_path
    except ImportError:
        return
    yield from map(Path, jupyter_path("labextensions"))


def check_browser() -> Finding:
    """See whether a browser can open by itself; on a server there is none, and none is needed."""
    remedy = "start with --no-browser and open the address that JupyterLab prints in a browser of your own"
    screen = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not screen:
        return hint("browser", "this machine has no screen", remedy)
    try:
        webbrowser.get()
    except webbrowser.Error:
        return hint("browser", "none was found", remedy)
    return ok("browser", "found")


def check_network() -> Finding:
    """See whether something new could be installed; a kit that is set up needs no network."""
    found = network()
    if found.status == "ok":
        return found
    return hint("network", f"{found.detail}, which only a new installation needs", found.remedy)


CHECKS: list[Callable[[], Finding]] = [
    check_python,
    check_set_up,
    check_rights,
    check_disk,
    check_packages,
    check_kernel,
    check_widgets,
    check_browser,
    check_network,
]


def examine(check: Callable[[], Finding]) -> Finding:
    """Run one check; a check that breaks is itself a problem, not a traceback."""
    try:
        return check()
    except Exception as error:
        return problem(check.__name__, f"broke off ({type(error).__name__}: {error})", REBUILD)


def main(argv: list[str] | None = None) -> int:
    """Print one line for each check up to the first problem; return 0 if there is none, else 1."""
    description = "Check this machine and say what to do about the first problem."
    argparse.ArgumentParser(prog="python -m dpteach doctor", description=description).parse_args(argv)
    for check in CHECKS:
        finding = examine(check)
        print(finding, flush=True)
        if finding.status == "problem":
            print("Do what the remedy says, then ask the doctor again.")
            return 1
    print("All is well.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
