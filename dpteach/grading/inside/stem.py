"""The stem: a process that has loaded the libraries and runs no student's code; students' processes branch off from it.

Loading the libraries takes longer than anything else that happens to an honest notebook. A branch shares nothing with
the stem but what was loaded: it closes the stem's line to the grader before it does anything else, draws its own random
numbers, and goes in through the same door as a process that was started by itself (`entry`). The stem has no secret: it
never sees a check, a submission or an answer. It is used only where branches have their own view of the machine, in
which there is no stem.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import shutil
import signal
import socket
import tempfile

from .calls import prctl
from .entry import go_in

MOST_LINES = 250  # that can be handed over at once
KERNEL = (  # what the kernel of a student's process is made of
    "numpy", "IPython.core.completer", "IPython.core.completerlib", "IPython.core.crashhandler", "IPython.core.logger",
    "IPython.core.magics", "IPython.core.oinspect", "IPython.core.interactiveshell", "IPython.utils.capture", "bdb",
)  # fmt: skip


def serve(fd: int) -> None:
    """Load libraries, then start a branch for every plan that comes over the line, until the grader is gone."""
    line = socket.socket(fileno=fd)
    prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    while True:
        data, fds, _, _ = socket.recv_fds(line, 1 << 20, MOST_LINES)
        if not data:
            os._exit(0)
        message = json.loads(data)
        if message["do"] == "load":
            load(message["libraries"])
            line.sendall(b"done")
        elif message["do"] == "reap":
            os.waitpid(message["pid"], 0)
            line.sendall(b"done")
        else:
            branch(line, message["plan"], fds)
            for other in fds:
                os.close(other)


def load(libraries: list[str]) -> None:
    """Load what students use, and what the kernel of their process is made of."""
    folder = tempfile.mkdtemp()  # matplotlib wants to write down which fonts there are
    os.environ["MPLCONFIGDIR"] = folder
    for name in (*KERNEL, *libraries):
        with contextlib.suppress(ImportError):  # then a notebook that wants it will hear why
            importlib.import_module(name)
    shutil.rmtree(folder, ignore_errors=True)
    from . import kernel

    kernel.WATCH.look()
    gc.collect()
    gc.freeze()  # what is loaded stays: nobody need look through it, and branches share it for longer


def branch(line: socket.socket, plan: dict, fds: list[int]) -> None:
    """Start a student's process; tell the grader its number, with a handle that means no other process."""
    pid = os.fork()
    if pid == 0:
        line.close()  # first of all: who has this line can start processes outside of all walls
        try:
            become_independent()
            go_in(plan | {"fds": fds})
        finally:
            os._exit(1)  # nothing of the stem goes on in here
    handle = os.pidfd_open(pid)
    socket.send_fds(line, [str(pid).encode()], [handle])
    os.close(handle)


def become_independent() -> None:
    """Share no group of processes and no random numbers with other branches."""
    import numpy

    os.setsid()
    random.seed()
    numpy.random.seed()  # noqa: NPY002 - the old generator, which notebooks may use, is seeded once when it is loaded
