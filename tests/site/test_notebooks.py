"""The same digits on every device: all notebooks run in JupyterLite, every output compared with the committed one."""

import nbformat
import pytest

from dpteach.questions.asking import REVEALED
from dpteach.tools.notebooks import code_cells, difference, edition
from dpteach.web.links import LITE

PATIENCE = 1_200_000  # ms for one notebook, on a machine that is busy
REVEAL = f"import os; os.environ.update({REVEALED!r})"
KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
RUN = """async (code) => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.sessionContext.session.kernel.requestExecute({ code }).done;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
  return panel.context.model.toJSON();
}"""
# Stored are six digits at least; where the browser's NumPy and ours add in another order, the last ones may differ.


@pytest.mark.parametrize("path", edition(), ids=lambda path: path.stem)
def test_a_notebook_prints_in_the_browser_what_it_prints_here(visitor, path):
    visitor.set_default_timeout(PATIENCE)
    visitor.goto(f"{LITE}{path.name}")
    visitor.wait_for_function(KERNEL)
    fresh = nbformat.from_dict(visitor.evaluate(RUN, REVEAL))
    stored = nbformat.read(path, as_version=4)
    told = []
    for (_, then), (_, now) in zip(code_cells(stored), code_cells(fresh), strict=True):
        if found := difference(without_places(then.outputs), without_places(now.outputs)):
            told.append(f"{then.source[:60]!r}: {found[:300]}")
    assert not told


def without_places(outputs: list) -> list:
    """Leave out the ledger's page: where a claim is taught is read off notebooks, which the package does not have.

    Its text is compared, and so are all cards, with their numbers, in the companions.
    """
    for output in outputs:
        if "dpteach-ledger" in output.get("data", {}).get("text/html", ""):
            del output["data"]["text/html"]
    return outputs
