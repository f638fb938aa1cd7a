"""One JupyterLab and one Chromium for all browser tests; nothing may leave this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from browsing import reason_to_skip, run_all, serving, watched

__all__ = ["run_all"]


def pytest_addoption(parser):
    parser.addoption("--screenshots", help="folder for a screenshot of every explorer")


@pytest.fixture(scope="session")
def screenshots(request, tmp_path_factory) -> Path:
    """The folder into which screenshots are written."""
    folder = request.config.getoption("--screenshots", None)
    folder = Path(folder) if folder else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Serve an empty folder, of which the address and the path are given."""
    if reason := reason_to_skip():
        pytest.skip(reason)
    with serving(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def page(chromium):
    """A fresh page that records its errors and every request to the outside."""
    with watched(chromium) as page:
        yield page
