"""What a pattern is: a bounded expression, tried where an anchor stands, and a check of what it matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from reidrisk.errors import InvalidSetting

Anchor = Literal["number", "code", "lead", "word", "link", "at", "age"]
"""Where a pattern is tried: at a number, at a word of letters and digits that begins with a letter, at a
bracket or sign before a number, at a word of the calendar, where a link or an address with @ begins, at
a spelled-out number or a word of age."""
Check = Callable[[re.Match[str]], float | None]
"""How sure a match is, or None if it is none; it may look at what stands around the match."""

CERTAIN = 0.9
"""Numbers that are surer than this need no words before them to say what they are."""
_NAMED = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class IdentifierPattern:
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


def any_of(patterns: Iterable[IdentifierPattern]) -> re.Pattern[str] | None:
    """One expression that matches wherever one of some patterns does; None for none."""
    bare = [
        _NAMED.sub("(?:", pattern.expression.pattern).replace("(?P=sep)", "[/.-]") for pattern in patterns
    ]
    return re.compile("|".join(f"(?:{expression})" for expression in bare)) if bare else None


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
