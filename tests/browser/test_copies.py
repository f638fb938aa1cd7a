"""What a student sees after `python3 start.py`: an own copy that runs, and links that lead to other copies."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from browsing import HERE, REPOSITORY, free_port, run_all, wait_for, watched

PARTS = ("start.py", "requirements.txt", "pyproject.toml", "notebooks", "dpteach", "docs")
SECONDS = 300  # only ends a test that hangs
# The environment is this one, and everything is set up but JupyterLab's settings.
START = """
import json, sys, start
for path, settings in start.SETTINGS.items():
    if path.startswith(start.JUPYTER):
        start.write(path, json.dumps(settings))
start.set_up, start.PYTHON = lambda: None, sys.executable
sys.exit(start.main(sys.argv[1:]))
"""
OPENED = "path => window.jupyterapp?.shell.currentWidget?.context?.path === path"
SAVE = "window.jupyterapp.shell.currentWidget.context.save()"
REST = """async () => {
  const ready = [...window.jupyterapp.shell.widgets("main")].map(panel => panel.sessionContext?.ready);
  await Promise.all(ready);
}"""  # a server that is ended while a kernel starts waits for ever


@pytest.fixture(scope="module")
def kit(tmp_path_factory) -> Path:
    """Copy the kit, without what only teachers have."""
    root = tmp_path_factory.mktemp("copies") / "kit"
    root.mkdir()
    for name in PARTS:
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copy
        copy(REPOSITORY / name, root / name)
    shutil.copytree(REPOSITORY / "exercises" / "release", root / "exercises" / "release")
    return root


def end(process: subprocess.Popen) -> None:
    """End start.py with its server; one that waits for a kernel for ever is killed."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextlib.contextmanager
def started(kit: Path, *arguments: str):
    """Run start.py and give the address of its JupyterLab, and the file into which it prints."""
    port = free_port()
    options = [f"--port={port}", "--no-browser", "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    command = [sys.executable, "-c", START, *arguments, *options]
    log = kit.parent / f"{port}.log"
    with log.open("w") as file:
        told = dict(stdout=file, stderr=file, env={**os.environ, "PYTHONPATH": "."})
        process = subprocess.Popen(command, cwd=kit, start_new_session=True, **told)
    try:
        wait_for(f"http://{HERE}:{port}/api", process, log)
        yield f"http://{HERE}:{port}", log
    finally:
        end(process)


def test_a_student_runs_the_first_copy_and_follows_the_links(kit, chromium, screenshots):
    with started(kit) as (address, log), watched(chromium) as page:
        page.set_default_timeout(1000 * SECONDS)
        cells = run_all(page, address)
        page.wait_for_function(OPENED, arg="my/00_start_here.ipynb")
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        assert outputs and [output["evalue"] for output in outputs if output["output_type"] == "error"] == []
        page.screenshot(path=screenshots / "my_copy.png")
        page.evaluate(SAVE)
        follow(page, "01_composition_basics.ipynb", "my/01_composition_basics.ipynb")
        tasks = "exercises/1_composition_basics/1_composition_basics.ipynb"
        follow(page, tasks, f"my/{tasks}")
        page.evaluate(REST)
        assert page.outside == []
        assert "Made in the folder my" in log.read_text() and "Traceback" not in log.read_text()


def follow(page, link: str, path: str) -> None:
    """Click on a link in the open notebook, and wait for what it opens."""
    page.locator(f".jp-Notebook:visible a[href*='{link}']").first.click()
    page.wait_for_function(OPENED, arg=path)


def test_a_copy_that_was_run_in_jupyterlab_is_renewed(kit):
    """After the test above; what a real JupyterLab has saved does not count as written."""
    copy = kit / "my" / "00_start_here.ipynb"
    if not copy.exists():
        pytest.skip("it needs the copies of the test above")
    assert any(cell.get("outputs") for cell in nbformat.read(copy, 4).cells)
    edition = nbformat.read(kit / "notebooks" / copy.name, 4)
    edition.cells[0].source += "\n\nThe second edition."
    nbformat.write(edition, kit / "notebooks" / copy.name)
    told = subprocess.run([sys.executable, "-m", "dpteach", "copies"], cwd=kit, capture_output=True, text=True)
    assert told.stdout == "Renewed in the folder my, as you had written nothing there: 00_start_here.ipynb.\n"
    assert nbformat.read(copy, 4).cells[0].source.endswith("The second edition.")


def test_a_lecturer_gets_the_executed_edition(kit, chromium):
    with started(kit, "notebooks") as (address, _), watched(chromium) as page:
        page.goto(address)
        page.wait_for_function(OPENED, arg="notebooks/00_start_here.ipynb", timeout=1000 * SECONDS)
        page.locator(".jp-RenderedImage img").first.wait_for(state="attached", timeout=1000 * SECONDS)
        page.evaluate(REST)
        assert page.outside == []
