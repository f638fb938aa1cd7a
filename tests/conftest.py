"""Make every run the same: helpers importable from anywhere, hypothesis without randomness, slow tests last."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
sys.path[:0] = [
    str(HERE),
    *(str(HERE / room) for room in ("claims", "experiment", "explore", "granularity", "questions")),
]

settings.register_profile("dpteach", derandomize=True, deadline=None, max_examples=60, database=None)
settings.load_profile("dpteach")

SLOW = ("notebooks", "exercises", "browser")  # folders whose tests start kernels and browsers
LONGEST = ("test_lab.py", "test_hostile.py", "test_grade.py", "test_running.py")  # files begun first, to end in time


def pytest_collection_modifyitems(items):
    """Run the fast tests first, then the slow ones, the longest files before the others."""

    def rank(item) -> int:
        slow = any(folder in item.path.parts[-2:] for folder in SLOW)
        return 0 if not slow else 1 if item.path.name in LONGEST else 2

    items.sort(key=rank)


@pytest.fixture(scope="session")
def chromium():
    """One headless browser."""
    from dpteach.tools.lab import CHROMIUM, FLAGS, reason_to_skip

    if reason := reason_to_skip():
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
