"""Make every run the same: tests/truth.py importable from anywhere, hypothesis without randomness, slow tests last."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("dpteach", derandomize=True, deadline=None, max_examples=60, database=None)
settings.load_profile("dpteach")

SLOW = ("notebooks", "exercises", "browser")  # folders whose tests start kernels and browsers


def pytest_collection_modifyitems(items):
    """Run the fast tests first."""
    items.sort(key=lambda item: any(folder in item.path.parts[-2:] for folder in SLOW))
