"""start.py, with everything that goes wrong on students' machines made to go wrong on purpose."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[2]
UNREACHABLE = "http://127.0.0.1:9/"  # port 9 discards, and nobody listens there
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": UNREACHABLE,
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_NO_CACHE_DIR": "1",
    "PIP_RETRIES": "0",
    "UV_DEFAULT_INDEX": UNREACHABLE,
    "UV_NO_CACHE": "1",
}
posix_only = pytest.mark.skipif(os.name == "nt", reason="signals work differently on Windows")


@pytest.fixture
def kit(tmp_path):
    """Copy what start.py needs into a folder whose path has spaces."""
    folder = tmp_path / "a path with spaces"
    folder.mkdir()
    for name in ["start.py", "requirements.txt", "pyproject.toml"]:
        shutil.copy(CLONE / name, folder)
    return folder


def load(kit):
    """Import a kit's start.py as a module."""
    spec = importlib.util.spec_from_file_location("start", kit / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def start(kit):
    """Load start.py with steps that only write down what they would do."""
    module = load(kit)
    module.steps = []

    def pretend(title, command):
        module.steps.append(command[1:])
        if "venv" in command:
            os.makedirs(module.PROGRAMS, exist_ok=True)
            Path(module.PYTHON).touch()

    module.step = pretend
    return module


def run(kit, *arguments, before="pass", **environment):
    """Run start.py in a process of its own, optionally after a line of Python that sabotages it."""
    code = f"import runpy, sys; {before}; runpy.run_path('start.py', run_name='__main__')"
    command = [sys.executable, "-c", code, *arguments]
    environment = {**os.environ, **environment}
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=60)


def assert_one_sentence(result, *words):
    """Expect a failure that is told in one plain sentence."""
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and result.stderr.endswith(".\n")
    assert "Traceback" not in result.stdout + result.stderr
    assert all(word in result.stderr for word in words)


# ---- Python


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 14, 0)])
def test_wrong_python_is_told_in_one_sentence(kit, version):
    result = run(kit, "setup", before=f"sys.version_info = {version}", **OFFLINE)
    assert_one_sentence(result, "3.11, 3.12 or 3.13", ".".join(map(str, version)))
    assert not (kit / ".venv").exists()


def test_old_pythons_can_read_the_file():
    source = (CLONE / "start.py").read_text(encoding="ascii")
    modern = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Match, ast.Starred, ast.Nonlocal, ast.Await)
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, modern), f"line {node.lineno}"
        assert not getattr(node, "cause", None), f"raise ... from in line {node.lineno}"
        assert not getattr(node, "annotation", None) and not getattr(node, "returns", None)
        assert not getattr(node, "kwonlyargs", None) and not getattr(node, "posonlyargs", None)


@pytest.mark.parametrize("name", ["python2.7", "python3.6", "python3.8", "python3.10"])
def test_real_old_pythons_say_that_they_are_too_old(kit, name):
    old = shutil.which(name)
    if not old or subprocess.run([old, "--version"], capture_output=True).returncode:
        pytest.skip(f"{name} is not installed here")
    result = subprocess.run([old, "start.py"], cwd=kit, capture_output=True, text=True)
    assert_one_sentence(result, "3.11, 3.12 or 3.13")


# ---- the port


@pytest.mark.parametrize("spelling", ["--port {}", "--port={}", "--ServerApp.port={}"])
def test_taken_port_is_told_before_anything_is_installed(kit, spelling):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = run(kit, "--no-browser", *spelling.format(port).split())
    assert_one_sentence(result, f"Port {port} is taken")
    assert not (kit / ".venv").exists()


@pytest.mark.parametrize("arguments", [["--port", "eight"], ["--port=99999"], ["--port"]])
def test_impossible_port_is_told(kit, arguments):
    assert_one_sentence(run(kit, *arguments), "number from 0 to 65535")


def test_free_port_is_accepted(start):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    start.check_port([f"--port={port}"])
    start.check_port(["--no-browser"])


# ---- failures of the set-up


def test_missing_network_is_told_in_one_sentence(kit):
    result = run(kit, "setup", **OFFLINE)  # makes a real .venv, in which the real pip fails
    assert_one_sentence(result, "check the internet connection")
    assert (kit / ".venv" / "pyvenv.cfg").exists()
    assert not Path(load(kit).STAMP).exists()


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("error: failed to write (os error 28): No space left on device", "disk is full"),
        ("[WinError 112] There is not enough space on the disk", "disk is full"),
        (
            "The virtual environment was not created because ensurepip is not available.",
            "apt install python3-venv",
        ),
        ("/usr/bin/python3: No module named venv", "apt install python3-venv"),
        ("PermissionError: [Errno 13] Permission denied: '/x/.venv'", "cannot be written"),
        ("HINT: this system does not have Windows Long Path support enabled", "too long for Windows"),
        ("NewConnectionError: Failed to establish a new connection", "internet connection"),
        ("Temporary failure in name resolution", "internet connection"),
        ("Read timed out.", "internet connection"),
    ],
)
def test_a_failing_step_becomes_one_sentence(kit, capfd, output, words):
    start = load(kit)
    failing = [sys.executable, "-c", f"import sys; sys.exit({output!r})"]
    start.set_up = lambda: start.step("Trying", failing)
    assert start.main(["setup"]) == 1
    error = capfd.readouterr().err
    assert words in error and error.count("\n") == 1


def test_an_unknown_failure_shows_what_the_step_printed(kit, capfd):
    start = load(kit)
    start.set_up = lambda: start.step("Trying", [sys.executable, "-c", "import sys; sys.exit('moon in eclipse')"])
    assert start.main(["setup"]) == 1
    assert "moon in eclipse" in capfd.readouterr().err


def test_disk_that_fills_up_under_our_own_hands(start, capsys):
    def fill():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    start.install = fill
    assert start.main(["setup"]) == 1
    assert capsys.readouterr().err == start.FULL_DISK + "\n"
    assert not Path(start.STAMP).exists()


def test_pip_steps_in_where_uv_fails(start):
    pretend = start.step

    def without_uv(title, command):
        pretend(title, command)
        if "-r" in command and "uv" in command:
            raise start.Trouble(start.NO_NETWORK)

    start.step = without_uv
    start.set_up()
    assert start.steps[-1][:2] == ["-m", "pip"] and "-r" in start.steps[-1]
    assert Path(start.STAMP).exists()


# ---- idempotence and repair


def is_made_again(steps):
    """See whether the steps begin with a new .venv."""
    return steps[0][:3] == ["-m", "venv", "--clear"]


def test_second_start_has_nothing_to_do(start):
    start.set_up()
    assert is_made_again(start.steps) and "-e" in start.steps[-1]
    start.steps.clear()
    begin = time.perf_counter()
    start.set_up()
    assert start.steps == []
    assert time.perf_counter() - begin < 0.5


def test_killed_installation_is_noticed_and_repaired(start, capsys):
    install = start.install

    def killed():
        raise KeyboardInterrupt

    start.install = killed
    assert start.main(["setup"]) == 130
    start.install = install
    start.steps.clear()
    assert start.main(["setup"]) == 0
    assert is_made_again(start.steps)
    assert "half-finished" in capsys.readouterr().out


def test_new_lock_is_installed_into_the_same_environment(start):
    start.set_up()
    start.steps.clear()
    with open(start.LOCK, "a") as lock:
        lock.write("one-more-package==1.0\n")
    start.set_up()
    assert start.steps and not is_made_again(start.steps)


def test_update_that_is_killed_begins_afresh(start):
    start.set_up()
    install = start.install
    with open(start.LOCK, "a") as lock:
        lock.write("one-more-package==1.0\n")

    def killed():
        raise KeyboardInterrupt

    start.install = killed
    start.main(["setup"])
    start.install = install
    start.steps.clear()
    start.set_up()
    assert is_made_again(start.steps)


def test_other_python_needs_a_new_environment(start, monkeypatch):
    start.set_up()
    start.steps.clear()
    monkeypatch.setattr(sys, "version", "3.12.0 (another one)")
    start.set_up()
    assert is_made_again(start.steps)


def test_vanished_interpreter_needs_a_new_environment(start):
    start.set_up()
    start.steps.clear()
    os.remove(start.PYTHON)
    start.set_up()
    assert is_made_again(start.steps)


# ---- handing over


def test_arguments_reach_jupyterlab(start, monkeypatch):
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: command)
    command = start.start(["--no-browser", "--allow-root"])
    assert command[1:3] == ["-m", "jupyterlab"]
    assert any("notebooks/00_start_here.ipynb" in argument for argument in command)
    assert command[-2:] == ["--no-browser", "--allow-root"]
    assert command.count("--allow-root") == 1


def test_teachers_get_the_tools_of_nbgrader_and_students_do_not(start, monkeypatch):
    monkeypatch.setattr(start, "hand_over", lambda command, folder, **environment: (folder, environment))
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    assert start.start(["teach", "--no-browser"]) == (os.path.join(start.HERE, "exercises"), {})
    folder, environment = start.start([])
    assert folder == start.HERE
    off = [json.loads(path.read_text()) for path in Path(environment["JUPYTER_CONFIG_PATH"]).rglob("*.json")]
    assert {"disabledExtensions": {"@jupyter/nbgrader": True}} in off
    assert [False] * 4 in [list(one["ServerApp"]["jpserver_extensions"].values()) for one in off if "ServerApp" in one]


@posix_only
@pytest.mark.parametrize(("user", "count"), [(0, 1), (1000, 0)])
def test_only_root_gets_allow_root(start, monkeypatch, user, count):
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: command)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert start.start([]).count("--allow-root") == count


@pytest.mark.parametrize(
    ("arguments", "codes", "worst"),
    [([], [0, 0], 0), ([], [1, 0], 1), ([], [0, 1], 1), (["-x"], [1, 4], 4), (["-k", "pair"], [0, 5], 0)],
)
def test_tests_then_notebooks_and_the_worst_code_counts(start, monkeypatch, arguments, codes, worst):
    commands = []
    monkeypatch.setattr(start, "hand_over", lambda command: commands.append(command) or codes[len(commands) - 1])
    assert start.start(["test", *arguments]) == worst
    assert ["--nbval" in command for command in commands] == [False, True]
    assert all(command[len(command) - len(arguments) :] == arguments for command in commands)


def test_a_named_file_is_run_alone_and_ctrl_c_stops_everything(start, monkeypatch):
    commands = []
    monkeypatch.setattr(start, "hand_over", lambda command: commands.append(command) or 0)
    assert start.start(["test", "start.py::anything"]) == 0
    monkeypatch.setattr(start, "hand_over", lambda command: commands.append(command) or start.INTERRUPTED)
    assert start.start(["test"]) == start.INTERRUPTED
    assert len(commands) == 2


PATIENT = """
import time
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("tidy")
"""


def waiting(kit, action):
    """Start a process that does the action with the module `start` and, as its program, a patient `child`."""
    child = f"child = [sys.executable, '-c', {PATIENT!r}]"
    code = f"import sys, start; start.set_up = lambda: None; {child}; {action}"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=kit,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that Ctrl-C, which goes to the whole group, spares pytest
    )


@posix_only
def test_ctrl_c_during_the_set_up_ends_quietly(kit):
    slow = "start.set_up = lambda: start.step('Waiting', [sys.executable, '-c', 'import time; time.sleep(60)'])"
    with waiting(kit, f"{slow}; sys.exit(start.main(['setup']))") as process:
        assert process.stdout.read(7) == "Waiting"
        os.killpg(process.pid, signal.SIGINT)
        output, error = process.communicate(timeout=20)
    assert process.returncode == 130 and "Stopped." in output and "Traceback" not in output + error


@posix_only
def test_ctrl_c_lets_jupyterlab_tidy_up(kit):
    action = "start.open_kit = lambda _: start.hand_over(child); sys.exit(start.main([]))"
    with waiting(kit, action) as process:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        output, error = process.communicate(timeout=20)
    assert (process.returncode, output, error) == (0, "tidy\n", "")


@posix_only
def test_being_terminated_ends_jupyterlab_too(kit):
    action = "start.open_kit = lambda _: start.hand_over(child); sys.exit(start.main([]))"
    with waiting(kit, action) as process:
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.wait(timeout=20) == signal.SIGTERM
