"""The walls around a student's process: what it may use, and what it cannot see.

On Linux, as root or where user namespaces are allowed, the process has its own view of the machine: no network, no
other processes, a read-only disk on which the course, the tests, the other submissions, the home folder and the
temporary files are missing, and an empty folder in memory to work in. On every Linux some calls of the system are
forbidden: those by which memory escapes the limits, and those that leave something behind for a later submission.
Everywhere else it has the limits of `resource` only. `protections()` says what holds here.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

KIT = Path(__file__).resolve().parent.parent.parent
PACKAGE = KIT / "dpteach"
STRANGER = 61000  # first of the user numbers that belong to nobody, used if the grader runs as root
NEW = {"mount": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "pid": 0x20000000, "net": 0x40000000}
NEW_USER = 0x10000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, NODIRATIME, BIND, REC, PRIVATE, RELATIME = (
    1, 2, 4, 8, 32, 1024, 2048, 4096, 16384, 1 << 18, 1 << 21,
)  # fmt: skip
OPTIONS = {"nosuid": NOSUID, "nodev": NODEV, "noexec": NOEXEC, "noatime": NOATIME, "nodiratime": NODIRATIME,
           "relatime": RELATIME}  # fmt: skip
# One thread: a process with several of them may not make a user namespace.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}
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


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell_seconds: float = 20  # for a cell
    check_seconds: float = 10  # for the answers to one check
    total_seconds: float = 120  # for everything
    memory: int = 2 << 30  # bytes of address space, each process; all together may use twice as much (Linux)
    processes: int = 64
    file_bytes: int = 16 << 20  # one file
    folder_bytes: int = 64 << 20  # the working folder (Linux)
    message_bytes: int = 4 << 20  # one answer


@dataclass(frozen=True)
class Walls:
    """How to shut a process in: what it must not see, and whether the system offers its own view of the machine."""

    hidden: tuple[str, ...] = ()
    own_view: bool = True
    core: int | None = None  # the one to run on, so that submissions marked at the same time do not slow one another

    @property
    def stand(self) -> bool:
        """Say whether nothing that a process leaves behind can be seen by a later one."""
        return self.own_view and can_shut_in()


def start(channels: list[socket.socket], limits: Limits, walls: Walls) -> subprocess.Popen:
    """Start a student's process; it talks over the sockets, the first one for cells, the others for checks."""
    fds = [channel.fileno() for channel in channels]
    plan = {"fds": fds, "limits": asdict(limits), "hidden": walls.hidden, "own_view": walls.stand, "core": walls.core}
    plan["user"] = STRANGER + os.getpid() % 4000  # graders at work at the same time do not share one
    code = f"import sys; sys.path.insert(0, {str(KIT)!r}); from dpteach.grading.sandbox import enter; enter({plan!r})"
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=fds,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def stop(process: subprocess.Popen) -> None:
    """End a student's process and everything it started."""
    process.terminate()  # the keeper of the process ends what it keeps
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


# ------------------------------------------------------------------------------------------ inside the process


def enter(plan: dict) -> None:
    """Shut this process in and become the kernel; a keeper stays outside and ends it when told to."""
    limits, folder = Limits(**plan["limits"]), None
    if plan["own_view"]:
        unshare()
    else:
        folder = Path(tempfile.mkdtemp(prefix="student-"))
        prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what the process leaves behind comes to the keeper
    first = os.fork()
    if first:
        keep(first, plan["fds"], folder)
    inside = folder or build_view([Path(path) for path in plan["hidden"]], limits)
    if os.fork():  # the first process of a view takes all others with it; it must not run student code
        reap(plan["fds"], limits.memory)
    drop_rights(limits, inside, plan["user"], plan["core"])
    from .kernel import serve

    serve(plan["fds"][0], plan["fds"][1:])


def keep(child: int, fds: list[int], folder: Path | None) -> None:
    """Wait for the child; end it and all it started when told to, or when the grader is gone."""

    def end(*_) -> None:
        os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    for fd in fds:
        os.close(fd)
    prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    while True:
        try:
            os.waitpid(child, 0)
        except InterruptedError:
            continue
        if folder:
            end_children()
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def end_children() -> None:
    """End what the process left behind, with whatever that starts meanwhile."""
    children, until = Path(f"/proc/self/task/{os.getpid()}/children"), time.monotonic() + 4
    while children.exists() and time.monotonic() < until:
        for pid in map(int, children.read_text().split()):
            os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def reap(fds: list[int], memory: int) -> None:
    """Collect processes that ended, for as long as there are any; end all if together they use too much memory."""
    prctl(4, 0)  # PR_SET_DUMPABLE: nobody may look into this process
    for fd in fds:
        os.close(fd)
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            os._exit(0)
        if not pid:
            if os.getpid() == 1 and used("statm") > 2 * memory and used("smaps_rollup") > 2 * memory:
                os.kill(-1, signal.SIGKILL)  # all of this view but the caller
            time.sleep(0.1)


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


def drop_rights(limits: Limits, folder: Path, stranger: int, core: int | None) -> None:
    """Set the limits, become nobody and go to the empty folder."""
    import resource

    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    most = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CPU: int(limits.total_seconds) + 1,
    }
    if hasattr(resource, "RLIMIT_NPROC"):
        most[resource.RLIMIT_NPROC] = limits.processes
    home, work = folder / "home", folder / "work"
    home.mkdir(), work.mkdir()
    os.environ.update(HOME=str(home), TMPDIR=str(work), MPLCONFIGDIR=str(home), USER="student", LOGNAME="student")
    if os.getuid() == 0 and open_to_all(PACKAGE, Path(sys.prefix), Path(sys.base_prefix)):
        for path in (folder, home, work):
            os.chown(path, stranger, stranger)
        os.setgroups([])
        os.setresgid(stranger, stranger, stranger)
        os.setresuid(stranger, stranger, stranger)
    drop_capabilities()
    forbid_calls()
    os.nice(5)
    for kind, value in most.items():
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):  # not every system knows every limit
            pass
    os.chdir(work)


def open_to_all(*paths: Path) -> bool:
    """Say whether any user may read these folders: without them there is no Python to run."""
    return all(place.stat().st_mode & 0o001 for path in paths for place in (path, *path.resolve().parents))


# ------------------------------------------------------------------------------------------- the system's calls


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


def build_view(hidden: list[Path], limits: Limits) -> Path:
    """Build the student's view of the disk; return the folder to work in."""
    mount(None, "/", None, REC | PRIVATE)
    needed = [PACKAGE, *{Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}, Path(sys.prefix)]
    covered = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home(), KIT, *hidden]
    covered.append(Path("/run"))  # sockets of services, which are reached through a read-only disk as well
    covered += [place for path in needed for place in path.parents if not place.stat().st_mode & 0o001]
    roots = sorted({path.resolve() for path in covered if path.is_dir()})
    outer = [root for root in roots if not any(other != root and other in root.parents for other in roots)]
    for root in outer:
        if root != Path("/"):
            cover(root, [path for path in needed if root in path.parents], limits)
    folder = Path("/tmp/student")
    folder.mkdir()
    folder.chmod(0o700)
    Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, it is not the grader that goes
    mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC | RDONLY)
    for target, flags in mounted():
        if target not in ("/tmp", "/proc"):
            make_read_only(target, flags)
    return folder


def cover(root: Path, needed: list[Path], limits: Limits) -> None:
    """Lay an empty folder over `root`, in which only what is needed can still be seen."""
    opened = [(path, os.open(path, os.O_PATH | os.O_DIRECTORY)) for path in needed if path.is_dir()]
    mount("none", str(root), "tmpfs", NOSUID | NODEV, f"size={limits.folder_bytes},nr_inodes=4096,mode=755")
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


# ---------------------------------------------------------------------------------------- what holds on this system


@functools.cache
def can_shut_in() -> bool:
    """Try whether this system lets a process have its own view of the machine."""
    if sys.platform != "linux":
        return False
    code = (
        f"import sys; sys.path.insert(0, {str(KIT)!r}); import os; from dpteach.grading import sandbox as s; "
        "s.unshare(); child = os.fork()\n"
        "if child == 0:\n"
        "    s.build_view([], s.Limits()); os._exit(7)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    tried = subprocess.run([sys.executable, "-I", "-B", "-c", code], capture_output=True, env=ENVIRONMENT)
    return tried.returncode == 7


def protections() -> dict[str, bool]:
    """Say which walls stand on this system."""
    posix, linux, shut_in = os.name == "posix", sys.platform == "linux", can_shut_in()
    return {
        "a process of its own, which ends after its time": posix,
        "limits on memory, processes and file size": linux,
        "no network": shut_in,
        "no sight of the course, other submissions and other processes": shut_in,
        "an empty folder in memory, all else read-only": shut_in,
        "a user number that owns nothing": posix and os.getuid() == 0 and (shut_in or open_to_all(PACKAGE)),
    }
