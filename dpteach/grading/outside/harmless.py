"""What students wrote, before it is written anywhere: text that no browser can take for anything but text.

nbgrader's pages show Markdown with all the HTML in it, and names as they are. So nothing of a student's goes to
`autograded/`, to a page or to the gradebook unless it has passed through here. The rule does not depend on who shows
the text later: markup is not recognised and removed, it is kept from beginning. A space after `<` leaves a formula, a
comparison and a piece of code what they are, and there is no tag without the sign right behind it.
"""

from __future__ import annotations

import binascii
import re

MOST_SIGNS = 50_000  # of one text
MOST_PICTURES = 5_000_000  # characters of all pictures in one cell
KINDS = ("image/png", "image/jpeg")  # of pictures: those that are nothing but dots

TAG = r"<(?=[A-Za-z/!?])"  # where HTML begins, and an address in angle brackets
LINK = r"\](?=[(:])"  # where Markdown looks for the address of a link or a picture
ADDRESS = r":(?=//)"  # what some renderers make a link of
MACRO = (  # what a formula could carry an address, a style or a program in
    r"\\(?=(?:href|url|includegraphics|require|bbox|class|cssId|style|data|html[A-Z]\w*|mmlToken|texttip|toggle)(?![A-Za-z]))"
)
BEGINNINGS = re.compile("|".join((TAG, LINK, ADDRESS, MACRO)))
PASTED = r"!\[(?P<words>[^\[\]\n]*)\]\(attachment:(?P<name>[\w.-]+)\)"
BEGINNINGS_OR_PASTED = re.compile(f"{PASTED}|{BEGINNINGS.pattern}")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
FULL_WIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in '<>&"`\\%[]*?#'}


def plain_markdown(text: str, pictures: dict | None = None) -> str:
    """Return Markdown in which formulas and formatting work, and tags, links and their like are shown as typed.

    `pictures` are those pasted into the cell, which are shown.
    """
    text = CONTROL.sub("�", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > MOST_SIGNS:
        text = f"{text[:MOST_SIGNS]}\n\n… (the rest was cut)"

    def shown(found: re.Match) -> str:
        if found["name"] in (pictures or {}):
            return f"![{_spaced(found['words'])}](attachment:{found['name']})"
        return _spaced(found[0]) if found["name"] else f"{found[0]} "

    return BEGINNINGS_OR_PASTED.sub(shown, text)


def _spaced(text: str) -> str:
    """Put a space behind everything with which something active could begin."""
    return BEGINNINGS.sub(r"\g<0> ", text)


def plain_pictures(attachments) -> dict[str, dict[str, str]]:
    """Return the pictures among what was pasted into a cell: nothing but dots, and nothing but base64."""
    kept: dict[str, dict[str, str]] = {}
    room = MOST_PICTURES
    for name, data in attachments.items() if isinstance(attachments, dict) else ():
        found = {kind: data[kind] for kind in KINDS if _is_picture(data, kind)} if isinstance(data, dict) else {}
        room -= sum(map(len, found.values()))
        if found and room >= 0 and re.fullmatch(r"[\w.-]+", name):
            kept[name] = found
    return kept


def _is_picture(data: dict, kind: str) -> bool:
    return isinstance(data.get(kind), str) and is_base64(data[kind])


def is_base64(text: str) -> bool:
    """Say whether a text is nothing but base64."""
    try:
        return bool(binascii.a2b_base64(text.replace("\n", ""), strict_mode=True))
    except ValueError:
        return False


def plain_name(name: str) -> str:
    """Return a name with the signs that mean something to a browser or a terminal in another shape; ＜ for <, say."""
    name = name if name.isprintable() else ascii(name)[1:-1]
    return name.translate(FULL_WIDTH)
