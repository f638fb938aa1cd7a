"""Check a student's machine and say what to do about each problem.

    python -m dpteach doctor         or, from outside the environment: python3 start.py doctor

Every check is a short function that returns a `Finding`. The file imports nothing but the standard library at
its top, so that it also runs, as `python dpteach/doctor.py`, where a package is missing or broken.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
REPAIR = 'run "python3 start.py" in the folder of the kit: it installs what is missing'
REBUILD = 'delete the folder .venv and run "python3 start.py": it makes the environment again'
WIDGET_EXTENSIONS = {"ipywidgets": "@jupyter-widgets/jupyterlab-manager", "anywidget": "anywidget"}
FREE_GIGABYTES = 1.0


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


def check_python() -> Finding:
    """Compare the running Python with the versions the lock was made for."""
    running = ".".join(map(str, sys.version_info[:3]))
    if (3, 11) <= tuple(sys.version_info[:2]) <= (3, 13):
        return ok("Python", f"{running} in {sys.prefix}")
    return problem("Python", f"{running} is not 3.11, 3.12 or 3.13", "install Python 3.13 from python.org")


def check_dpteach() -> Finding:
    """See that `import dpteach` finds the clone's folder and not another copy."""
    spec = importlib.util.find_spec("dpteach")
    if spec is None or not spec.origin:
        return problem("dpteach", "cannot be imported", REPAIR)
    folder = Path(spec.origin).resolve().parent
    if folder != CLONE / "dpteach":
        return problem("dpteach", f"is imported from {folder}, not from {CLONE}", REPAIR)
    return ok("dpteach", f"imported from {folder}")


def check_packages() -> Finding:
    """Compare the installed versions with the bounds of pyproject.toml and, more softly, with the lock."""
    outside = [fault for name, bound in bounds().items() if (fault := fault_of(name, bound))]
    if outside:
        return problem("packages", "; ".join(outside), REPAIR)
    differing = [f"{name} {version(name)}, not {pin}" for name, pin in pins().items() if version(name) != pin]
    if differing:
        detail = "within their bounds, but not as in the lock: " + "; ".join(differing)
        return hint("packages", detail, f"if numbers differ in the last digits, {REBUILD}")
    return ok("packages", f"all {len(pins())} as in the lock")


def bounds() -> dict[str, str]:
    """Read what pyproject.toml asks for: name -> bound, such as `>=2.0`."""
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    split = (re.fullmatch(r"([\w.-]+)(.*)", requirement) for requirement in project["dependencies"])
    return {match[1]: match[2] for match in split if match}


def pins() -> dict[str, str]:
    """Read what the lock pins for this machine: name -> version."""
    from packaging.requirements import Requirement

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


def check_kernel() -> Finding:
    """Start the kernel that notebooks use and let it compute 1 + 1."""
    try:
        answer = ask_kernel("import sys; print(1 + 1, sys.prefix)")
    except Exception as error:  # whatever is wrong with Jupyter, the doctor must live to tell
        return problem("Jupyter kernel", f"does not start ({type(error).__name__}: {error})", REBUILD)
    result, _, prefix = answer.strip().partition(" ")
    if result != "2":
        return problem("Jupyter kernel", f"says that 1 + 1 is {result or 'nothing'}", REBUILD)
    if prefix != sys.prefix:
        return problem("Jupyter kernel", f"runs in {prefix}, not in {sys.prefix}", REBUILD)
    return ok("Jupyter kernel", "starts and computes")


def ask_kernel(code: str, name: str = "python3") -> str:
    """Return what the code prints in a fresh kernel."""
    from jupyter_client.manager import start_new_kernel

    printed: list[str] = []
    manager, client = start_new_kernel(kernel_name=name, startup_timeout=60, stderr=subprocess.DEVNULL)
    try:
        client.execute_interactive(
            code, timeout=30, output_hook=lambda message: printed.append(message["content"].get("text", ""))
        )
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return "".join(printed)


def check_widgets() -> Finding:
    """See that the widget packages and their JupyterLab extensions are there."""
    missing = [name for name in WIDGET_EXTENSIONS if version(name) is None]
    folders = list(extension_folders())
    missing += [
        f"JupyterLab extension {extension}"
        for extension in WIDGET_EXTENSIONS.values()
        if not any((folder / extension / "package.json").exists() for folder in folders)
    ]
    if missing:
        return problem("widgets", f"{', '.join(missing)} not found, so sliders stay invisible", REBUILD)
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


def check_disk() -> Finding:
    """See that there is room for notebooks and caches."""
    free = shutil.disk_usage(CLONE).free / 1e9
    if free < FREE_GIGABYTES:
        return problem("disk", f"only {free:.1f} GB are free", f"free at least {FREE_GIGABYTES:.0f} GB")
    return ok("disk", f"{free:.0f} GB free")


CHECKS: list[Callable[[], Finding]] = [
    check_python,
    check_dpteach,
    check_packages,
    check_kernel,
    check_widgets,
    check_browser,
    check_disk,
]


def examine(check: Callable[[], Finding]) -> Finding:
    """Run one check; a check that breaks is itself a problem, not a traceback."""
    try:
        return check()
    except Exception as error:
        return problem(check.__name__, f"broke off ({type(error).__name__}: {error})", REBUILD)


def main(argv: list[str] | None = None) -> int:
    """Print one line for each check; return 0 if there is no problem, else 1."""
    if argv:
        print("doctor takes no arguments.", file=sys.stderr)
        return 2
    problems = 0
    for check in CHECKS:
        finding = examine(check)
        problems += finding.status == "problem"
        print(finding, flush=True)
    print("All is well." if not problems else f"{problems} problem{'s' if problems > 1 else ''} to repair.")
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
