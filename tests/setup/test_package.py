"""The package as others install it: light, typed, with a command, and a sentence about what is missing."""

import importlib.metadata
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dpteach.tools import extras

CLONE = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIGHT = ("mpmath", "numpy", "scipy")
BLOCK = """
import sys
class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Wall())
"""


def run(code, *names):
    """Run code where some packages are not installed."""
    walled = BLOCK.format(names=set(names)) + code
    return subprocess.run([sys.executable, "-c", walled], capture_output=True, text=True, cwd=CLONE)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build wheel and sdist, as a release would; hatchling needs no network."""
    folder = tmp_path_factory.mktemp("dist")
    code = "import sys; from hatchling import build; build.build_wheel(sys.argv[1]); build.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=CLONE, check=True, capture_output=True)
    return folder


def test_the_library_asks_for_three_packages():
    assert sorted(Requirement(line).name for line in PROJECT["dependencies"]) == sorted(LIGHT)


def test_the_library_works_with_three_packages():
    """Everything but pictures, widgets and marks: nothing of an extra is imported on the way."""
    code = """
import dpteach
from dpteach import Guarantee, optimal, mechanisms, experiment, leakage, granularity, notions, claim
assert abs(optimal(Guarantee(0.1), k=100).epsilon(1e-6) - 4.774568) < 1e-6
print(claim("KOV-Thm-3.3"))
"""
    done = run(code, *(name for packages in extras.EXTRAS.values() for name in packages))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("code", "package", "extra"),
    [
        ("import dpteach.figures.basics", "matplotlib", "lab"),
        ("from dpteach.explore import BudgetRace; BudgetRace().widget", "anywidget", "lab"),
        ("from dpteach.__main__ import main; raise SystemExit(main(['grade', 'nowhere']))", "nbgrader", "grading"),
        ("from dpteach.__main__ import main; raise SystemExit(main(['run-notebooks']))", "nbclient", "test"),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(code, package, extra):
    done = run(code, package)
    assert done.returncode in (1, 2)
    assert done.stderr.splitlines()[-1].endswith(
        f'this part of dpteach needs {package}, which is not installed: pip install "dpteach[{extra}]" brings it'
    )


def test_every_extra_brings_what_is_said():
    for extra in ("grading", "browser", "release"):
        asked = {Requirement(line).name for line in PROJECT["optional-dependencies"][extra]}
        assert asked & set(extras.EXTRAS[extra])
    lab = {Requirement(line).name for line in PROJECT["optional-dependencies"]["lab"]}
    assert lab <= set(extras.EXTRAS["lab"])


def test_the_wheel_holds_the_library_and_no_solutions(built):
    [wheel] = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "dpteach/py.typed" in names
    assert any(name.endswith(".csv") for name in names)
    assert any(name.endswith(".js") for name in names)
    assert any(name.endswith("data/share/jupyter/labextensions/dpteach/package.json") for name in names)
    assert not [name for name in names if name.startswith(("exercises", "tests", "notebooks"))]


def test_the_wheel_says_what_it_needs_and_has_a_command(built):
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        [metadata] = [name for name in opened.namelist() if name.endswith("METADATA")]
        told = importlib.metadata.PathDistribution(zipfile.Path(opened, os.path.dirname(metadata) + "/"))
        plain = [line for line in told.requires or () if "extra" not in line]
        assert sorted(Requirement(line).name for line in plain) == sorted(LIGHT)
        [command] = told.entry_points
    assert (command.name, command.value) == ("dpteach", "dpteach.__main__:quiet_main")


def test_the_long_description_renders(built):
    """What `twine check` looks at; where twine is not installed the test says so."""
    pytest.importorskip("twine", reason="twine is no part of the kit")
    files = [str(path) for path in built.iterdir()]
    done = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
