"""Time, fairly counted: what a process had, not what the clock on the wall says.

On a busy machine a process waits for a core. Linux counts these waits (`/proc/PID/schedstat`: nanoseconds on a core,
nanoseconds waiting for one), and they are not the notebook's fault. Elsewhere the wall's clock counts.
"""

from __future__ import annotations

import time

PATIENCE = 4  # times the limit by the clock on the wall, after which a process is late whatever it waited for


class Stopwatch:
    """The time since it was made: that of a process, if one is named."""

    def __init__(self, pid: int | None = None):
        self.pid = pid
        self.begun = time.monotonic()
        self.worked, self.waited = core_times(pid)

    @property
    def wall(self) -> float:
        """The seconds by the clock on the wall."""
        return time.monotonic() - self.begun

    @property
    def seconds(self) -> float:
        """The seconds that count: all but those in which the process waited for a core."""
        worked, waited = core_times(self.pid)
        without_waits = self.wall - (waited - self.waited)
        return max(without_waits, worked - self.worked)

    def late(self, limit: float) -> bool:
        """Say whether the limit is reached."""
        return self.wall >= limit and (self.seconds >= limit or self.wall >= PATIENCE * limit)


def core_times(pid: int | None) -> tuple[float, float]:
    """Return the seconds that a process was on a core, and those that it waited for one; zeros if nobody knows."""
    if pid is None:
        return 0.0, 0.0
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            worked, waited, _ = file.read().split()
    except (OSError, ValueError):
        return 0.0, 0.0
    return int(worked) / 1e9, int(waited) / 1e9


class Budget:
    """Seconds that can be spent, perhaps a part of a larger budget."""

    def __init__(self, seconds: float, whole: Budget | None = None):
        self.seconds = seconds
        self.whole = whole
        self.spent = 0.0
        self.watch = Stopwatch()

    def spend(self, seconds: float) -> None:
        """Take some of it."""
        self.spent += seconds
        if self.whole:
            self.whole.spend(seconds)

    @property
    def left(self) -> float:
        """What is left of it."""
        own = min(self.seconds - self.spent, PATIENCE * self.seconds - self.watch.wall)
        return min(own, self.whole.left) if self.whole else own
