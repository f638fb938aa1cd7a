"""Pictures' descriptions on nbconvert's pages; tests/browser/test_lab.py has them in JupyterLab."""

import json
from base64 import b64encode
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

import dpteach
from dpteach.figures.style import Picture, axes, read_aloud

OURS = Path(dpteach.__file__).parent / "jupyter"


def page_of(*outputs):
    """Return the page that nbconvert makes of a cell's outputs with our template."""
    cell = nbformat.v4.new_code_cell("picture", outputs=list(outputs), execution_count=1)
    exporter = HTMLExporter(template_name="dpteach", extra_template_basedirs=[str(OURS / "nbconvert" / "templates")])
    return exporter.from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))[0]


def test_a_page_says_what_a_picture_shows():
    shown = Picture(axes("x", "y", size=(2, 1))[0], 'A frame <without> "anything" in it.')
    data, metadata = shown._repr_mimebundle_()
    data["image/png"] = b64encode(data["image/png"]).decode()
    described = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    other = nbformat.v4.new_output("display_data", {"image/png": data["image/png"]})
    pictures = BeautifulSoup(page_of(described, other), "html.parser").find_all("img")
    assert [picture["alt"] == shown.alt for picture in pictures] == [True, False]
    assert all(picture["src"].startswith("data:image/png;base64,") for picture in pictures)


def test_the_extension_names_a_file_that_is_there():
    folder = OURS / "labextensions" / "dpteach"
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    assert (folder / package["jupyterlab"]["_build"]["load"]).is_file()
    assert package["version"] == dpteach.__version__


def test_a_description_can_be_said():
    words = "Lines of slope -e^eps at eps = 0.5 reach 1e-06 and 2.5e+07, not e^loss of 0.25."
    assert (
        read_aloud(words)
        == "Lines of slope -e to the ε at ε = 0.5 reach 10⁻⁶ and 2.5 · 10⁷, not e to the loss of 0.25."
    )
