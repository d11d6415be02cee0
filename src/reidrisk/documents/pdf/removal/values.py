"""The values that were taken out, to be found again in places where there are no glyphs."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from reidrisk.documents.alternatives import alternatives

_SHORTEST = 3
_WORD = 4
"""Words of a value count alone from this length on."""
_GAPS = re.compile(r"[\s\u00ad\u200b-\u200d\u2060_]+")


class Values:
    """Values that must not remain, and what stands for each of them."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._names: dict[str, int] = {}

    def add(self, value: str, instead: str) -> None:
        """Remember a value and its longer words."""
        whole = folded(value)
        if len(whole.replace(" ", "")) >= _SHORTEST:
            self._known.setdefault(whole, instead)
            self._known.setdefault(whole.replace(" ", ""), instead)
        for word in whole.split():
            if len(word) >= _WORD and not word.isdigit():
                self._known.setdefault(word, instead)
        self._pattern = None

    def within(self, text: str) -> bool:
        """Whether a text tells one of the values."""
        return bool(self._known) and any(
            self._found().search(form) is not None for form in (folded(text), folded(unquote(text)))
        )

    def number(self, name: str) -> int:
        """The number that stands for a name that tells a value."""
        return self._names.setdefault(name, len(self._names) + 1)

    def cleaned(self, text: str) -> str:
        """A text with what stands for the values; where letters change their number, without case too."""
        if not self.within(text):
            return text
        plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))
        same = len(plain.casefold()) == len(plain) and "_" not in plain
        form = plain if same else folded(text)
        parts, done = [], 0
        for found in self._found().finditer(folded(form) if not same else form.casefold()):
            parts += [form[done : found.start()], self._known[found[0]]]
            done = found.end()
        result = "".join([*parts, form[done:]])
        return "" if self.within(result) and not self._is_new(result) else result

    def _is_new(self, text: str) -> bool:
        """Whether what was found again is part of the new values, not an old one."""
        rest = folded(text)
        for instead in sorted({folded(new) for new in self._known.values()}, key=len, reverse=True):
            rest = rest.replace(instead, " ") if instead else rest
        return self._found().search(rest) is None

    def _found(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile(alternatives(self._known))
        return self._pattern


def folded(text: str) -> str:
    """The text as it is compared: without case, kinds of spaces, and forms of letters."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
