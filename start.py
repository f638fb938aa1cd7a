"""Set up the teaching kit and open it.

    python3 start.py                 set up what is missing, then open JupyterLab on the first notebook
    python3 start.py --port 8899     the same; further arguments go to JupyterLab
    python3 start.py test            set up, then run all tests and check all notebooks
    python3 start.py test -k pair    the same; further arguments go to pytest
    python3 start.py doctor          check this machine and say what to do about each problem
    python3 start.py setup           only set up
    python3 start.py teach           open JupyterLab on the exercises, with nbgrader's tools for teachers

Everything is installed into the folder .venv beside this file; to uninstall, delete that folder.
This file needs nothing but Python. It avoids modern syntax, so that an old Python can say that it is too old.
"""

from __future__ import print_function

import errno
import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PROGRAMS = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(PROGRAMS, "python.exe" if os.name == "nt" else "python")
LOCK = os.path.join(HERE, "requirements.txt")
PROJECT = os.path.join(HERE, "pyproject.toml")
STAMP = os.path.join(VENV, "dpteach-is-installed.txt")
LAB_CONFIG = os.path.join(VENV, "etc", "jupyter", "labconfig", "page_config.json")
NO_NEWS = '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}'  # it would ask every student
LAB_OVERRIDES = os.path.join(VENV, "share", "jupyter", "lab", "settings", "overrides.json")
RENDERED = '{"@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}}}'
STUDENT_CONFIG = os.path.join(VENV, "etc", "student")  # no tools for teachers: they take 3 s to load, and confuse
NO_TOOLS = '{"disabledExtensions": {"@jupyter/nbgrader": true}}'
NO_SERVER_TOOLS = '{"ServerApp": {"jpserver_extensions": {%s}}}' % ", ".join(
    '"nbgrader.server_extensions.%s": false' % tool
    for tool in ["formgrader", "validate_assignment", "assignment_list", "course_list"]
)
FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"
# Of pytest: one more than cores, since some tests wait for a browser or a time limit; each takes a file at a time.
WORKERS = ["-n", str(1 + (os.cpu_count() or 1)), "--dist", "loadfile", "--no-loadscope-reorder"]
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout", "120"]
INTERRUPTED, NOTHING_SELECTED = 2, 5  # exit codes of pytest

FULL_DISK = "The disk is full: free about 1 GB, then start again."
NO_NETWORK = (
    "The packages could not be downloaded: check the internet connection (and the proxy, if there is one), "
    "then start again."
)
NO_VENV = (
    "This Python cannot make environments: install its venv module (on Debian and Ubuntu: "
    "sudo apt install python3-venv), then start again."
)
NO_RIGHTS = "The folder {} cannot be written: move it to a place of your own, then start again.".format(HERE)
LONG_PATH = "The folder's path is too long for Windows: move it, say to C:\\dpteach, then start again."

# The sentence for a failed step, and the words in its output that tell which; the first match counts.
SIGNS = [
    (FULL_DISK, "No space left on device|not enough space on the disk|Disk quota exceeded"),
    (NO_VENV, "ensurepip is not available|No module named ensurepip|No module named venv"),
    (LONG_PATH, "Long Path support"),
    (NO_RIGHTS, "Permission denied|Read-only file system"),
    (NO_NETWORK, "establish a new connection|Connection refused|Network is unreachable|name resolution"),
    (NO_NETWORK, "timed out|Failed to fetch|No matching distribution found"),
]


class Trouble(Exception):
    """An expected failure, told in one sentence."""


def main(arguments):
    """Do what the command line asks; every expected failure ends here, as one sentence."""
    try:
        return start(arguments)
    except Trouble as trouble:
        return fail(trouble)
    except (IOError, OSError) as error:
        return fail(explain(str(error)) or "The computer refused a step of the set-up: {}.".format(error))
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130


def fail(sentence):
    """Print the sentence and return the exit code of a failure."""
    print(sentence, file=sys.stderr)
    return 1


def explain(text):
    """Find the sentence for what a failed step printed, or None."""
    return next((sentence for sentence, words in SIGNS if re.search(words, text)), None)


def start(arguments):
    """Set up, then hand over to JupyterLab or to the tests."""
    if arguments in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    check_python()
    if arguments[:1] == ["test"]:
        set_up()
        return run_tests(arguments[1:])
    if arguments == ["doctor"]:  # without the set-up, which may be what is ill
        return hand_over([PYTHON if os.path.exists(PYTHON) else sys.executable, os.path.join("dpteach", "doctor.py")])
    if arguments == ["setup"]:
        set_up()
        return 0
    teach = arguments[:1] == ["teach"]
    arguments = arguments[1:] if teach else arguments
    check_word(arguments)
    check_port(arguments)
    set_up()
    return open_exercises(arguments) if teach else open_kit(arguments)


def check_python():
    """Refuse a Python for which the lock was not made."""
    if not (3, 11) <= tuple(sys.version_info[:2]) <= (3, 13):
        version = ".".join(str(part) for part in sys.version_info[:3])
        raise Trouble(
            "dpteach needs Python 3.11, 3.12 or 3.13, and this is Python {}: install one of them "
            "from python.org and start again with it, for example python3.13 start.py.".format(version)
        )


def check_word(arguments):
    """Refuse a first word that is neither a command nor an option nor a file."""
    if arguments and not arguments[0].startswith("-") and not os.path.isfile(arguments[0]):
        commands = "test, doctor, setup or teach"
        raise Trouble("{!r} is no command: use {}, or options of JupyterLab.".format(arguments[0], commands))


def check_port(arguments):
    """Refuse a port that is asked for and taken; left alone, JupyterLab would quietly choose another one."""
    port = asked_port(arguments)
    if port is None:
        return
    if not port.isdigit() or int(port) > 65535:
        raise Trouble("--port must be a number from 0 to 65535, not {!r}.".format(port))
    reason = why_unusable(int(port))
    if reason:
        raise Trouble("Port {} {}: choose another one with --port, or leave --port out.".format(port, reason))


def why_unusable(port):
    """Try to take the port as JupyterLab will, and say what stands in the way, or None."""
    probe = socket.socket()
    if os.name != "nt":  # a port just given back is free; on Windows the option would share a taken one
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind(("127.0.0.1", port))
    except (IOError, OSError) as error:
        return "is taken" if error.errno == errno.EADDRINUSE else "cannot be used ({})".format(error.strerror)
    finally:
        probe.close()
    return None


def asked_port(arguments):
    """Find the text after --port, or None."""
    for here, after in zip(arguments, arguments[1:] + [""]):
        name, _, value = here.partition("=")
        if name in ("--port", "--ServerApp.port"):
            return value if "=" in here else after
    return None


def set_up():
    """Bring .venv up to date; the stamp, written last, tells that nothing is missing."""
    machine, content = fingerprint()
    stamp = read(STAMP) if os.path.exists(PYTHON) else ""
    if stamp == machine + content:
        return
    if not stamp.startswith(machine):
        make_environment()
    else:
        os.remove(STAMP)  # killed from here on, the next start begins afresh
    install()
    write(LAB_CONFIG, NO_NEWS)
    write(LAB_OVERRIDES, RENDERED)
    write(os.path.join(STUDENT_CONFIG, "labconfig", "page_config.json"), NO_TOOLS)
    write(os.path.join(STUDENT_CONFIG, "jupyter_server_config.d", "student.json"), NO_SERVER_TOOLS)
    write(STAMP, machine + content)


def fingerprint():
    """Describe what .venv is made for: this Python at this place, and this content of the lock."""
    digest = hashlib.sha256((read(LOCK) + read(PROJECT)).encode("utf-8")).hexdigest()
    return "Python {}\n{}\n".format(sys.version, HERE), digest


def read(path):
    """Return the text of a file, empty if there is none."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """Write a file, and its folder if need be."""
    if not os.path.isdir(os.path.dirname(path)):
        os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_environment():
    """Make .venv from nothing, whatever is left there of an earlier attempt."""
    if os.path.exists(VENV):
        print("The folder .venv is half-finished or from elsewhere: it is made again.")
    outside = getattr(sys, "_base_executable", sys.executable)  # a Python inside .venv would delete itself
    step("Making the folder .venv", [outside, "-m", "venv", "--clear", VENV])


def install():
    """Install the locked packages and dpteach: with uv, which takes seconds, or else with pip."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    uv = [PYTHON, "-m", "uv", "pip", "install", "--python", PYTHON]
    what = ["-r", LOCK, "-e", HERE]
    step("Fetching the installer", pip + ["uv"])
    try:
        step("Installing the packages (about 500 MB)", uv + what)
    except Trouble as trouble:
        if str(trouble) == FULL_DISK:
            raise
        step("Installing the packages with pip, which takes longer", pip + what)


def step(title, command):
    """Run one step of the set-up with a dot for every second; a failure is a Trouble."""
    begin, output = time.time(), None
    print(title, end=" ", flush=True)
    child = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while output is None:
        try:
            output = child.communicate(timeout=1)[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            print(".", end="", flush=True)
    print(" {} after {:.0f} s".format("failed" if child.returncode else "done", time.time() - begin))
    if child.returncode:
        raise Trouble(explain(output) or output + "\nThe set-up failed for the reason printed above.")


def open_kit(arguments):
    """Open JupyterLab on the first notebook, as students use it."""
    paths = [STUDENT_CONFIG, os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return open_lab(HERE, FIRST_NOTEBOOK, arguments, JUPYTER_CONFIG_PATH=os.pathsep.join(filter(None, paths)))


def open_exercises(arguments):
    """Open JupyterLab on the exercises, with nbgrader's tools; nbgrader looks for its course where it is started."""
    return open_lab(os.path.join(HERE, "exercises"), "README.md", arguments)


def open_lab(folder, file, arguments, **environment):
    """Open JupyterLab in a folder on one of its files, and stay until it ends."""
    command = [PYTHON, "-m", "jupyterlab", "--ServerApp.root_dir=" + folder]
    command += ["--LabApp.default_url=/lab/tree/" + file, "--log-level=WARN"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["-y"]  # Ctrl-C ends it without a question
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in arguments:
        command += ["--allow-root"]  # in a container everybody is root
    print("Opening JupyterLab; end it with Ctrl-C.", flush=True)
    return hand_over(command + arguments, folder, **environment)


def run_tests(arguments):
    """Run the tests, then the notebooks, and return the worse exit code; files that are named run alone."""
    pytest = [PYTHON, "-m", "pytest"]
    if any(os.path.exists(os.path.join(HERE, argument.split("::")[0])) for argument in arguments):
        return hand_over(pytest + NBVAL + arguments)
    code = hand_over(pytest + WORKERS + arguments)
    if code == INTERRUPTED:
        return code
    of_notebooks = hand_over(pytest + WORKERS + NBVAL + ["notebooks"] + arguments)
    return max(code, 0 if of_notebooks == NOTHING_SELECTED else of_notebooks)


def hand_over(command, folder=HERE, **environment):
    """Run a program in the foreground and return its exit code."""
    path = PROGRAMS + os.pathsep + os.environ.get("PATH", "")  # for terminals and !commands
    child = subprocess.Popen(command, cwd=folder, env=dict(os.environ, PATH=path, **environment))
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return abs(child.wait())  # killed by signal 9 is -9
        except KeyboardInterrupt:
            pass  # the program heard Ctrl-C too: let it tidy up


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
