"""nbgrader's Formgrader, in which nothing that a student handed in can act; `python3 start.py teach` loads it.

The same pages, made safe where nbgrader trusts what it shows: names are escaped, Markdown comes out as a list of
allowed tags, files that were handed in open without any rights, and a link cannot make it read another configuration,
which would be a program. Formulas are typeset by what JupyterLab brings along, without the internet.
"""

from __future__ import annotations

import functools
from html import escape
from pathlib import Path

import jupyterlab
from jupyter_server.utils import url_path_join
from nbgrader.server_extensions.formgrader.base import BaseHandler, check_notebook_dir, check_xsrf
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler
from tornado import web

from ..exporter import PlainExporter

HERE = Path(__file__).parent
KATEX = "KaTeX parse error"  # what only the file with KaTeX in it says


class Exporter(PlainExporter):
    """The exporter for Formgrader's pages, with our way to load formulas in front of nbconvert's."""

    def __init__(self, **options):
        super().__init__(**options)
        self.template_paths = [str(HERE / "templates"), *self.template_paths]

    def from_filename(self, filename: str, resources=None, **options):
        """Return the page of a notebook, with all names escaped."""
        told = {name: escape(value) if isinstance(value, str) else value for name, value in (resources or {}).items()}
        return super().from_filename(filename, told, **options)


class Front(BaseHandler):
    """The way in, for this course only: nbgrader would run the configuration of any folder that a link names."""

    @web.authenticated
    @check_xsrf
    @check_notebook_dir
    def get(self):
        """Lead to the list of assignments."""
        self.redirect(f"{self.base_url}/formgrader/manage_assignments")


class Files(SubmissionFilesHandler):
    """Files beside a marked notebook: a page among them may not run anything."""

    def set_extra_headers(self, path: str) -> None:
        """Take all rights from the file."""
        self.set_header("Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self'")
        self.set_header("X-Content-Type-Options", "nosniff")


class Formulas(BaseHandler):
    """The script that typesets formulas."""

    @web.authenticated
    def get(self):
        """Send it."""
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.write(formulas())


@functools.cache
def formulas() -> str:
    """Return our script around the KaTeX that JupyterLab brings along."""
    files = sorted((Path(jupyterlab.__file__).parent / "static").glob("*.js"))
    texts = (file.read_text(encoding="utf-8") for file in files)
    katex = next((text for text in texts if KATEX in text), "")
    return (HERE / "formulas.js").read_text(encoding="utf-8").replace("/* KaTeX */", katex)


class Formgrader(FormgradeExtension):
    """nbgrader's Formgrader with our parts in place of some of its own."""

    def init_tornado_settings(self, webapp) -> None:
        """Escape what pages show."""
        super().init_tornado_settings(webapp)
        webapp.settings["nbgrader_jinja2_env"].autoescape = True
        webapp.settings["nbgrader_exporter"] = Exporter(config=self.config)

    def init_handlers(self, webapp) -> None:
        """Put our handlers before nbgrader's: the first that fits is taken."""
        ours = [
            (r"/formgrader/?", Front),
            (r"/formgrader/formulas.js", Formulas),
            (r"/formgrader/submissions/(?!components/)([^/]+/(?!(?:next|prev)(?:_incorrect)?/?$).+)", Files),
        ]
        base = webapp.settings["base_url"]
        webapp.add_handlers(".*$", [(url_path_join(base, place), handler) for place, handler in ours])
        super().init_handlers(webapp)


def _jupyter_server_extension_points() -> list[dict]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(app) -> None:
    """Load Formgrader into a running server."""
    made = Formgrader(parent=app)
    made.root_dir = app.root_dir
    made.log = app.log
    made.initialize([])
    made.init_tornado_settings(app.web_app)
    made.init_handlers(app.web_app)
