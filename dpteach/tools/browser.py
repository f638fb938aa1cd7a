"""An installed Chromium or Chrome: to print a page, and to open one that fills the screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import webbrowser
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE = 120  # seconds for a page to be printed


def found() -> str | None:
    """Return the program, None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def command(browser: str, profile: Path, *options: str) -> list[str]:
    """Return the words that start it, with a profile of its own."""
    asked_of_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return [browser, f"--user-data-dir={profile}", "--no-first-run", *asked_of_root, *options]


def print_page(address: str, file: Path) -> None:
    """Let the browser print a page into a PDF, once it is loaded."""
    browser = found()
    if browser is None:
        raise ValueError("no Chromium or Chrome was found; write an .html file and print it from your browser")
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={file.resolve()}"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        order = command(browser, Path(profile), *options, address)
        done = subprocess.run(order, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode or not file.exists():
        raise ValueError(f"{Path(browser).name} could not print: {done.stderr.strip()[-200:]}")


def open_full_screen(address: str, profile: Path) -> None:
    """Open a page on the whole screen; in another browser, as a page, which the key F enlarges."""
    browser = found()
    if browser is None:
        webbrowser.open(address)
        return
    order = command(browser, profile, "--start-fullscreen", f"--app={address}")
    subprocess.Popen(order, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
