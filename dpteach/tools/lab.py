"""A JupyterLab that knows nothing of its user, and pages in a browser that cannot reach the outside.

For the tests in tests/browser, and for `python -m dpteach bench-explorers`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import nbformat

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --force-color-profile=srgb"
).split()
FLAGS.append("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")  # the outside does not exist
HERE = "127.0.0.1"
OURS = "dpteach.grading.outside.formgrader"  # what start.py teach loads
NBGRADERS = "nbgrader.server_extensions.formgrader"
REPOSITORY = Path(__file__).parents[2]


def reason_to_skip() -> str | None:
    """Say what is missing for the browser tests, if anything."""
    if CHROMIUM is None:
        return "no Chromium on this machine (on Debian: apt-get install chromium)"
    try:
        import playwright  # noqa: F401
    except ImportError:
        return "Playwright is not installed (pip install playwright; no browser download needed)"
    return None


@contextlib.contextmanager
def watched(browser, width=1280, height=1000):
    """Open a page with two lists: `problems` on the console, and requests to the `outside`, which fail."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.problems, page.outside = [], []

    context.on("request", lambda request: None if is_local(request.url) else page.outside.append(request.url))
    page.on("websocket", lambda socket: None if is_local(socket.url) else page.outside.append(socket.url))
    page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    yield page
    context.close()


def is_local(url: str) -> bool:
    """Say whether a request stays on this machine."""
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "file") or parts.hostname == HERE


class Server:
    """A running Jupyter server and the folder that it serves."""

    def __init__(self, address: str, folder: Path):
        self.address, self.folder = address, folder

    def add(self, name: str, *cells: str) -> str:
        """Write a notebook of code cells and return the address of its page in JupyterLab."""
        made = [nbformat.v4.new_code_cell(cell) for cell in cells]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=kernel), self.folder / name)
        return self.page(name)

    def copy(self, notebook: Path) -> str:
        """Copy a notebook, so that running it changes nothing of ours, and return the address of its page."""
        shutil.copy(notebook, self.folder)
        return self.page(notebook.name)

    def page(self, name: str) -> str:
        """Return the address of a notebook's page in JupyterLab."""
        return f"{self.address}/doc/tree/{name}?reset"


@contextlib.contextmanager
def serving(folder: Path, formgrader: str = ""):
    """Run a JupyterLab over `folder` that knows nothing of this user's settings, as start.py does for students.

    With the module of a `formgrader` it has nbgrader's tools, as start.py has them for teachers.
    """
    port = free_port()
    options = {
        "ServerApp.ip": HERE, "ServerApp.port": port, "ServerApp.root_dir": folder, "ServerApp.open_browser": False,
        "ServerApp.allow_root": True, "IdentityProvider.token": "",
        "ServerApp.contents_manager_class": "dpteach.tools.stored.StoredPictures",  # as start.py has it
        "LabApp.expose_app_in_browser": True, "JupyterNotebookApp.expose_app_in_browser": True,
    }  # fmt: skip
    command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
    private = {name: str(folder.parent / f"{folder.name}-{name}") for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
    private["JUPYTER_CONFIG_PATH"] = private["JUPYTER_CONFIG_DIR"]  # goes before the settings of the environment
    private["JUPYTERLAB_SETTINGS_DIR"] = str(folder.parent / f"{folder.name}-settings")
    off = {"@jupyterlab/apputils-extension:announcements": True, "@jupyter/nbgrader": not formgrader}
    write_json({"disabledExtensions": off}, private["JUPYTER_CONFIG_DIR"], "labconfig", "page_config.json")
    tools = ("formgrader", "validate_assignment", "assignment_list", "course_list")
    loaded = {f"nbgrader.server_extensions.{tool}": bool(formgrader) and tool != "formgrader" for tool in tools}
    loaded |= {formgrader: True} if formgrader else {}
    write_json({"ServerApp": {"jpserver_extensions": loaded}}, private["JUPYTER_CONFIG_DIR"],
               "jupyter_server_config.d", "tools.json")  # fmt: skip
    # JupyterLab would take cells that cannot be seen out of the page.
    write_json({"windowingMode": "none"}, private["JUPYTERLAB_SETTINGS_DIR"],
               "@jupyterlab", "notebook-extension", "tracker.jupyterlab-settings")  # fmt: skip
    settings = {
        "PYTHONPATH": str(REPOSITORY),
        "JUPYTER_PATH": str(REPOSITORY / "dpteach" / "jupyter"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder.parent / "workspaces"),
    }
    with open(folder.parent / "lab.log", "w") as log:
        process = subprocess.Popen(
            command, env={**os.environ, **private, **settings}, stdout=log, stderr=log, cwd=folder
        )
    try:
        wait_for(f"http://{HERE}:{port}/api", process, Path(log.name))
        yield Server(f"http://{HERE}:{port}", folder)
    finally:
        process.terminate()
        process.wait(timeout=300)


def write_json(content: dict, *place: str) -> None:
    """Write a settings file."""
    path = Path(*place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def wait_for(address: str, process: subprocess.Popen, log: Path, seconds: float = 3000) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def free_port() -> int:
    """Return a port that nobody listens to."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return probe.getsockname()[1]


def run_all(page, address: str, timeout: float = 600) -> list[dict]:
    """Open a notebook in JupyterLab, run it from top to bottom and return its cells."""
    page.set_default_timeout(1000 * timeout)
    page.goto(address)
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.sessionContext")
    return page.evaluate(RUN)["cells"]


RUN = """async () => {
  const app = window.jupyterapp, panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await app.commands.execute("notebook:run-all-cells");
  return panel.content.model.toJSON();
}"""
