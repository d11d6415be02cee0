"""Pseudorandom draws from a key: the same key gives the same choice, in any order."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import isqrt
from typing import TypeVar

Item = TypeVar("Item")
ROUNDS = 8
"""Rounds of the permutation; theory requires at least four (Luby and Rackoff, doi:10.1137/0217022)."""


class KeyedDraw:
    """Draws numbers from the HMAC-SHA256 of a key and the names of the draw."""

    __slots__ = ("_keyed",)

    def __init__(self, key: bytes) -> None:
        self._keyed = hmac.new(key, digestmod=sha256)

    def __repr__(self) -> str:
        return "KeyedDraw(…)"

    def number(self, *names: str | int) -> int:
        """A 128-bit integer that depends only on the key and the names."""
        keyed = self._keyed.copy()
        for name in names:
            part = str(name).encode("utf-8", "surrogatepass")
            keyed.update(len(part).to_bytes(4, "big") + part)
        return int.from_bytes(keyed.digest()[:16], "big")

    def below(self, limit: int, *names: str | int) -> int:
        """A number from 0 to limit - 1; the limit must be small compared to 128 bits."""
        return self.number(*names) % limit

    def pick(self, options: Sequence[Item], *names: str | int) -> Item:
        """One of the options, all equally likely."""
        return options[self.below(len(options), *names)]

    def permute(self, value: int, size: int, *names: str | int) -> int:
        """Apply a keyed permutation of 0 … size - 1 to a value: no two values get the same result.

        A Feistel network over the smallest square that covers the range, repeated until the result is in
        the range (Black and Rogaway, doi:10.1007/3-540-45760-7_9).
        """
        side = isqrt(size - 1) + 1
        while True:
            left, right = divmod(value, side)
            for turn in range(ROUNDS):
                left, right = right, (left + self.number("feistel", turn, right, *names)) % side
            value = left * side + right
            if value < size:
                return value

    def tries(self, most: int, *names: str | int) -> Iterator[tuple[str | int, ...]]:
        """The names of up to `most` draws, for trying until one fits."""
        for count in range(most):
            yield (*names, count)
