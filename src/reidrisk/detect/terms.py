"""Your own term lists: terms that are always identifiers, and terms that never are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reidrisk.detect.finding import Finding
from reidrisk.errors import UnreadableFile

NEVER = "never:"
_HINT = (
    "Write one term per line in UTF-8. `TYPE: term` gives it a type; `never: term` means it is never found."
)
_TYPE = re.compile(r"(?P<type>[A-Z][A-Z_-]{1,30}): *(?P<term>.+)")
_WORD = re.compile(r"\w+")
DEFAULT_TYPE = "OTHER"


@dataclass(frozen=True, slots=True)
class TermList:
    """Terms indexed by their words, so that one pass over a text finds them all."""

    types: dict[tuple[str, ...], str]
    longest: int
    never: frozenset[tuple[str, ...]]

    @classmethod
    def read(cls, paths: Iterable[Path]) -> TermList:
        """Read the terms of several files; # starts a comment."""
        types: dict[tuple[str, ...], str] = {}
        never: set[tuple[str, ...]] = set()
        for line in (line for path in paths for line in _lines(path)):
            term = line.strip()
            if term.lower().startswith(NEVER):
                never.add(_key(term[len(NEVER) :]))
                continue
            typed = _TYPE.fullmatch(term)
            types[_key(typed["term"] if typed else term)] = typed["type"] if typed else DEFAULT_TYPE
        types.pop((), None)
        sizes = [len(key) for key in (*types, *never)]
        return cls(types, max(sizes, default=0), frozenset(never - {()}))

    def find(self, text: str) -> list[Finding]:
        """Find all terms, upper or lower case; where several terms match, the longest counts."""
        return [
            Finding(start, end, self.types[key], 1.0, "terms")
            for start, end, key in self._places(text)
            if key in self.types
        ]

    def without(self, text: str, findings: Sequence[Finding]) -> list[Finding]:
        """The findings without terms that never identify."""
        if not self.never:
            return list(findings)
        return [finding for finding in findings if _key(text[finding.start : finding.end]) not in self.never]

    def _places(self, text: str) -> list[tuple[int, int, tuple[str, ...]]]:
        if not self.types:
            return []
        words = [(match.start(), match.end(), match[0].casefold()) for match in _WORD.finditer(text)]
        begins = {key[0] for key in self.types}
        found, at = [], 0
        while at < len(words):
            size = self._size(words, at) if words[at][2] in begins else 0
            if size:
                key = tuple(word for _, _, word in words[at : at + size])
                found.append((words[at][0], words[at + size - 1][1], key))
            at += size or 1
        return found

    def _size(self, words: list[tuple[int, int, str]], at: int) -> int:
        for size in range(min(self.longest, len(words) - at), 0, -1):
            if tuple(word for _, _, word in words[at : at + size]) in self.types:
                return size
        return 0


def _key(term: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(term))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UnreadableFile(f"The term list {path.name!r} does not exist.", hint=_HINT) from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"The term list {path.name!r} cannot be read as UTF-8 text.", hint=_HINT
        ) from error
    return [line.partition("#")[0] for line in text.splitlines() if line.partition("#")[0].strip()]
