"""The files that say what to install agree with each other and name no server."""

import importlib.util
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from dpteach.tools import doctor

CLONE = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
KIT = PROJECT["dependencies"] + EXTRAS["lab"] + EXTRAS["grading"] + EXTRAS["test"]
EVERYBODY = [Requirement(line) for line in KIT]
LOCKS = ["requirements.txt", "requirements-peers.txt"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
MORE_PYTHONS = ["3.10", *PYTHONS, "3.15"]


def locked(name):
    """Read a lock as a list of requirements."""
    return [Requirement(line) for line in (CLONE / name).read_text(encoding="utf-8").splitlines()]


def conda():
    """Read environment.yml."""
    return yaml.safe_load((CLONE / "environment.yml").read_text(encoding="utf-8"))


def test_environment_yml_repeats_pyproject():
    python, *specs = [spec for spec in conda()["dependencies"] if isinstance(spec, str)]
    found = {spec.name: spec.specifier for spec in map(Requirement, specs)}
    version = re.match(r"python\s*=+\s*([\d\.]*)", python)[1]  # as repo2docker looks for it
    assert version in PYTHONS
    assert found.pop("pip") == SpecifierSet()  # conda wants it named, because it installs dpteach
    assert found == {requirement.name: requirement.specifier for requirement in EVERYBODY}


def test_environment_yml_comes_from_conda_forge_and_installs_the_clone():
    assert conda()["channels"] == ["conda-forge"]
    assert {"pip": ["-e ."]} in conda()["dependencies"]


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_exact_versions_and_nothing_else(name):
    for line in (CLONE / name).read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( ; [\w.'<>=! ()]+)?", line), line


def test_every_python_is_admitted_by_all_who_say_so(monkeypatch):
    assert [python for python in MORE_PYTHONS if SpecifierSet(PROJECT["requires-python"]).contains(python)] == PYTHONS
    spec = importlib.util.spec_from_file_location("start", CLONE / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    for python in MORE_PYTHONS:
        monkeypatch.setattr(sys, "version_info", (*map(int, python.split(".")), 0))
        assert (doctor.check_python().status == "ok") == (python in PYTHONS)
        if python in PYTHONS:
            start.check_python()
        else:
            with pytest.raises(start.Trouble, match=", ".join(PYTHONS[:-1]) + " or " + PYTHONS[-1]):
                start.check_python()
    readme = (CLONE / "README.md").read_text(encoding="utf-8")
    assert f"Python {', '.join(PYTHONS[:-1])} or {PYTHONS[-1]}" in " ".join(readme.split())


@pytest.mark.parametrize("python", [f"{python}.0" for python in PYTHONS])
@pytest.mark.parametrize(
    "system", [("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt")]
)
def test_lock_serves_every_python_and_system_within_the_bounds(python, system):
    here = dict(zip(["sys_platform", "platform_system", "os_name"], system, strict=True))
    here |= {"python_full_version": python, "python_version": python[:4], "implementation_name": "cpython"}
    pins = [pin for pin in locked("requirements.txt") if pin.marker is None or pin.marker.evaluate(here)]
    versions = {pin.name: str(pin.specifier)[2:] for pin in pins}
    assert len(versions) == len(pins)
    assert all(requirement.specifier.contains(versions[requirement.name]) for requirement in EVERYBODY)


def test_lock_of_the_peers_only_adds():
    ours = {pin.name for pin in locked("requirements.txt")}
    peers = {str(pin) for pin in locked("requirements-peers.txt")}
    assert not ours & {Requirement(peer).name for peer in peers}
    assert set(EXTRAS["peers"]) <= peers


def test_nobody_is_told_to_install_the_peers_with_what_they_ask_for():
    """They ask for an older attrs than Jupyter's."""
    names = ["CONTRIBUTING.md", ".ci/run", "tests/peers/test_peers.py", "dpteach/tools/bench.py"]
    lines = [line for name in names for line in (CLONE / name).read_text(encoding="utf-8").splitlines()]
    told = [line for line in lines if "install" in line and "-r requirements-peers.txt" in line]
    assert len(told) == 4
    assert all("--no-deps" in line for line in told)


def test_no_setup_file_names_a_server():
    names = [*LOCKS, "pyproject.toml", "environment.yml", "start.py", ".ci/run", "CONTRIBUTING.md"]
    for name in names:
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links", (CLONE / name).read_text(encoding="utf-8"))


def test_citation_names_this_version():
    citation = yaml.safe_load((CLONE / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]


def test_continuous_integration_calls_start_py():
    script = CLONE / ".ci" / "run"
    assert "python3 start.py test" in script.read_text(encoding="utf-8")
    assert os.name == "nt" or os.access(script, os.X_OK)
