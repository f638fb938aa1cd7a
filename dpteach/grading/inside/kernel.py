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
import subprocess

from ..line.clock import Stopwatch
from . import answers
from .watch import Watch

WATCH = Watch()  # what it has seen before a branch of the stem begins is not looked at again
MOST_TEXT = 20_000  # characters kept of what a cell prints
MOST_PRINTED = 10 << 20  # characters that it may print
MOST_TRIES = 10  # to start a process
MOST_PICTURE = 500_000  # characters of one displayed picture
_fork = os.fork  # these are kept: a cell may exchange those of `os`
_exit = os._exit
_kill = os.kill
_waitpid = os.waitpid
_read = os.read
_write = os.write
_close = os.close
_pidfd_open = getattr(os, "pidfd_open", None)
_select = select.select


class Channel:
    """Lines of JSON to and from the grader."""

    def __init__(self, fd: int):
        self.fd = fd
        self.rest = b""

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
        room = MOST_TEXT - self.tell()
        self.printed += len(text)
        if room > 0:
            super().write(text if len(text) <= room else text[:room] + "\n… (the rest was cut)")
        if self.printed > MOST_PRINTED:
            raise TooMuchOutput(f"the cell printed more than {MOST_PRINTED >> 20} million characters")
        return len(text)

    def isatty(self) -> bool:
        """Say no: nobody watches."""
        return False


def make_shell():
    """Return an IPython shell without history, colours or pager; what needs a terminal or a screen does without."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui=None):
            """Do nothing: `%matplotlib inline` asks for it, and there is no screen."""

        def system(self, cmd: str):
            """Run `!command` and print what it says; one that is not there is no error, as in a notebook."""
            told = subprocess.run(self.var_expand(cmd, depth=1), shell=True, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
            self.user_ns["_exit_code"] = told.returncode
            print(told.stdout.decode(errors="replace"), end="")

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Plain"
    return Shell.instance(config=config)


def run_cell(shell, code: str) -> dict:
    """Run one cell; return what it printed and displayed, and the error that ended it."""
    from IPython.utils.capture import RichOutput, capture_output

    with capture_output() as caught:
        out = Capped()
        err = Capped()
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
        answer = answers.respond(names, message["name"], message["arguments"], message["without"])
        channel.send(id=message["id"], **answer)


def serve_checks(channel: Channel, names: dict) -> None:
    """Let a copy answer each check, for as long as it may take."""
    while True:
        message = channel.receive()
        if message["do"] != "begin":
            continue
        child = fork_patiently()
        if child == 0:
            answer_check(channel, names)
        ended = _wait(child, message["seconds"])
        channel.send(id=message["id"], ended=ended)


def fork_patiently() -> int:
    """Fork; if there is no room for another process now, there may be soon."""
    for _ in range(MOST_TRIES):
        try:
            return _fork()
        except OSError:
            _select([], [], [], 0.1)
    return _fork()


def _wait(child: int, seconds: float) -> str:
    """Wait until a copy ends, or end it; say how it went."""
    watch = Stopwatch(child)
    handle = [_pidfd_open(child)] if _pidfd_open else []  # Linux wakes us at once, elsewhere we look now and then
    pause = 0.0005
    while not watch.late(seconds):
        pid, status = _waitpid(child, os.WNOHANG)
        if pid:
            close_all(set(handle))
            return "well" if status == 0 else "died"
        _select(handle, [], [], max(pause, seconds - watch.wall) if handle else pause)
        pause = min(2 * pause, 0.05)
    close_all(set(handle))
    _kill(child, signal.SIGKILL)
    _waitpid(child, 0)
    return "late"


def serve(main_fd: int, check_fds: list[int]) -> None:
    """Run cells and freeze copies, as the grader asks."""
    channel = Channel(main_fd)
    shell = make_shell()
    watch = WATCH
    watch.begin(shell)
    given: dict = {}  # what the given cells defined
    channel.send(id="ready")
    while True:
        message = channel.receive()
        if message["do"] == "run":
            known = dict(shell.user_ns)
            channel.send(id=message["id"], **run_cell(shell, message["code"]))
            watch.look()
            if message["given"]:
                given |= defined_since(known, shell.user_ns)
        elif message["do"] == "freeze":
            line = check_fds[message["check"]]
            if fork_patiently() == 0:
                close_all({main_fd, *check_fds} - {line})
                serve_checks(Channel(line), shell.user_ns)
            close_all({line})  # the grader sees at once when a copy, or this process, has died
            channel.send(id=message["id"])
        elif message["do"] == "untouched":
            kept = all(unchanged(shell.user_ns.get(name, given), value) for name, value in given.items())
            channel.send(id=message["id"], same=watch.untouched(), given=kept)


def defined_since(known: dict, names: dict) -> dict:
    """Return the names that a cell has defined; those that begin with an underscore are IPython's own."""
    return {name: value for name, value in names.items() if name[:1] != "_" and known.get(name, known) is not value}


def unchanged(now, before) -> bool:
    """Say whether a name that a given cell defined still means the same; the same number or text again is no change."""
    return now is before or (type(now) is type(before) and type(now) in (int, float, str) and now == before)


def close_all(fds: set[int]) -> None:
    """Close lines that others talk on."""
    for fd in fds:
        with contextlib.suppress(OSError):
            _close(fd)
