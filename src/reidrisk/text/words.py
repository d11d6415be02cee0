"""The words of an annotation that must be masked, and those that do not count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from reidrisk.errors import UnreadableFile

WORD = re.compile(r"\w+")
VISIBLE = re.compile(r"\S+")
LOWER = "lower:"
Places = tuple[tuple[int, int], ...]
"""Start and end of each word within a piece of text."""


@dataclass(frozen=True, slots=True)
class IgnoredWords:
    """Words that need no masking, such as titles and function words. The choice changes verdicts."""

    name: str
    """How the result names the choice: none, default, or the file."""
    any_case: frozenset[str] = frozenset()
    lower_case: frozenset[str] = frozenset()
    """Words that are ignored only where they are written in lower case."""

    @classmethod
    def none(cls) -> IgnoredWords:
        """Every word counts."""
        return cls("none")

    @classmethod
    def default(cls) -> IgnoredWords:
        """Titles and function words of the common languages."""
        text = files("reidrisk.text").joinpath("data/ignored_words.txt").read_text(encoding="utf-8")
        return cls.listed("default", text)

    @classmethod
    def choose(cls, choice: str) -> IgnoredWords:
        """`none`, `default`, or the path of a file with words; after `lower:` those only in lower case."""
        if choice == "none":
            return cls.none()
        if choice == "default":
            return cls.default()
        try:
            return cls.listed(Path(choice).name, Path(choice).read_text(encoding="utf-8-sig"))
        except (OSError, ValueError) as error:
            reason = (
                "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read as UTF-8 text"
            )
            raise UnreadableFile(
                f"The list of ignored words {choice!r} {reason}.",
                hint="Give `none`, `default`, or a text file with one word a line.",
            ) from error

    @classmethod
    def listed(cls, name: str, text: str) -> IgnoredWords:
        """From the lines of a list; a # begins a remark."""
        any_case: set[str] = set()
        lower_case: set[str] = set()
        for line in text.splitlines():
            words = line.partition("#")[0].strip().casefold()
            only_lower = words.startswith(LOWER)
            (lower_case if only_lower else any_case).update(words.removeprefix(LOWER).split())
        return cls(name, frozenset(any_case), frozenset(lower_case))

    def holds(self, word: str) -> bool:
        """Whether a word, as written, needs no masking."""
        return word in self.lower_case or word.casefold() in self.any_case


class WordCounter:
    """Finds the words that count in pieces of text; short pieces are remembered, since values recur."""

    LONGEST, MOST = 80, 2**16

    def __init__(self, ignored: IgnoredWords) -> None:
        self._ignored = ignored
        self._known: dict[str, tuple[Places, Places]] = {}

    def places(self, surface: str) -> tuple[Places, Places]:
        """Places of the words that must be masked, and of all words.

        Punctuation never counts. A piece that consists only of ignored words keeps them all, and
        one without any letter or digit counts as it is written: nothing is caught by being odd.
        """
        known = self._known.get(surface)
        if known is None:
            known = self._find(surface)
            if len(surface) <= self.LONGEST:
                if len(self._known) >= self.MOST:
                    self._known.clear()
                self._known[surface] = known
        return known

    def _find(self, surface: str) -> tuple[Places, Places]:
        words = tuple(match.span() for match in WORD.finditer(surface))
        if not words:
            words = tuple(match.span() for match in VISIBLE.finditer(surface))
            return words, words
        counted = tuple(span for span in words if not self._ignored.holds(surface[span[0] : span[1]]))
        return counted or words, words
