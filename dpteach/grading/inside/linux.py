"""What only Linux offers: a process's own view of the machine, and calls of the system that are forbidden to it.

Python has no names for these calls, so they go through the C library, with the numbers of its header files.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import re
import struct
import sys
import tempfile
from pathlib import Path

NEW = {"mount": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "pid": 0x20000000, "net": 0x40000000}
NEW_USER = 0x10000000
NEW_ANYTHING = 0x7E020000  # the flags of clone that ask for a view of one's own
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, NODIRATIME, BIND, REC, PRIVATE, RELATIME = (
    1, 2, 4, 8, 32, 1024, 2048, 4096, 16384, 1 << 18, 1 << 21,
)  # fmt: skip
DETACH = 2
OPTIONS = {"nosuid": NOSUID, "nodev": NODEV, "noexec": NOEXEC, "noatime": NOATIME, "nodiratime": NODIRATIME,
           "relatime": RELATIME}  # fmt: skip
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # their numbers in seccomp
NUMBERS = {  # call: its number on x86_64, on aarch64 (-1: there is none)
    "add_key": (248, 217), "bpf": (321, 280), "cachestat": (451, 451), "chroot": (161, 51), "clone": (56, 220),
    "clone3": (435, 435), "fadvise64": (221, 223), "fanotify_init": (300, 262), "fcntl": (72, 25), "flock": (73, 32),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fsopen": (430, 430), "inotify_init": (253, -1),
    "inotify_init1": (294, 26), "io_uring_setup": (425, 425), "keyctl": (250, 219), "madvise": (28, 233),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "mincore": (27, 232), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "mq_open": (240, 180), "msgget": (68, 186),
    "open_tree": (428, 428), "perf_event_open": (298, 241), "pivot_root": (155, 41), "prctl": (157, 167),
    "preadv2": (327, 286), "process_madvise": (440, 440), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "pwritev2": (328, 287), "readahead": (187, 213),
    "request_key": (249, 218), "sched_setaffinity": (203, 122), "semget": (64, 190), "setns": (308, 268),
    "shmget": (29, 194), "sync_file_range": (277, 84), "syncfs": (306, 267), "sync": (162, 81),
    "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
}  # fmt: skip
FORBIDDEN = {  # why: the calls
    "memory that escapes the limits": ("memfd_create", "memfd_secret", "shmget", "userfaultfd"),
    "something left behind": ("add_key", "request_key", "keyctl", "msgget", "mq_open", "semget"),
    "another view of the machine": (
        "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen",
        "fsconfig", "fsmount", "mount_setattr",
    ),
    "other processes": ("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise"),
    "the kernel itself": ("bpf", "perf_event_open", "io_uring_setup", "sched_setaffinity"),
    "which pages of a file are in memory": (
        "fadvise64", "preadv2", "pwritev2", "mincore", "cachestat", "readahead", "sync_file_range", "syncfs", "sync",
    ),
    "files as a blackboard, by locks and by watching who reads them": (
        "flock", "inotify_init", "inotify_init1", "fanotify_init",
    ),
}  # fmt: skip
FORBIDDEN_VALUES = {  # call: (which of its arguments, values that it must not have)
    "fcntl": (1, (5, 6, 7, 36, 37, 38, 1024, 1026)),  # locks, leases, notices
    "madvise": (2, (20, 21)),  # MADV_COLD, MADV_PAGEOUT
    "prctl": (0, (4,)),  # PR_SET_DUMPABLE: nobody hides how much memory is used
}
SYSTEM = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf",
          "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/usr/share/zoneinfo", "/bin/sh")  # fmt: skip
DEVICES = ("null", "zero", "full", "random", "urandom")
WORK = Path("/tmp")


@functools.cache
def libc():
    """Return the C library, with its error numbers."""
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def prctl(option: int, value: int) -> None:
    """Change a property of this process, on Linux."""
    if sys.platform == "linux":
        libc().prctl(option, value, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up all special rights, for good."""
    if sys.platform != "linux":
        return
    prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    libc().capset(header, (ctypes.c_uint32 * 6)())


# -------------------------------------------------------------------------------------------- forbidden calls


def number_of(call: str) -> int:
    """Return the number of a call on this machine, -1 if there is none."""
    return NUMBERS[call][list(MACHINES).index(platform.machine())]


def forbidden_numbers() -> dict[str, int]:
    """Return the calls that nobody may make, with their numbers; none where the machine's are not known."""
    if platform.machine() not in MACHINES:
        return {}
    calls = [call for several in FORBIDDEN.values() for call in several]
    return {call: number_of(call) for call in calls if number_of(call) >= 0}


LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, MISSING = 0x7FFF0000, 0x00050001, 0x00050026  # go on; EPERM; ENOSYS, upon which clone is used
CALL_FIELD, MACHINE_FIELD, ARGUMENTS = 0, 4, 16  # where they are in what seccomp looks at


def forbid_calls() -> None:
    """Forbid calls by which memory escapes the limits, or which leave something behind; fork and threads stay."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return
    code = b"".join(struct.pack("HBBI", *step) for step in filter_steps())
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(memory))
    libc().prctl(22, 2, ctypes.create_string_buffer(program, len(program)), 0, 0)  # PR_SET_SECCOMP


def filter_steps() -> list[tuple[int, int, int, int]]:
    """Return the program of the filter: what to do, how far to jump if true and if false, and a number."""
    steps = [(LOAD, 0, 0, MACHINE_FIELD)]
    steps += [(EQUAL, 1, 0, MACHINES[platform.machine()]), (RETURN, 0, 0, REFUSE)]
    steps += [(LOAD, 0, 0, CALL_FIELD)]
    steps += [(AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, MISSING)]  # another way to count the calls of x86
    steps += [(EQUAL, 0, 1, number_of("clone3")), (RETURN, 0, 0, MISSING)]
    for number in forbidden_numbers().values():
        steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    for call, (argument, values) in FORBIDDEN_VALUES.items():
        steps += argument_steps(call, argument, [(EQUAL, value) for value in values])
    steps += argument_steps("clone", 0, [(ANY_BIT, NEW_ANYTHING)])
    return [*steps, (RETURN, 0, 0, ALLOW)]


def argument_steps(call: str, argument: int, tests: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Refuse a call if a test of one of its arguments is true."""
    body = [(LOAD, 0, 0, ARGUMENTS + 8 * argument)]
    for test, value in tests:
        body += [(test, 0, 1, value), (RETURN, 0, 0, REFUSE)]
    body += [(LOAD, 0, 0, CALL_FIELD)]
    return [(EQUAL, 0, len(body), number_of(call)), *body]


# -------------------------------------------------------------------------------------------- a view of one's own


def unshare() -> None:
    """Leave the machine's view of mounts, network, processes and messages for a new one."""
    flags = sum(NEW.values())
    uid = os.getuid()
    gid = os.getgid()
    _checked(libc().unshare(flags if uid == 0 else flags | NEW_USER), "unshare")
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def mount(source: str | None, target: str | Path, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount something."""
    texts = (None if text is None else os.fsencode(text) for text in (source, target, kind, data))
    source, target, kind, data = texts
    _checked(libc().mount(source, target, kind, ctypes.c_ulong(flags), data), f"mount {target!r}")


def build_view(package: Path, most_bytes: int) -> Path:
    """Build a disk on which there is nothing but what is allowed, and move to it; return the folder to work in."""
    mount(None, "/", None, REC | PRIVATE)
    opened = {place: os.open(place, os.O_PATH) for place in outermost(allowed(package))}
    root = Path(tempfile.gettempdir())
    empty_disk(root, most_bytes, 0o755)
    (root / "tmp").mkdir()
    empty_disk(root / "tmp", most_bytes, 0o1777)
    make_devices(root / "dev", most_bytes)
    for place, fd in opened.items():  # after that: the kit may be in one of these folders
        show_in(root, place, fd)
        os.close(fd)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, it is not the grader that goes
    (root / "proc").mkdir()
    mount_processes(root / "proc")
    move_to(root)
    for target, flags in mounted():
        if target not in (str(WORK), "/dev/shm", "/proc"):
            mount(None, target, None, REMOUNT | BIND | RDONLY | flags)
    folder = WORK / "student"
    folder.mkdir()
    folder.chmod(0o700)
    return folder


def allowed(package: Path) -> list[Path]:
    """List what a student's process may see: the package, the interpreter with its libraries, those of the system."""
    prefixes = {Path(sys.prefix), Path(sys.base_prefix)}
    places = [package, Path(sys.executable), *map(Path, SYSTEM)]
    for prefix in prefixes:
        places += [prefix / "lib", prefix / "lib64", prefix / "pyvenv.cfg"]
    for entry in map(Path, sys.path):
        if any(prefix in entry.parents for prefix in prefixes):
            places.append(entry)
    known = [place for place in places if place.exists()]
    return known + [place.resolve() for place in known]


def outermost(places: list[Path]) -> list[Path]:
    """Leave out what is inside something else."""
    unique = set(places)
    return sorted(place for place in unique if not any(above in unique for above in place.parents))


def empty_disk(place: Path, most_bytes: int, mode: int) -> None:
    """Mount an empty disk in memory."""
    mount("none", place, "tmpfs", NOSUID | NODEV, f"size={most_bytes},nr_inodes=4096,mode={mode:o}")


def show_in(root: Path, place: Path, fd: int) -> None:
    """Show a folder or file, opened before, at the same place below another root."""
    source = Path(f"/proc/self/fd/{fd}")
    target = root / place.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    mount(str(source), target, None, BIND | REC)


def make_devices(folder: Path, most_bytes: int) -> None:
    """Make a /dev with the devices that hold nothing, and private shared memory."""
    folder.mkdir()
    for name in DEVICES:
        (folder / name).touch()
        mount(f"/dev/{name}", folder / name, None, BIND)
    (folder / "fd").symlink_to("/proc/self/fd")
    (folder / "shm").mkdir()
    empty_disk(folder / "shm", most_bytes, 0o1777)


def mount_processes(folder: Path) -> None:
    """Show the processes of this view, and nothing of the machine where the kernel can leave that out."""
    flags = NOSUID | NODEV | NOEXEC | RDONLY
    try:
        mount("proc", folder, "proc", flags, "subset=pid")
    except OSError:
        mount("proc", folder, "proc", flags)


def move_to(root: Path) -> None:
    """Make a folder the root of the disk, and forget the former one."""
    os.chdir(root)
    _checked(libc().syscall(number_of("pivot_root"), b".", b"."), "pivot_root")
    _checked(libc().umount2(b".", DETACH), "umount2")
    os.chdir("/")


def mounted() -> list[tuple[str, int]]:
    """List what is mounted where, with the options that must not get lost."""
    found = []
    for line in Path("/proc/self/mountinfo").read_bytes().splitlines():
        fields = line.split(b" ")
        options = fields[5].decode().split(",")
        found.append((decoded(fields[4]), sum(OPTIONS.get(option, 0) for option in options)))
    return found


def decoded(field: bytes) -> str:
    """Return a path that the kernel wrote: any bytes, with space, tab, newline and backslash as three octal digits."""
    raw = re.sub(rb"\\([0-7]{3})", lambda digits: bytes([int(digits[1], 8)]), field)
    return os.fsdecode(raw)
