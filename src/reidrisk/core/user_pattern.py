"""Regular expressions that a user gives: searched by RE2, in time that grows with the text and no faster.

Python's own engine needs longer than anybody waits for `(a+)+$` on a line of forty letters. RE2 has no such
patterns: it does without lookahead, lookbehind and backreferences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reidrisk.errors import InvalidSetting, MissingPackage

LONGEST = 1_000
"""Characters of a pattern: no pattern that a person writes comes near it."""
SYNTAX = "Patterns are written in RE2 syntax, which has no lookahead, lookbehind or backreferences."


@dataclass(frozen=True, slots=True)
class UserPattern:
    """A pattern that was checked; it travels to other processes as its text."""

    pattern: str
    what: str = "The pattern"
    """What it is for, as an error message begins."""
    hint: str = SYNTAX
    multiline: bool = False
    """Whether ^ and $ match at the ends of lines."""

    def __post_init__(self) -> None:
        if not self.pattern:
            raise self._refused("it is empty")
        if len(self.pattern) > LONGEST:
            raise self._refused(f"it has more than {LONGEST:,} characters")
        self._compiled()

    @property
    def groups(self) -> int:
        """Number of groups in parentheses."""
        return int(self._compiled().groups)

    def first(self, text: str) -> str | None:
        """The first group of the first match, or the whole match without a group; None without a match.

        >>> UserPattern("^(.+)-").first("110-02"), UserPattern("[0-9]+").first("a1")
        ('110', '1')
        """
        match = self._compiled().search(_encodable(text))
        if match is None:
            return None
        group = match[1] if self.groups else None
        found: str = match[0] if group is None else group
        return found

    def group(self, text: str) -> str | None:
        """The first group of the first match; None if there is no match, or the group is no part of it."""
        match = self._compiled().search(_encodable(text))
        found: str | None = match[1] if match is not None and self.groups else None
        return found

    def starts(self, text: str) -> list[int]:
        """Where matches begin, in order, each place once.

        >>> UserPattern("^a", multiline=True).starts("aé\\na")
        [0, 3]
        """
        return sorted({match.start() for match in self._matches(text)})

    def _matches(self, text: str) -> Iterator[Any]:
        yield from self._compiled().finditer(_encodable(text))

    def _compiled(self) -> Any:
        return _compile(self.pattern, self.multiline, self)

    def _refused(self, reason: str) -> InvalidSetting:
        return InvalidSetting(f"{self.what} is not a regular expression: {reason}.", hint=self.hint)


@lru_cache(maxsize=64)
def _compile(pattern: str, multiline: bool, whose: UserPattern) -> Any:  # noqa: FBT001
    try:
        import re2
    except ImportError:
        raise MissingPackage(
            f"{whose.what} needs the package google-re2.", hint="pip install google-re2"
        ) from None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(f"(?m){pattern}" if multiline else pattern, options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    except UnicodeError:
        reason = "it has characters that cannot be encoded"
    syntax = "" if whose.hint == SYNTAX else f" {SYNTAX}"
    raise InvalidSetting(
        f"{whose.what} is not a regular expression: {reason}.", hint=f"{whose.hint}{syntax}"
    ) from None


def _encodable(text: str) -> str:
    """The text with half surrogate pairs replaced: RE2 works on UTF-8, which has none. Offsets stay."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in text)
    return text
