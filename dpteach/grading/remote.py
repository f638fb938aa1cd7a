"""The grader's end of the line to a student's process."""

from __future__ import annotations

import contextlib
import json
import secrets
import select
import socket
import time

from . import plain, sandbox
from .language import Broken, Student, spoken

START_SECONDS = 60  # a busy machine may be slow to start Python
LATE = "took longer than {:g} s"
USED_UP = "was not asked: the time for this notebook was used up"
DIED = "ended its process (os._exit, a crash, or too much memory)"


class Gone(Exception):
    """The student's process does not answer any more; the message says why."""


class Line:
    """One socket: questions go out with a secret number, and only an answer with that number counts."""

    def __init__(self, ours: socket.socket, most: int):
        self.socket, self.rest, self.most = ours, b"", most
        self.forged = False

    def send(self, **message) -> str:
        """Send a question; return its number."""
        number = secrets.token_hex(8)
        self.socket.settimeout(5)
        try:
            self.socket.sendall(json.dumps({"id": number, **message}).encode() + b"\n")
        except OSError:
            raise Gone(DIED) from None
        return number

    def receive(self, numbers: tuple[str, ...], seconds: float) -> dict:
        """Wait for the answer to one of the questions."""
        until = time.monotonic() + seconds
        while True:
            for line in self._lines(until, seconds):
                message = self._parsed(line)
                if message is not None and message.get("id") in numbers:
                    return message
                self.forged = True

    def _lines(self, until: float, seconds: float) -> list[bytes]:
        ready, _, _ = select.select([self.socket], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise Gone(LATE.format(seconds))
        data = self.socket.recv(1 << 16)
        if not data:
            raise Gone(DIED)
        *lines, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > self.most or time.monotonic() > until:
            raise Gone("sent more than the grader reads" if len(self.rest) > self.most else LATE.format(seconds))
        return [line for line in lines if line]

    @staticmethod
    def _parsed(line: bytes) -> dict | None:
        try:
            message = json.loads(line)
            if b"\\u" in line:  # half a sign, which no file can hold
                message = json.loads(json.dumps(message, ensure_ascii=False).encode(errors="replace"))
        except (ValueError, RecursionError):
            return None
        return message if isinstance(message, dict) else None


class StudentProcess:
    """A running student's process with its lines: one for the cells, one for each frozen copy."""

    def __init__(self, copies: int, limits: sandbox.Limits, walls: sandbox.Walls):
        self.limits, self.until = limits, time.monotonic() + limits.total_seconds + START_SECONDS
        pairs = [socket.socketpair() for _ in range(copies + 1)]
        self.lines = [Line(ours, limits.message_bytes) for ours, _ in pairs]
        try:
            self.process = sandbox.start([theirs for _, theirs in pairs], limits, walls)
        finally:
            for _, theirs in pairs:
                theirs.close()
        try:
            self.lines[0].receive(("ready",), START_SECONDS)
        except Gone:
            self.close()
            raise
        self.until = time.monotonic() + limits.total_seconds

    def _ask(self, seconds: float, **message) -> dict:
        line = self.lines[0]
        return line.receive((line.send(**message),), min(seconds, self.until - time.monotonic()))

    def run(self, code: str, given: bool = False) -> dict:
        """Run a cell; return what it printed, displayed and raised."""
        return self._ask(self.limits.cell_seconds, do="run", code=code, given=given)

    def freeze(self, copy: int) -> None:
        """Keep a copy of the process as it is now."""
        self._ask(self.limits.cell_seconds, do="freeze", check=copy)

    def untouched(self) -> tuple[bool, bool]:
        """Say whether the tools and what the given cells defined are as they were, as far as the process can tell."""
        try:
            told = self._ask(self.limits.check_seconds, do="untouched")
        except Gone:
            return False, False
        return told.get("same") is True, told.get("given") is True

    def copy(self, number: int) -> FrozenCopy:
        """Return the line to a frozen copy."""
        return FrozenCopy(self.lines[1 + number], self.limits, self.until)

    @property
    def forged(self) -> bool:
        """Say whether something wrote to the lines that was no answer."""
        return any(line.forged for line in self.lines)

    def close(self) -> None:
        """End the process and all that it started."""
        sandbox.stop(self.process)
        for line in self.lines:
            line.socket.close()


class FrozenCopy(Student):
    """The student as the checks see it: questions go to a frozen copy of the process."""

    def __init__(self, line: Line, limits: sandbox.Limits, until: float):
        self._line, self._limits, self._until = line, limits, until
        self.gone = ""

    @contextlib.contextmanager
    def answering(self):
        """Open the copy for one check."""
        if self.gone or time.monotonic() > self._until:
            raise Broken(self.gone or USED_UP)
        try:
            self._check = self._line.send(do="begin", seconds=self._limits.check_seconds)
        except Gone as error:
            self.gone = str(error)
            raise Broken(self.gone) from None
        self._ended = None
        try:
            yield self
        finally:
            self._finish()

    def _finish(self) -> None:
        """Close the check, and wait until its copy is away."""
        if self._ended is None:
            try:
                self._line.send(do="end")
                self._receive((self._check,), self._limits.check_seconds + 2)
            except Gone as error:
                self.gone = str(error)

    def ask(self, name: str, arguments: list | None = None):
        """Ask for a variable or a function's value; raise `Broken` if there is no plain value."""
        where = spoken(name, arguments)
        if self._ended or self.gone:
            raise Broken(self._ended or self.gone, where)
        sent = None if arguments is None else [plain.encode(argument) for argument in arguments]
        try:
            question = self._line.send(do="ask", name=name, arguments=sent)
            answer = self._receive((question, self._check), self._limits.check_seconds + 2)
        except Gone as error:
            self.gone = str(error)
            raise Broken(self.gone, where) from None
        if "ended" in answer:
            self._ended = LATE.format(self._limits.check_seconds) if answer["ended"] == "late" else DIED
            raise Broken(self._ended, where)
        return _plain_answer(answer, where)

    def _receive(self, numbers: tuple[str, ...], seconds: float) -> dict:
        left = max(0.1, self._until - time.monotonic())
        try:
            return self._line.receive(numbers, min(seconds, left))
        except Gone:
            if left < seconds and time.monotonic() > self._until:
                raise Gone(USED_UP) from None
            raise


def _plain_answer(answer: dict, where: str):
    """Return the plain value of an answer, or raise what it says instead."""
    if "failed" in answer:
        said = answer["failed"] if isinstance(answer["failed"], str) else "gave no answer"
        raise Broken(plain.readable(said[:1000])[:300], where, quoted=True)
    try:
        return plain.decode(answer["value"])
    except (ValueError, KeyError, TypeError, RecursionError, ZeroDivisionError, OverflowError):
        raise Broken("gave an answer that is no plain value", where) from None
