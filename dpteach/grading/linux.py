"""What only Linux offers: a process's own view of the machine, and calls of the system that are forbidden to it.

Python has no names for these calls, so they go through the C library, with the numbers of its header files.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import struct
import sys
import tempfile
from pathlib import Path

NEW = {"mount": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "pid": 0x20000000, "net": 0x40000000}
NEW_USER = 0x10000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, NODIRATIME, BIND, REC, PRIVATE, RELATIME = (
    1, 2, 4, 8, 32, 1024, 2048, 4096, 16384, 1 << 18, 1 << 21,
)  # fmt: skip
OPTIONS = {"nosuid": NOSUID, "nodev": NODEV, "noexec": NOEXEC, "noatime": NOATIME, "nodiratime": NODIRATIME,
           "relatime": RELATIME}  # fmt: skip
FORBIDDEN = {  # machine: (its number in seccomp, the calls that nobody may make, clone, clone3)
    "x86_64": (0xC000003E, {
        "add_key": 248, "request_key": 249, "keyctl": 250, "memfd_create": 319, "memfd_secret": 447, "shmget": 29,
        "msgget": 68, "mq_open": 240, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155,
        "chroot": 161, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432,
        "mount_setattr": 442, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "bpf": 321,
        "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "sched_setaffinity": 203}, 56, 435),
    "aarch64": (0xC00000B7, {
        "add_key": 217, "request_key": 218, "keyctl": 219, "memfd_create": 279, "memfd_secret": 447, "shmget": 194,
        "msgget": 186, "mq_open": 180, "unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41,
        "chroot": 51, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432,
        "mount_setattr": 442, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "bpf": 280,
        "perf_event_open": 241, "userfaultfd": 282, "io_uring_setup": 425, "sched_setaffinity": 122}, 220, 435),
}  # fmt: skip
NEW_ANYTHING = 0x7E020000  # the flags of clone that ask for a view of one's own


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


def forbid_calls() -> None:
    """Forbid calls by which memory escapes the limits, or which leave something behind; fork and threads stay."""
    known = FORBIDDEN.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return
    machine, calls, clone, clone3 = known
    refuse, missing, allow = 0x00050001, 0x00050026, 0x7FFF0000  # EPERM; ENOSYS, upon which clone is used
    steps = [(0x20, 0, 0, 4), (0x15, 1, 0, machine), (0x06, 0, 0, refuse), (0x20, 0, 0, 0)]  # the machine; the call
    steps += [(0x35, 0, 1, 0x40000000), (0x06, 0, 0, missing)]  # another way to count the calls of x86
    steps += [(0x15, 0, 1, clone3), (0x06, 0, 0, missing)]
    for number in calls.values():
        steps += [(0x15, 0, 1, number), (0x06, 0, 0, refuse)]
    steps += [(0x15, 0, 3, clone), (0x20, 0, 0, 16), (0x45, 0, 1, NEW_ANYTHING), (0x06, 0, 0, refuse)]
    code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (0x06, 0, 0, allow)])
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(memory))
    libc().prctl(22, 2, ctypes.create_string_buffer(program, len(program)), 0, 0)  # PR_SET_SECCOMP


def unshare() -> None:
    """Leave the machine's view of mounts, network, processes and messages for a new one."""
    flags, uid, gid = sum(NEW.values()), os.getuid(), os.getgid()
    _checked(libc().unshare(flags if uid == 0 else flags | NEW_USER), "unshare")
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount something."""
    source, target, kind, data = (None if x is None else os.fsencode(x) for x in (source, target, kind, data))
    _checked(libc().mount(source, target, kind, ctypes.c_ulong(flags), data), f"mount {target!r}")


def build_view(package: Path, hidden: list[Path], most_bytes: int) -> Path:
    """Build a view of the disk in which little but Python and the package is left; return the folder to work in."""
    mount(None, "/", None, REC | PRIVATE)
    needed = [package, *{Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}, Path(sys.prefix)]
    covered = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home(), *hidden]
    covered.append(Path("/run"))  # sockets of services, which are reached through a read-only disk as well
    covered += [place for path in needed for place in path.parents if not place.stat().st_mode & 0o001]
    roots = sorted({path.resolve() for path in covered if path.is_dir()})
    outer = [root for root in roots if not any(other != root and other in root.parents for other in roots)]
    for root in outer:
        if root != Path("/"):
            cover(root, [path for path in needed if root in path.parents], most_bytes)
    folder = Path("/tmp/student")
    folder.mkdir()
    folder.chmod(0o700)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, it is not the grader that goes
    mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC | RDONLY)
    for target, flags in mounted():
        if target not in ("/tmp", "/proc"):
            make_read_only(target, flags)
    return folder


def cover(root: Path, needed: list[Path], most_bytes: int) -> None:
    """Lay an empty folder over `root`, in which only what is needed can still be seen."""
    opened = [(path, os.open(path, os.O_PATH | os.O_DIRECTORY)) for path in needed if path.is_dir()]
    mount("none", str(root), "tmpfs", NOSUID | NODEV, f"size={most_bytes},nr_inodes=4096,mode=755")
    for path, fd in opened:
        path.mkdir(parents=True, exist_ok=True)
        mount(f"/proc/self/fd/{fd}", str(path), None, BIND | REC)
        os.close(fd)


def mounted() -> list[tuple[str, int]]:
    """List what is mounted where, with the options that must not get lost."""
    lines = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    flags = [sum(OPTIONS.get(option, 0) for option in fields[3].split(",")) for fields in lines]
    return [(fields[1].encode().decode("unicode_escape"), flag) for fields, flag in zip(lines, flags, strict=True)]


def make_read_only(target: str, flags: int) -> None:
    """Forbid writing, where that is possible: what cannot be changed is not the user's to write either."""
    try:
        mount(None, target, None, REMOUNT | BIND | RDONLY | flags)
    except OSError:
        pass


def used(file: str) -> int:
    """Return the bytes that all visible processes use; `statm` is quick and counts what they share several times."""
    total = 0
    for path in Path("/proc").glob(f"[0-9]*/{file}"):
        try:
            text = path.read_text()
        except OSError:  # it has just ended
            continue
        shares = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
        total += 1024 * sum(map(int, shares)) if shares else 4096 * int((text.split() or "00")[1])
    return total
