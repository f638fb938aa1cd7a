"""The built site, served on this machine, and Chromium with every other host blocked. `.ci/run` runs this folder apart.

It downloads the parts of the site when they are not there yet, and builds it if anything has changed.
"""

from __future__ import annotations

import pytest

from dpteach.tools.lab import is_local, reason_to_skip
from dpteach.web.serve import SITE, bring_up_to_date, served


@pytest.fixture(scope="session")
def site():
    """The address of the site."""
    if reason := reason_to_skip():
        pytest.skip(reason)
    bring_up_to_date(SITE)
    with served(SITE) as address:
        yield address


@pytest.fixture
def visitor(chromium, site):
    """A fresh reader; what went wrong on a page, or led elsewhere, is in `visitor.troubles`."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, base_url=site)
    page = context.new_page()
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda said: page.troubles.append(said.text) if said.type == "error" else None)
    context.route("**/*", lambda route: route.continue_() if is_local(route.request.url) else route.abort())
    context.on("request", lambda r: None if is_local(r.url) else page.troubles.append(f"asked for {r.url}"))
    yield page
    context.close()
