"""Look for values in a written file as a suspicious reader would."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

Reader = Callable[[Path], Iterable[tuple[str, str]]]


def places_of(path: Path, values: Sequence[str], readers: Sequence[Reader]) -> set[tuple[str, str]]:
    """Pairs (value, place) of all values that a reader still finds, whatever their case and spaces."""
    wanted = {value: _plain(value) for value in values}
    return {
        (value, where)
        for reader in readers
        for where, text in reader(path)
        for value, plain in wanted.items()
        if plain in _plain(text)
    }


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())
