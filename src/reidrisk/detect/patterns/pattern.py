"""What a pattern is: a bounded expression, tried where an anchor stands, and a check of what it matched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from reidrisk.errors import InvalidSetting

Anchor = Literal["number", "lead", "word", "link", "at", "age"]
"""Where a pattern is tried: at a word with a digit, at a bracket or sign before it, at a word of the
calendar, at the beginning of a link or of an address with @, at a spelled-out number or word of age."""
Check = Callable[[re.Match[str]], float | None]
"""How sure a match is, or None if it is none; it may look at what stands around the match."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of writing one kind of identifier. Its finding is the group `value`, or the whole match."""

    name: str
    type: str
    anchor: Anchor
    expression: re.Pattern[str]
    check: Check
    universal: bool = False
    """Whether it holds in any language."""

    def __post_init__(self) -> None:
        if self.expression.pattern.startswith(("^", r"\A")):
            raise InvalidSetting(
                f"The pattern {self.name!r} begins with an anchor of its own.",
                hint="A pattern is tried where its anchor stands: leave ^ and \\A out.",
            )


def sure(confidence: float) -> Check:
    """A check that every match passes."""
    return lambda _: confidence


def before(match: re.Match[str], width: int = 32) -> str:
    """What stands before a match, in lower case."""
    start = match.start()
    return match.string[max(0, start - width) : start].lower()


def after(match: re.Match[str], width: int = 24) -> str:
    """What stands after a match, in lower case."""
    return match.string[match.end() : match.end() + width].lower()
