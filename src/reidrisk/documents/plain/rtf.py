"""RTF through conversion: its text is read, and a new file is written that holds nothing but the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.places import Edit, MappedText, apply_changes
from reidrisk.documents.plain.rtf_reader import rtf_texts
from reidrisk.documents.plain.source import load
from reidrisk.documents.written import Check, Written, new_file
from reidrisk.errors import UnreadableFile

_NOTE = "the text was written anew: fonts, tables and pictures of the RTF were left out"


def read_rtf(path: str | Path) -> Iterator[Block]:
    """The body, header, footer and notes, as far as they have text."""
    for name, text in _opened(path).items():
        yield Block(name, text)


def write_rtf(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    check: Check | None = None,
) -> Written:
    """Write the text anew with the changes; `check` sees the file before it gets its name."""
    look = look or Look()
    places = {name: _Whole(text) for name, text in _opened(source).items()}
    texts = []
    for name, place in places.items():
        mapped = MappedText(name)
        mapped.add(place, place.text)
        texts.append(mapped)
    removed = apply_changes(texts, changes, look)
    with new_file(source, out, check) as part:
        part.write_bytes(_document(places, look))
    return Written(len(texts), len(removed), (_NOTE,))


def _opened(path: str | Path) -> dict[str, str]:
    data = load(path)
    if not data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableFile(f"{path} is no RTF.", hint="Give it the extension of what it is.")
    if data.count(b"}") < data.count(b"{") - data.count(b"\\{"):
        raise UnreadableFile(f"{path} is damaged: it ends too early.", hint="Save it anew and give that.")
    return {name: text for name, text in rtf_texts(data).items() if text.strip()}


class _Whole:
    """The text of a block and what happens to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._edits: Sequence[Edit] = ()

    def edit(self, edits: Sequence[Edit]) -> None:
        self._edits = edits

    def written(self, colours: list[str]) -> str:
        parts, last = [], 0
        for edit in self._edits:
            parts.append(_escaped(self.text[last : edit.start]))
            new = _escaped(edit.new)
            if edit.box:
                numbers = colours.index(edit.ink) + 1, colours.index(edit.box) + 1
                new = f"{{\\cf{numbers[0]}\\chshdng0\\chcbpat{numbers[1]}\\cb{numbers[1]} {new}}}"
            parts.append(new)
            last = edit.end
        return "".join([*parts, _escaped(self.text[last:])])


def _document(places: dict[str, _Whole], look: Look) -> bytes:
    colours = [look.text, look.personal, look.confidential]
    table = "".join(f";{_defined(colour)}" for colour in colours)
    fonts = "{\\fonttbl{\\f0\\froman Times New Roman;}}"
    head = f"{{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{fonts}{{\\colortbl{table};}}"
    aside = [
        f"{{\\{name}\\pard {places[name].written(colours)}\\par}}"
        for name in ("header", "footer")
        if name in places
    ]
    body = [place.written(colours) for name, place in places.items() if name not in ("header", "footer")]
    text = "\n".join([head, *aside, "\\pard\\plain\\f0\\fs22 " + "\\par\n".join(body), "}"])
    return text.encode("ascii")


def _defined(colour: str) -> str:
    red, green, blue = bytes.fromhex(colour.lstrip("#"))
    return f"\\red{red}\\green{green}\\blue{blue}"


def _escaped(text: str) -> str:
    parts = []
    for letter in text:
        if letter in "\\{}":
            parts.append(f"\\{letter}")
        elif letter == "\n":
            parts.append("\\par\n")
        elif letter == "\t":
            parts.append("\\tab ")
        elif " " <= letter <= "~":
            parts.append(letter)
        elif letter > "~":
            units = letter.encode("utf-16-le", "surrogatepass")
            codes = [
                int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2)
            ]
            parts += [f"\\u{code}?" for code in codes]
    return "".join(parts)
