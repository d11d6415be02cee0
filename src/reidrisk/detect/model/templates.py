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
"""The value of every property beyond either end of the text; 0 is a value that training did not know."""
WORD, SHAPE = FIELDS.index("word"), FIELDS.index("shape")
PLACED = ("outline", "glue", "cue", "cue2", "way", "head", "column", "where", "spelling", "style")
"""Properties of a token in its place."""
ALL = (*FIELDS, *PLACED)
_OF_WORDS = {"cue": "word", "cue2": "word", "head": "word"}
_FIXED = {"glue": 6, "way": 9, "column": 8, "where": 18, "spelling": 19, "style": 5}

Template = tuple[tuple[str, int], ...]
"""Properties, each with the distance of the token that has it."""


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
)
FURTHEST = max(abs(distance) for template in TEMPLATES for _, distance in template)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureGrid:
    """The properties of all tokens of some texts as numbers, one column a property."""

    columns: dict[str, Ints]
    sizes: dict[str, int]
    beyond: dict[int, Ints]
    """For each distance the tokens that have no neighbour so far away in their own text."""

    def keys(self, template: Template) -> Ints:
        """One number for each token: the properties of the template together."""
        total: Ints | None = None
        for field, distance in template:
            values = self._shifted(self.columns[field], distance)
            total = values if total is None else total * self.sizes[field] + values
        assert total is not None  # noqa: S101 - a template names at least one property
        return total

    def _shifted(self, values: Ints, distance: int) -> Ints:
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
    """From the properties of words (tokens x `FIELDS`) and outlines as the vocabulary numbers them."""
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
    """The first and last tokens of each text; beside a text that is shorter than the distance some twice."""
    first = np.flatnonzero(layout.opening == np.arange(layout.size))
    last = np.append(first[1:], layout.size) - 1 if first.size else first
    found = {}
    for distance in range(1, FURTHEST + 1):
        steps = np.arange(distance)
        ahead, behind = (last[:, None] - steps).ravel(), (first[:, None] + steps).ravel()
        found[distance], found[-distance] = ahead[ahead >= 0], behind[behind < layout.size]
    return found


def sizes_of(vocabulary: dict[str, int]) -> dict[str, int]:
    """How many values each property has, from those of the words and outlines."""
    sizes = dict(vocabulary) | _FIXED
    return sizes | {name: sizes[source] for name, source in _OF_WORDS.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """For each template the known keys, ascending; they are numbered from 1 through all templates."""

    keys: tuple[Ints, ...]

    @classmethod
    def learn(cls, grids: Sequence[FeatureGrid], *, min_documents: int) -> Features:
        """The keys that at least so many texts have."""
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
        """Numbers of the features of each token (rows), by template (columns); 0 where it is not known."""
        columns, base = [], 1
        for template, known in zip(TEMPLATES, self.keys, strict=True):
            columns.append(places(known, grid.keys(template), base))
            base += known.size
        return np.stack(columns, axis=1)

    def kept(self, wanted: NDArray[np.bool_]) -> Features:
        """With only some of the features; `wanted` has one entry a feature."""
        kept, at = [], 0
        for keys in self.keys:
            kept.append(keys[wanted[at : at + keys.size]])
            at += keys.size
        return Features(tuple(kept))


def places(known: Ints, wanted: Ints, base: int) -> Ints:
    """Where the wanted keys stand among the known ones, counted from `base`; 0 where they do not."""
    if not known.size:
        return np.zeros_like(wanted)
    place = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return np.where(known[place] == wanted, base + place, 0)
