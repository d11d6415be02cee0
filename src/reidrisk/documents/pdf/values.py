"""The values that were taken out, to be found again in places where there are no glyphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from reidrisk.documents.words import alternatives

_SHORTEST = 3
_WHOLE_WORDS = 6
"""Shorter values count only as whole words."""
_NAME = re.compile(r"[^\W\d_]\S*(?: [^\W\d_]\S*){1,3}")
_GAPS = re.compile(r"[\s\u00ad\u200b-\u200d\u2060_]+")


class RemovedValues:
    """Values that must not remain, and what stands for each of them."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._patterns: dict[bool, re.Pattern[str]] = {}
        self._names: dict[str, int] = {}

    def add(self, value: str, instead: str) -> None:
        """Remember a value; of a name, its parts too."""
        whole = folded(value)
        if len(whole.replace(" ", "")) >= _SHORTEST:
            for form in (whole, whole.replace(" ", "")):
                self._known.setdefault(form, instead)
        words = value.split()
        if _NAME.fullmatch(" ".join(words)) and all(word[0].isupper() for word in words):
            for word in words:
                if len(folded(word)) > _SHORTEST:
                    self._parts.setdefault(folded(word), instead)
        self._patterns = {}

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self._known and not self._parts

    def within(self, text: str, *, parts: bool = False) -> bool:
        """Whether a text tells one of the values, or a part of a name."""
        forms = {folded(text), folded(unquote(text))} if "%" in text else {folded(text)}
        return any(True for form in forms for _ in self._places(form, parts=parts))

    def number(self, name: str) -> int:
        """The number that stands for a name that tells a value."""
        return self._names.setdefault(name, len(self._names) + 1)

    def cleaned(self, text: str) -> str:
        """A text with what stands for the values; where letters change their number, without case too."""
        if not self.within(text, parts=True):
            return text
        plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))
        same = len(plain.casefold()) == len(plain) and _GAPS.sub(" ", plain) == plain
        form = plain if same else folded(text)
        parts, done = [], 0
        for start, end in self._places(form.casefold(), parts=True):
            found = form[start:end].casefold()
            parts += [form[done:start], self._known.get(found) or self._parts[found]]
            done = end
        return "".join([*parts, form[done:]])

    def _places(self, text: str, *, parts: bool) -> Iterator[tuple[int, int]]:
        """Where values stand in a folded text."""
        if parts not in self._patterns:
            self._patterns[parts] = re.compile(
                alternatives({**self._known, **(self._parts if parts else {})})
            )
        pattern, at = self._patterns[parts], 0
        while pattern.pattern and (found := pattern.search(text, at)) is not None:
            start, end = found.span()
            size = end - start
            if _bounded(text, start, start - 1, size) and _bounded(text, end - 1, end, size):
                yield start, end
                at = end
            else:
                at = start + 1


def _bounded(text: str, edge: int, beyond: int, length: int) -> bool:
    """Whether a value ends at its edge: a number is not part of a longer one, a short word not of another."""
    if not 0 <= beyond < len(text):
        return True
    if text[edge].isdigit():
        return not text[beyond].isdigit()
    return length >= _WHOLE_WORDS or not (text[edge].isalpha() and text[beyond].isalnum())


def folded(text: str) -> str:
    """The text as it is compared: without case, kinds of spaces, and forms of letters."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
