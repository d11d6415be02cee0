"""One writing for all cases, accents and blanks; every character keeps its place."""

from __future__ import annotations

import unicodedata


def _base(code: int) -> str | None:
    decomposed = unicodedata.normalize("NFD", chr(code))
    return decomposed[0].lower() if len(decomposed) > 1 and len(decomposed[0].lower()) == 1 else None


_ACCENTS = {
    code: base
    for low, high in ((0xC0, 0x250), (0x1E00, 0x1F00))
    for code in range(low, high)
    if (base := _base(code)) is not None
}
_MARKS = dict.fromkeys(map(ord, "\n\r\t\v\f\xa0\u2007\u2009\u202f"), " ") | {
    ord("’"): "'",
    ord("‘"): "'",
    ord("´"): "'",
    ord("–"): "-",
    ord("—"): "-",
    ord("‑"): "-",
    ord("‐"): "-",
    ord("ø"): "o",
    ord("Ø"): "o",
    ord("ł"): "l",
    ord("Ł"): "l",
    ord("đ"): "d",
    ord("Đ"): "d",
}
_TABLE = _ACCENTS | _MARKS


def folded(text: str) -> str:
    """The text in lower case without accents, of the same length.

    >>> folded("Renée O’Brien–Łukasz")
    "renee o'brien-lukasz"
    """
    plain = text.translate(_TABLE)
    low = plain.lower()
    if len(low) == len(plain):
        return low
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in plain)
