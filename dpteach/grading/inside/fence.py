"""A fence for Linux systems that give a process no view of its own: Landlock, which needs no rights at all.

A fenced process reads the same places as one with its own view of the disk, and writes to its folder only. It still
learns from the system whether a file exists. From Linux 6.12 on it cannot signal processes outside of the fence either.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from pathlib import Path

from .calls import MACHINES, checked, libc
from .linux import DEVICES, allowed

CREATE, ADD, RESTRICT = 444, 445, 446  # the calls, with the same numbers on all machines
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15  # with truncating, and commands to devices
LOOK = EXECUTE | READ_FILE | READ_DIR
ALL = {3: (1 << 15) - 1, 5: (1 << 16) - 1}  # version: all that can be done to files
SIGNALS = 6  # the version that knows signals and nameless sockets
BENEATH = 1  # a rule about a folder and all that is in it


def fence_version() -> int:
    """Return the version of the fence that this system offers; 0 if it has none that keeps files from being emptied."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return 0
    version = libc().syscall(CREATE, None, 0, 1)
    return version if version >= min(ALL) else 0


def fence_in(package: Path, folder: Path) -> None:
    """Let this process, and all that it starts, see what is allowed, and write to one folder."""
    version = fence_version()
    if not version:
        return
    everything = max((known, access) for known, access in ALL.items() if known <= version)[1]
    rules = open_rules(everything, scoped=version >= SIGNALS)
    for place in (*allowed(package), Path("/proc")):
        add_rule(rules, place, LOOK & everything)
    for name in DEVICES:
        add_rule(rules, Path("/dev", name), READ_FILE | WRITE_FILE)
    add_rule(rules, folder, everything)
    checked(libc().syscall(RESTRICT, rules, 0), "landlock_restrict_self")
    os.close(rules)


def open_rules(access: int, scoped: bool) -> int:
    """Begin a list of rules: what is not on it is refused."""
    fields = struct.pack("QQQ", access, 0, 3 if scoped else 0)[: None if scoped else 8]
    rules = libc().syscall(CREATE, ctypes.create_string_buffer(fields, len(fields)), len(fields), 0)
    checked(min(rules, 0), "landlock_create_ruleset")
    return rules


def add_rule(rules: int, place: Path, access: int) -> None:
    """Allow something in a folder, or of a file."""
    fd = os.open(place, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("=Qi", access if place.is_dir() else access & OF_FILES, fd)
    checked(libc().syscall(ADD, rules, BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0), f"fence {place}")
    os.close(fd)
