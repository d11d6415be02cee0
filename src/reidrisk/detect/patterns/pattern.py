"""A pattern: a bounded expression that is tried at an anchor, and a check of what it matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from reidrisk.errors import InvalidSetting

Anchor = Literal["number", "code", "lead", "word", "link", "at", "age"]
"""Where a pattern is tried: at a number, at a word of letters and digits that starts with a letter, at a
bracket or sign before a number, at a calendar word, at the start of a link or of an address with @, at a
spelled-out number or a word for age."""
Check = Callable[[re.Match[str]], float | None]
"""Confidence of a match, or None if it is not valid; the check may look at the surrounding text."""

CERTAIN = 0.9
"""Numbers with more confidence than this need no cue words before them."""
_NAMED = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class IdentifierPattern:
    """One way to write one kind of identifier. The finding is the group `value`, or the whole match."""

    name: str
    type: str
    anchor: Anchor
    expression: re.Pattern[str]
    check: Check
    universal: bool = False
    """Whether it is valid in any language."""

    def __post_init__(self) -> None:
        if self.expression.pattern.startswith(("^", r"\A")):
            raise InvalidSetting(
                f"The pattern {self.name!r} starts with its own anchor.",
                hint="A pattern is tried only at its anchor. Leave out ^ and \\A.",
            )


def any_of(patterns: Iterable[IdentifierPattern]) -> re.Pattern[str] | None:
    """One expression that matches wherever any of the patterns does; None if there are no patterns."""
    bare = [
        _NAMED.sub("(?:", pattern.expression.pattern).replace("(?P=sep)", "[/.-]") for pattern in patterns
    ]
    return re.compile("|".join(f"(?:{expression})" for expression in bare)) if bare else None


def sure(confidence: float) -> Check:
    """A check that every match passes."""
    return lambda _: confidence


def before(match: re.Match[str], width: int = 32) -> str:
    """The text before a match, in lower case."""
    start = match.start()
    return match.string[max(0, start - width) : start].lower()


def after(match: re.Match[str], width: int = 24) -> str:
    """The text after a match, in lower case."""
    return match.string[match.end() : match.end() + width].lower()
