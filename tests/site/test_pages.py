"""Every page: links lead somewhere, no other host is asked, nobody is shut out, no answer is given away."""

from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from dpteach.claims.entries import SOURCES
from dpteach.questions import texts
from dpteach.tools.notebooks import edition
from dpteach.web.links import TEXTS
from dpteach.web.pages import MENU
from dpteach.web.serve import SITE

THEMES = ("light", "dark")
NOTEBOOKS = [f"lectures/{path.stem}.html" for path in edition()]
SHEETS = ["formulas.html", *(f"errata/{source}.html" for source in SOURCES)]  # made to be printed
LOOKED_AT = [*MENU, *NOTEBOOKS, *(place for place in TEXTS.values() if place not in (*MENU, *SHEETS)), *SHEETS]
SERIOUS = ("moderate", "serious", "critical")


def all_pages():
    """Return the pages, without slides, and those that JupyterLite and pdoc make."""
    made = (path for path in SITE.rglob("*.html") if not {"lite", "api", "decks"} & {*path.relative_to(SITE).parts})
    return sorted(made)


class Reader(HTMLParser):
    """Collects what a page refers to, its anchors, and the text that can be read."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.anchors, self.words, self.hidden = [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.add(found.get("id"))
        self.links += [found[name] for name in ("href", "src") if found.get(name)]
        if tag in ("script", "style", "template"):
            self.hidden.append(tag)

    def handle_endtag(self, tag):
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)


@pytest.fixture(scope="module")
def read(site):
    """All pages, read."""
    return {path: Reader(path.read_text(encoding="utf-8")) for path in all_pages()}


def test_there_is_a_page_for_everything(read):
    names = {path.relative_to(SITE).as_posix() for path in read}
    assert set(MENU) <= names
    assert {f"errata/{source}.html" for source in ("KOV", "HBW", "LPR", "GMPS", "STK")} <= names
    assert sum(name.startswith("lectures/") for name in names) == 12


def test_all_links_lead_somewhere(read):
    for path, reader in read.items():
        for link in reader.links:
            address = urlsplit(unescape(link))
            if address.scheme:
                assert address.scheme in ("data", "https"), link
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert target.exists(), f"{path.name}: {link}"
            if address.fragment and target in read:
                names = {address.fragment, unquote(address.fragment)}  # browsers look for both
                assert names & read[target].anchors, f"{path.name}: {link}"


def test_no_page_gives_an_answer_away(read):
    """What is said after a choice stands in no page before the choice; the guide for teachers is for teachers."""
    for path, reader in read.items():
        if path.parent.name != "lectures":
            continue
        words = " ".join(" ".join(reader.words).split())
        for text in texts().values():
            assert " ".join(text.why.split())[:60] not in words, f"{path.name} gives question {text.id} away"


def test_no_solution_and_no_hidden_check_is_in_the_site(site):
    for path in (SITE / "lite" / "files").rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text
    assert not list(SITE.rglob("*source*/*.ipynb"))


@pytest.mark.parametrize("place", LOOKED_AT)
def test_nothing_goes_wrong_and_nobody_is_shut_out(visitor, place):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for theme in THEMES:
        visitor.emulate_media(color_scheme=theme)
        visitor.goto(place)
        visitor.evaluate("window.MathJax?.startup?.promise")
        found = axe.run(visitor).response["violations"]
        told = [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in SERIOUS]
        assert not told, f"{place}, {theme}: {told}"
    assert not visitor.troubles


@pytest.mark.parametrize("width", [390, 768, 1440])
@pytest.mark.parametrize("place", [place for place in LOOKED_AT if place not in SHEETS])
def test_pages_are_never_wider_than_the_window(visitor, place, width):
    visitor.set_viewport_size({"width": width, "height": 844})
    visitor.goto(place)
    assert visitor.evaluate("document.documentElement.scrollWidth") <= width


def test_pages_can_be_read_without_scripts(chromium, site):
    context = chromium.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("lectures/01_composition_basics.html")
    assert page.locator("figure.still img[alt]").count() == 2
    assert page.locator(".dpteach-asked").first.is_visible()
    context.close()


def test_the_fingerprint_knows_all_sources():
    from dpteach.web.serve import source_files

    names = {path.name for path in source_files()}
    assert {"page.js", "01_composition_basics.ipynb", "teaching.md", "requirements-web.txt"} <= names
    assert not [path for path in source_files() if "__pycache__" in path.parts]
