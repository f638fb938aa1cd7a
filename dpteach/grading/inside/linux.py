"""What only Linux offers: a view of one's own of the machine, with a disk on which there is only what is allowed."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile
from pathlib import Path

from .calls import checked, libc, number_of

NEW = {"mount": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "pid": 0x20000000, "net": 0x40000000}
NEW_USER = 0x10000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, NODIRATIME, BIND, REC, PRIVATE, RELATIME = (
    1, 2, 4, 8, 32, 1024, 2048, 4096, 16384, 1 << 18, 1 << 21,
)  # fmt: skip
DETACH = 2
OPTIONS = {"nosuid": NOSUID, "nodev": NODEV, "noexec": NOEXEC, "noatime": NOATIME, "nodiratime": NODIRATIME,
           "relatime": RELATIME}  # fmt: skip
SYSTEM = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf",
          "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/usr/share/zoneinfo", "/bin/sh")  # fmt: skip
DEVICES = ("null", "full", "random", "urandom")  # not "zero", of which one can make shared memory
WORK = Path("/tmp")


def unshare() -> None:
    """Leave the machine's view of mounts, network, processes and messages for a new one."""
    flags = sum(NEW.values())
    uid = os.getuid()
    gid = os.getgid()
    checked(libc().unshare(flags if uid == 0 else flags | NEW_USER), "unshare")
    if uid:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def mount(source: str | None, target: str | Path, kind: str | None, flags: int, data: str | None = None) -> None:
    """Mount something."""
    texts = (None if text is None else os.fsencode(text) for text in (source, target, kind, data))
    source, target, kind, data = texts
    checked(libc().mount(source, target, kind, ctypes.c_ulong(flags), data), f"mount {target!r}")


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
    checked(libc().syscall(number_of("pivot_root"), b".", b"."), "pivot_root")
    checked(libc().umount2(b".", DETACH), "umount2")
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
