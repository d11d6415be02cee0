"""The text of an HTML page as Label Studio counts it: text nodes, and one character for each <br>."""

from __future__ import annotations

import re
from html import unescape

_TAG = re.compile(r"""<(/?[a-zA-Z]|[!?])(?:[^>"']|"[^"]*"|'[^']*')*>""")
_LINE_BREAK = re.compile(r"<br[\s/>]", re.IGNORECASE)
_LONGEST = 2000
"""How far the end of a tag is looked for with an eye on quotation marks; longer ones hold data."""


def html_text(page: str) -> str:
    """What remains of a page without its tags; a line break counts as one character."""
    parts: list[str] = []
    last = 0
    position = page.find("<")
    while position >= 0:
        end = _end(page, position)
        if end > position:
            parts.append(unescape(page[last:position]))
            if _LINE_BREAK.match(page, position):
                parts.append("\n")
            last = end
        position = page.find("<", max(end, position + 1))
    return "".join([*parts, unescape(page[last:])])


def _end(page: str, start: int) -> int:
    """Where the tag or comment that begins at `start` is over; 0 if none begins there."""
    if page.startswith("<!--", start):
        end = page.find("-->", start + 4)
        return len(page) if end < 0 else end + 3
    if page[start + 1 : start + 2] not in ("!", "?", "/") and not page[start + 1 : start + 2].isalpha():
        return 0
    tag = _TAG.match(page, start, start + _LONGEST)
    if tag is not None:
        return tag.end()
    end = page.find(">", start)
    return len(page) if end < 0 else end + 1
