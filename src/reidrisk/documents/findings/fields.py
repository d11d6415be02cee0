"""Take values out of a JSON file; what is wrong is named by its place, never by its content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile

_WORDS = {str: "text", int: "a whole number", list: "a list", dict: "an object"}


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a file, and where it stands."""

    source: str
    where: str
    content: Any

    def wrong(
        self, problem: str, *, hint: str = "Was it written by this version of reidrisk?"
    ) -> UnreadableFile:
        """The error that says what is wrong here."""
        return UnreadableFile(f"{self.source}: {self.where or 'the file'} {problem}.", hint=hint)

    def fields(self, *known: str) -> dict[str, Value]:
        """The values of an object, which has no other names than these."""
        content = self._of(dict)
        unknown = sorted(set(content) - set(known))
        if unknown:
            raise self.wrong(f"has a name that is not known: {unknown[0][:40]!r}")
        below = f"{self.where}." if self.where else ""
        return {name: Value(self.source, below + name, content.get(name)) for name in known}

    def items(self) -> Iterator[Value]:
        """The values of a list."""
        for number, content in enumerate(self._of(list), 1):
            yield Value(self.source, f"{self.where}[{number}]", content)

    def text(self) -> str:
        """A text that is not empty."""
        content: str = self._of(str)
        if not content:
            raise self.wrong("is empty")
        return content

    def optional_text(self) -> str | None:
        """A text, or nothing."""
        return None if self.content is None else self.text()

    def whole(self) -> int:
        """A whole number."""
        number: int = self._of(int)
        return number

    def share(self) -> float:
        """A number between 0 and 1."""
        number = self.content
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise self.wrong("is no number between 0 and 1")
        return float(number)

    def _of(self, kind: type) -> Any:
        if not isinstance(self.content, kind) or isinstance(self.content, bool):
            raise self.wrong(f"is not {_WORDS[kind]}" if self.content is not None else "is missing")
        return self.content


def read_json(path: Path) -> Value:
    """The content of a file as a whole."""
    source = path_text(path)
    try:
        return Value(source, "", json.loads(path.read_bytes().decode("utf-8-sig")))
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{source} cannot be read: {reason}.", hint="Check the path.") from error
    except (ValueError, RecursionError):
        raise UnreadableFile(
            f"{source} is no JSON.", hint="Give a file of `document detect --out`."
        ) from None
