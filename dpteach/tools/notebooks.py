"""Run the notebooks and save them in the normal form that the tests expect.

    python -m dpteach run-notebooks                              all notebooks
    python -m dpteach run-notebooks notebooks/01_basics.ipynb    only these
    python -m dpteach run-notebooks --check                      change nothing, only say what is out of date

The normal form holds nothing random and nothing of the machine, so that a diff shows what an author changed.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, v4

from ..questions.asking import REVEALED
from .lecture_rules import rules_for
from .rules import code_cells, faults, place

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NAME = re.compile(r"\d\d_\w+\.ipynb")  # of the kit's own notebooks
WIDGET = "application/vnd.jupyter.widget-view+json"  # holds a random number, and shows nothing without a kernel
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
LANGUAGE = {"language_info": {"name": "python"}}
NOTEBOOK_KEYS = ("title",)  # what an author sets; the rest is an editor's
CELL_KEYS = ("slideshow", "tags")
ANSWERS = "dpteach"  # the key in a notebook's metadata under which questions keep a reader's answers
SECONDS = 120  # for one cell, as in the tests
TOLERANCE = 1e-6
NUMBER = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
NOT_NORMAL = "is not in the normal form"
QUIET = logging.getLogger(f"{__name__}.quiet")
QUIET.setLevel(logging.CRITICAL + 1)  # what goes wrong is told once, as a Trouble


Work = Callable[[Path], tuple[str, list[str]]]  # on a notebook: what was done, and what is wrong with it


class Trouble(Exception):
    """A notebook that cannot be run to its end, told in one sentence."""


def edition() -> list[Path]:
    """List the kit's own notebooks, without the drafts and copies that a reader leaves beside them."""
    return [path for path in sorted(FOLDER.glob("*.ipynb")) if NAME.fullmatch(path.name)]


# The normal form


def parse(text: str) -> NotebookNode:
    """Return the notebook that a file's text holds."""
    try:
        content = json.loads(text)
    except ValueError as error:
        raise Trouble(f"is no notebook: {error}") from None
    if not isinstance(content, dict) or content.get("nbformat") != 4:
        raise Trouble("is no notebook of format 4: open it in JupyterLab and save it")
    return v4.to_notebook(content)


def unparse(notebook: NotebookNode) -> str:
    """Return the text of a notebook's file."""
    return v4.writes(notebook) + "\n"


def normal_form(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook without empty cells and without what editors, kernels and widgets leave behind."""
    kept = {key: notebook.metadata[key] for key in NOTEBOOK_KEYS if key in notebook.metadata}
    cells = [_normal_cell(cell) for cell in notebook.cells if cell.source.strip()]
    _name(cells)
    return nbformat.from_dict(dict(cells=cells, metadata=kept | KERNEL | LANGUAGE, nbformat=4, nbformat_minor=5))


def _normal_cell(cell: NotebookNode) -> dict:
    code = cell.cell_type == "code"
    lines = cell.source.strip("\n").rstrip().split("\n")  # two blanks at the end of a Markdown line mean something
    source = "\n".join(line.rstrip() if code else line for line in lines)
    metadata = {key: cell.metadata[key] for key in CELL_KEYS if cell.metadata.get(key)}
    normal = {"id": cell.get("id"), "cell_type": cell.cell_type, "metadata": metadata, "source": source}
    if code:
        normal |= {"execution_count": cell.execution_count, "outputs": normal_outputs(cell.outputs)}
    return normal | ({"attachments": cell.attachments} if cell.get("attachments") else {})


def normal_outputs(outputs: list) -> list[dict]:
    """Return the outputs with neighbouring streams joined and without the live widgets."""
    normal: list[dict] = []
    for output in map(dict, outputs):
        if "data" in output:
            output["data"] = {mime: _trim(mime, value) for mime, value in output["data"].items() if mime != WIDGET}
            output["metadata"] = {key: value for key, value in output["metadata"].items() if key != WIDGET}
        if output["output_type"] == "stream" and normal and normal[-1].get("name") == output["name"]:
            normal[-1]["text"] += output["text"]
        elif output.get("data") != {}:
            normal.append(output)
    return normal


def _trim(mime: str, value):
    """Drop the line break that some kernels put after a picture."""
    return value.rstrip("\n") if mime in ("image/png", "image/jpeg") else value


def _name(cells: list[dict]) -> None:
    """Keep the cells' names that are there, and name the others after their place."""
    taken: set[str] = set()
    for number, cell in enumerate(cells, start=1):
        if not cell["id"] or cell["id"] in taken:
            cell["id"] = _free_name(f"cell-{number:02d}", taken | {other["id"] for other in cells})
        taken.add(cell["id"])


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "-new"
    return name


def is_normal(text: str) -> bool:
    """Say whether the text of a notebook's file is in the normal form."""
    return text == unparse(normal_form(parse(text)))


def as_written(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook without what JupyterLab changes in it by opening, saving and running it."""
    if notebook.metadata | KERNEL | LANGUAGE == notebook.metadata:
        return notebook  # no kernel has seen it since
    written = nbformat.from_dict(notebook)
    written.metadata |= KERNEL | LANGUAGE
    written.metadata.pop(ANSWERS, None)
    for count, (_, cell) in enumerate(code_cells(written), start=1):
        cell.outputs = normal_outputs(cell.outputs)
        cell.execution_count = count if cell.execution_count else None
    return nbformat.from_dict(written)


# What counts as the same output: here, and for nbval (notebooks/conftest.py)


def difference(stored: list, fresh: list) -> str:
    """Say in a sentence how the fresh outputs of a cell differ from the stored ones, empty if they agree."""
    before = list(_facets(stored))
    now = list(_facets(fresh))
    complaints = [text for kind, text in now if kind == "stderr"]
    if complaints:
        return f"a warning or error message: {complaints[0].strip()}"
    kinds = [kind for kind, _ in before]
    kinds_now = [kind for kind, _ in now]
    if kinds != kinds_now:
        return f"stored is {', '.join(kinds) or 'nothing'}, now it gives {', '.join(kinds_now) or 'nothing'}"
    for (kind, old), (_, new) in zip(before, now, strict=True):
        if not same_text(old, new):
            return f"{kind}: stored is {_first_change(old, new)}, now it gives {_first_change(new, old)}"
    return ""


def _facets(outputs: list) -> Iterator[tuple[str, str]]:
    """Yield what is compared: texts in full, of pictures that they are there and how they are described."""
    for output in outputs:
        if output["output_type"] == "stream":
            yield output["name"], output["text"]
        elif output["output_type"] == "error":
            yield "error", f"{output['ename']}: {output['evalue']}"
        for mime, value in sorted(output.get("data", {}).items()):
            if mime.startswith("image/"):
                yield mime, output["metadata"].get(mime, {}).get("alt", "")
            elif mime != WIDGET:
                yield mime, value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def same_text(old: str, new: str) -> bool:
    """Compare numbers with a decimal point or exponent within the tolerance, everything else to the letter."""
    parts = NUMBER.split(old)  # text, number, text, number, …, text
    new_parts = NUMBER.split(new)
    return len(parts) == len(new_parts) and all(map(_same_part, parts, new_parts))


def _same_part(old: str, new: str) -> bool:
    if old == new:
        return True
    are_numbers = NUMBER.fullmatch(old) and NUMBER.fullmatch(new)
    are_counts = old.isdigit() and new.isdigit()
    if not are_numbers or are_counts:
        return False
    return math.isclose(float(old), float(new), rel_tol=TOLERANCE)


def _first_change(text: str, other: str) -> str:
    """Return the first line of a text in which another text differs."""
    pairs = zip_longest(text.splitlines(), other.splitlines(), fillvalue="")
    different = (line for line, counterpart in pairs if not same_text(line, counterpart))
    return repr(next(different, text))


# Running


class Client(NotebookClient):
    """Runs a notebook up to what the tests would refuse: an error, also one that a widget swallows, or a warning."""

    trouble = ""

    def process_message(self, msg, cell, cell_index):
        """Look at a message before it becomes an output."""
        content = msg["content"]
        if msg["msg_type"] == "error":
            self.trouble = f"{content['ename']}: {content['evalue']}"
        elif msg["msg_type"] == "stream" and content["name"] == "stderr":
            self.trouble = self.trouble or f"writes to stderr: {content['text'].strip()}"
        return super().process_message(msg, cell, cell_index)

    def stop_at_trouble(self, cell_index: int, **details) -> None:
        """Break off after a cell that went wrong."""
        if self.trouble:
            raise Trouble(f"{place(self.nb, cell_index)}: {self.trouble}")


def run(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Return the notebook with the outputs of a fresh kernel; Trouble if a cell fails or warns."""
    client = Client(notebook, resources={"metadata": {"path": str(folder)}}, timeout=SECONDS, log=QUIET)
    client.record_timing = False
    client.skip_cells_with_tag = ""
    client.on_cell_executed = client.stop_at_trouble
    client.create_kernel_manager().kernel_spec_manager.kernel_dirs = []  # then python3 is this Python, not a user's
    try:
        # stderr is the kernel's log, not what cells write
        return normal_form(client.execute(stderr=subprocess.DEVNULL, env=os.environ | REVEALED))
    except (CellTimeoutError, DeadKernelError) as error:
        what = "ended the kernel" if isinstance(error, DeadKernelError) else f"takes longer than {SECONDS} seconds"
        running = code_cells(notebook)[max(client.code_cells_executed - 1, 0)][0]
        raise Trouble(f"{place(notebook, running)}: {what}") from None


def renew(path: Path) -> tuple[str, list[str]]:
    """Run a notebook and save it; return what was done, and which rules the notebook breaks."""
    text = path.read_text(encoding="utf-8")
    fresh = run(normal_form(parse(_formatted(text, path))), path.parent)
    nbformat.validate(fresh)
    changed = unparse(fresh) != text
    if changed:
        path.write_text(unparse(fresh), encoding="utf-8", newline="\n")
    return "saved" if changed else "nothing new", faults(fresh, rules_for(path))


def _formatted(text: str, path: Path) -> str:
    """Return the notebook with its code formatted by ruff, as it is where ruff is missing or cannot read the code."""
    command = [sys.executable, "-m", "ruff", "format", "--quiet", "--stdin-filename", str(path.resolve()), "-"]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8")
    return text if done.returncode else done.stdout


def check(path: Path) -> tuple[str, list[str]]:
    """Run a notebook without saving it; return what was done, and everything that is wrong with the file."""
    text = path.read_text(encoding="utf-8")
    stored = normal_form(parse(text))
    fresh = run(normal_form(parse(text)), path.parent)
    complaints = [] if is_normal(text) else [NOT_NORMAL]
    for i, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        changed = difference(old.get("outputs", []), new.get("outputs", []))
        complaints += [f"{place(stored, i)}: is out of date: {changed}"] if changed else []
    return "checked", complaints + faults(stored, rules_for(path))


# The command


def main(argv: list[str] | None = None) -> int:
    """Run notebooks, two at a time; return 1 if something is wrong with one of them."""
    parser = argparse.ArgumentParser(prog="python -m dpteach run-notebooks", description="Run and save the notebooks.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="files; all in the folder notebooks if none is named")
    parser.add_argument("--check", action="store_true", help="save nothing, only say what is wrong or out of date")
    arguments = parser.parse_args(argv)
    paths = arguments.notebooks or edition()
    work = check if arguments.check else renew
    with ThreadPoolExecutor(2) as pool:
        try:
            return max(pool.map(partial(report, work=work), paths), default=0)
        except KeyboardInterrupt:
            print("Stopped; the notebooks that are being run are finished first.")
            pool.shutdown(cancel_futures=True)
            return 130


def report(path: Path, work: Work) -> int:
    """Do the work on one notebook and print what came of it; return 1 if something is wrong."""
    begin = time.monotonic()
    done, complaints = _done(path, work)
    lines = [f"{path.name}: {done} ({time.monotonic() - begin:.1f} s)"]
    lines += [f"  {path.name}, {complaint}" for complaint in complaints]
    print("\n".join(lines), flush=True)
    return int(bool(complaints))


def _done(path: Path, work: Work) -> tuple[str, list[str]]:
    """Return what was done and what is wrong; a notebook that cannot be worked on is left as it is."""
    try:
        return work(path)
    except Trouble as error:
        return "nothing saved", [str(error)]
    except OSError as error:
        return "nothing saved", [f"cannot be opened: {error.strerror}"]
    except nbformat.ValidationError as error:
        first_line = str(error).splitlines()[0]
        return "nothing saved", [f"would not be a valid notebook: {first_line}"]


if __name__ == "__main__":
    sys.exit(main())
