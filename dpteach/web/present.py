"""`python -m dpteach present 2`: lecture 2 as slides on the whole screen, with a running Python.

The slides are those of the site. A server on this machine alone answers their explorers and runs the "what if" cell;
nobody else can ask it: every request needs the secret word that was printed at the start.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import secrets
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from ..tools.browser import open_full_screen
from . import inside
from .build import fresh, make_scripts
from .deck import MADE, deck, digest, notebook_of, package_files, place_of
from .parts import SLIDES, fetch
from .scratch import Scratch
from .serve import Handler as Files

PORT = 8619
PATIENCE = 90  # seconds until a page that is to be printed is ready
HERE = "127.0.0.1"
Answer = Callable[[dict[str, Any]], Any]


def main(argv: list[str] | None = None) -> int:
    """Open a lecture and stay until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m dpteach present", description="Present a lecture.")
    parser.add_argument("lecture", type=int, help="its number, from 0 to 5")
    parser.add_argument("--port", type=int, default=PORT, help="of the address on this machine (%(default)s)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    given = parser.parse_args(argv)
    try:
        return present(given.lecture, given.port, not given.no_browser)
    except (OSError, ValueError) as error:
        print(f"The lecture cannot be presented: {error}", file=sys.stderr)
        return 2


def present(lecture: int, port: int, opens: bool) -> int:
    """Serve a lecture."""
    path = notebook_of(lecture)
    with Stage(path, port) as stage:
        scratch = Scratch(path)
        stage.answers["run"] = lambda asked: scratch.run(asked["code"])
        print(f"{path.stem} is at {stage.address}\nThe key ? lists all keys; end it with Ctrl-C.", flush=True)
        if opens:
            open_full_screen(stage.address, MADE / "browser")
        try:
            wait_for_the_end()
        finally:
            scratch.stop()
    return 0


def wait_for_the_end() -> None:
    """Wait for Ctrl-C, or for the signal with which start.py ends its programs."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Event().wait()
    except KeyboardInterrupt:
        print("Ended.")


class Stage:
    """A server for the slides of one lecture, on this machine alone."""

    def __init__(self, path: Path, port: int = 0):
        self.path = path
        self.token = secrets.token_urlsafe(16)
        self.ready = Event()  # set by a page that is to be printed
        self.pages = 0
        lock = Lock()  # explorers answer one by one
        self.answers: dict[str, Answer] = {"answer": partial(explored, lock), "ready": self.is_ready}
        self.folder = staged(path)
        handler = partial(Handler, stage=self, directory=str(self.folder))
        self.server = listening(handler, port)

    @property
    def address(self) -> str:
        """Where the slides are, with the secret word."""
        return f"http://{HERE}:{self.server.server_port}/{place_of(self.path)}?token={self.token}"

    def is_ready(self, asked: dict[str, Any]) -> str:
        """Hear that all pages are drawn."""
        self.pages = asked["pages"]
        self.ready.set()
        return "thanks"

    def __enter__(self) -> Stage:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def listening(handler: Callable, port: int) -> ThreadingHTTPServer:
    """Return a server at a port, or at another one if it is taken."""
    try:
        return ThreadingHTTPServer((HERE, port), handler)
    except OSError:
        return ThreadingHTTPServer((HERE, 0), handler)


def explored(lock: Lock, asked: dict[str, Any]) -> Any:
    """Return what an explorer shows after a move."""
    with lock:
        first, moved = json.dumps(asked["first"]), json.dumps(asked["moved"])
        return json.loads(inside.answer(asked["key"], asked["name"], first, moved))


def staged(path: Path) -> Path:
    """Return a folder with the slides of a lecture and all that they need; one that is in use is never changed."""
    folder = MADE / f"stage-{digest([path, *package_files('.py', '.j2', '.csv', '.js', '.css', '.html')])}"
    if not folder.exists():
        wheels, html = fetch(only=SLIDES), deck(path)
        MADE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=MADE, ignore_cleanup_errors=True) as made:
            make_scripts(fresh(Path(made) / "stage" / "static"), wheels)
            target = Path(made) / "stage" / place_of(path)
            target.parent.mkdir()
            target.write_text(html, encoding="utf-8")
            with contextlib.suppress(OSError):  # somebody else was quicker
                (Path(made) / "stage").rename(folder)
    return folder


class Handler(Files):
    """Files to everybody on this machine, answers to whoever knows the secret word."""

    def __init__(self, *given: Any, stage: Stage, directory: str):
        self.stage = stage
        super().__init__(*given, directory=directory)

    def do_GET(self) -> None:
        """Send a file; `hold` comes only when the slides are ready to be printed, and so delays the printing."""
        if self.path == "/hold":
            self.stage.ready.wait(PATIENCE)
            return self.reply(204, b"")
        return super().do_GET()

    def do_POST(self) -> None:
        """Answer an explorer, or run code."""
        name = self.path.strip("/")
        here = f"{HERE}:{self.server.server_port}"
        knows = secrets.compare_digest(self.headers.get("X-Token", ""), self.stage.token)
        if not knows or self.headers.get("Host") != here or name not in self.stage.answers:
            return self.reply(403, b"not allowed")
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            return self.reply(200, json.dumps(self.stage.answers[name](asked)).encode())
        except Exception as error:  # a lecture goes on, whatever was asked
            return self.reply(500, f"{type(error).__name__}: {error}".encode())

    def reply(self, code: int, content: bytes) -> None:
        """Send an answer."""
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        """Let the browser ask anew each time: the kit may have changed."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()
