"""Make every run the same: tests/truth.py importable from anywhere, hypothesis without randomness."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("dpteach", derandomize=True, deadline=None, max_examples=60, database=None)
settings.load_profile("dpteach")
