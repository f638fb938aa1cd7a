"""Open notebooks with the stored pictures of the explorers that no kernel moves any more.

JupyterLab shows an error where a widget's kernel is gone, although the picture is stored beside it. So the server that
`start.py` runs leaves out the widget, when a notebook is opened, unless the kernel that made it is still running.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from ..explore.base.explorer import WIDGET

OURS = re.compile(r"dpteach-(\d+)-\w+")  # the names of our widgets hold the number of the kernel's process


class StoredPictures(AsyncLargeFileManager):
    """Files and notebooks as usual; of explorers that are no longer alive, only picture and text."""

    async def get(self, path, *arguments, **options):
        """Return a file; a notebook without the widgets whose kernel is gone."""
        model = await super().get(path, *arguments, **options)
        if model["type"] == "notebook" and model["content"]:
            leave_out(model["content"], self._running())
        return model

    def _running(self) -> set[int]:
        """Return the numbers of the kernels' processes."""
        kernels = self.parent.kernel_manager
        managers = [kernels.get_kernel(kernel) for kernel in kernels.list_kernel_ids()]
        return {getattr(manager.provisioner, "pid", None) for manager in managers}


def leave_out(notebook: dict, running: set[int]) -> None:
    """Take the widgets out of a notebook's outputs that no running process has made; pictures and texts stay."""
    for output in outputs_of(notebook):
        data = output.get("data", {})
        made = OURS.fullmatch(data.get(WIDGET, {}).get("model_id", ""))
        if made and int(made[1]) not in running:
            del data[WIDGET]


def outputs_of(notebook: dict) -> Iterator[dict]:
    """Yield all outputs of a notebook."""
    for cell in notebook["cells"]:
        yield from cell.get("outputs", [])
