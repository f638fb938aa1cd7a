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
from pathlib import Path

import pytest
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from traitlets.config import Config

from dpteach.tools import doctor

CLONE = Path(__file__).resolve().parents[2]
UNREACHABLE = "http://127.0.0.1:9/"  # port 9 discards, and nobody listens there
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": UNREACHABLE,
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "UV_DEFAULT_INDEX": UNREACHABLE,
}
PATIENCE = 600  # seconds; only a test that hangs is ended, however busy the machine
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
    """Load start.py with steps that only write down what they would do, and then find everything installed."""
    module = load(kit)
    module.steps = []
    module.import_error = lambda: None

    def pretend(title, command):
        module.steps.append(command[1:])
        if "venv" in command:
            os.makedirs(module.PROGRAMS, exist_ok=True)
            Path(module.PYTHON).touch()

    module.step = pretend
    module.renew_copies = lambda options: 0  # dpteach is not here: tests/tools/test_copies.py has the copies
    return module


def run(kit, *arguments, before="pass", **environment):
    """Run start.py in a process of its own, optionally after a line of Python that sabotages it."""
    code = f"import runpy, sys; {before}; runpy.run_path('start.py', run_name='__main__')"
    command = [sys.executable, "-c", code, *arguments]
    environment = {**os.environ, **environment}
    return subprocess.run(command, cwd=kit, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def assert_one_sentence(result, *words):
    """Expect a failure that is told in one plain sentence."""
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1 and result.stderr.endswith(".\n")
    assert "Traceback" not in result.stdout + result.stderr
    assert all(word in result.stderr for word in words)


# ---- Python


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 15, 0)])
def test_wrong_python_is_told_in_one_sentence(kit, version):
    result = run(kit, "setup", before=f"sys.version_info = {version}", **OFFLINE)
    assert_one_sentence(result, "3.11, 3.12, 3.13 or 3.14", ".".join(map(str, version)))
    assert not (kit / ".venv").exists()


def test_old_pythons_can_read_the_file():
    source = (CLONE / "start.py").read_text(encoding="ascii")
    modern = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Match, ast.Starred, ast.Nonlocal, ast.Await)
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, modern), f"line {node.lineno}"
        assert not getattr(node, "cause", None), f"raise ... from in line {node.lineno}"
        assert not getattr(node, "annotation", None) and not getattr(node, "returns", None)
        assert not getattr(node, "kwonlyargs", None) and not getattr(node, "posonlyargs", None)


def test_functions_that_old_pythons_lack_are_not_called_before_the_sentence(kit):
    lacking = "import os, re, shutil, subprocess; del os.cpu_count, re.fullmatch, shutil.which, subprocess.run"
    result = run(kit, "setup", before=f"{lacking}; sys.version_info = (2, 7, 18)")
    assert_one_sentence(result, "3.11, 3.12, 3.13 or 3.14", "2.7.18")


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.8", "3.10"])
def test_real_old_pythons_say_that_they_are_too_old(kit, version):
    of_pyenv = (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")
    candidates = [shutil.which(f"python{version}"), *of_pyenv]
    working = [one for one in candidates if one and not subprocess.run([one, "-V"], capture_output=True).returncode]
    if not working:
        pytest.skip("no Python that is too old is installed here")
    old = working[0]
    result = subprocess.run([old, "start.py"], cwd=kit, capture_output=True, text=True)
    assert_one_sentence(result, "3.11, 3.12, 3.13 or 3.14")


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
            "The virtual environment was not created successfully because ensurepip is not\navailable.  On Debian",
            "apt install python3-venv",
        ),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] self-signed", "PIP_CERT"),
        ("connection broken by 'ProxyError(...)': /x/\nERROR: No matching distribution found for x", "and the proxy"),
        ("ERROR: No matching distribution found for nosuch==1.0", "No package nosuch==1.0 was found"),
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


@pytest.mark.parametrize("arguments", [["--no-index", "uv-of-the-moon"], ["--index-url=.", "uv-of-the-moon"]])
def test_pip_that_knows_no_such_package_is_not_told_to_be_offline(kit, tmp_path, arguments):
    command = [sys.executable, "-m", "pip", "install", "--target", tmp_path / "x", *arguments]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    told = load(kit).explain(result.stdout + result.stderr)
    assert told.startswith("No package uv-of-the-moon was found") and "no-index" in told and "internet" not in told


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


def test_pip_is_not_tried_on_a_disk_that_uv_found_full(start, capsys):
    pretend = start.step

    def uv_fills_the_disk(title, command):
        pretend(title, command)
        if "-r" in command and "uv" in command:
            raise start.Trouble(start.FULL_DISK)

    start.step = uv_fills_the_disk
    assert start.main(["setup"]) == 1
    assert capsys.readouterr().err == start.FULL_DISK + "\n"
    assert start.steps[-1][:2] == ["-m", "uv"]
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
    assert is_made_again(start.steps) and start.LOCK in start.steps[-1]
    start.steps.clear()
    start.set_up()
    assert start.steps == []


def test_stamp_is_not_trusted_when_a_package_is_lost(start, capsys):
    start.set_up()
    start.steps.clear()
    errors = ["ModuleNotFoundError: No module named 'scipy'"] * 2
    start.import_error = lambda: errors.pop() if errors else None
    start.set_up()
    assert is_made_again(start.steps)
    assert "damaged" in capsys.readouterr().out
    assert start.is_ready()


def test_update_of_a_damaged_environment_begins_afresh(start):
    start.set_up()
    start.steps.clear()
    with open(start.LOCK, "a") as lock:
        lock.write("one-more-package==1.0\n")
    errors = ["ModuleNotFoundError: No module named 'numpy._core'"]
    start.import_error = lambda: errors.pop() if errors else None
    start.set_up()
    assert not is_made_again(start.steps) and ["-m", "venv", "--clear"] in [step[:3] for step in start.steps]
    assert start.is_ready()


def test_stamp_is_not_written_when_nothing_can_be_imported(start, capsys):
    start.import_error = lambda: "ModuleNotFoundError: No module named 'numpy'"
    assert start.main(["setup"]) == 1
    error = capsys.readouterr().err
    assert "No module named 'numpy'" in error and "pip config list" in error and error.count("\n") == 1
    assert not Path(start.STAMP).exists()


def test_what_everything_depends_on_is_imported_in_the_environment_itself(kit, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise ImportError('the wrong one')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    start = load(kit)
    start.PYTHON = sys.executable
    assert start.IMPORTS == "import " + ", ".join(doctor.IMPORTS)  # what the doctor misses, start.py installs
    assert start.import_error() is None
    start.IMPORTS += ", a_package_that_was_lost"
    assert start.import_error() == "ModuleNotFoundError: No module named 'a_package_that_was_lost'"
    start.IMPORTS = "import os; os._exit(3)"
    assert start.import_error() == "it ended with code 3"


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


# ---- two starts at once


HOLD = "file = open('start.py', 'rb'); assert start.take_lock(file); print('locked', flush=True); sys.stdin.read()"
FINDS_NOTHING_TO_DO = "start.is_ready = iter([False, True]).__next__; start.bring_up_to_date = None"


def beginning(kit, code):
    """Start a process with the module `start`, whose streams are ours."""
    command = [sys.executable, "-c", f"import sys, start; {code}"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=kit, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("end", ["normally", "killed"])
def test_the_second_start_waits_for_the_first_and_says_so(kit, end):
    with (
        beginning(kit, HOLD) as first,
        beginning(kit, "sys.stdin.readline(); " + FINDS_NOTHING_TO_DO + "; start.set_up()") as second,
    ):
        assert first.stdout.readline() == "locked\n"
        second.stdin.write("go\n")
        second.stdin.flush()
        assert second.stdout.readline() == "Another start is setting up this kit: waiting for it to end.\n"
        assert second.poll() is None
        first.kill() if end == "killed" else first.stdin.close()
        assert second.wait(PATIENCE) == 0, second.stderr.read()


def test_a_file_system_without_locks_is_no_reason_to_wait(start, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def fail(file, how):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", fail)
    start.set_up()
    assert start.is_ready()


# ---- what programs are told, and where they keep their files


ELSEWHERE = (
    "PYTHONPATH PYTHONHOME PYTHONOPTIMIZE PIP_PREFIX PIP_TARGET PIP_USER PIP_NO_INDEX PIP_REQUIRE_VIRTUALENV UV_TARGET "
    "UV_PREFIX UV_OFFLINE UV_NO_INDEX UV_PROJECT_ENVIRONMENT JUPYTER_PATH JUPYTER_PLATFORM_DIRS JUPYTERLAB_DIR "
    "JUPYTERLAB_SETTINGS_DIR JUPYTERLAB_WORKSPACES_DIR MPLBACKEND VIRTUAL_ENV"
).split()
WANTED = (
    "HOME PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_CERT PIP_PROXY PIP_TRUSTED_HOST PIP_CONFIG_FILE "
    "UV_DEFAULT_INDEX UV_INDEX_SCHOOL_PASSWORD UV_INSECURE_HOST SSL_CERT_FILE HTTPS_PROXY JUPYTER_TOKEN PYTHONUTF8"
).split()


def test_programs_get_nothing_that_leads_elsewhere(start, monkeypatch):
    for name in ELSEWHERE + WANTED:
        monkeypatch.setenv(name, "x")
    inherited = {name for name, value in start.environment().items() if value == "x"}
    assert inherited & {*ELSEWHERE, *WANTED} == {*WANTED}


@pytest.mark.parametrize("way", ["step", "hand_over"])
def test_every_program_gets_this_environment(kit, monkeypatch, way):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    start = load(kit)
    child = [
        sys.executable,
        "-c",
        "import os, sys; sys.exit('PYTHONPATH' in os.environ or not os.environ['UV_CACHE_DIR'])",
    ]
    assert not (start.hand_over(child) if way == "hand_over" else start.step("Looking", child))


def test_uv_asks_the_system_whom_to_trust(start):
    uv = subprocess.run([sys.executable, "-m", "uv", "pip", "install", "--help"], capture_output=True, text=True)
    if uv.returncode:
        pytest.skip("uv is not installed here")
    known = [name for name in start.CERTIFICATES if f"env: {name}=" in " ".join(uv.stdout.split())]
    assert known and all(start.environment()[name] == "true" for name in known)


SHOW = """
import IPython.paths, jupyter_core.paths as jupyter, matplotlib.pyplot
print(IPython.paths.get_ipython_dir(), matplotlib.get_configdir(), matplotlib.get_cachedir(), sep="\\n")
print(jupyter.jupyter_config_dir(), jupyter.jupyter_data_dir(), jupyter.jupyter_runtime_dir(), sep="\\n")
from jupyterlab.commands import get_workspaces_dir, get_user_settings_dir
print(get_workspaces_dir(), get_user_settings_dir(), sep="\\n")
"""


def test_nothing_is_kept_in_the_home_folder(start, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    start.set_up()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    told = subprocess.run([sys.executable, "-c", SHOW], env=start.environment(), capture_output=True, text=True)
    places = told.stdout.splitlines()
    assert len(places) == 8, told.stderr
    assert [place for place in places if not Path(place).is_relative_to(start.VENV)] == []
    assert list(home.iterdir()) == []


def test_what_was_downloaded_is_kept_in_the_environment_and_not_for_long(start):
    kept = [start.environment()[name] for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR")]
    pretend = start.step

    def download(title, command):
        pretend(title, command)
        for folder in kept:
            os.makedirs(folder, exist_ok=True)

    start.step = download
    start.set_up()
    assert all(Path(folder).is_relative_to(start.VENV) and not Path(folder).exists() for folder in kept)


@posix_only
def test_a_kit_that_only_its_owner_may_write_leaves_settings_to_jupyter(start, monkeypatch):
    start.set_up()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert not {*start.PLACES} & {*start.environment()} - {*os.environ}


IMPORT_BY_LINK = "import site, sys; site.addsitedir(sys.argv[1]); import dpteach; print(ascii(dpteach.__file__))"


@posix_only
def test_dpteach_is_found_in_any_folder_whatever_the_encoding_of_the_system(tmp_path):
    """On Windows, Python 3.11 and 3.12 do not read the file that names our folder as UTF-8; here, as ASCII."""
    folder = tmp_path / "Jörg"
    (folder / "dpteach").mkdir(parents=True)
    (folder / "dpteach" / "__init__.py").touch()
    for name in ["start.py", "requirements.txt", "pyproject.toml"]:
        shutil.copy(CLONE / name, folder)
    start = load(folder)
    start.link()
    (link,) = Path(start.VENV).rglob("*.pth")
    link.read_text(encoding="ascii")
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-S", "-c", IMPORT_BY_LINK, link.parent]
    told = subprocess.run(command, cwd="/", env=os.environ | ascii_only, capture_output=True, text=True)
    assert told.stdout.endswith("rg/dpteach/__init__.py'\n"), told.stderr


def test_the_link_is_where_the_environment_looks(start):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", start.VENV], check=True)
    start.link()
    (Path(start.HERE) / "dpteach").mkdir()
    (Path(start.HERE) / "dpteach" / "__init__.py").touch()
    told = subprocess.run(
        [start.PYTHON, "-I", "-c", "import dpteach; print(dpteach.__path__)"], capture_output=True, text=True
    )
    assert start.HERE in told.stdout, told.stderr


# ---- the student's own copies


def test_copies_are_brought_up_to_date_before_jupyterlab_opens(kit, monkeypatch):
    start = load(kit)
    commands = []
    monkeypatch.setattr(start, "set_up", lambda: None)
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: commands.append(command[1:4]) or 0)
    assert start.main(["--no-browser"]) == 0
    assert [command[:2] for command in commands] == [["-m", "dpteach"], ["-m", "jupyterlab"]]
    assert commands[0] == ["-m", "dpteach", "copies"]


def test_jupyterlab_does_not_open_where_copies_cannot_be_made(start, monkeypatch):
    monkeypatch.setattr(start, "renew_copies", lambda options: 1)
    monkeypatch.setattr(start, "hand_over", None)
    assert start.start([]) == 1


HOLD_MY = "start.set_up = lambda: None; start.renew_copies = lambda options: print(options, flush=True)"
LAB_IS_OPEN = f"{HOLD_MY}; start.open_lab = lambda *_, **__: sys.stdin.read(); start.main([])"


@pytest.mark.parametrize("end", ["normally", "killed"])
def test_a_start_while_jupyterlab_is_open_is_told_to_change_nothing_there(kit, end):
    with beginning(kit, LAB_IS_OPEN) as first:
        assert first.stdout.readline() == "[]\n"
        with beginning(kit, LAB_IS_OPEN) as second:
            assert second.communicate("", timeout=PATIENCE) == ("['--lab-is-open']\n", "")
        first.kill() if end == "killed" else first.stdin.close()
        first.wait(PATIENCE)
    with beginning(kit, LAB_IS_OPEN) as third:
        assert third.communicate("", timeout=PATIENCE) == ("[]\n", "")


def test_an_update_of_the_kit_leaves_the_lock_alone(kit):
    """All files of the kit may be new ones after an update, start.py itself and .venv included."""
    with beginning(kit, LAB_IS_OPEN) as first:
        assert first.stdout.readline() == "[]\n"
        for name in ["start.py", "requirements.txt", "pyproject.toml"]:
            shutil.copy(CLONE / name, kit / "new")
            os.replace(kit / "new", kit / name)
        with beginning(kit, LAB_IS_OPEN) as second:
            assert second.communicate("", timeout=PATIENCE)[0] == "['--lab-is-open']\n"
        first.communicate("", timeout=PATIENCE)


def test_a_place_where_copies_cannot_be_made_is_told_in_one_sentence(kit):
    (kit / "my").write_text("a file")
    result = run(kit, before="import start; start.set_up = lambda: None; sys.exit(start.main([]))")
    assert_one_sentence(result, f"The folder {kit / 'my'} cannot be written", "start.py notebooks")


@pytest.mark.parametrize(("number", "words"), [(errno.ENOSPC, "disk is full"), (errno.EACCES, "start.py notebooks")])
def test_copies_on_a_full_or_forbidden_disk(start, monkeypatch, capsys, number, words):
    def refuse(path):
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(os, "mkdir", refuse)
    monkeypatch.setattr(start, "set_up", lambda: None)
    assert start.main([]) == 1
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


# ---- handing over


def test_arguments_reach_jupyterlab(start, monkeypatch):
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: command)
    command = start.start(["--no-browser", "--allow-root"])
    assert command[1:3] == ["-m", "jupyterlab"]
    assert any(argument.endswith("tree/my/00_start_here.ipynb") for argument in command)
    assert command[-2:] == ["--no-browser", "--allow-root"]
    assert command.count("--allow-root") == 1


def test_teachers_get_the_tools_of_nbgrader_and_students_do_not(start, monkeypatch):
    monkeypatch.setattr(start, "hand_over", lambda command, folder, **environment: (folder, environment))
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    folder, environment = start.start(["teach", "--no-browser"])
    assert folder == os.path.join(start.HERE, "exercises")
    (path,) = Path(environment["JUPYTER_CONFIG_PATH"]).rglob("*.json")
    assert json.loads(path.read_text())["ServerApp"]["jpserver_extensions"] == {
        "nbgrader.server_extensions.formgrader": False,  # it would show what students hand in as it is
        "dpteach.grading.outside.formgrader": True,
    }
    folder, environment = start.start([])
    assert folder == start.HERE
    off = [json.loads(path.read_text()) for path in Path(environment["JUPYTER_CONFIG_PATH"]).rglob("*.json")]
    assert {"disabledExtensions": {"@jupyter/nbgrader": True}} in off
    assert [False] * 4 in [list(one["ServerApp"]["jpserver_extensions"].values()) for one in off if "ServerApp" in one]


def test_students_see_notebooks_and_no_helpers(start):
    start.set_up()
    settings = json.loads((Path(start.STUDENT) / "jupyter_server_config.json").read_text())
    files = AsyncLargeFileManager(config=Config(settings), root_dir=str(CLONE))
    assert all(map(files.should_list, ["00_start_here.ipynb", "README.md", "dpteach", "exercises", "release", "my"]))
    helpers = ["conftest.py", "start.py", "requirements-peers.txt", "pyproject.toml", "tests", "source", "__pycache__"]
    assert not any(map(files.should_list, helpers))


def test_lecturers_get_the_executed_edition_and_no_copies(start, monkeypatch):
    monkeypatch.setattr(start, "hand_over", lambda command, folder, **environment: (command, folder, environment))
    command, folder, environment = start.start(["notebooks", "--no-browser"])
    assert any(argument.endswith("tree/notebooks/00_start_here.ipynb") for argument in command)
    assert command[-1] == "--no-browser" and "notebooks" not in command
    assert (folder, environment) == (start.HERE, {"JUPYTER_CONFIG_PATH": start.STUDENT})
    assert not os.path.exists(start.MY)


WORKSPACES = [([], "student"), (["notebooks"], "lecturer"), (["teach"], "teacher")]


@pytest.mark.parametrize(("arguments", "workspace"), WORKSPACES)
def test_jupyterlab_has_a_workspace_of_its_own(start, monkeypatch, arguments, workspace):
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: command)
    (address,) = [argument for argument in start.start(arguments) if "default_url" in argument]
    assert f"=/lab/workspaces/{workspace}/tree/" in address


def test_a_port_that_is_taken_in_the_last_moment_is_told(start, monkeypatch, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]

        def lose_the_race(command, *_, **__):
            assert "--ServerApp.port_retries=0" in command
            return 1

        monkeypatch.setattr(start, "hand_over", lose_the_race)
        reasons = [None, "is taken"]
        monkeypatch.setattr(start, "why_unusable", lambda port: reasons.pop(0))
        assert start.main([f"--port={port}"]) == 1
    assert capsys.readouterr().err.startswith(f"Port {port} is taken")


@posix_only
@pytest.mark.parametrize(("user", "count"), [(0, 1), (1000, 0)])
def test_only_root_gets_allow_root(start, monkeypatch, user, count):
    monkeypatch.setattr(start, "hand_over", lambda command, *_, **__: command)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert start.start([]).count("--allow-root") == count


@pytest.fixture
def commands(start, monkeypatch):
    """List the commands that start.py hands over to; they end with the code `start.code`."""
    found = []
    start.code = 0
    monkeypatch.setattr(start, "hand_over", lambda command: found.append(command) or start.code)
    for part in ("tests/setup", "notebooks"):
        (Path(start.HERE) / part).mkdir(parents=True)
    return found


@pytest.mark.parametrize("code", [0, 1, 5])
@pytest.mark.parametrize("arguments", [[], ["-x"], ["-k", "pair"], ["--junitxml", "no/such/file.xml"]])
def test_tests_and_notebooks_run_together(start, commands, arguments, code):
    start.code = code
    assert start.start(["test", *arguments]) == code
    ((*command, tests, notebooks),) = [command[: len(command) - len(arguments)] for command in commands]
    assert (tests, notebooks) == ("tests", "notebooks")
    assert "--nbval" in command and "-rs" in command and "-n" in command
    assert commands[0][len(commands[0]) - len(arguments) :] == arguments


def test_a_kit_for_students_has_only_notebooks_to_test(start, commands):
    shutil.rmtree(Path(start.HERE) / "tests")
    assert start.start(["test"]) == 0
    assert commands[0][-1] == "notebooks" and "tests" not in commands[0]


def test_a_named_file_is_run_alone(start, commands, capsys):
    assert start.start(["test", "start.py::anything", "-x"]) == 0
    assert commands[0][-2:] == ["start.py::anything", "-x"] and not {"tests", "-n"} & {*commands[0]}
    assert "all of them" not in capsys.readouterr().out


@pytest.mark.parametrize("path", ["tests/nosuch", "nosuch.py", "tests/nosuch.py::test_it", "notebooks/07_no.ipynb"])
def test_a_path_that_does_not_exist_is_named(start, commands, capsys, path):
    assert start.main(["test", path]) == 1
    error = capsys.readouterr().err
    assert error.startswith(path.split("::")[0] + " does not exist") and error.count("\n") == 1
    assert commands == []


def test_the_duration_is_told_at_the_start_and_remembered(start, commands, monkeypatch, capsys):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    start.start(["test"])
    assert f"take about {start.CORE_MINUTES / 4:.0f} minutes here" in capsys.readouterr().out
    start.start(["test", "-k", "pair"])
    start.write(start.DURATION, "421.5")
    start.start(["test", "-k", "pair"])
    capsys.readouterr()
    start.code = start.INTERRUPTED
    start.start(["test"])
    assert "take about 7 minutes here" in capsys.readouterr().out
    assert start.read(start.DURATION) == "421.5"  # neither a part nor a run that was stopped tells the duration
    start.code = 0
    start.start(["test"])
    start.start(["test"])
    assert "take about 0 seconds here" in capsys.readouterr().out


PATIENT = """
import time
try:
    print("ready", flush=True)
    time.sleep(3600)
except KeyboardInterrupt:
    print("tidy")
"""


def waiting(kit, action):
    """Start a process that does the action with the module `start` and, as its program, a patient `child`."""
    child = f"child = [sys.executable, '-c', {PATIENT!r}]"
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # also if pytest ignores Ctrl-C
    code = f"{heard}; import sys, start; start.set_up = lambda: None; {child}; {action}"
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
    slow = "start.set_up = lambda: start.step('Waiting', [sys.executable, '-c', 'import time; time.sleep(3600)'])"
    with waiting(kit, f"{slow}; sys.exit(start.main(['setup']))") as process:
        assert process.stdout.read(7) == "Waiting"
        os.killpg(process.pid, signal.SIGINT)
        output, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "Stopped." in output and "Traceback" not in output + error


@posix_only
def test_ctrl_c_lets_jupyterlab_tidy_up(kit):
    action = "start.open_copies = lambda _: start.hand_over(child); sys.exit(start.main([]))"
    with waiting(kit, action) as process:
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        output, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output, error) == (0, "tidy\n", "")


@posix_only
def test_being_terminated_ends_jupyterlab_too(kit):
    action = "start.open_copies = lambda _: start.hand_over(child); sys.exit(start.main([]))"
    with waiting(kit, action) as process:
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        assert process.wait(timeout=PATIENCE) == signal.SIGTERM
