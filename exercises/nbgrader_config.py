"""nbgrader's configuration of this course: it grades in isolation (see README.md)."""

from pathlib import Path

from dpteach.grading.outside.course import configure

c = configure(get_config(), Path(__file__).parent)  # noqa: F821 - nbgrader provides get_config
# What a submission may use, and whether every student must use numbers of their own:
# c.MarkInIsolation.total_seconds = 120
# c.MarkInIsolation.memory = 2 << 30
# c.MarkInIsolation.ids_required = True
