"""Search texts, Markdown, HTML and RTF for values in other ways than they are read.

Nothing here knows how documents are read or changed. Each reader gives names of places and their texts.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_MARKUP = re.compile(r"[*_`~\\|>#\[\]()!]+")
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(
    r"<(?:/?(?:p|div|br|li|tr|td|th|h\d|table|ul|ol|section|dd|dt|pre|body|title))\b[^<>]*>", re.IGNORECASE
)
_DATA = re.compile(r"data:[\w/+.;=-]*;base64,([A-Za-z0-9+/=%\s]+)")
_LEAST = 16
"""Hexadecimal digits that are no number."""
_FILE = 200
"""Bytes that may be a picture or an object."""
_WORD = re.compile(
    r"\\'([0-9a-fA-F]{2})|\\u(-?\d+) ?\??|\\(par|line|tab|cell|row)\b ?|\\[a-zA-Z]+-?\d* ?|[{}\r\n]|\\\W"
)


def as_it_is(path: Path) -> Iterator[tuple[str, str]]:
    """The bytes of a file as letters."""
    yield "the file", _letters(path)


def without_markup(path: Path) -> Iterator[tuple[str, str]]:
    """A text without the signs of Markdown and HTML in it."""
    text = html.unescape(_TAG.sub("", _letters(path)))
    yield "the text without markup", _MARKUP.sub("", text)


def by_html_parser(path: Path) -> Iterator[tuple[str, str]]:
    """Texts of HTML as Python's own parser finds them."""
    yield "the text (parser)", "".join(_heard(path).texts)


def unseen_in_html(path: Path) -> Iterator[tuple[str, str]]:
    """Attributes, comments and declarations of HTML."""
    yield "what is not shown", "\n".join(_heard(path).unseen)


def _heard(path: Path) -> _Heard:
    heard = _Heard()
    heard.feed(_letters(path))
    heard.close()
    return heard


def by_html_patterns(path: Path) -> Iterator[tuple[str, str]]:
    """The text of HTML with its tags simply cut away."""
    yield "the text (patterns)", html.unescape(_TAG.sub("", _BREAK.sub("\n", _letters(path))))


def by_rtf_patterns(path: Path) -> Iterator[tuple[str, str]]:
    """All letters of an RTF file, whatever group they are in."""
    text = _letters(path)
    found = re.search(r"\\ansicpg(125\d)", text[:4096])
    letters = _WORD.sub(partial(_letter, code=f"cp{found[1]}" if found else "cp1252"), text)
    yield "the text", letters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def data_in_rtf(path: Path) -> Iterator[tuple[str, str]]:
    """Pictures and objects that an RTF file holds in hexadecimal."""
    for data in _packed(path):
        yield "data in hexadecimal", data.decode("latin-1")
        yield "data in hexadecimal", data.decode("utf-16-le", "replace")


def _packed(path: Path) -> Iterator[bytes]:
    for found in re.finditer(r"[0-9a-fA-F\s]{16,}", _letters(path)):
        plain = re.sub(r"\s", "", found[0])
        if len(plain) >= _LEAST:
            yield bytes.fromhex(plain[: len(plain) // 2 * 2])


def _letter(found: re.Match[str], *, code: str) -> str:
    if found[1]:
        return bytes.fromhex(found[1]).decode(code, "replace")
    if found[2]:
        return chr(int(found[2]) % 65536)
    return "\n" if found[3] else found[0][1:] if found[0][1:] in ("\\", "{", "}") else ""


def _letters(path: Path) -> str:
    data = path.read_bytes()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class _Heard(HTMLParser):
    """Collects what the parser tells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unseen += [value for _, value in attrs if value]
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._break(tag)

    def _break(self, tag: str) -> None:
        if _BREAK.fullmatch(f"<{tag}>"):
            self.texts.append("\n")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.unseen.append(data)

    def handle_pi(self, data: str) -> None:
        self.unseen.append(data)

    def unknown_decl(self, data: str) -> None:
        self.unseen.append(data)


def enclosed_in_html(path: Path) -> Iterator[tuple[str, bytes | None]]:
    """Pictures and files that addresses in HTML hold as a whole."""
    for number, found in enumerate(_DATA.finditer(_letters(path)), 1):
        try:
            yield f"embedded file {number}", base64.b64decode(unquote(found[1]), validate=False)
        except ValueError:
            yield f"embedded file {number}", None


def enclosed_in_rtf(path: Path) -> Iterator[tuple[str, bytes | None]]:
    """Pictures and objects in RTF."""
    for number, data in enumerate((data for data in _packed(path) if len(data) >= _FILE), 1):
        yield f"embedded file {number}", data


TEXT_TEXTS = (as_it_is, without_markup)
"""Readers of plain text and Markdown."""
HTML_TEXTS, HTML_CONTENTS = (by_html_parser, by_html_patterns), (unseen_in_html,)
"""Readers of HTML: of what is shown, and of the rest."""
RTF_TEXTS, RTF_CONTENTS = (by_rtf_patterns,), (data_in_rtf,)
"""Readers of RTF: of all letters, and of what is packed."""
