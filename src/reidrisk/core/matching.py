"""When two writings of a value are the same: which characters fold, and where a word ends.

Whoever searches a text for given values follows these rules, so that what one finds, another finds too.
"""

from __future__ import annotations

import re
import unicodedata
from array import array

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
"""Characters without a shape: soft hyphens, joiners, marks of direction, variation selectors."""
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
"""Accents, the vowel signs of Hebrew and Arabic, and the stroke that stretches Arabic words."""
_SAME = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4\u02bc\u02b9\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict(zip("øØłŁđĐħĦıŧŦ", "oollddhhitt", strict=True)),
    **dict(zip("أإآٱىیک", "ااااييك", strict=True)),
}
_NO_SPACES = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u3029\u3031-\u3035\u3038-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f"
    "\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff"
    "\U00020000-\U000323af]"
)
"""Scripts in which no space parts words, or in which particles follow a name without one: Chinese, Japanese,
Korean, Thai, Lao, Tibetan, Burmese, Khmer, Yi and others."""
_PREFIXES = re.compile("[\u05d5\u05d4\u05d1\u05db\u05dc\u05de\u05e9]{1,3}|[وف]?(?:[بكلس]?(?:ال)?|لل)")
"""Particles that Hebrew and Arabic write as part of the next word: and, in, to, like, from, the."""
_SUFFIX = "ا"
_FREE = 5
"""Hebrew and Arabic values of so many letters count within any word; shorter ones occur by chance."""
_PREFIX = 4
_SHORTEST_CUT, _SHORTEST_NUMBER = 5, 7


class _Folding(dict[int, str]):
    """What a character becomes; made when it is first seen."""

    def __missing__(self, code: int) -> str:
        self[code] = made = _folded(chr(code))
        return made


def _folded(character: str) -> str:
    if character.isspace():
        return " "
    if _UNSEEN.match(character):
        return ""
    same = _SAME.get(character, character)
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", same).casefold())
    return _MARKS.sub("", "".join(_SAME.get(one, one) for one in plain))


_FOLDING = _Folding()


def fold(text: str) -> str:
    """A text as it is compared: without case, accents, forms of letters, and characters that nobody sees.

    Every blank and line end becomes a space. The length may change.

    >>> fold("Ｒenée\\u00ad O’Brien–ﬁ\\n３")
    "renee o'brien-fi 3"
    """
    return text.translate(_FOLDING)


def fold_in_place(text: str) -> tuple[str, array[int]]:
    """The same, and for each character of it where it stands in the text.

    >>> fold_in_place("aﬁ")
    ('afi', array('q', [0, 1, 1]))
    """
    if text.isascii():
        return fold(text), array("q", range(len(text)))
    offsets = array("q")
    parts = []
    for at, character in enumerate(text):
        plain = _FOLDING[ord(character)]
        parts.append(plain)
        offsets.extend([at] * len(plain))
    return "".join(parts), offsets


def stands_alone(low: str, start: int, end: int) -> bool:
    """Whether a stretch of a folded text is no part of a longer word or number.

    A letter goes on with a letter and a digit with a digit; an underscore parts words. Scripts that put no
    space between words have no such ends, and Hebrew and Arabic write particles without one.

    >>> [stands_alone(text, 1, 4) for text in ("43215", "_321mg", "号321号", "yannb", "2ann3")]
    [False, True, True, False, True]
    """
    if end < len(low) and _is_mark(low[end]):
        return False
    after = end < len(low) and _goes_on(low[end - 1], low[end])
    before = start > 0 and _goes_on(low[start], low[start - 1])
    if not (before or after):
        return True
    if not _is_prefixing(low[start]) or not _is_prefixing(low[end - 1]):
        return False
    if sum(map(str.isalpha, low[start:end])) >= _FREE:
        return True
    if after and (low[end] != _SUFFIX or (end + 1 < len(low) and _goes_on(low[end], low[end + 1]))):
        return False
    begin = start
    while begin and start - begin <= _PREFIX and low[begin - 1].isalpha():
        begin -= 1
    return not before or _PREFIXES.fullmatch(low[begin:start]) is not None


def can_be_cut(low: str) -> bool:
    """Whether a line end may cut a folded value without a hyphen.

    Short words and numbers that stand one above the other make up others by chance.

    >>> can_be_cut("12345678"), can_be_cut("kennedy"), can_be_cut("0731"), can_be_cut("ann")
    (True, True, False, False)
    """
    letters = sum(map(str.isalnum, low))
    if any(map(is_spaceless, low)):
        return True
    return letters >= (_SHORTEST_NUMBER if not any(map(str.isalpha, low)) else _SHORTEST_CUT)


def is_spaceless(character: str) -> bool:
    """Whether a character is of a script that puts no space between words, or none before particles."""
    return character > "\u0dff" and _NO_SPACES.match(character) is not None


def _goes_on(edge: str, beyond: str) -> bool:
    if edge.isdecimal():
        return beyond.isdecimal()
    if not edge.isalpha() or not beyond.isalpha():
        return False
    return not (is_spaceless(edge) or is_spaceless(beyond))


def _is_mark(character: str) -> bool:
    """Whether a character belongs to the one before it, as a vowel sign or the end of a Korean syllable."""
    return character > "\u02ff" and (
        unicodedata.category(character) in ("Mn", "Mc") or "\u1160" <= character <= "\u11ff"
    )


def _is_prefixing(character: str) -> bool:
    return "\u0590" <= character <= "\u08ff"
