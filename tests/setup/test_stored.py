"""A notebook that is opened shows stored pictures instead of widgets that no kernel moves any more."""

import copy
import os

from dpteach.explore import NoisePlanner
from dpteach.explore.base.explorer import WIDGET
from dpteach.tools.stored import OURS, leave_out


def notebook(*names):
    cells = [{"cell_type": "markdown", "source": "text"}]
    for name in names:
        data = {WIDGET: {"model_id": name, "version_major": 2}, "image/png": "…", "text/plain": "words"}
        cells.append({"cell_type": "code", "outputs": [{"output_type": "execute_result", "data": data}]})
    return {"cells": cells}


def kept(notebook):
    return [WIDGET in cell["outputs"][0]["data"] for cell in notebook["cells"][1:]]


def test_widgets_of_a_running_kernel_stay_and_others_leave_their_picture():
    opened = notebook("dpteach-17-ab", "dpteach-18-cd", "4f2a")
    before = copy.deepcopy(opened)
    leave_out(opened, running={18, None})
    assert kept(opened) == [False, True, True]  # what others have made is not ours to change
    left = opened["cells"][1]["outputs"][0]["data"]
    assert left == {"image/png": "…", "text/plain": "words"}
    leave_out(before, running={17, 18})
    assert kept(before) == [True, True, True]


def test_other_outputs_are_left_alone():
    output = {"output_type": "stream", "name": "stdout", "text": "1"}
    opened = {"cells": [{"cell_type": "code", "outputs": [dict(output)]}]}
    leave_out(opened, running=set())
    assert opened["cells"][0]["outputs"] == [output]


def test_explorers_name_themselves_after_their_process():
    name = NoisePlanner().widget.model_id
    assert OURS.fullmatch(name)[1] == str(os.getpid()) and name != NoisePlanner().widget.model_id
