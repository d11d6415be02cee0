"""The text of an RTF file, by a small reader of its control words."""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from dataclasses import dataclass, replace

from reidrisk.documents.words import words

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
    return _Reader(data).read()


class _Reader:
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
        """Text in a shape is seen although the shape is not known; not so within what is no text at all."""
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
