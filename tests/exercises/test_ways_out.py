"""Ways out of a student's process that a third red team tried: to reach, mark, watch or outgrow what is not one's own.

Each is a few lines that print True if they were kept in. All of them run in one process with its own view of the
machine, and in one behind a fence, because both have to hold.
"""

import platform
import socket
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from dpteach.grading.inside import calls, entry
from dpteach.grading.line import memory
from dpteach.grading.line.limits import PACKAGE
from dpteach.grading.outside import sandbox
from dpteach.grading.outside.remote import StudentProcess
from exercises import small

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="there is no such wall"),
    pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="its calls are not known"),
]
LIMITS = replace(small.LIMITS, cell_seconds=60, total_seconds=600)
MACHINE = [*calls.MACHINES, platform.machine()].index(platform.machine()) % len(calls.MACHINES)
TOOLS = f"""
import ctypes, mmap, os, resource, signal, socket, stat, struct, subprocess, threading, time
PACKAGE = {str(PACKAGE)!r}
numbers = {{name: places[{MACHINE}] for name, places in {calls.NUMBERS!r}.items()}}
libc = ctypes.CDLL(None, use_errno=True)
REFUSED, MISSING, UNSUPPORTED = 1, 38, 95

def error(call, *arguments):
    ctypes.set_errno(0)
    number = numbers.get(call, call)
    done = libc.syscall(ctypes.c_long(number), *arguments)
    return ctypes.get_errno() if done == -1 else 0

def fails(what, *arguments):
    try:
        what(*arguments)
    except OSError:
        return True
    return False

file = os.open(PACKAGE + "/__init__.py", os.O_RDONLY)
room = ctypes.create_string_buffer(4096)
"""
WAYS = {
    # marks on files that a later process would find
    "flags of a file": "error('ioctl', file, 0x40086602, room) == UNSUPPORTED",
    "version of a file": "error('ioctl', file, 0x40087602, room) == UNSUPPORTED",
    "project of a file": "error('ioctl', file, 0x401C5820, room) == UNSUPPORTED",
    "attributes of a file, the new way": "error('file_setattr', -100, PACKAGE.encode(), room, 24, 0) == REFUSED",
    "expected life of what is written": "{error('fcntl', file, n, room) for n in (1036, 1038)} == {REFUSED}",
    "locks": "{error('fcntl', file, n, room) for n in (5, 6, 7, 36, 37, 38)} == {REFUSED}",
    "leases and notices": "{error('fcntl', file, n, room) for n in (1024, 1026)} == {REFUSED}",
    "an owner and a signal for a file": "{error('fcntl', file, n, os.getppid()) for n in (8, 10, 15)} == {REFUSED}",
    "queues and segments by their numbers": (
        "all(error(call, 0, 0, 0, 0) == REFUSED for call in ('shmat', 'shmctl', 'semop', 'semctl', 'msgsnd', 'msgctl'))"
    ),
    "somebody's queue taken away": "error('mq_unlink', b'x') == REFUSED",
    # what others have done
    "names that others have looked for": (
        "error('openat2', -100, PACKAGE.encode(), struct.pack('QQQ', 0, 0, 0x20), 24) == MISSING"
    ),
    "pages in memory, by asynchronous reading": "error('io_setup', 4, ctypes.byref(ctypes.c_ulong())) == REFUSED",
    "pages moved out of memory": "error('madvise', 0, 0, 20) == error('madvise', 0, 0, 21) == REFUSED",
    "what the kernel has noted": "error('syslog', 3, room, 4096) == error('syslog', 10, 0, 0) == REFUSED",
    "mounts, by new calls": "error(457, 0, 0, 0, 0) == error(458, 0, 0, 0, 0) == MISSING",
    "calls that are not invented yet": "error(475, 0) == error(999, 0) == MISSING",
    "calls counted in another way": "error(0x40000000 + 39) == error(0x40000000 + 41, 1, 1, 0) == MISSING",
    "a file by its handle": "error(304 if numbers['ioctl'] == 16 else 265, file, room, 0) != 0",
    # other processes
    "priority of the whole account": "error('setpriority', 2, 0, 19) == error('setpriority', 1, 0, 19) == REFUSED",
    "priority on the disk": "error('ioprio_set', 3, 0, 3 << 13) == REFUSED",
    "the process at the other end of the line": """all(
        fails(lambda: signal.pidfd_send_signal(socket.socket(fileno=os.dup(fd)).getsockopt(1, 77), signal.SIGKILL))
        for fd in range(3, 60) if not fails(os.fstat, fd) and stat.S_ISSOCK(os.fstat(fd).st_mode))""",
    "memory of the first process": "all(fails(open, f'/proc/{p}/mem') for p in (1, os.getppid()))",
    "views of the first process": "all(fails(os.readlink, f'/proc/1/{x}') for x in ('root', 'cwd', 'exe', 'fd/0'))",
    "a core for oneself": "error('prctl', 62, 1, 0, 0, 0) == error('sched_setaffinity', 0, 8, room) == REFUSED",
    "no way to be overlooked": "error('prctl', 4, 0, 0, 0, 0) == REFUSED",
    "the first of all processes": "fails(lambda: [os.kill(1, s) for s in (2, 15)]) or not fails(os.kill, 1, 0)",
    # other programs on this machine
    "a packet to anybody": "fails(socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM)",
    "packets in order": "fails(socket.socketpair, socket.AF_UNIX, socket.SOCK_SEQPACKET)",
    "a place to listen": "error('bind', 3, room, 16) == error('connect', 3, room, 16) == REFUSED",
    "netlink, vsock, ciphers and raw packets": "all(fails(socket.socket, family, 3) for family in (16, 40, 38, 17))",
    "a terminal": "fails(os.open, '/dev/ptmx', 2) and fails(os.open, '/dev/tty', 2)",
    "devices": "all(fails(os.open, f'/dev/{name}', 2) for name in ('kvm', 'fuse', 'userfaultfd', 'mem', 'loop0'))",
    "memory from a device": "fails(os.open, '/dev/zero', 2)",
    "a device of one's own": "fails(os.mknod, 'disk', 0o60600, os.makedev(254, 0))",
    "all that after another program": (
        "b'PermissionError' in subprocess.run([__import__('sys').executable, '-c', 'import socket; socket.socket()'], "
        "capture_output=True).stderr"
    ),
    # memory that nobody counts
    "shared memory without a file": "fails(mmap.mmap, -1, 1 << 20)",
    "shared memory, checked": "error('mmap', 0, 4096, 3, 0x23, -1, 0) == REFUSED",
    "large pages": "error('mmap', 0, 2 << 20, 3, 0x40022, -1, 0) == REFUSED",
    "large buffers of sockets": "fails(socket.socketpair()[0].setsockopt, 1, 7, 1 << 20)",
    "large pipes": "error('fcntl', os.pipe()[1], 1031, 1 << 20) == REFUSED",
    "many files": "resource.getrlimit(resource.RLIMIT_NOFILE)[1] <= 256",
    "many signals": "resource.getrlimit(resource.RLIMIT_SIGPENDING)[1] <= 1024",
    "a crash that a program collects": "resource.getrlimit(resource.RLIMIT_CORE)[1] <= 1",
    "not to be ended when memory runs out": "fails(lambda: open('/proc/self/oom_score_adj', 'w').write('-1000'))",
    # what stays possible
    "ordinary memory and files": "error('madvise', 0, 0, 4) == error('fcntl', file, 1) == 0",
    "a line of one's own": "[part.send(b'x') for part in socket.socketpair()] == [1, 1]",
    "threads": "[one.start() or one.join() for one in [threading.Thread(target=int)]] == [None]",
    "another program": "subprocess.run(['/bin/sh', '-c', 'exit 3']).returncode == 3",
}  # fmt: skip


@pytest.fixture(scope="module", params=[sandbox.Walls(), sandbox.Walls(own_view=False)], ids=["view", "fence"])
def process(request):
    """A process in which all of that is tried."""
    started = StudentProcess(1, LIMITS, request.param)
    told = started.run(TOOLS)
    assert told["error"] is None, told["error"]
    yield started
    started.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_way_out_is_closed(way, process):
    told = process.run(f"print({WAYS[way]})")
    assert (told["text"].strip(), told["error"]) == ("True", None)


# --------------------------------------------------------------------------------------------- what nobody counted


def test_threads_are_counted(monkeypatch):
    here = Path("/proc/self")
    go = threading.Event()
    before = memory.threads(here)
    several = [threading.Thread(target=go.wait) for _ in range(20)]
    for one in several:
        one.start()
    assert memory.threads(here) >= before + 20 - 5  # others may end meanwhile
    go.set()
    for one in several:
        one.join()
    ended = []
    monkeypatch.setattr(entry, "end_family", ended.append)
    monkeypatch.setattr(entry, "family", lambda pid: [here])
    entry.watch_over(small.LIMITS)
    assert not ended
    monkeypatch.setattr(entry, "threads", lambda process: 8 * small.LIMITS.processes + 1)
    entry.watch_over(small.LIMITS)
    assert len(ended) == 1


def test_memory_that_was_moved_out_to_a_disk_counts_as_well(tmp_path):
    (tmp_path / "status").write_text("Name:\tx\nVmRSS:\t    3000 kB\nVmSwap:\t    2000 kB\n")
    (tmp_path / "smaps_rollup").write_text("Rss: 9 kB\nPss: 1000 kB\nPss_Anon: 7 kB\nSwapPss: 500 kB\n")
    assert memory.resident(tmp_path) == 5000 << 10 and memory.share(tmp_path) == 1500 << 10
    assert memory.exceeds([tmp_path], 1499 << 10) and not memory.exceeds([tmp_path], 1500 << 10)


FILLED = """
import os, socket, time
for _ in range(4):
    if os.fork() == 0:
        kept = []
        try:
            while True:
                kept += socket.socketpair()
                for one in kept[-2:]:
                    one.setblocking(False)
                    try:
                        while True: one.send(bytes(32768))
                    except BlockingIOError: pass
        except OSError: pass
        os.mkdir(f"{os.getpid()}-{len(kept)}")
        time.sleep(60)
while len(os.listdir()) < 4: time.sleep(0.01)
print(max(int(name.split("-")[1]) for name in os.listdir()))
"""


@pytest.mark.skipif(not sandbox.can_shut_in(), reason="this system gives a process no view of its own")
def test_what_nobody_reads_cannot_grow_without_bounds():
    """The system keeps what is sent and not read, in memory that belongs to no process."""
    started = StudentProcess(0, LIMITS, sandbox.Walls())
    told = started.run(FILLED)
    started.close()
    one, other = socket.socketpair()
    most = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
    one.close()
    other.close()
    assert told["error"] is None and int(told["text"]) * most * LIMITS.processes < 2 << 30
