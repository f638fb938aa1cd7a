"""The pictures of a notebook drawn anew, sharp at every size: what is stored in the notebook has the size of a page."""

from __future__ import annotations

import ast
import base64
import os
from io import BytesIO
from typing import Any, NamedTuple
from unittest import mock

from matplotlib.text import Text
from nbformat import NotebookNode

from ..figures.style import Picture
from ..questions.asking import REVEALED


class Drawing(NamedTuple):
    """A picture as the address of an image, its width and height and its smallest print, in points."""

    address: str
    size: tuple[float, float]
    least: float


def redraw(notebook: NotebookNode) -> dict[int, Drawing]:
    """Run the code of a notebook and return its pictures by the number of their cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    made = {}
    with mock.patch.dict(os.environ, REVEALED), mock.patch("builtins.print"):
        for number, cell in enumerate(notebook.cells):
            shown = value_of(cell.source, names) if cell.cell_type == "code" else None
            if isinstance(shown, Picture):
                made[number] = Drawing(address(shown), points(shown), smallest_print(shown))
    return made


def value_of(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def points(picture: Picture) -> tuple[float, float]:
    """Return width and height of a picture."""
    across, up = picture.figure.get_size_inches()
    return 72 * across, 72 * up


def smallest_print(picture: Picture) -> float:
    """Return the size of the smallest letters."""
    texts = [text for text in picture.figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return min(text.get_fontsize() for text in texts)


def address(picture: Picture) -> str:
    """Return a picture as the address of a drawing."""
    buffer = BytesIO()
    picture.figure.savefig(buffer, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(buffer.getvalue()).decode()}"
