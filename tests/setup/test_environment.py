"""The files that say what to install agree with each other and name no server."""

import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

CLONE = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
EVERYBODY = [Requirement(line) for line in PROJECT["dependencies"] + EXTRAS["test"] + EXTRAS["grading"]]
LOCKS = ["requirements.txt", "requirements-peers.txt"]


def locked(name):
    """Read a lock as a list of requirements."""
    return [Requirement(line) for line in (CLONE / name).read_text(encoding="utf-8").splitlines()]


def conda():
    """Read environment.yml."""
    return yaml.safe_load((CLONE / "environment.yml").read_text(encoding="utf-8"))


def test_environment_yml_repeats_pyproject():
    specs = [Requirement(spec) for spec in conda()["dependencies"] if isinstance(spec, str)]
    found = {spec.name: spec.specifier for spec in specs}
    assert found.pop("python") == SpecifierSet(PROJECT["requires-python"])
    assert found.pop("pip") == SpecifierSet()  # conda wants it named, because it installs dpteach
    assert found == {requirement.name: requirement.specifier for requirement in EVERYBODY}


def test_environment_yml_comes_from_conda_forge_and_installs_the_clone():
    assert conda()["channels"] == ["conda-forge"]
    assert {"pip": ["-e ."]} in conda()["dependencies"]


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_exact_versions_and_nothing_else(name):
    for line in (CLONE / name).read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[\w.]+( ; [\w.'<>=! ()]+)?", line), line


@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0"])
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
