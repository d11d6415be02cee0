"""The words, affixes and outlines that a model knows: only those in several training documents."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.detect.model.layout import TokenLayout, lay_out, lay_out_many
from reidrisk.detect.model.lexicon import FIELDS, TokenIndex, properties
from reidrisk.detect.model.templates import OUTSIDE, FeatureGrid, make_grid, sizes_of
from reidrisk.stats.arrays import Ints

KNOWN = (*FIELDS, "outline")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Numbers for the values of each property; 0 is unknown, 1 is outside the text."""

    values: Mapping[str, tuple[str, ...]] = field(repr=False)

    @classmethod
    def learn(cls, texts: Iterable[str], *, min_documents: int) -> Vocabulary:
        """The values that occur in at least `min_documents` texts."""
        seen: dict[str, Counter[str]] = {name: Counter() for name in KNOWN}
        lexicon = TokenIndex()
        for text in texts:
            layout = lay_out(text, lexicon)
            words = [properties(lexicon.surfaces[word]) for word in np.unique(layout.word)]
            for place, name in enumerate(FIELDS):
                seen[name].update({word[place] for word in words})
            seen["outline"].update({lexicon.outlines[chunk] for chunk in np.unique(layout.chunk)})
            if lexicon.full:
                lexicon.clear()
        return cls(
            {
                name: tuple(
                    sorted(value for value, times in counts.items() if value and times >= min_documents)
                )
                for name, counts in seen.items()
            }
        )

    def numbers(self) -> dict[str, dict[str, int]]:
        """The number of each value, by property."""
        return {
            name: {value: number for number, value in enumerate(values, start=OUTSIDE + 1)}
            for name, values in self.values.items()
        }

    def sizes(self) -> dict[str, int]:
        """The number of values of each property."""
        return sizes_of({name: len(values) + OUTSIDE + 1 for name, values in self.values.items()})


class Encoder:
    """Converts texts to grids of numbers, and caches the words that have occurred."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.lexicon = TokenIndex()
        self._numbers = vocabulary.numbers()
        self._sizes = vocabulary.sizes()
        self._words = array("q")
        self._outlines = array("q")

    def encode(self, text: str) -> tuple[TokenLayout, FeatureGrid]:
        """The tokens of a text and their properties."""
        return self.encode_many((text,))

    def encode_many(self, texts: Sequence[str]) -> tuple[TokenLayout, FeatureGrid]:
        """The tokens of several texts and their properties."""
        if self.lexicon.full:
            self.lexicon.clear()
            self._words, self._outlines = array("q"), array("q")
        layout = lay_out_many(texts, self.lexicon)
        self._add_new_words()
        words = np.frombuffer(self._words, dtype=np.int64).reshape(-1, len(FIELDS))[layout.word]
        outlines: Ints = np.frombuffer(self._outlines, dtype=np.int64)[layout.chunk]
        return layout, make_grid(layout, words, outlines, self._sizes)

    def _add_new_words(self) -> None:
        known = [self._numbers[name] for name in FIELDS]
        for word in self.lexicon.surfaces[len(self._words) // len(FIELDS) :]:
            values = properties(word)
            self._words.extend(own.get(value, 0) for own, value in zip(known, values, strict=True))
        outlines = self._numbers["outline"]
        new = self.lexicon.outlines[len(self._outlines) :]
        self._outlines.extend(outlines.get(outline, 0) for outline in new)
