"""Draw surrogates until one is neither the original nor any other real value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from reidrisk.resynthesis.codes import surrogate_code
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.real import RealValues, plain

TRIES = 60
CACHE_SIZE = 50_000
"""Size of the cache of surrogates; a full cache is cleared, so that memory does not grow with the texts."""
Names = tuple[str | int, ...]
Surrogate = TypeVar("Surrogate", bound=str | None)


@dataclass(frozen=True)
class Draw:
    """The source of all kinds of surrogates. It caches the surrogates that it has made."""

    keyed: KeyedDraw
    real: RealValues
    scope: str = ""
    """The person, if each person has their own surrogates; empty if the whole set shares them."""
    _cache: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    def within(self, scope: str) -> Draw:
        """The same source for one person; itself if the scope is the same."""
        return self if scope == self.scope else Draw(self.keyed, self.real, scope)

    def is_new(self, value: str) -> bool:
        """Whether a value is not one of the real values."""
        return not self.real.holds(plain(value))

    def filter_for(self, original: str) -> Callable[[str], bool]:
        """A test for surrogates: not the original, not a real value, at least three letters."""
        key = plain(original)
        return lambda one: len(one) >= min(3, len(original)) and plain(one) != key and self.is_new(one)

    def first(
        self,
        make: Callable[[Names], str],
        *names: str,
        accepts: Callable[[str], bool],
        tries: int = TRIES,
    ) -> str | None:
        """The first accepted draw; None if none is accepted."""
        for drawn in self.keyed.tries(tries, *names, self.scope):
            new = make(drawn)
            if accepts(new):
                return new
        return None

    def code(self, value: str, kind: str) -> str | None:
        """A code of the same form that is not real; if all such codes are real, at least a different one."""
        names = f"{kind} {self.scope}"
        return self.once(
            kind,
            value,
            lambda: (
                surrogate_code(self.keyed, value, names, accepts=self.is_new)
                or surrogate_code(self.keyed, value, names, accepts=lambda _: True, tries=20)
            ),
        )

    def once(self, kind: str, value: str, make: Callable[[], Surrogate]) -> Surrogate:
        """The surrogate for a value, from the cache if it was made before."""
        if (kind, value) not in self._cache:
            if len(self._cache) >= CACHE_SIZE:
                self._cache.clear()
            self._cache[kind, value] = make()
        found: Surrogate = self._cache[kind, value]
        return found
