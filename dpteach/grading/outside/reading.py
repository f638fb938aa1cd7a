"""Reading what was handed in: any encoding of JSON, any size that a notebook can have, and nothing that is not a file.

What cells printed is of no use to the grader, which runs them again, and it is what makes notebooks large: it is cut
out before anything else looks at the text. So the memory that a file takes is bounded by `MOST_FILE`, and what Python
makes of it by `MOST_TEXT` and `MOST_PARTS`.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

MOST_FILE = 200 << 20  # bytes of a submitted file
MOST_TEXT = 20 << 20  # bytes of what is left of it
MOST_PARTS = 2_000_000  # texts, lists and dictionaries in it
PRINTED = (b'"outputs"', b'"widgets"')  # what cells printed, and the state of widgets
BULKY = (*PRINTED, b'"attachments"')  # pasted pictures too, if the file is too large with them
LONGEST_KEY = max(map(len, BULKY))
TEXT = rb'"(?:[^"\\]++|\\.)*+"?'
SIGN = re.compile(TEXT + rb"|[\[{\]}:]", re.DOTALL)
INNER_SIGN = re.compile(TEXT + rb"|[\[{\]}]", re.DOTALL)
VALUE = re.compile(rb"\s*+[\[{]")  # the beginning of a list or dictionary


def read_text(path: Path) -> str:
    """Read a submitted file without what its cells printed; raise ValueError with the reason if it cannot be read."""
    data = in_utf8(read_bytes(path))
    kept = without_bulk(data, PRINTED)
    if len(kept) > MOST_TEXT:
        kept = without_bulk(kept)
    if len(kept) > MOST_TEXT:
        raise ValueError(f"the file is larger than {MOST_TEXT >> 20} MB, even without what its cells printed")
    return kept.decode("utf-8", errors="replace")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of an ordinary file; a link may lead to a solution, and a device has no end."""
    try:
        linked = path.resolve() != path
    except RuntimeError:  # a link to itself
        linked = True
    if linked:
        raise ValueError("the file is a link")
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("the file is no ordinary file")
        if about.st_size > MOST_FILE:
            raise ValueError(f"the file is larger than {MOST_FILE >> 20} MB")
        return file.read(about.st_size)


def in_utf8(data: bytes) -> bytes:
    """Return a text in UTF-8 without a mark at its beginning, whichever way of Unicode it was written in."""
    encoding = json.detect_encoding(data)
    if encoding == "utf-8":
        return data
    return data.decode(encoding, errors="replace").encode(errors="replace")


def without_bulk(data: bytes, bulky: tuple[bytes, ...] = BULKY) -> bytes:
    """Return the text of a notebook in which everything bulky is empty."""
    kept = []
    begin = place = parts = 0
    last = b""  # the last text: before a colon, it is a key
    while sign := SIGN.search(data, place):
        place = sign.end()
        parts += 1
        if data[sign.start()] == ord(":") and last in bulky and (value := VALUE.match(data, place)):
            kept += [data[begin:place], b"{}" if value[0].endswith(b"{") else b"[]"]
            begin, inner = end_of_value(data, place)
            place = begin
            parts += inner
        last = sign[0] if sign.end() - sign.start() <= LONGEST_KEY else b""
        if parts > MOST_PARTS:
            raise ValueError(f"the file has more than {MOST_PARTS:,} parts")
    return b"".join([*kept, data[begin:]]) if kept else data


def end_of_value(data: bytes, place: int) -> tuple[int, int]:
    """Return where the list or dictionary ends that begins at a place, and how many parts it has."""
    depth = parts = 0
    while sign := INNER_SIGN.search(data, place):
        place = sign.end()
        parts += 1
        depth += (data[sign.start()] in b"[{") - (data[sign.start()] in b"]}")
        if not depth or parts > MOST_PARTS:
            return place, parts
    return len(data), parts
