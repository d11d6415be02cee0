"""Values that occur nowhere else, one for each hiding place."""

from __future__ import annotations

import itertools


class Secrets:
    """A new secret for each hiding place; `shown` are those that a reader of the document can see."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {}
        self.hidden: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def see(self, where: str) -> str:
        """A secret that must be read as a text of the document."""
        return self.shown.setdefault(where, self._next())

    def hide(self, where: str) -> str:
        """A secret that must be gone in any case."""
        return self.hidden.setdefault(where, self._next())

    def _next(self) -> str:
        letters = "".join(chr(ord("a") + (next(self._numbers) * step) % 26) for step in (3, 7, 11))
        return f"Zq{letters}wyk{next(self._numbers):03d}"
