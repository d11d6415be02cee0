"""Many fixed texts searched at once, in time that hardly depends on how many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
_BITS = np.uint64(21)
"""Of a code point; three of them make one number."""
_FIRST = 3


class FixedForms:
    """Texts that are found wherever they stand, one within another too."""

    def __init__(self, forms: Iterable[str]) -> None:
        self._short: dict[int, set[str]] = defaultdict(set)
        self._long: set[str] = set()
        lengths: dict[str, set[int]] = defaultdict(set)
        for form in forms:
            if len(form) < _FIRST:
                self._short[len(form)].add(form)
            else:
                self._long.add(form)
                lengths[form[:_FIRST]].add(len(form))
        self._lengths = {start: sorted(own) for start, own in lengths.items()}
        self._keys = np.sort(_keys("".join(self._lengths))[::_FIRST]) if lengths else None

    def places(self, text: str) -> Iterator[tuple[int, str]]:
        """Where texts stand, and which.

        >>> sorted(FixedForms(["an", "ann", "nna"]).places("anna"))
        [(0, 'an'), (0, 'ann'), (1, 'nna')]
        """
        for length, forms in self._short.items():
            for at in range(len(text) - length + 1):
                if text[at : at + length] in forms:
                    yield at, text[at : at + length]
        if self._keys is None or len(text) < _FIRST:
            return
        here = _keys(text)
        nearest = np.minimum(np.searchsorted(self._keys, here), len(self._keys) - 1)
        for at in np.flatnonzero(self._keys[nearest] == here).tolist():
            for length in self._lengths[text[at : at + _FIRST]]:
                piece = text[at : at + length]
                if piece in self._long:
                    yield at, piece


def _keys(text: str) -> Codes:
    """A number for every three characters of a text, one after the other."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    keys: Codes = codes[:-2] | (codes[1:-1] << _BITS) | (codes[2:] << (_BITS + _BITS))
    return keys
