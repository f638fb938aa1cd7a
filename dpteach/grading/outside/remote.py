"""The grader's end of the line to a student's process."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import socket
from pathlib import Path

from ..line import plain
from ..line.clock import PATIENCE, Budget, Stopwatch
from ..line.language import Broken, Student, spoken
from ..line.limits import Limits
from . import sandbox
from .harmless import is_base64

START_SECONDS = 60  # a busy machine may be slow to start Python
LATE = "took longer than {:g} s"
USED_UP = "was not asked: the time for this notebook was used up"
DIED = "ended its process (os._exit, a crash, or too much memory)"
TOO_MUCH = "sent more than the grader reads"
PLACE = re.compile(r" ?\(<ipython-input[^)]*\)")  # where an error is, in words that say nothing
GLANCE = 0.25  # seconds between two looks at a process that is late by the clock on the wall


class Gone(Exception):
    """The student's process does not answer any more; the message says why."""

    def __init__(self, why: str, late: bool = False):
        super().__init__(why)
        self.late = late


class Line:
    """One socket: questions go out with a secret number, and only an answer with that number counts."""

    def __init__(self, ours: socket.socket, most: int):
        self.socket = ours
        self.most = most
        self.rest = b""
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

    def receive(self, numbers: tuple[str, ...], seconds: float, watch: Stopwatch) -> dict:
        """Wait for the answer to one of the questions, until the watch says that it is late."""
        while True:
            for line in self._lines(seconds, watch):
                message = parsed(line)
                if message is not None and message.get("id") in numbers:
                    return message
                self.forged = True

    @property
    def hung_up(self) -> bool:
        """Say whether the other end is closed, without waiting for anything."""
        try:
            return sandbox.readable(self.socket.fileno(), 0) and self.socket.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    def _lines(self, seconds: float, watch: Stopwatch) -> list[bytes]:
        """Return the next lines, perhaps none yet."""
        if watch.late(seconds):
            raise Gone(LATE.format(seconds), late=True)
        pause = max(GLANCE, seconds - watch.wall)
        try:
            if not sandbox.readable(self.socket.fileno(), pause):
                return []
            data = self.socket.recv(1 << 16)
        except OSError:  # the other end shut it down
            raise Gone(DIED) from None
        if not data:
            raise Gone(DIED)
        *lines, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > self.most:
            raise Gone(TOO_MUCH)
        return [line for line in lines if line]


def parsed(line: bytes) -> dict | None:
    """Return the message on a line, nothing if it is none."""
    try:
        message = json.loads(line)
        if b"\\u" in line:  # half a sign, which no file can hold
            message = json.loads(json.dumps(message, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


class StudentProcess:
    """A running student's process with its lines: one for the cells, one for each frozen copy."""

    def __init__(self, copies: int, limits: Limits, walls: sandbox.Walls, budget: Budget | None = None):
        self.limits = limits
        self.budget = budget or Budget(limits.total_seconds)
        pairs = [socket.socketpair() for _ in range(copies + 1)]
        self.lines = [Line(ours, limits.message_bytes) for ours, _ in pairs]
        try:
            self.process = sandbox.start([theirs for _, theirs in pairs], limits, walls)
        finally:
            for _, theirs in pairs:
                theirs.close()
        try:
            self.lines[0].receive(("ready",), START_SECONDS, Stopwatch())
        except Gone:
            self.close()
            raise
        self.pid = kernel_of(self.process.pid)

    def _ask(self, seconds: float, **message) -> dict:
        """Ask for something that may take some seconds, and take them from the budget."""
        watch = Stopwatch(self.pid)
        line = self.lines[0]
        allowed = min(seconds, self.budget.left)
        try:
            return line.receive((line.send(**message),), max(0.1, allowed), watch)
        finally:
            self.budget.spend(watch.seconds)

    def run(self, code: str, given: bool = False) -> dict:
        """Run a cell; return what it printed, displayed and raised."""
        return believable(self._ask(self.limits.cell_seconds, do="run", code=code, given=given))

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
        return FrozenCopy(self.lines[1 + number], self.limits, self.budget)

    @property
    def forged(self) -> bool:
        """Say whether something wrote to the lines that was no answer."""
        return any(line.forged for line in self.lines)

    def close(self) -> None:
        """End the process and all that it started."""
        sandbox.stop(self.process)
        for line in self.lines:
            line.socket.close()


def kernel_of(keeper: int) -> int | None:
    """Return the number of the kernel's process: the only child of the only child of its keeper, where one can see."""
    pid = keeper
    for _ in range(2):
        try:
            (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except (OSError, ValueError):
            return None
        pid = int(child)
    return pid


def believable(told: dict) -> dict:
    """Return what a process says of a cell in the form that it should have: a changed kernel may say anything."""
    words = {part: told[part][:25_000] if isinstance(told.get(part), str) else "" for part in ("text", "warnings")}
    shown = told.get("shown") if isinstance(told.get("shown"), list) else []
    error = told.get("error")
    if error:
        parts = (*(error if isinstance(error, list) else ()), "", "")[:2]
        error = [plain.readable(PLACE.sub("", str(part)[:1000]))[:300] for part in parts]
    return {**words, "shown": [_display(data) for data in shown[:20] if isinstance(data, dict)], "error": error or None}


def _display(data: dict) -> dict:
    """Keep the text and the picture of a displayed object; a picture is nothing but base64, and no piece of a page."""
    text, picture = data.get("text/plain"), data.get("image/png")
    kept = {"text/plain": text[:25_000]} if isinstance(text, str) else {}
    if isinstance(picture, str) and is_base64(picture):
        kept["image/png"] = picture
    return kept


class FrozenCopy(Student):
    """The student as the checks see it: questions go to a frozen copy of the process.

    A question has one answer. A variable is read once and stays what it was; a function that is asked the same again in
    one check is not called again. So no value can be one thing to one line of a check and another to the next.
    """

    def __init__(self, line: Line, limits: Limits, budget: Budget):
        self._line = line
        self._limits = limits
        self.budget = budget
        self.gone = ""
        self._variables: dict[str, str] = {}
        self._answers: dict[str, str] = {}
        self._check = ""
        self._ended = ""

    @property
    def hung_up(self) -> bool:
        """Say whether the other end of the line is closed."""
        return self._line.hung_up

    @contextlib.contextmanager
    def answering(self):
        """Open the copy for one check."""
        if self.gone or self.budget.left <= 0:
            raise Broken(self.gone or USED_UP)
        watch = Stopwatch()
        self._answers = {}
        self._ended = ""
        try:
            self._check = self._line.send(do="begin", seconds=self._limits.check_seconds)
        except Gone as error:
            self.gone = str(error)
            raise Broken(self.gone) from None
        try:
            yield self
        finally:
            self._finish()
            self.budget.spend(watch.wall)

    def _finish(self) -> None:
        """Close the check, and wait until its copy is away."""
        if self._ended or self.gone:
            return
        try:
            self._line.send(do="end")
            self._receive(self._check)
        except Gone as error:
            self.gone = str(error)

    def ask(self, name: str, arguments: list | None = None):
        """Ask for a variable or a function's value; raise `Broken` if there is no plain value."""
        sent = None if arguments is None else [plain.encode(argument) for argument in arguments]
        known = self._variables if sent is None else self._answers
        question = json.dumps([name, sent])
        if question not in known:
            where = spoken(name, arguments)
            answer = self._answer(name, sent, where)
            known[question] = json.dumps(plain_answer(answer, where))
        return plain.decode(json.loads(known[question]))

    def _answer(self, name: str, sent: list | None, where: str) -> dict:
        """Send a question and wait for what comes back."""
        if self._ended or self.gone:
            raise Broken(self._ended or self.gone, where)
        try:
            question = self._line.send(do="ask", name=name, arguments=sent, without=self.forbidden)
            answer = self._receive(question, self._check)
        except Gone as error:
            self.gone = str(error)
            raise Broken(self.gone, where) from None
        if "ended" in answer:
            late = answer["ended"] == "late"
            self._ended = LATE.format(self._limits.check_seconds) if late else DIED
            raise Broken(self._ended, where)
        return answer

    def _receive(self, *numbers: str) -> dict:
        """Wait for an answer: the copy itself ends what is late, so this waits longer than it may take."""
        longest = PATIENCE * self._limits.check_seconds + 2
        left = max(0.1, self.budget.left)
        try:
            return self._line.receive(numbers, min(longest, left), Stopwatch())
        except Gone as error:
            if error.late and left < longest:
                raise Gone(USED_UP) from None
            raise


def plain_answer(answer: dict, where: str):
    """Return what an answer says in the form that travels, or raise what it says instead."""
    if "failed" in answer:
        said = answer["failed"] if isinstance(answer["failed"], str) else "gave no answer"
        raise Broken(plain.readable(said[:1000])[:300], where)
    try:
        plain.decode(answer["value"])
    except Exception:  # a changed kernel may send anything
        raise Broken("gave an answer that is no plain value", where) from None
    return answer["value"]
