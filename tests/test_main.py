"""`python -m dpteach` and the package's front door."""

import inspect
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dpteach
from dpteach.__main__ import COMMANDS, IN_PYTHON, main


def test_help_names_every_command(capsys):
    assert main([]) == main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


def test_the_example_of_the_help_prints_what_it_says():
    lines = [line.strip() for line in IN_PYTHON.splitlines()[1:]]
    names = {}
    exec(lines[0], names)
    code, said = lines[1].split("# ")
    assert f"{eval(code, names):.6f}" == said.split(":")[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(capsys, name):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"usage: python -m dpteach {name} [-h]" in capsys.readouterr().out


def test_the_version_is_that_of_the_project(capsys):
    assert main(["--version"]) == 0
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert capsys.readouterr().out == f"dpteach {project['version']}\n"


@pytest.mark.skipif(os.name == "nt", reason="closed pipes are told differently on Windows")
@pytest.mark.parametrize("arguments", [["claims"], ["claims", "--json"], ["--help"]])
def test_a_reader_that_has_seen_enough_ends_it_quietly(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "dpteach", *arguments]
    run = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (run.returncode, run.stderr) == (141, "")


def test_an_unknown_command_is_told(capsys):
    assert main(["dance"]) == 2
    assert "unknown command 'dance'" in capsys.readouterr().err


def test_every_public_name_is_documented():
    """Everything that a reader can call without an underscore says what it does."""
    modules = [dpteach, *(m for m in vars(dpteach).values() if inspect.ismodule(m))]
    for module in modules:
        assert module.__doc__, module
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", "").split(".")[0] != "dpteach":
                continue
            if inspect.isfunction(thing) or inspect.isclass(thing):
                assert thing.__doc__, f"{module.__name__}.{name}"
            if inspect.isclass(thing):
                methods = {n: m for n, m in vars(thing).items() if not n.startswith("_") and callable(m)}
                assert all(m.__doc__ for m in methods.values()), f"{module.__name__}.{name}"


@pytest.mark.parametrize("package", ["numpy"])
def test_a_missing_package_is_told_in_one_sentence(package):
    """The package still loads, so that the doctor can run; asking it for anything says what is missing."""
    code = f"import sys; sys.modules['{package}'] = None; import dpteach; dpteach.Pair"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert "ImportError: dpteach needs" in run.stderr.splitlines()[-1]
