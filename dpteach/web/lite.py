"""JupyterLite: the notebooks run in the browser, with dpteach inside, and what is written stays in that browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jupyter_server

from ..tools.copies import fresh_copy, originals
from .parts import unpack, wheel

PROGRAM = ("doit", "jupyterlite_core", "jupyterlite_pyodide_kernel")
EXTENSIONS = ("jupyterlite_pyodide_kernel", "jupyterlab_widgets", "anywidget")
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
ICONS = Path("static", "favicons")  # which notebooks ask for, and JupyterLite leaves out
APPS = ("lab", "notebooks")
RENDERED = {"@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}}}


def make_lite(target: Path, wheels: Path, work: Path, pyodide: str) -> None:
    """Build JupyterLite with the students' copies; `pyodide` is the way from there to the runtime."""
    program = install(wheels, work / "program")
    source = work / "source"
    shutil.rmtree(source, ignore_errors=True)  # a database in it would bring back an older address of the runtime
    write_copies(source / "files")
    write_settings(source, pyodide)
    options = ["--lite-dir", source, "--output-dir", target, "--contents", source / "files", "--no-libarchive"]
    options += ["--no-sourcemaps", "--no-unused-shared-packages", "--force", "--ignore-sys-prefix"]
    options += [f"--LiteBuildConfig.federated_extensions={wheel(wheels, name)}" for name in EXTENSIONS]
    for app in APPS:
        options += ["--apps", app]
    run(program, ["build", *map(str, options)], source)
    shutil.copytree(Path(jupyter_server.__file__).parent / ICONS, target / ICONS, dirs_exist_ok=True)


def install(wheels: Path, program: Path) -> Path:
    """Unpack JupyterLite into a folder of its own: in the students' environment it would confuse JupyterLab."""
    for name in PROGRAM:
        unpack(wheel(wheels, name), "", program)
    return program


def write_copies(folder: Path) -> None:
    """Write the students' copies: outputs cleared, links among each other."""
    sources = originals()
    for name in sources:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fresh_copy(name, sources))


def write_settings(source: Path, pyodide: str) -> None:
    """Write where the runtime is, and JupyterLab as students need it."""
    settings = {"litePluginSettings": {KERNEL: {"pyodideUrl": pyodide, "disablePyPIFallback": True}}}
    lite = {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {"appName": "dpteach", "exposeAppInBrowser": True, **settings},
    }
    (source / "jupyter-lite.json").write_text(json.dumps(lite), encoding="utf-8")
    (source / "overrides.json").write_text(json.dumps(RENDERED), encoding="utf-8")


def run(program: Path, arguments: list[str], folder: Path) -> None:
    """Run JupyterLite's own command."""
    command = [sys.executable, "-m", "jupyterlite_core.app", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(program)}, capture_output=True, text=True
    )
    if done.returncode:
        raise OSError(f"JupyterLite cannot be built: {done.stderr.strip()[-300:]}")
