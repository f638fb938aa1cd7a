"""The "what if" cell of a lecture: code of the lecturer, run in a kernel that knows the names of the lecture."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import DEVNULL
from threading import Event, Lock, Thread
from typing import Any

import nbformat
from jupyter_client.manager import start_new_kernel

from ..questions.asking import REVEALED

PATIENCE = 60  # seconds for an answer
START = 120  # seconds for the lecture's own code
NAMES = "from dpteach import *"  # what may be asked for beside the lecture's own names


class Scratch:
    """A kernel in which the code of a notebook has been run; it starts at once, in the background."""

    def __init__(self, notebook: Path):
        self.notebook = notebook
        self.lock = Lock()
        self.started = Event()
        self.kernel: Any = None
        self.client: Any = None
        Thread(target=self.start, daemon=True).start()

    def start(self) -> None:
        """Start the kernel and run the lecture's code."""
        with self.lock:
            self.started.set()
            self.kernel, self.client = start_new_kernel(env=os.environ | REVEALED, stderr=DEVNULL)
            cells = nbformat.read(self.notebook, as_version=4).cells
            for code in [NAMES, *(cell.source for cell in cells if cell.cell_type == "code")]:
                self.client.execute_interactive(code, timeout=START, output_hook=lambda message: None)

    def run(self, code: str) -> list[dict[str, str]]:
        """Return what the code shows: texts, tables and pictures."""
        self.started.wait(START)
        shown: list[dict[str, str]] = []
        with self.lock:
            try:
                self.client.execute_interactive(
                    code, timeout=PATIENCE, output_hook=lambda message: shown.extend(seen(message))
                )
            except TimeoutError:
                self.kernel.interrupt_kernel()
                shown.append(text(f"No answer after {PATIENCE} seconds: stopped."))
        return shown

    def stop(self) -> None:
        """End the kernel; what it is still doing is not waited for."""
        if self.kernel is not None:
            self.client.stop_channels()
            self.kernel.shutdown_kernel(now=True)


def seen(message: dict[str, Any]) -> list[dict[str, str]]:
    """Return what a message of the kernel shows."""
    content = message["content"]
    match message["msg_type"]:
        case "stream":
            return [text(content["text"])]
        case "error":
            return [text(f"{content['ename']}: {content['evalue']}")]
        case "display_data" | "execute_result":
            return [richest(content["data"])]
    return []


def richest(data: dict[str, str]) -> dict[str, str]:
    """Return a value in the form that shows most."""
    if "image/png" in data:
        return dict(kind="image", value=f"data:image/png;base64,{data['image/png']}")
    if "text/html" in data:
        return dict(kind="html", value=data["text/html"])
    return text(data.get("text/plain", ""))


def text(words: str) -> dict[str, str]:
    """Return plain words."""
    return dict(kind="text", value=words)
