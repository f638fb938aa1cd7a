"""`python -m dpteach COMMAND`: the kit's tools for the terminal."""

from __future__ import annotations

import importlib
import os
import sys

import dpteach

COMMANDS = {  # name: (module, what it does)
    "claims": ("claims", "list the sources' claims with their verdicts, or check them again (--run)"),
    "grade": ("grading", "mark a folder of submissions"),
    "pack-students": ("tools.pack", "make the zip for students: the kit without solutions"),
    "copies": ("tools.copies", "make or renew the student's own copies of the notebooks, in the folder my"),
    "run-notebooks": ("tools.notebooks", "execute the notebooks and save them as the tests expect them"),
    "guide": ("teaching", "write the teacher's guide anew, or the lectures of 55 minutes (--short)"),
    "formulas": ("teaching.sheet", "write or print the formula sheet of the course, one page"),
    "doctor": ("tools.doctor", "check this machine and say what to do about each problem"),
    "bench": ("tools.bench", "compare speed and error with other accountants"),
    "bench-grading": ("grading.outside.race", "compare the time to mark a class with nbgrader's own"),
}


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
    module, _ = COMMANDS[arguments[0]]
    return importlib.import_module(f"dpteach.{module}").main(arguments[1:])


def quiet_main() -> int:
    """Run a command; a reader that has seen enough, such as `head`, ends it without a complaint."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # for what Python still wants to write at its end
        return 141  # as the shell says of programs that a closed pipe has ended


def usage() -> str:
    """Return the list of commands."""
    lines = [f"  {name:<14} {what}" for name, (_, what) in COMMANDS.items()]
    return "\n".join(["usage: python -m dpteach COMMAND", "", *lines, "", "COMMAND --help says more; --version."])


if __name__ == "__main__":
    sys.exit(quiet_main())
