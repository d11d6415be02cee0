"""The words of an annotation that must be masked, and those that do not count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from reidrisk.errors import UnreadableFile

WORD = re.compile(r"\w+")
VISIBLE = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class IgnoredWords:
    """Words that need no masking, such as titles and function words. The choice changes verdicts."""

    name: str
    """How the result names the choice: none, default, or the file."""
    words: frozenset[str]

    @classmethod
    def none(cls) -> IgnoredWords:
        """Every word counts."""
        return cls("none", frozenset())

    @classmethod
    def default(cls) -> IgnoredWords:
        """Titles and function words of the common languages."""
        text = files("reidrisk.text").joinpath("data/ignored_words.txt").read_text(encoding="utf-8")
        return cls("default", _listed(text))

    @classmethod
    def choose(cls, choice: str) -> IgnoredWords:
        """`none`, `default`, or the path of a file with one word a line."""
        if choice == "none":
            return cls.none()
        if choice == "default":
            return cls.default()
        try:
            return cls(Path(choice).name, _listed(Path(choice).read_text(encoding="utf-8-sig")))
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableFile(
                f"The list of ignored words {choice} cannot be read as UTF-8 text.",
                hint="Give `none`, `default`, or a text file with one word a line.",
            ) from error


def _listed(text: str) -> frozenset[str]:
    lines = (line.partition("#")[0].strip().casefold() for line in text.splitlines())
    return frozenset(word for line in lines for word in line.split())


@lru_cache(maxsize=2**16)
def counted_words(surface: str, ignored: frozenset[str]) -> tuple[tuple[int, int], ...]:
    """Places, within a marked piece of text, of the words that must be masked.

    Punctuation never counts. A piece that consists only of ignored words keeps them all, and
    one without any letter or digit counts as it is written: nothing is caught by being odd.
    """
    spans = tuple(match.span() for match in WORD.finditer(surface))
    if not spans:
        return tuple(match.span() for match in VISIBLE.finditer(surface))
    counted = tuple(span for span in spans if surface[span[0] : span[1]].casefold() not in ignored)
    return counted or spans
