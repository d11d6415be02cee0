"""Features of a word in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reidrisk.detect.model.layout import TokenLayout, cues, spellings, styles
from reidrisk.detect.model.lexicon import FIELDS
from reidrisk.stats.arrays import Ints

OUTSIDE = 1
"""The value of every property beyond either end of the text; 0 is a value not seen in training."""
WORD, SHAPE = FIELDS.index("word"), FIELDS.index("shape")
PLACED = ("outline", "glue", "cue", "cue2", "way", "head", "column", "where", "spelling", "style")
"""Properties of a token in its context."""
ALL = (*FIELDS, *PLACED)
_OF_WORDS = {"cue": "word", "cue2": "word", "head": "word"}
_FIXED = {"glue": 6, "way": 9, "column": 8, "where": 18, "spelling": 19, "style": 5}

Template = tuple[tuple[str, int], ...]
"""Properties, each with the distance to the token that it belongs to."""


def _alone(field: str, *distances: int) -> list[Template]:
    return [((field, distance),) for distance in distances]


TEMPLATES: tuple[Template, ...] = (
    *_alone("word", -4, -3, -2, -1, 0, 1, 2, 3, 4),
    *_alone("shape", -2, -1, 0, 1, 2),
    *(template for size in (2, 3, 4) for template in _alone(f"prefix{size}", 0)),
    *(template for size in (2, 3, 4) for template in _alone(f"suffix{size}", 0)),
    *_alone("suffix3", -1, 1),
    *_alone("prefix3", -1, 1),
    *_alone("length", 0),
    *_alone("outline", 0, -1, 1),
    *_alone("glue", 0, 1),
    *_alone("cue", 0),
    *_alone("head", 0),
    *_alone("where", 0),
    *_alone("spelling", 0),
    *_alone("listed", -2, -1, 0, 1, 2),
    (("word", -1), ("word", 0)),
    (("word", 0), ("word", 1)),
    (("word", -2), ("word", -1)),
    (("word", 1), ("word", 2)),
    (("word", -2), ("word", -1), ("shape", 0)),
    (("word", -1), ("shape", 0)),
    (("word", -1), ("shape", 0), ("word", 1)),
    (("shape", 0), ("word", 1)),
    (("shape", -1), ("shape", 0)),
    (("shape", 0), ("shape", 1)),
    (("shape", -1), ("shape", 0), ("shape", 1)),
    (("shape", -2), ("shape", -1), ("shape", 0)),
    (("shape", 0), ("shape", 1), ("shape", 2)),
    (("glue", 0), ("shape", 0), ("glue", 1)),
    (("cue", 0), ("cue2", 0)),
    (("cue", 0), ("shape", 0)),
    (("cue", 0), ("way", 0)),
    (("head", 0), ("column", 0)),
    (("outline", 0), ("shape", 0)),
    (("outline", 0), ("word", -1)),
    (("spelling", 0), ("shape", 0)),
    (("spelling", 0), ("where", 0)),
    (("where", 0), ("shape", 0)),
    (("style", 0), ("shape", 0)),
    (("style", 0), ("shape", -1), ("shape", 0)),
    (("style", 0), ("suffix3", 0)),
    (("listed", 0), ("shape", 0)),
    (("listed", -1), ("listed", 0)),
    (("listed", 0), ("listed", 1)),
    (("listed", 0), ("word", -1)),
    (("listed", 0), ("shape", 0), ("listed", 1), ("shape", 1)),
    (("listed", -1), ("shape", -1), ("listed", 0), ("shape", 0)),
    (("word", -2), ("word", -1), ("listed", 0)),
)
FURTHEST = max(abs(distance) for template in TEMPLATES for _, distance in template)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureGrid:
    """The properties of all tokens of several texts as numbers, one column per property."""

    columns: dict[str, Ints]
    sizes: dict[str, int]
    beyond: dict[int, Ints]
    """For each distance, the tokens without a neighbor that far away in their own text."""

    def keys(self, template: Template) -> Ints:
        """One number per token that combines the properties of the template."""
        total: Ints | None = None
        for field, distance in template:
            values = self._shift(self.columns[field], distance)
            total = values if total is None else total * self.sizes[field] + values
        assert total is not None  # noqa: S101 - a template names at least one property
        return total

    def _shift(self, values: Ints, distance: int) -> Ints:
        if distance == 0:
            return values
        moved = np.empty_like(values)
        if distance > 0:
            moved[:-distance] = values[distance:]
        else:
            moved[-distance:] = values[:distance]
        moved[self.beyond[distance]] = OUTSIDE
        return moved


def make_grid(layout: TokenLayout, words: Ints, outlines: Ints, sizes: dict[str, int]) -> FeatureGrid:
    """Build the grid from numbered word properties (tokens x `FIELDS`) and numbered outlines."""
    word = words[:, WORD]
    columns = {name: words[:, place] for place, name in enumerate(FIELDS)}
    columns["outline"] = outlines
    columns["glue"] = layout.glue + 2
    colon, way = cues(layout)
    for name, back in (("cue", 1), ("cue2", 2)):
        place = colon - back
        known = (colon >= 0) & (place >= layout.opening)
        columns[name] = np.where(known, word[np.maximum(place, 0)], OUTSIDE)
    columns["way"] = np.where(colon >= 0, np.minimum(way, 6) + 2, OUTSIDE)
    here = np.arange(layout.size)
    begins = layout.glue >= 2
    first = np.maximum.accumulate(np.where(begins, here, 0)) if layout.size else here
    columns["head"] = word[first]
    columns["column"] = np.minimum(here - first, 5) + 2
    columns["where"] = np.minimum(np.log2(here - layout.opening + 1.0).astype(np.int64), 15) + 2
    columns["spelling"] = spellings(layout) + 2
    columns["style"] = styles(layout) + 2
    return FeatureGrid(columns, sizes, _beyond(layout))


def _beyond(layout: TokenLayout) -> dict[int, Ints]:
    """The first and last tokens of each text; some appear twice if a text is shorter than the distance."""
    first = np.flatnonzero(layout.opening == np.arange(layout.size))
    last = np.append(first[1:], layout.size) - 1 if first.size else first
    found = {}
    for distance in range(1, FURTHEST + 1):
        steps = np.arange(distance)
        ahead, behind = (last[:, None] - steps).ravel(), (first[:, None] + steps).ravel()
        found[distance], found[-distance] = ahead[ahead >= 0], behind[behind < layout.size]
    return found


def sizes_of(vocabulary: dict[str, int]) -> dict[str, int]:
    """Number of values of each property, from those of words and outlines."""
    sizes = dict(vocabulary) | _FIXED
    return sizes | {name: sizes[source] for name, source in _OF_WORDS.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The known keys of each template, ascending and numbered from 1 through all templates."""

    keys: tuple[Ints, ...]

    @classmethod
    def learn(cls, grids: Sequence[FeatureGrid], *, min_documents: int) -> Features:
        """The keys that occur in at least `min_documents` texts."""
        found = []
        for template in TEMPLATES:
            every = np.concatenate([np.unique(grid.keys(template)) for grid in grids])
            keys, documents = np.unique(every, return_counts=True)
            found.append(keys[documents >= min_documents])
        return cls(tuple(found))

    @property
    def size(self) -> int:
        """The number of features."""
        return sum(keys.size for keys in self.keys)

    def rows(self, grid: FeatureGrid) -> Ints:
        """Feature numbers of each token (rows) by template (columns); 0 if unknown."""
        columns, base = [], 1
        for template, known in zip(TEMPLATES, self.keys, strict=True):
            columns.append(places(known, grid.keys(template), base))
            base += known.size
        return np.stack(columns, axis=1)

    def select(self, wanted: NDArray[np.bool_]) -> Features:
        """Only the wanted features; `wanted` has one entry per feature."""
        kept, at = [], 0
        for keys in self.keys:
            kept.append(keys[wanted[at : at + keys.size]])
            at += keys.size
        return Features(tuple(kept))


def places(known: Ints, wanted: Ints, base: int) -> Ints:
    """Positions of the wanted keys among the known ones, counted from `base`; 0 if not known."""
    if not known.size:
        return np.zeros_like(wanted)
    place = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return np.where(known[place] == wanted, base + place, 0)
