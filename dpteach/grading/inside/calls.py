"""Calls of the system: those that Python has no name for, and those that are forbidden to a student's process.

They go through the C library, with the numbers of its header files.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import struct
import sys

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # their numbers in seccomp
NUMBERS = {  # call: its number on x86_64, on aarch64 (-1: there is none)
    "add_key": (248, 217), "bind": (49, 200), "bpf": (321, 280), "cachestat": (451, 451), "chmod": (90, -1),
    "chown": (92, -1), "chroot": (161, 51), "clone": (56, 220), "clone3": (435, 435), "connect": (42, 203),
    "fadvise64": (221, 223), "fanotify_init": (300, 262), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "fchown": (93, 55), "fchownat": (260, 54), "fcntl": (72, 25), "file_setattr": (469, 469),
    "flock": (73, 32), "fremovexattr": (199, 16), "fsconfig": (431, 431), "fsetxattr": (190, 7), "fsmount": (432, 432),
    "fsopen": (430, 430), "futimesat": (261, -1), "inotify_init": (253, -1), "inotify_init1": (294, 26),
    "io_setup": (206, 0), "io_uring_setup": (425, 425), "ioctl": (16, 29), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "keyctl": (250, 219), "lchown": (94, -1), "lremovexattr": (198, 15), "lsetxattr": (189, 6), "madvise": (28, 233),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "migrate_pages": (256, 238), "mincore": (27, 232),
    "mmap": (9, 222), "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429),
    "move_pages": (279, 239), "mq_open": (240, 180), "mq_unlink": (241, 181), "msgctl": (71, 187), "msgget": (68, 186),
    "msgrcv": (70, 188), "msgsnd": (69, 189), "open_tree": (428, 428), "openat2": (437, 437),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "prctl": (157, 167),
    "preadv2": (327, 286), "prlimit64": (302, 261), "process_madvise": (440, 440), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "pwritev2": (328, 287), "readahead": (187, 213),
    "removexattr": (197, 14), "removexattrat": (466, 466), "request_key": (249, 218), "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "semctl": (66, 191),
    "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "setns": (308, 268), "setpriority": (141, 140),
    "setsockopt": (54, 208), "setxattr": (188, 5), "setxattrat": (463, 463), "shmat": (30, 196), "shmctl": (31, 195),
    "shmget": (29, 194), "socket": (41, 198), "socketpair": (53, 199), "sync": (162, 81), "sync_file_range": (277, 84),
    "syncfs": (306, 267), "sysinfo": (99, 179), "syslog": (103, 116), "umount2": (166, 39), "unshare": (272, 97),
    "userfaultfd": (323, 282), "utime": (132, -1), "utimensat": (280, 88), "utimes": (235, -1),
}  # fmt: skip
FORBIDDEN = {  # why: the calls
    "memory that escapes the limits": ("memfd_create", "memfd_secret", "shmget", "shmat", "setsockopt", "userfaultfd"),
    "something left behind, or somebody else's taken away": (
        "add_key", "request_key", "keyctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "semget",
        "semop", "semtimedop", "semctl", "shmctl", "file_setattr",
    ),
    "another view of the machine": (
        "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen",
        "fsconfig", "fsmount", "mount_setattr",
    ),
    "the network, and programs that listen on this machine": ("socket", "connect", "bind"),
    "other processes": (
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd", "migrate_pages",
        "move_pages", "ioprio_set",
    ),
    "the kernel itself": ("bpf", "perf_event_open", "io_uring_setup", "sched_setaffinity"),
    "what others do, and what the kernel noted of it": ("sysinfo", "syslog"),
    "which pages of a file are in memory": (
        "fadvise64", "preadv2", "pwritev2", "io_setup", "mincore", "cachestat", "readahead", "sync_file_range",
        "syncfs", "sync",
    ),
    "files as a blackboard, by locks and by watching who reads them": (
        "flock", "inotify_init", "inotify_init1", "fanotify_init",
    ),
}  # fmt: skip
FORBIDDEN_VALUES = {  # call: (which of its arguments, values that it must not have)
    "madvise": (2, (20, 21)),  # MADV_COLD, MADV_PAGEOUT
    "prctl": (0, (4, 62)),  # PR_SET_DUMPABLE: nobody hides how much memory is used; PR_SCHED_CORE: or keeps a core
    "setpriority": (0, (1, 2)),  # of a group of processes, of all processes of the account
}
ONLY_VALUES = {  # call: (which of its arguments, the only values that it may have); others make marks that stay
    "fcntl": (1, (0, 1, 2, 3, 4, 1030, 1032)),  # numbers, flags and sizes; no locks, leases, notices, owners or hints
    "ioctl": (1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),  # is it a terminal, what waits, close, block
}
FORBIDDEN_BITS = {  # call: (which of its arguments, bits that it must not have)
    "clone": (0, 0x7E020000),  # a view of one's own
    "mmap": (3, 0x40000),  # large pages, which no limit counts
    "socketpair": (1, 0b110),  # packets: such a socket reaches others than its partner
}
SHARED, NAMELESS = 1, 0x20  # bits of mmap: shared memory without a file, which is counted only while one looks at it
FOR_ONESELF = {  # call: which of its arguments names a process, and must be 0, oneself
    "prlimit64": 0, "setpriority": 1, "sched_setattr": 0, "sched_setparam": 0, "sched_setscheduler": 0,
}  # fmt: skip
PASSED_OVER_ON_A_SHARED_DISK = (  # marks of files, which a fence does not guard; Python sets them when it copies files
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat",
)  # fmt: skip
MISSING_CALLS = ("clone3", "openat2")  # openat2 tells which names others have looked for
FIRST_UNKNOWN = 442  # what the kernel has learnt since is not there: nobody has thought about it here


@functools.cache
def libc():
    """Return the C library, with its error numbers."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> None:
    """Raise OSError if a call of the C library has failed."""
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


# ------------------------------------------------------------------------------------------------ forbidden calls


def number_of(call: str) -> int:
    """Return the number of a call on this machine, -1 if there is none."""
    return NUMBERS[call][list(MACHINES).index(platform.machine())]


def can_forbid_calls() -> bool:
    """Say whether calls can be forbidden on this system."""
    return sys.platform == "linux" and platform.machine() in MACHINES and libc().prctl(21, 0, 0, 0, 0) >= 0


def forbidden_numbers() -> dict[str, int]:
    """Return the calls that nobody may make, with their numbers; none where the machine's are not known."""
    if platform.machine() not in MACHINES:
        return {}
    calls = [call for several in FORBIDDEN.values() for call in several]
    return {call: number_of(call) for call in calls if number_of(call) >= 0}


LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, PASS_OVER = 0x7FFF0000, 0x00050001, 0x00050000  # go on; EPERM; do nothing
MISSING = 0x00050026  # ENOSYS, upon which older calls are used
UNSUPPORTED = 0x0005005F  # EOPNOTSUPP: this file cannot do that
OTHERWISE = {"fcntl": REFUSE, "ioctl": UNSUPPORTED}  # the answer to other values: copying files falls back on it
CALL_FIELD, MACHINE_FIELD, ARGUMENTS = 0, 4, 16  # where they are in what seccomp looks at


def forbid_calls(shared_disk: bool) -> None:
    """Forbid calls by which memory escapes the limits, or which leave something behind; fork and threads stay."""
    if not can_forbid_calls():
        return
    code = b"".join(struct.pack("HBBI", *step) for step in filter_steps(shared_disk))
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(memory))
    program = ctypes.create_string_buffer(program, len(program))
    checked(libc().prctl(22, 2, program, 0, 0), "seccomp")  # PR_SET_SECCOMP


def filter_steps(shared_disk: bool) -> list[tuple[int, int, int, int]]:
    """Return the program of the filter: what to do, how far to jump if true and if false, and a number."""
    steps = [(LOAD, 0, 0, MACHINE_FIELD)]
    steps += [(EQUAL, 1, 0, MACHINES[platform.machine()]), (RETURN, 0, 0, REFUSE)]
    steps += [(LOAD, 0, 0, CALL_FIELD)]
    steps += [(AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, MISSING)]  # another way to count the calls of x86
    for call in MISSING_CALLS:
        steps += [(EQUAL, 0, 1, number_of(call)), (RETURN, 0, 0, MISSING)]
    for number in forbidden_numbers().values():
        steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    for call in PASSED_OVER_ON_A_SHARED_DISK if shared_disk else ():
        if number_of(call) >= 0:
            steps += [(EQUAL, 0, 1, number_of(call)), (RETURN, 0, 0, PASS_OVER)]
    for call, (argument, values) in FORBIDDEN_VALUES.items():
        steps += argument_steps(call, argument, [(EQUAL, value) for value in values])
    for call, (argument, values) in ONLY_VALUES.items():
        steps += argument_steps(call, argument, [(EQUAL, value) for value in values], OTHERWISE[call])
    for call, argument in FOR_ONESELF.items():
        steps += argument_steps(call, argument, [(AT_LEAST, 1)])
    for call, (argument, bits) in FORBIDDEN_BITS.items():
        steps += argument_steps(call, argument, [(ANY_BIT, bits)])
    steps += nameless_steps()
    return [*steps, (AT_LEAST, 0, 1, FIRST_UNKNOWN), (RETURN, 0, 0, MISSING), (RETURN, 0, 0, ALLOW)]


def argument_steps(
    call: str, argument: int, tests: list[tuple[int, int]], otherwise: int | None = None
) -> list[tuple[int, int, int, int]]:
    """Refuse a call if a test of one of its arguments is true; with `otherwise`, let it pass then, and only then."""
    body = [(LOAD, 0, 0, ARGUMENTS + 8 * argument)]
    for test, value in tests:
        body += [(test, 0, 1, value), (RETURN, 0, 0, REFUSE if otherwise is None else ALLOW)]
    body += [(LOAD, 0, 0, CALL_FIELD)] if otherwise is None else [(RETURN, 0, 0, otherwise)]
    return [(EQUAL, 0, len(body), number_of(call)), *body]


def nameless_steps() -> list[tuple[int, int, int, int]]:
    """Refuse memory that is shared and has no file."""
    body = [(LOAD, 0, 0, ARGUMENTS + 8 * 3), (ANY_BIT, 0, 2, NAMELESS), (ANY_BIT, 0, 1, SHARED), (RETURN, 0, 0, REFUSE)]
    body += [(LOAD, 0, 0, CALL_FIELD)]
    return [(EQUAL, 0, len(body), number_of("mmap")), *body]
