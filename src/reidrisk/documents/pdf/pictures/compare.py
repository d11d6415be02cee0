"""Compare pages before and after, outside the places that were changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.pdf.affine import at
from reidrisk.documents.pdf.pictures.frame import rendering, to_pixels

Bounds = tuple[float, float, float, float]
Gray = NDArray[np.int16]
_SCALE = 1.0
_DARKER = 80
"""Edges of letters may differ by so many of 255 shades."""
_PIXELS = 6
"""So many pixels may differ more: rounding of lines."""


def pages_that_differ(before: Path, after: Path, boxes: Mapping[int, Iterable[Bounds]]) -> list[int]:
    """Numbers from 1 of the pages that look different outside their boxes."""
    with rendering(before) as old, rendering(after) as new:
        return [
            number + 1
            for number in range(len(old))
            if _differs(old[number], new[number], list(boxes.get(number + 1, [])))
        ]


def _differs(old: Any, new: Any, boxes: list[Bounds]) -> bool:
    first, second = _gray(old), _gray(new)
    if first.shape != second.shape:
        return True
    if int((np.abs(first - second) > _DARKER).sum()) <= _PIXELS:
        return False
    far = _unlike(first, second) | _unlike(second, first)
    frame = to_pixels(old, _SCALE)
    for left, bottom, right, top in boxes:
        (x, y), (u, v) = at(frame, left, bottom), at(frame, right, top)
        rows = slice(max(0, int(min(y, v)) - 3), max(0, int(max(y, v)) + 4))
        columns = slice(max(0, int(min(x, u)) - 3), max(0, int(max(x, u)) + 4))
        far[rows, columns] = False
    return int(far.sum()) > _PIXELS


def _unlike(first: Gray, second: Gray) -> NDArray[np.bool_]:
    """Pixels that are like none around the same place: letters may move by a fraction of a pixel."""
    wide = np.pad(second, 1, mode="edge")
    rows, columns = second.shape
    around = [wide[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    darkest, lightest = np.minimum.reduce(around), np.maximum.reduce(around)
    unlike: NDArray[np.bool_] = (first < darkest - _DARKER) | (first > lightest + _DARKER)
    return unlike


def _gray(page: Any) -> Gray:
    picture = page.render(scale=_SCALE, grayscale=True).to_numpy()
    return np.asarray(picture, dtype=np.int16).reshape(picture.shape[0], -1)
