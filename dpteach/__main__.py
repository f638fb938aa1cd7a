"""`python -m dpteach COMMAND`, or `dpteach COMMAND` where pip has installed it: the kit's tools for the terminal."""

from __future__ import annotations

import importlib
import os
import sys

import dpteach

COMMANDS = {  # name: (module, what it does)
    "claims": ("claims.command", "list, search and check the sources' claims; write a source's errata"),
    "grade": ("grading", "mark a folder of submissions"),
    "pack-students": ("tools.pack", "make the zip for students: the kit without solutions"),
    "copies": ("tools.copies", "make or renew the student's own copies of the notebooks, in the folder my"),
    "run-notebooks": ("tools.notebooks", "execute the notebooks and save them as the tests expect them"),
    "web": ("web.serve", "build the course for the browser and open it"),
    "site": ("web.build", "build the course as a folder of static pages, with Python in the browser"),
    "present": ("web.present", "present a lecture: slides on the whole screen, with a running Python"),
    "handout": ("web.handout", "print the slides of a lecture into a PDF, answers at the end"),
    "rehearse": ("web.rehearsal", "say how long a lecture takes, beside the minutes that are planned"),
    "guide": ("teaching", "write the teacher's guide anew, or the lectures of 55 minutes (--short)"),
    "formulas": ("teaching.sheet", "write or print the formula sheet of the course, one page"),
    "doctor": ("tools.doctor", "check this machine and say what to do about each problem"),
    "api": ("tools.api", "write the documentation of the library, from its docstrings"),
    "bench": ("tools.bench", "compare speed and error with other accountants"),
    "bench-explorers": ("tools.bench_explorers", "time the explorers in a browser, beside the usual way of widgets"),
    "bench-web": ("web.bench", "measure the course in the browser: first picture, live explorer, moves, bytes"),
    "bench-grading": ("grading.outside.race", "compare the time to mark a class with nbgrader's own"),
}
EXAMPLES = {
    "claims --run": "check every claim of the five sources again",
    "grade exercises/submitted": "mark a class, with a page of feedback for each student",
    "doctor": "see what is wrong with this machine",
}
IN_PYTHON = """In Python, the whole library is about one question: what do many private answers cost together?
  from dpteach import Guarantee, optimal
  optimal(Guarantee(0.1), k=100).epsilon(1e-6)  # 4.774568: a hundred answers of epsilon 0.1, exactly"""


def main(argv: list[str] | None = None) -> int:
    """Run a command: the function `main` of its module."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        print(f"dpteach {dpteach.__version__}")
        return 0
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        return 0
    if arguments[0] not in COMMANDS:
        print(f"unknown command {arguments[0]!r}\n\n{usage()}", file=sys.stderr)
        return 2
    return run(arguments[0], arguments[1:])


def run(command: str, arguments: list[str]) -> int:
    """Run one command, or say in one sentence which package it misses."""
    from dpteach.tools import extras

    module, _ = COMMANDS[command]
    try:
        with extras.told():
            return importlib.import_module(f"dpteach.{module}").main(arguments)
    except ImportError as error:
        if type(error) is not ImportError:  # a package that no extra brings
            raise
        print(f"dpteach {command}: {error}", file=sys.stderr)
        return 2


def quiet_main() -> int:
    """Run a command; a reader that has seen enough, such as `head`, ends it without a complaint."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # for what Python still wants to write at its end
        return 141  # as the shell says of programs that a closed pipe has ended


def usage() -> str:
    """Return the list of commands, with examples."""
    commands = [f"  {name:<16} {what}" for name, (_, what) in COMMANDS.items()]
    examples = [f"  python -m dpteach {line:<26} # {what}" for line, what in EXAMPLES.items()]
    usual = "usage: python -m dpteach COMMAND (or, where it was installed with pip, dpteach COMMAND)"
    more = "COMMAND --help says more; --version."
    return "\n".join([usual, "", *commands, "", "for example:", *examples, "", IN_PYTHON, "", more])


if __name__ == "__main__":
    sys.exit(quiet_main())
