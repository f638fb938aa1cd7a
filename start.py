"""Set up the teaching kit and open it.

    python3 start.py                 set up what is missing, then open JupyterLab on your own copies of the notebooks
    python3 start.py --port 8899     the same; further arguments go to JupyterLab
    python3 start.py notebooks       for lecturers: open the executed edition instead
    python3 start.py present 2       present lecture 2: slides on the whole screen, with a running Python
    python3 start.py web             build the course for the browser, where nothing is installed, and open it
    python3 start.py test            set up, then run all tests and check all notebooks
    python3 start.py test -k pair    the same; further arguments go to pytest
    python3 start.py doctor          check this machine and say what to do about each problem
    python3 start.py setup           only set up
    python3 start.py teach           open JupyterLab on the exercises, with nbgrader's tools for teachers

What you write goes into the folder my. Everything else goes into the folder .venv: the packages, what was downloaded,
JupyterLab's settings and its history. To uninstall, delete that folder.
This file needs nothing but Python. It avoids modern syntax, so that an old Python can say that it is too old.
"""

from __future__ import print_function

import errno
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PROGRAMS = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(PROGRAMS, "python.exe" if os.name == "nt" else "python")
LOCK = os.path.join(HERE, "requirements.txt")
PROJECT = os.path.join(HERE, "pyproject.toml")
STAMP = os.path.join(VENV, "dpteach-is-installed.txt")
DURATION = os.path.join(VENV, "dpteach-tests-took.txt")
CACHE = os.path.join(VENV, "cache")
JUPYTER = os.path.join(VENV, "jupyter")
OURS = os.path.join(HERE, "dpteach", "jupyter")  # what JupyterLab and nbconvert get from us: descriptions of pictures
STUDENT = os.path.join(JUPYTER, "student")  # settings that go before all others
MY = os.path.join(HERE, "my")  # the student's own copies of the notebooks
MY_LOCK = os.path.join(MY, ".lab-is-open")
FIRST_COPY = "my/00_start_here.ipynb"
TEACHER = os.path.join(JUPYTER, "teacher")
FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"
IMPORTS = "import numpy, scipy, matplotlib, jupyterlab, ipywidgets, anywidget, dpteach"

# Of the variables of pip and uv only those stay that say where packages are and how to get there.
LEADS_ELSEWHERE = re.compile(
    "(PIP|UV|JUPYTER|JUPYTERLAB)_|IPYTHONDIR|MPL|VIRTUAL_ENV|__PYVENV|"
    "PYTHON(PATH|HOME|STARTUP|USERBASE|OPTIMIZE|WARNINGS|INSPECT|PLATLIBDIR)"
)
STAYS = re.compile(
    "(PIP|UV)_(?!NO_).*(INDEX|LINKS|HOST|CERT|PROXY|TIMEOUT|CONFIG_FILE|KEYRING|USERNAME|PASSWORD)|JUPYTER_TOKEN"
)
PLACES = {  # where programs keep what they would otherwise spread over the home folder
    "UV_CACHE_DIR": os.path.join(CACHE, "uv"),
    "PIP_CACHE_DIR": os.path.join(CACHE, "pip"),
    "JUPYTER_CONFIG_DIR": os.path.join(JUPYTER, "config"),
    "JUPYTER_DATA_DIR": os.path.join(JUPYTER, "data"),
    "JUPYTER_RUNTIME_DIR": os.path.join(JUPYTER, "runtime"),
    "IPYTHONDIR": os.path.join(JUPYTER, "ipython"),
    "MPLCONFIGDIR": os.path.join(JUPYTER, "matplotlib"),
    "npm_config_cache": os.path.join(JUPYTER, "npm"),  # where there is an npm, JupyterLab asks it for its folder
}
# A school that looks into encrypted connections has its certificate in the system; newer and older name of the option.
CERTIFICATES = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true"}

# JupyterLab as students need it.
NO_NEWS = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}  # it would ask every student
RENDERED = {"@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}}}
NO_TOOLS = {"disabledExtensions": {"@jupyter/nbgrader": True}}  # tools for teachers take 3 s to load, and confuse
TOOLS = ["formgrader", "validate_assignment", "assignment_list", "course_list"]
USUALLY_HIDDEN = ["__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~"]
HELPERS = ["conftest.py", "start.py", "pyproject.toml", "environment.yml", "requirements*.txt", "nbgrader_config.py"]
HELPERS += ["ruff.toml", "CITATION.cff", "CONTRIBUTING.md", "CHANGELOG.md"]
SOLUTIONS = ["tests", "source"]
OFF = {"nbgrader.server_extensions." + tool: False for tool in TOOLS}
NO_SERVER_TOOLS = {"ServerApp": {"jpserver_extensions": OFF}}
FORMGRADER = {"nbgrader.server_extensions.formgrader": False, "dpteach.grading.outside.formgrader": True}
OUR_FORMGRADER = {"ServerApp": {"jpserver_extensions": FORMGRADER}}  # nbgrader's, made safe for what students hand in
OUT_OF_SIGHT = {"ContentsManager": {"hide_globs": USUALLY_HIDDEN + HELPERS + SOLUTIONS}}
STORED_PICTURES = {"ServerApp": {"contents_manager_class": "dpteach.tools.stored.StoredPictures"}}  # of explorers
SETTINGS = {
    os.path.join(VENV, "etc", "jupyter", "labconfig", "page_config.json"): NO_NEWS,
    os.path.join(VENV, "share", "jupyter", "lab", "settings", "overrides.json"): RENDERED,
    os.path.join(VENV, "etc", "jupyter", "jupyter_server_config.d", "stored_pictures.json"): STORED_PICTURES,
    os.path.join(STUDENT, "labconfig", "page_config.json"): NO_TOOLS,
    os.path.join(STUDENT, "jupyter_server_config.d", "student.json"): NO_SERVER_TOOLS,
    os.path.join(STUDENT, "jupyter_server_config.json"): OUT_OF_SIGHT,
    os.path.join(TEACHER, "jupyter_server_config.d", "teacher.json"): OUR_FORMGRADER,
}

NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout", "120"]
CORE_MINUTES = 16  # that all tests take, spread over the cores
PASSED, FAILED, INTERRUPTED = 0, 1, 2  # exit codes of pytest

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
NO_COPIES = (
    "The folder {} cannot be written, and your copies of the notebooks belong there: move the kit to a place of your "
    "own, or only look at the executed edition with start.py notebooks.".format(MY)
)
LONG_PATH = "The folder's path is too long for Windows: move it, say to C:\\dpteach, then start again."

NO_TRUST = (
    "The package server's certificate is not trusted here, as where a school looks into encrypted connections: ask for "
    "the school's certificate, name its file in the variables PIP_CERT and SSL_CERT_FILE, then start again."
)
NOT_FOUND = (
    "No package {found} was found: if requirements.txt is as it came, see where pip and uv look for packages "
    "(pip config list shows it; no-index forbids all), then start again."
)
NOT_HERE = (
    "The packages were installed, but .venv cannot use them ({error}): see whether settings of pip or uv lead them "
    "elsewhere (pip config list), then start again."
)

# The sentence for a failed step, and the words in its output that tell which; the first match counts.
SIGNS = [
    (FULL_DISK, "No space left on device|not enough space on the disk|Disk quota exceeded"),
    (NO_VENV, "ensurepip is not available|No module named '?(ensurepip|venv)"),
    (LONG_PATH, "Long Path support"),
    (NO_RIGHTS, "Permission denied|Read-only file system"),
    (NO_TRUST, "CERTIFICATE_VERIFY_FAILED|invalid peer certificate"),
    (NO_NETWORK, "establish a new connection|connection broken|Connection refused|Network is unreachable"),
    (NO_NETWORK, "name resolution|timed out|Failed to fetch"),
    (NOT_FOUND, "No matching distribution found for (?P<found>[^ ;]+)"),
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
    text = " ".join(text.split())  # some programs wrap their lines
    for sentence, words in SIGNS:
        match = re.search(words, text)
        if match:
            return sentence.replace("{found}", match.groupdict().get("found", ""))
    return None


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
        return hand_over(
            [PYTHON if os.path.exists(PYTHON) else sys.executable, os.path.join("dpteach", "tools", "doctor.py")]
        )
    if arguments == ["setup"]:
        set_up()
        return 0
    if arguments[:1] in (["web"], ["present"]):
        set_up()
        return hand_over([PYTHON, "-m", "dpteach"] + arguments)
    doors = {"notebooks": open_edition, "teach": open_exercises}
    enter = doors.get(arguments[0] if arguments else None, open_copies)
    arguments = arguments if enter == open_copies else arguments[1:]
    check_word(arguments)
    check_port(arguments)
    set_up()
    return enter(arguments)


def check_python():
    """Refuse a Python for which the lock was not made."""
    if not (3, 11) <= tuple(sys.version_info[:2]) <= (3, 14):
        version = ".".join(str(part) for part in sys.version_info[:3])
        raise Trouble(
            "dpteach needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {}: install one of them "
            "from python.org and start again with it, for example python3.13 start.py.".format(version)
        )


def check_word(arguments):
    """Refuse a first word that is neither a command nor an option nor a file."""
    if arguments and not arguments[0].startswith("-") and not os.path.isfile(arguments[0]):
        commands = "notebooks, present, web, test, doctor, setup or teach"
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
    """Bring .venv up to date, if it is not; of two starts at once the second one waits for the first."""
    if is_ready():
        return
    with open(os.path.abspath(__file__), "rb") as file:
        wait_for_turn(file)
        if not is_ready():
            bring_up_to_date()


def is_ready():
    """Say whether the stamp is the right one and also true: packages get lost."""
    return os.path.exists(PYTHON) and read(STAMP) == "".join(fingerprint()) and not import_error()


def import_error():
    """Import in .venv what everything depends on; return the last line of what Python says if it cannot."""
    child = subprocess.Popen([PYTHON, "-I", "-c", IMPORTS], env=environment(), stderr=subprocess.PIPE)
    lines = child.communicate()[1].decode("utf-8", "replace").strip().splitlines()
    return (lines or ["it ended with code {}".format(child.returncode)])[-1] if child.returncode else None


def bring_up_to_date():
    """Make or renew .venv; the stamp, written last, tells that nothing is missing."""
    machine, content = fingerprint()
    stamp = read(STAMP) if os.path.exists(PYTHON) else ""
    to_be_renewed = stamp.startswith(machine) and stamp != machine + content
    if to_be_renewed:
        os.remove(STAMP)  # killed from here on, the next start begins afresh
        install()
    if not to_be_renewed or import_error():
        make_environment()
        install()
    for path, settings in SETTINGS.items():
        write(path, json.dumps(settings))
    error = import_error()
    if error:
        raise Trouble(NOT_HERE.replace("{error}", error))
    write(STAMP, machine + content)


def wait_for_turn(file):
    """Wait until no other start holds the lock on the file; the lock ends with its process, however that ends."""
    if not take_lock(file):
        print("Another start is setting up this kit: waiting for it to end.", flush=True)
        while not take_lock(file):
            time.sleep(0.5)


def take_lock(file):
    """Try to lock the file; where files cannot be locked at all, go on without."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(1 << 30)  # a byte that nobody reads
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (IOError, OSError) as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def fingerprint():
    """Describe what .venv is made for: this Python at this place, and this content of the lock and of this file."""
    content = read(LOCK) + read(PROJECT) + read(os.path.abspath(__file__))
    return "Python {}\n{}\n".format(sys.version, HERE), hashlib.sha256(content.encode("utf-8")).hexdigest()


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
        print("The folder .venv is half-finished, damaged or from elsewhere: it is made again.")
    outside = getattr(sys, "_base_executable", sys.executable)  # a Python inside .venv would delete itself
    step("Making the folder .venv", [outside, "-m", "venv", "--clear", VENV])


def install():
    """Install the locked packages and dpteach: with uv, which takes seconds, or else with pip."""
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    uv = [PYTHON, "-m", "uv", "pip", "install", "--python", PYTHON]
    step("Fetching the installer", pip + ["uv"])
    try:
        step("Installing the packages (about 500 MB)", uv + ["-r", LOCK])
    except Trouble as trouble:
        if str(trouble) == FULL_DISK:
            raise
        step("Installing the packages with pip, which takes longer", pip + ["-r", LOCK])
    shutil.rmtree(CACHE, ignore_errors=True)
    link()


def link():
    """Let .venv find dpteach in this folder, by a path without the names of folders above it.

    Python 3.11 and 3.12 read the file in the encoding of the system, which on Windows is not UTF-8.
    """
    packages = sysconfig.get_path("purelib", "venv", vars={"base": VENV})
    write(os.path.join(packages, "dpteach.pth"), os.path.relpath(HERE, packages) + "\n")


def step(title, command):
    """Run one step of the set-up with a dot for every second; a failure is a Trouble."""
    begin, output = time.time(), None
    print(title, end=" ", flush=True)
    child = subprocess.Popen(command, cwd=HERE, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while output is None:
        try:
            output = child.communicate(timeout=1)[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            print(".", end="", flush=True)
    print(" {} after {:.0f} s".format("failed" if child.returncode else "done", time.time() - begin))
    if child.returncode:
        raise Trouble(explain(output) or output + "\nThe set-up failed for the reason printed above.")


def environment(**more):
    """Return the environment of all our programs: nothing in it leads elsewhere, and their files go into .venv."""
    inherited = os.environ.items()
    own = {name: value for name, value in inherited if STAYS.match(name) or not LEADS_ELSEWHERE.match(name)}
    own["PATH"] = PROGRAMS + os.pathsep + own.get("PATH", "")  # for terminals and !commands
    own.update(CERTIFICATES)
    own["JUPYTER_PATH"] = OURS
    if os.access(VENV if os.path.exists(VENV) else HERE, os.W_OK):  # else a kit that all may read, and only one write
        own.update(PLACES)
    own.update(more)
    return own


def open_copies(arguments):
    """Bring the student's own copies up to date and open JupyterLab on the first one."""
    with open_my_lock() as lock:  # held until JupyterLab ends, so that no other start changes what is open there
        code = renew_copies([] if take_lock(lock) else ["--lab-is-open"])
        return code or open_lab(HERE, "student", FIRST_COPY, arguments, JUPYTER_CONFIG_PATH=STUDENT)


def open_my_lock():
    """Open a file in the folder of the student's copies, which is made if it is missing."""
    try:
        if not os.path.isdir(MY):
            os.mkdir(MY)
        return open(MY_LOCK, "ab")
    except (IOError, OSError) as error:
        disk_is_full = error.errno == errno.ENOSPC
    raise Trouble(FULL_DISK if disk_is_full else NO_COPIES)


def renew_copies(options):
    """Make the copies that are missing and renew those that are out of date; return 1 if that failed."""
    return hand_over([PYTHON, "-m", "dpteach", "copies"] + options)


def open_edition(arguments):
    """Open JupyterLab on the executed edition, for a lecturer."""
    return open_lab(HERE, "lecturer", FIRST_NOTEBOOK, arguments, JUPYTER_CONFIG_PATH=STUDENT)


def open_exercises(arguments):
    """Open JupyterLab on the exercises, with nbgrader's tools; nbgrader looks for its course where it is started."""
    return open_lab(os.path.join(HERE, "exercises"), "teacher", "README.md", arguments, JUPYTER_CONFIG_PATH=TEACHER)


def open_lab(folder, workspace, file, arguments, **more):
    """Open JupyterLab in a folder on one of its files, without the tabs of other projects, and stay until it ends."""
    command = [PYTHON, "-m", "jupyterlab", "--ServerApp.root_dir=" + folder]
    command += ["--LabApp.default_url=/lab/workspaces/{}/tree/{}".format(workspace, file), "--log-level=WARN"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["-y"]  # Ctrl-C ends it without a question
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in arguments:
        command += ["--allow-root"]  # in a container everybody is root
    if asked_port(arguments):
        command += ["--ServerApp.port_retries=0"]  # no other port than this one
    print("Opening JupyterLab; end it with Ctrl-C.", flush=True)
    code = hand_over(command + arguments, folder, **more)
    if code:
        check_port(arguments)  # another program may have taken it in the meantime
    return code


def run_tests(arguments):
    """Run tests and notebooks, all of them or what the arguments choose; what is skipped is listed at the end."""
    check_paths(arguments)
    pytest = [PYTHON, "-m", "pytest", "-rs"] + NBVAL
    if any(is_there(argument) for argument in arguments):
        return hand_over(pytest + arguments)
    print("Running tests and notebooks: all of them take {} here.".format(usual_duration()), flush=True)
    begin = time.time()
    code = hand_over(pytest + workers() + [part for part in ("tests", "notebooks") if is_there(part)] + arguments)
    if not arguments and code in (PASSED, FAILED):  # not if it was interrupted or killed
        write(DURATION, str(time.time() - begin))
    return code


def check_paths(arguments):
    """Refuse a file or folder that does not exist; what stands after an option may be its value."""
    for before, argument in zip([""] + arguments, arguments):
        path = argument.split("::")[0]
        looks_so = "/" in path or os.sep in path or path.endswith((".py", ".ipynb"))
        if looks_so and not before.startswith("-") and not argument.startswith("-") and not is_there(path):
            raise Trouble("{} does not exist: name a file or folder of the kit, such as tests/setup.".format(path))


def is_there(argument):
    """Say whether an argument names a file or folder of the kit."""
    return os.path.exists(os.path.join(HERE, argument.split("::")[0]))


def usual_duration():
    """Say how long all tests took here the last time, or else would take for so many cores."""
    seconds = float(read(DURATION) or 60 * CORE_MINUTES / (os.cpu_count() or 1))
    return "about {:.0f} minutes".format(seconds / 60) if seconds > 90 else "about {:.0f} seconds".format(seconds)


def workers():
    """Let pytest use one process more than cores, since some tests wait; each takes a file at a time."""
    return ["-n", str(1 + (os.cpu_count() or 1)), "--dist", "loadfile", "--no-loadscope-reorder"]


def hand_over(command, folder=HERE, **more):
    """Run a program in the foreground and return its exit code."""
    child = subprocess.Popen(command, cwd=folder, env=environment(**more))
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while True:
        try:
            return abs(child.wait())  # killed by signal 9 is -9
        except KeyboardInterrupt:
            pass  # the program heard Ctrl-C too: let it tidy up


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
