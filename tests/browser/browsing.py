"""What the browser tests share: a page with explorers, and what it says; `dpteach/tools/lab.py` has the server."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from dpteach.tools.lab import (
    CHROMIUM,
    FLAGS,
    HERE,
    NBGRADERS,
    OURS,
    REPOSITORY,
    Server,
    free_port,
    reason_to_skip,
    run_all,
    serving,
    wait_for,
    watched,
)

__all__ = [
    "CHROMIUM", "FLAGS", "HERE", "NBGRADERS", "OURS", "REPOSITORY", "Server", "free_port", "reason_to_skip", "run_all",
    "serving", "wait_for", "watched",
]  # fmt: skip


@contextlib.contextmanager
def showing(chromium, lab: Server, name: str, kinds: tuple):
    """Open one page with the given explorers, each in a cell of its own."""
    cells = [f"from dpteach.explore import {kind.__name__}\n{kind.__name__}()" for kind in kinds]
    with watched(chromium) as page:
        page.kinds = kinds
        run_all(page, lab.add(f"{name}.ipynb", *cells))
        yield page


def output_of(page, kind):
    """Return the output of an explorer, at its first settings."""
    output = page.locator(".jp-Cell-outputArea").nth(page.kinds.index(kind))
    output.get_by_role("button", name="reset").click()
    says(output, kind())
    return output


def says(output, explorer, seconds: float = 300) -> None:
    """Wait until the caption is that of an explorer made in Python: a sentence, and all numbers."""
    from playwright.sync_api import expect

    sentence, _, more = explorer.text.partition("\n")
    expect(output.locator("figcaption")).to_have_text(sentence, timeout=1000 * seconds)
    expect(output.locator("details p")).to_have_text(more, timeout=1000 * seconds)


def alone(page, explorer, theme: str = "light", form: str = "") -> None:
    """Show an explorer on an empty page, without Jupyter; Python answers its moves."""
    from dpteach.explore.base.live import script, style

    if "ask" not in vars(page):
        page.expose_function("ask", lambda settings: page.shown.answer(settings))
        page.ask = True
    page.shown = explorer
    paper = {"light": "#fff", "dark": "#111"}[theme]
    page.set_content(
        f"<!doctype html><html lang=en data-theme={theme}><title>An explorer</title><style>{style(*explorer.parts)} "
        f"body {{ margin: 0; background: {paper}; --jp-layout-color0: {paper} }}</style><main id=here></main>"
        f"<script type=module>{script(*explorer.parts)} const state = {json.dumps(explorer.state())};"
        "const send = async (settings) => { const told = await ask(settings); if (!state.local) view.update(told); };"
        f"window.view = mount(document.getElementById('here'), {{ state, send, form: '{form}' }});</script>"
    )
    page.wait_for_selector("figcaption:not(:empty)")


def clean(page) -> None:
    """Make sure that nothing was complained about, and nothing asked for outside."""
    assert page.problems == [] and page.outside == []


def walk_through_presets(page, kind, screenshots: Path) -> None:
    """Choose the third and the last preset with the keyboard."""
    output, presets = output_of(page, kind), list(kind.presets)
    output.get_by_label("preset").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    says(output, kind(presets[2]))
    page.keyboard.press("End")
    says(output, kind(presets[-1]))
    output.screenshot(path=screenshots / f"{kind.__name__}.png")
    clean(page)
