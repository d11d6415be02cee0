"""Draws one surrogate after the other until one is neither the original nor any other real value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from reidrisk.resynthesis.codes import surrogate_code
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import RealValues, plain

TRIES = 60
REMEMBERED = 50_000
"""Surrogates that are kept at hand; then all are forgotten, so that memory does not grow with the texts."""
Names = tuple[str | int, ...]
Made = TypeVar("Made", bound=str | None)


@dataclass(frozen=True)
class Draw:
    """What every kind of surrogate is made with; what it made, it gives again without making it anew."""

    keyed: KeyedDraw
    real: RealValues
    scope: str = ""
    """Whose surrogates these are, where each person has their own; empty where the set shares them."""
    _made: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    def within(self, scope: str) -> Draw:
        """The same for one person; itself where the set shares surrogates."""
        return self if scope == self.scope else Draw(self.keyed, self.real, scope)

    def is_new(self, value: str) -> bool:
        """Whether a value is none of the real ones."""
        return not self.real.holds(plain(value))

    def filter_for(self, original: str) -> Callable[[str], bool]:
        """A test: not the original, not real, at least three letters."""
        key = plain(original)
        return lambda one: len(one) >= min(3, len(original)) and plain(one) != key and self.is_new(one)

    def first(
        self,
        make: Callable[[Names], str],
        *names: str,
        accepts: Callable[[str], bool],
        tries: int = TRIES,
    ) -> str | None:
        """The first draw that is accepted."""
        for drawn in self.keyed.tries(tries, *names, self.scope):
            new = make(drawn)
            if accepts(new):
                return new
        return None

    def code(self, value: str, kind: str) -> str | None:
        """A code of the same form; where all such codes are real, at least another one."""
        names = f"{kind} {self.scope}"
        return self.once(
            kind,
            value,
            lambda: (
                surrogate_code(self.keyed, value, names, accepts=self.is_new)
                or surrogate_code(self.keyed, value, names, accepts=lambda _: True, tries=20)
            ),
        )

    def once(self, kind: str, value: str, make: Callable[[], Made]) -> Made:
        """What is made for a value; documents say the same value often."""
        if (kind, value) not in self._made:
            if len(self._made) >= REMEMBERED:
                self._made.clear()
            self._made[kind, value] = make()
        found: Made = self._made[kind, value]
        return found
