"""The doctor, on a healthy machine and on machines with one simulated illness each."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import webbrowser
import zipfile
from collections import namedtuple
from functools import partial
from pathlib import Path

import pytest

import dpteach
from dpteach.tools import doctor

USAGE = namedtuple("usage", "free")
START = 'run "python3 start.py"'


@pytest.fixture(autouse=True)
def reachable(monkeypatch):
    """Let nothing depend on the network of the machine that runs the tests."""
    monkeypatch.setattr(doctor, "network", lambda: doctor.ok("network", "answers"))


def with_versions(monkeypatch, **versions):
    """Pretend that some packages are installed in other versions, or, with None, not at all."""
    real = doctor.version
    monkeypatch.setattr(doctor, "version", lambda name: versions.get(name, real(name)))


def assert_problem(finding, *words):
    """Expect a problem that says what is wrong and what to do, on one line."""
    assert finding.status == "problem" and finding.remedy
    assert all(word in str(finding) for word in words)
    assert "\n" not in str(finding)


def test_healthy_machine(capsys):
    assert doctor.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(doctor.CHECKS) + 1
    assert all(line.split()[0] in ("ok", "hint") for line in lines[:-1])
    assert lines[-1] == "All is well."
    assert any(line.endswith(f"dpteach is in {Path(dpteach.__file__).resolve().parent}.") for line in lines)


def test_bare_python_gets_a_diagnosis_and_no_traceback():
    command = [sys.executable, "-I", "-S", doctor.__file__]  # -S: no installed package can be imported
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert result.stdout.count("problem  ") == 1 and "start.py" in result.stdout


@pytest.mark.parametrize("version", [(3, 10, 2), (3, 15, 0)])
def test_python_outside_the_range(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    assert_problem(doctor.check_python(), ".".join(map(str, version)), "3.11", "3.14")


# ---- one diagnosis and one remedy for each state of the kit


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """Pretend that the kit is in a folder of its own, where nothing is set up."""
    for name in ("start.py", "pyproject.toml", "requirements.txt"):
        shutil.copy(doctor.CLONE / name, tmp_path)
    for name, place in {"CLONE": ".", "ENVIRONMENT": ".venv", "STAMP": ".venv/stamp", "NOTEBOOKS": "notebooks"}.items():
        monkeypatch.setattr(doctor, name, tmp_path / place)
    return tmp_path


def lose(monkeypatch, *names):
    """Pretend that packages cannot be found."""
    real = doctor.importlib.util.find_spec
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: None if name in names else real(name))


def set_up(kit):
    """Pretend that the set-up went well."""
    (kit / ".venv").mkdir()
    (kit / ".venv" / "stamp").touch()


def offline(monkeypatch):
    """Pretend that there is no network."""
    told = doctor.hint("network", "the package server cannot be reached", "connect to the internet")
    monkeypatch.setattr(doctor, "network", lambda: told)


def read_only(monkeypatch):
    """Pretend that the folder cannot be written."""

    def refuse(dir):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)


def told(capsys):
    """Run the doctor; return the only problem that it tells."""
    assert doctor.main([]) == 1
    *_, last, advice = capsys.readouterr().out.splitlines()
    assert advice.startswith("Do what the remedy says")
    assert last.startswith("problem ") and last.count("Remedy: ") == 1
    return last


def test_before_the_set_up(kit, monkeypatch, capsys):
    lose(monkeypatch, *doctor.IMPORTS)
    assert f"not set up yet. Remedy: {START}" in told(capsys)


def test_half_way_through_the_set_up(kit, monkeypatch, capsys):
    lose(monkeypatch, "scipy")
    (kit / ".venv").mkdir()
    assert f"broken off before its end. Remedy: {START}" in told(capsys)


def test_the_stamp_is_missing_though_all_packages_are_there(kit, monkeypatch, capsys):
    (kit / ".venv").mkdir()
    monkeypatch.setattr(sys, "prefix", str(kit / ".venv"))
    assert "broken off" in told(capsys)


def test_a_lost_package(kit, monkeypatch, capsys):
    lose(monkeypatch, "scipy")
    set_up(kit)
    assert f"scipy got lost. Remedy: delete the folder .venv and {START}" in told(capsys)


def test_offline_before_the_set_up(kit, monkeypatch, capsys):
    lose(monkeypatch, "numpy")
    offline(monkeypatch)
    assert (
        "not set up yet, and the package server cannot be reached. Remedy: connect to the internet, then run"
        in told(capsys)
    )


def test_offline_with_a_lost_package_keeps_the_environment_until_there_is_a_network(kit, monkeypatch, capsys):
    lose(monkeypatch, "numpy")
    set_up(kit)
    offline(monkeypatch)
    assert "Remedy: connect to the internet, then delete the folder .venv" in told(capsys)


def test_offline_with_a_working_kit_is_only_a_hint(monkeypatch):
    offline(monkeypatch)
    finding = doctor.check_network()
    assert finding.status == "hint" and "only a new installation needs" in finding.detail


def test_read_only_before_the_set_up(kit, monkeypatch, capsys):
    lose(monkeypatch, "numpy")
    read_only(monkeypatch)
    offline(monkeypatch)
    line = told(capsys)
    assert "cannot be written. Remedy: move the kit to a place of your own, then run" in line
    assert "internet" not in line  # one thing after the other


def test_read_only_with_a_working_kit(kit, monkeypatch, capsys):
    set_up(kit)
    read_only(monkeypatch)
    assert "problem  rights: the folder" in told(capsys)


def test_too_little_room_for_the_set_up(kit, monkeypatch, capsys):
    lose(monkeypatch, "numpy")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: USAGE(0.95e9))
    assert "only 0.95 GB of the disk are free. Remedy: free at least 1.0 GB, then run" in told(capsys)


@pytest.mark.parametrize(("free", "status"), [(0.95e9, "ok"), (0.15e9, "ok"), (0.05e9, "problem")])
def test_a_working_kit_needs_little_room(monkeypatch, free, status):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: USAGE(free))
    assert doctor.check_disk().status == status


def test_pip_is_asked_for_the_network(monkeypatch):
    monkeypatch.undo()
    done = namedtuple("done", "returncode stderr")
    for answer, status in ((done(0, ""), "ok"), (done(1, "ERROR: no"), "hint"), (done(1, "No module named pip"), "ok")):
        with monkeypatch.context() as patch:
            patch.setattr(doctor.subprocess, "run", lambda command, answer=answer, **_: answer)
            assert doctor.network().status == status


def test_a_server_that_cannot_be_reached_is_noticed(monkeypatch):
    monkeypatch.undo()
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")  # nobody listens there
    assert doctor.network().remedy == "connect to the internet"


# ---- packages


def test_old_package(monkeypatch):
    with_versions(monkeypatch, numpy="1.26.4")
    assert_problem(doctor.check_packages(), "numpy 1.26.4 is not >=2.0", "start.py")


def test_missing_package(monkeypatch):
    with_versions(monkeypatch, scipy=None)
    assert_problem(doctor.check_packages(), "scipy is missing", "start.py")


def test_missing_package_of_the_lock(monkeypatch):
    with_versions(monkeypatch, tornado=None)
    monkeypatch.setattr(doctor, "ours", lambda: True)
    assert_problem(doctor.check_packages(), "tornado is missing", ".venv")
    monkeypatch.setattr(doctor, "ours", lambda: False)
    assert doctor.check_packages().status != "problem"  # conda calls some packages differently


def test_package_within_its_bounds_but_not_as_in_the_lock(monkeypatch):
    with_versions(monkeypatch, numpy="2.0.1")
    finding = doctor.check_packages()
    assert finding.status == "hint" and "numpy 2.0.1" in finding.detail


def test_bounds_and_pins_are_read():
    assert doctor.bounds()["numpy"].startswith(">=2")
    assert doctor.pins()["numpy"].startswith("2.")


def test_missing_kernel(monkeypatch):
    monkeypatch.setattr(doctor, "ask_kernel", partial(doctor.ask_kernel, name="no-such-kernel"))
    assert_problem(doctor.check_kernel(), "NoSuchKernel", ".venv")


def answering(monkeypatch, **changes):
    """Pretend that the kernel answers as it should, but for some changes."""
    answer = {"prefix": sys.prefix, "files": {"dpteach": str(doctor.CLONE / "dpteach/__init__.py")}, "errors": {}}
    monkeypatch.setattr(doctor, "ask_kernel", lambda code: json.dumps(answer | changes))


def test_kernel_that_answers_as_it_should(monkeypatch):
    answering(monkeypatch)
    assert doctor.check_kernel().status == "ok"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"prefix": "/usr"}, ["/usr", ".venv"]),
        ({"errors": {"numpy": "ImportError: no"}}, ["cannot import numpy (ImportError: no)", ".venv"]),
        ({"files": {"dpteach": "/elsewhere/dpteach/__init__.py"}}, ["/elsewhere", "start.py"]),
        ({"files": {"numpy": str(doctor.NOTEBOOKS / "numpy.py")}}, ["numpy.py", "another name"]),
    ],
)
def test_kernel_that_answers_wrongly(monkeypatch, changes, words):
    answering(monkeypatch, **changes)
    assert_problem(doctor.check_kernel(), *words)


def test_pythonpath_to_a_folder_above_the_environment_does_no_harm(monkeypatch):
    answering(monkeypatch)
    monkeypatch.setenv("PYTHONPATH", str(doctor.CLONE.parent))
    assert doctor.check_kernel().status == "ok"


def test_kernel_that_says_nothing(monkeypatch):
    monkeypatch.setattr(doctor, "ask_kernel", lambda code: "")
    assert_problem(doctor.check_kernel(), "does not start", ".venv")


@pytest.mark.parametrize("content", ["raise ImportError('the wrong one')", "array = None"])
def test_another_numpy_in_pythonpath_is_seen_by_a_real_kernel(tmp_path, monkeypatch, content):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(content)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert_problem(doctor.check_kernel(), "numpy", "PYTHONPATH", "unset")


def test_missing_widget_package(monkeypatch):
    with_versions(monkeypatch, ipywidgets=None)
    assert_problem(doctor.check_widgets(), "ipywidgets")


def test_missing_lab_extension(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "extension_folders", lambda: [tmp_path])
    assert_problem(doctor.check_widgets(), "jupyterlab-manager")


@pytest.mark.parametrize("screen", [True, False])
def test_missing_browser_is_only_a_hint(monkeypatch, screen):
    def nothing():
        raise webbrowser.Error("no browser")

    monkeypatch.setattr(webbrowser, "get", nothing)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0" if screen else "")
    finding = doctor.check_browser()
    assert finding.status == "hint" and "--no-browser" in finding.remedy


def test_present_browser(monkeypatch):
    monkeypatch.setattr(webbrowser, "get", object)
    monkeypatch.setenv("DISPLAY", ":0")
    assert doctor.check_browser().status == "ok"


def test_a_check_that_breaks_is_the_problem(monkeypatch, capsys):
    def check_moon():
        raise RuntimeError("eclipse")

    monkeypatch.setattr(doctor, "CHECKS", [doctor.check_python, check_moon, doctor.check_disk])
    assert "eclipse" in told(capsys)


# ---- the package alone, installed from a wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Build the wheel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=doctor.CLONE, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_it_works_from_an_installed_wheel(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "alone"], check=True)
    base = {"base": str(tmp_path / "alone")}
    packages, scripts = (Path(sysconfig.get_path(kind, "venv", vars=base)) for kind in ("purelib", "scripts"))
    zipfile.ZipFile(wheel).extractall(packages)
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))  # all but dpteach, which is linked there
    environment = os.environ | {"JUPYTER_PATH": os.path.join(sys.prefix, "share", "jupyter")}
    command = [scripts / Path(sys.executable).name, "-m", "dpteach", "doctor"]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.stdout.endswith("All is well.\n"), result.stdout + result.stderr
    (packages / "others.pth").unlink()
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 1 and "got lost" in result.stdout
    assert "force-reinstall" in result.stdout and "start.py" not in result.stdout
