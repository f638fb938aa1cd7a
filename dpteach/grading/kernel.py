"""The inside of a student's process: a small kernel that runs cells and answers questions about what they defined.

Nothing in here is trusted by the grader: student code shares this process and may change all of it. It may only send
lines of JSON, and they carry plain values; whatever it forges, it could as well have returned.

At the place of a task's check the kernel *freezes* a copy of itself (a fork). Only when all cells have run, and all
that they printed has been collected, the copies are asked, so no cell can print what a hidden check asked. Each check
is answered by a further copy, which is thrown away: a check never sees the traces of another one.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import sys
import threading
import time

from . import language

MOST_TEXT = 20_000  # characters kept of what a cell prints
MOST_PRINTED = 10 << 20  # characters that it may print
MOST_PICTURE = 500_000  # characters of one displayed picture
_fork, _exit, _kill, _waitpid = os.fork, os._exit, os.kill, os.waitpid
_read, _write, _close = os.read, os.write, os.close


class Channel:
    """Lines of JSON to and from the grader."""

    def __init__(self, fd: int):
        self.fd, self.rest = fd, b""

    def receive(self) -> dict:
        """Wait for the next message; leave when the grader is gone."""
        while b"\n" not in self.rest:
            data = _read(self.fd, 65536)
            if not data:
                _exit(0)
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def send(self, **message) -> None:
        """Send one message, on a line of its own whatever else was written to the channel."""
        data = b"\n" + json.dumps(message).encode() + b"\n"
        while data:
            data = data[_write(self.fd, data) :]


class TooMuchOutput(Exception):
    """A cell printed more than anybody reads."""


class Capped(io.StringIO):
    """Text that stops growing, and after a while says so."""

    printed = 0

    def write(self, text: str) -> int:
        """Keep what still fits."""
        room, self.printed = MOST_TEXT - self.tell(), self.printed + len(text)
        if room > 0:
            super().write(text if len(text) <= room else text[:room] + "\n… (the rest was cut)")
        if self.printed > MOST_PRINTED:
            raise TooMuchOutput(f"the cell printed more than {MOST_PRINTED >> 20} million characters")
        return len(text)

    def isatty(self) -> bool:
        """Say no: nobody watches."""
        return False


def make_shell():
    """Return an IPython shell without history, colours or pager."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Plain"
    return InteractiveShell.instance(config=config)


def run_cell(shell, code: str) -> dict:
    """Run one cell; return what it printed and displayed, and the error that ended it."""
    from IPython.utils.capture import RichOutput, capture_output

    with capture_output() as caught:
        out, err = Capped(), Capped()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            result = shell.run_cell(code, store_history=False)
    error = result.error_before_exec or result.error_in_exec
    shown = [output for output in caught.outputs if isinstance(output, RichOutput)]
    return {
        "text": out.getvalue(),
        "warnings": "" if error else err.getvalue(),
        "shown": [_small(output.data) for output in shown[:20]],
        "error": None if error is None else [type(error).__name__[:80], " ".join(str(error).split())[:300]],
    }


def _small(data: dict) -> dict:
    """Keep the text and the picture of a displayed object, if they are not too long."""
    kept = {"text/plain": MOST_TEXT, "image/png": MOST_PICTURE}
    return {
        kind: data[kind] for kind, most in kept.items() if isinstance(data.get(kind), str) and len(data[kind]) < most
    }


def answer_check(channel: Channel, names: dict) -> None:
    """Answer the questions of one check."""
    while True:
        message = channel.receive()
        if message["do"] == "end":
            _exit(0)
        answer = language.respond(names, message["name"], message["arguments"])
        channel.send(id=message["id"], **answer)


def serve_checks(channel: Channel, names: dict) -> None:
    """Let a copy answer each check, for as long as it may take."""
    while True:
        message = channel.receive()
        if message["do"] != "begin":
            continue
        child = _fork()
        if child == 0:
            answer_check(channel, names)
        ended = _wait(child, message["seconds"])
        channel.send(id=message["id"], ended=ended)


def _wait(child: int, seconds: float) -> str:
    """Wait until a copy ends, or end it; say how it went."""
    until, pause = time.monotonic() + seconds, 0.0005
    while time.monotonic() < until:
        pid, status = _waitpid(child, os.WNOHANG)
        if pid:
            return "well" if status == 0 else "died"
        select.select([], [], [], pause)
        pause = min(2 * pause, 0.05)
    _kill(child, signal.SIGKILL)
    _waitpid(child, 0)
    return "late"


def serve(main_fd: int, check_fds: list[int]) -> None:
    """Run cells and freeze copies, as the grader asks."""
    channel, shell, parts, given = Channel(main_fd), make_shell(), tools(), {}
    before = fingerprint(parts, shell)
    channel.send(id="ready")
    while True:
        message = channel.receive()
        if message["do"] == "run":
            known = dict(shell.user_ns) if message["given"] else {}
            channel.send(id=message["id"], **run_cell(shell, message["code"]))
            if message["given"]:
                given |= {k: v for k, v in shell.user_ns.items() if k[:1] != "_" and known.get(k, known) is not v}
        elif message["do"] == "freeze":
            line = check_fds[message["check"]]
            if _fork() == 0:
                close_all({main_fd, *check_fds} - {line})
                serve_checks(Channel(line), shell.user_ns)
            close_all({line})  # the grader sees at once when a copy, or this process, has died
            channel.send(id=message["id"])
        elif message["do"] == "untouched":
            now = fingerprint(parts, shell)
            same = all(now.get(name) == value for name, value in before.items())
            kept = all(unchanged(shell.user_ns.get(name, given), value) for name, value in given.items())
            channel.send(id=message["id"], same=same, given=kept)


def unchanged(now, before) -> bool:
    """Say whether a name that a given cell defined still means the same; the same number or text again is no change."""
    return now is before or (type(now) is type(before) and type(now) in (int, float, str) and now == before)


def close_all(fds: set[int]) -> None:
    """Close lines that others talk on."""
    for fd in fds:
        with contextlib.suppress(OSError):
            _close(fd)


def tools() -> list:
    """List the modules that student code commonly uses."""
    import builtins
    import collections
    import fractions
    import functools
    import itertools
    import math
    import random

    import numpy

    import dpteach

    modules = [builtins, collections, fractions, fractions.Fraction, functools, itertools, math, random]
    modules += [numpy, numpy.random, numpy.linalg, dpteach, dpteach.composition, dpteach.pair, dpteach.pair.Pair]
    return [*modules, dpteach.optimal, language, sys.modules[__name__]]


def state() -> dict:
    """Write down the settings of Python that make other cells fail when they are changed."""
    import resource

    import numpy

    found = {"recursion": sys.getrecursionlimit(), "numpy": str(numpy.geterr()), "folder": os.getcwd()}
    found |= {"memory": resource.getrlimit(resource.RLIMIT_AS), "clock": signal.getitimer(signal.ITIMER_REAL)}
    return found | {"trace": sys.gettrace(), "profile": sys.getprofile(), "threads": threading.active_count()}


def fingerprint(parts: list, shell) -> dict:
    """Write down what the tools are made of, to notice when some of it has been exchanged."""
    found = {f"{i}.{name}": id(value) for i, part in enumerate(parts) for name, value in part.__dict__.items()}
    found |= {f"module {name}": id(sys.modules.get(name)) for name in ("numpy", "math", "dpteach", "builtins")}
    for name in ("meta_path", "path_hooks"):
        found |= {f"{name} {i}": id(hook) for i, hook in enumerate(getattr(sys, name))}
    for name in ("input_transformers_cleanup", "input_transformers_post", "ast_transformers", "custom_exceptions"):
        found[name] = str(getattr(shell, name))
    found |= {name: str(shell.events.callbacks[name]) for name in ("pre_execute", "pre_run_cell")}
    found |= state()
    return {name: value for name, value in found.items() if not name.endswith("._")}
