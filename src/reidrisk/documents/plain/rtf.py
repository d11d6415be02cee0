"""RTF through conversion: its text is read, and a new file is written that holds nothing but the text."""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from reidrisk.documents.document import Block, Change, Check, DocumentFormat, Look, Written, new_file
from reidrisk.documents.places import Edit, MappedText, apply_changes
from reidrisk.documents.plain.proof import RTF_CONTENTS, RTF_TEXTS, enclosed_in_rtf
from reidrisk.documents.plain.text import load
from reidrisk.documents.words import words
from reidrisk.errors import UnreadableFile

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_UNSEEN = words(
    "fonttbl colortbl stylesheet info pict object objdata generator themedata colorschememapping datastore "
    "xmlnstbl listtable listoverridetable rsidtbl fldinst filetbl revtbl latentstyles mmathPr private "
    "bkmkstart bkmkend pgdsctbl userprops docvar xe tc falt panose annotation atnid atnauthor atndate atnref "
    "template operator passwordhash protusertbl wgrffmtfilter datafield formfield ftnsep aftnsep listtext "
    "nonshppict blipuid"
)
"""Groups that are no text of the document."""
_ASIDE = {
    "header": "header",
    "headerl": "header",
    "headerr": "header",
    "headerf": "header",
    "footer": "footer",
    "footerl": "footer",
    "footerr": "footer",
    "footerf": "footer",
    "footnote": "footnotes",
}
"""Groups whose text stands elsewhere on the page."""
_SIGNS = {
    **dict.fromkeys(("par", "line", "sect", "page", "row", "nestrow"), "\n"),
    **dict.fromkeys(("tab", "cell", "nestcell"), "\t"),
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "bullet": "•",
    "ldblquote": "“",
    "rdblquote": "”",
}
_CHARSETS = {
    0: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
_NOTE = "the text was written anew: fonts, tables and pictures of the RTF were left out"


@dataclass(frozen=True, slots=True)
class _State:
    """What holds until a group ends."""

    seen: bool = True
    block: str = "body"
    code: str = "cp1252"
    skip: int = 1
    deleted: bool = False


def rtf_texts(data: bytes) -> dict[str, str]:
    """The texts of the body, header, footer and notes."""
    return _RtfReader(data).read()


class _RtfReader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._texts: dict[str, list[str]] = defaultdict(list)
        self._fonts = _font_codes(data)
        self._state = _State(code=self._fonts[-1])
        self._stack: list[_State] = []
        self._bytes = b""
        self._to_skip = 0

    def read(self) -> dict[str, str]:
        place, data = 0, self._data
        while place < len(data):
            found = _TOKEN.match(data, place)
            if found is None:
                place += 1
                continue
            place = found.end()
            word, number, code, sign, brace, text = found.groups()
            if word == b"bin":
                place += max(int(number or 0), 0)
            elif word:
                self._word(word.decode("ascii"), None if number is None else int(number))
            elif brace:
                self._brace(brace)
            elif code or text:
                self._letters(bytes.fromhex(code.decode("ascii")) if code else text)
            elif sign:
                self._sign(sign)
        self._flush()
        return {name: _joined(parts) for name, parts in self._texts.items()}

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._to_skip = 0
        if brace == b"{":
            self._stack.append(self._state)
        elif self._stack:
            if self._state.block != self._stack[-1].block:
                self._put("\n")
            self._state = self._stack.pop()

    def _letters(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        self._bytes += data[skipped:]

    def _flush(self) -> None:
        """Bytes become letters together: some letters take two."""
        if self._bytes:
            self._put(self._bytes.decode(self._state.code, "replace"))
            self._bytes = b""

    def _put(self, text: str) -> None:
        if self._state.seen and not self._state.deleted:
            self._texts[self._state.block].append(text)

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._state = replace(self._state, seen=False)
        elif self._to_skip:
            self._to_skip -= 1
        else:
            self._flush()
            self._put(
                {b"~": "\u00a0", b"_": "-", b"-": "", b"\n": "\n", b"\r": "\n"}.get(
                    sign, sign.decode("latin-1")
                )
            )

    def _word(self, word: str, number: int | None) -> None:
        self._flush()
        if word == "u" and number is not None:
            self._put(chr(number % 65536))
            self._to_skip = self._state.skip
        elif word in _SIGNS:
            self._put(_SIGNS[word])
        elif word in _UNSEEN:
            self._state = replace(self._state, seen=False)
        elif word in ("shptxt", "fldrslt"):
            self._state = replace(self._state, seen=self._seen_outside())
        elif word in _ASIDE:
            self._state = replace(self._state, block=_ASIDE[word])
        else:
            self._setting(word, number)

    def _seen_outside(self) -> bool:
        """Text in an unknown shape is read; the content of anything that has no text is not."""
        return all(state.seen for state in self._stack[:1])

    def _setting(self, word: str, number: int | None) -> None:
        if word == "uc":
            self._state = replace(self._state, skip=max(number or 0, 0))
        elif word == "f":
            self._state = replace(self._state, code=self._fonts.get(number or 0, self._fonts[-1]))
        elif word in ("deleted", "plain"):
            self._state = replace(self._state, deleted=word == "deleted" and number != 0)


def _joined(parts: list[str]) -> str:
    """A text in which letters that were written as two numbers are one."""
    return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _font_codes(data: bytes) -> dict[int, str]:
    """The encoding of each font; -1 is that of the document."""
    found = re.search(rb"\\ansicpg(\d{1,5})", data[:4096])
    codes = {-1: _known(f"cp{int(found[1])}" if found else "cp1252")}
    for font in re.finditer(rb"\\f(\d{1,5})[^{};]{0,80}?\\fcharset(\d{1,3})", data):
        codes.setdefault(int(font[1]), _CHARSETS.get(int(font[2]), codes[-1]))
    return codes


def _known(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


class OpenRtf:
    """An RTF file that is open: the body, header, footer and notes, as far as they have text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts = _texts(path)
        self.blocks = tuple(Block(name, text) for name, text in self._texts.items())

    def write(
        self, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check | None
    ) -> Written:
        """Write the text anew with the changes."""
        look = look or Look()
        places = {name: _WholeRtf(text) for name, text in self._texts.items()}
        texts = []
        for name, place in places.items():
            mapped = MappedText(name)
            mapped.add(place, place.text)
            texts.append(mapped)
        removed = apply_changes(texts, changes, look)
        with new_file(self.path, out, check) as part:
            part.write_bytes(_document(places, look))
        return Written(len(texts), len(removed), (_NOTE,))


def _texts(path: Path) -> dict[str, str]:
    data = load(path)
    if not data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableFile(f"{path} is not an RTF file.", hint="Rename it with the right extension.")
    if data.count(b"}") < data.count(b"{") - data.count(b"\\{"):
        raise UnreadableFile(f"{path} is damaged: it ends too early.", hint="Save it anew and give that.")
    return {name: text for name, text in rtf_texts(data).items() if text.strip()}


class _WholeRtf:
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


def _document(places: dict[str, _WholeRtf], look: Look) -> bytes:
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


FORMAT = DocumentFormat(
    suffixes=(".rtf",),
    opened=lambda path: nullcontext(OpenRtf(path)),
    texts=RTF_TEXTS,
    contents=RTF_CONTENTS,
    enclosed=enclosed_in_rtf,
)
read_rtf, write_rtf = FORMAT.read, FORMAT.write
