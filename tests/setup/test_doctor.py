"""The doctor, on a healthy machine and on machines with one simulated illness each."""

import subprocess
import sys
import webbrowser
from collections import namedtuple
from functools import partial
from importlib.machinery import ModuleSpec

import pytest

from dpteach import doctor


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


def test_bare_python_gets_a_diagnosis_and_no_traceback():
    command = [sys.executable, "-I", "-S", doctor.__file__]  # -S: no installed package can be imported
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert "problem  Jupyter kernel: " in result.stdout and "start.py" in result.stdout


@pytest.mark.parametrize("version", [(3, 10, 2), (3, 14, 0)])
def test_python_outside_the_range(monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    assert_problem(doctor.check_python(), ".".join(map(str, version)), "3.11")


@pytest.mark.parametrize("spec", [None, ModuleSpec("dpteach", None, origin="/elsewhere/dpteach/__init__.py")])
def test_dpteach_missing_or_from_elsewhere(monkeypatch, spec):
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: spec)
    assert_problem(doctor.check_dpteach(), "imported", "start.py")


def test_old_package(monkeypatch):
    with_versions(monkeypatch, numpy="1.26.4")
    assert_problem(doctor.check_packages(), "numpy 1.26.4 is not >=2.0", "start.py")


def test_missing_package(monkeypatch):
    with_versions(monkeypatch, scipy=None)
    assert_problem(doctor.check_packages(), "scipy is missing", "start.py")


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


@pytest.mark.parametrize(("answer", "word"), [("", "nothing"), (f"3 {sys.prefix}", "3"), ("2 /usr", "/usr")])
def test_kernel_that_answers_wrongly(monkeypatch, answer, word):
    monkeypatch.setattr(doctor, "ask_kernel", lambda code: answer)
    assert_problem(doctor.check_kernel(), word)


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


def test_full_disk(monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage(2e8))
    assert_problem(doctor.check_disk(), "0.2 GB", "free at least 1 GB")


def test_a_check_that_breaks_is_a_problem_and_the_others_go_on(monkeypatch, capsys):
    def check_moon():
        raise RuntimeError("eclipse")

    monkeypatch.setattr(doctor, "CHECKS", [check_moon, doctor.check_disk])
    assert doctor.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "eclipse" in lines[0] and lines[1].startswith("ok") and lines[2] == "1 problem to repair."
