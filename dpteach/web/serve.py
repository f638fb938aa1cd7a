"""`python -m dpteach web`: build the site if anything has changed, serve it on this machine, and open it."""

from __future__ import annotations

import argparse
import functools
import hashlib
import http.server
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .build import build, megabytes
from .parts import KIT

SITE = KIT / ".venv" / "site"
STAMP = "built.txt"
SOURCES = ("dpteach", "notebooks", "exercises/release", "docs", "requirements-web.txt", "pyproject.toml")
NOT_SOURCES = ("__pycache__", ".ipynb_checkpoints")
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".whl": "application/zip"}


def main(argv: list[str] | None = None) -> int:
    """Serve the site until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m dpteach web", description=__doc__)
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.add_argument("--port", type=int, default=0, help="the port to serve on (any that is free)")
    given = parser.parse_args(argv)
    bring_up_to_date(SITE)
    with served(SITE, given.port) as address:
        print(f"The course is at {address}; end it with Ctrl-C.", flush=True)
        if not given.no_open:
            webbrowser.open(address)
        wait()
    return 0


def wait() -> None:
    """Wait for Ctrl-C."""
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print()


def bring_up_to_date(site: Path) -> None:
    """Build the site, unless nothing has changed since it was built."""
    now = fingerprint()
    stamp = site / STAMP
    if stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        print(f"The site is up to date ({megabytes(site):.0f} MB).")
        return
    build(site)
    stamp.write_text(now, encoding="utf-8")
    print(f"The site is built ({megabytes(site):.0f} MB).")


def fingerprint() -> str:
    """Return a number that changes when anything changes that the site is made of."""
    found = hashlib.sha256()
    for path in sorted(source_files()):
        found.update(path.relative_to(KIT).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def source_files() -> Iterator[Path]:
    """List the files that the site is made of."""
    for name in SOURCES:
        source = KIT / name
        files = source.rglob("*") if source.is_dir() else [source]
        yield from (file for file in files if file.is_file() and not set(NOT_SOURCES) & set(file.parts))


class Handler(http.server.SimpleHTTPRequestHandler):
    """A plain file server that knows what the files of Pyodide are, and keeps quiet."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | TYPES

    def log_message(self, *_) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a folder on this machine only, and tell its address."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
