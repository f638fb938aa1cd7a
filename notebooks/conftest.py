"""How nbval checks the notebooks: every cell, strictly, as `dpteach.tools.notebooks.difference` compares.

A plain nbval is too strict (the last digit of a number, what a widget prints) and too lax (cells that were never run
or carry a tag, missing pictures). tests/notebooks/test_running.py shows that what remains has teeth.
"""

import os

import nbval.kernel
from nbval.kernel import RunningKernel, start_new_kernel
from nbval.plugin import IPyNbCell

from dpteach.questions.asking import REVEALED
from dpteach.tools.notebooks import difference, edition

STRICT = {"check": True, "skip": False, "check_exception": False}
SHOWN_BY_WIDGETS = ("stream", "display_data", "execute_result", "clear_output")
get_any_message = RunningKernel.get_message


def start_revealed(**settings):
    """Start a kernel in which every question is revealed, as in the notebooks' stored outputs."""
    return start_new_kernel(**settings, env=os.environ | REVEALED)


def pytest_ignore_collect(collection_path):
    """Leave out a reader's drafts and copies, unless they are named."""
    return True if collection_path.suffix == ".ipynb" and collection_path not in edition() else None


def pytest_itemcollected(item):
    """Take every cell, whatever its tags and comments say; nbval would not compare one without a count."""
    if isinstance(item, IPyNbCell):
        item.options = STRICT
        item.never_run, item.cell.execution_count = item.cell.execution_count is None, 0


def compare_outputs(cell, fresh, stored):
    """Compare the outputs of a cell and keep what differs for nbval's report."""
    told = "the cell was never run" if cell.never_run else difference(stored, fresh)
    cell.comparison_traceback = [f"{told}\nRun `python -m dpteach run-notebooks` if the new output is right."]
    return not told


def execute_cell_input(kernel, source, allow_stdin=None):
    """Run a cell as Jupyter does: with its history, so that a semicolon at the end suppresses the output."""
    return kernel.kc.execute(source, store_history=True, allow_stdin=allow_stdin, stop_on_error=False)


def get_message(kernel, stream, timeout=None):
    """Wait for a message to the notebook: not for one that an Output widget shows, unless something went wrong."""
    while True:
        message = get_any_message(kernel, stream, timeout)
        content, owners = message["content"], vars(kernel).setdefault("owners", {})
        if message["msg_type"] == "comm_msg" and "msg_id" in content["data"].get("state", {}):
            owners[content["comm_id"]] = content["data"]["state"]["msg_id"]  # of the cell whose outputs it takes
        shown = message["msg_type"] in SHOWN_BY_WIDGETS and content.get("name") != "stderr"
        if not (shown and message["parent_header"].get("msg_id") in owners.values()):
            return message


nbval.kernel.start_new_kernel = start_revealed
IPyNbCell.compare_outputs = compare_outputs
RunningKernel.execute_cell_input = execute_cell_input
RunningKernel.get_message = get_message
