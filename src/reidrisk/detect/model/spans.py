"""Convert annotated spans to token labels, and label probabilities to findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.detect.finding import Finding
from reidrisk.detect.model.layout import GLUED, TokenLayout
from reidrisk.detect.model.lexicon import NUMBER
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.text.corpus import Annotation
from reidrisk.text.roles import TypeMap

OUT = "O"
KEPT = "~"
"""Prefix of labels for annotations that are not masked; the model learns to distinguish them."""


def label_name(annotation: Annotation, types: TypeMap) -> str:
    """The type, with a prefix if it is not masked."""
    role, _ = types.role(annotation)
    return f"{KEPT}{annotation.type}" if role == "ignored" else annotation.type


def label_tokens(layout: TokenLayout, annotations: Sequence[Annotation], types: TypeMap) -> list[str]:
    """The label of every token. Where annotations overlap, the masked one counts, then the longest."""
    labels = [OUT] * layout.size
    ordered = sorted(
        ((label_name(mark, types), mark) for mark in annotations),
        key=lambda pair: (pair[0].startswith(KEPT), -(pair[1].end - pair[1].start), pair[1].start, pair[0]),
    )
    for name, mark in ordered:
        for start, end in mark.pieces:
            first = int(np.searchsorted(layout.end, start, side="right"))
            last = int(np.searchsorted(layout.start, end, side="left"))
            if OUT in labels[first:last]:
                _fill(labels, first, last, name)
    return labels


def _fill(labels: list[str], first: int, last: int, name: str) -> None:
    mark = "B-"
    for place in range(first, last):
        if labels[place] == OUT:
            labels[place] = mark + name
            mark = "I-"


DIGITS = 9
"""Decimal places kept; the rest depends on which texts were processed together."""
LONGEST_GAP = 2
"""Up to this many symbols between two marked tokens of one type belong to them, as in 12/03/1946."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelColumns:
    """The columns that contain the probabilities of each type."""

    types: tuple[str, ...]
    begins: Ints
    """Column of the B- label of each type; -1 if there is none."""
    insides: Ints

    @classmethod
    def of(cls, labels: tuple[str, ...]) -> LabelColumns:
        """The masked types among the labels of a chain."""
        types = tuple(sorted({label[2:] for label in labels if label != OUT and label[2:3] != KEPT}))
        place = {label: number for number, label in enumerate(labels)}
        begins = [place.get(f"B-{name}", -1) for name in types]
        insides = [place.get(f"I-{name}", -1) for name in types]
        return cls(types, np.array(begins, dtype=np.int64), np.array(insides, dtype=np.int64))

    def split(self, probabilities: Floats) -> tuple[Floats, Floats]:
        """Tokens x types: probability that the type starts here, and that it continues."""
        wide = np.concatenate([probabilities, np.zeros((probabilities.shape[0], 1))], axis=1)
        return wide[:, self.begins], wide[:, self.insides]


def masses(columns: LabelColumns, probabilities: Floats) -> Floats:
    """The probability that each token is in any identifier."""
    begins, insides = columns.split(probabilities)
    return np.asarray(begins.sum(axis=1) + insides.sum(axis=1))


def findings(
    layout: TokenLayout, probabilities: Floats, confidence: Floats, columns: LabelColumns, threshold: float
) -> list[Finding]:
    """The findings in one text."""
    return [one for _, one in findings_of_each(layout, probabilities, confidence, columns, threshold)]


def findings_of_each(
    layout: TokenLayout, probabilities: Floats, confidence: Floats, columns: LabelColumns, threshold: float
) -> Iterator[tuple[int, Finding]]:
    """Runs of tokens whose confidence reaches the threshold, split where a type changes or starts.

    In order, each with the number of its text.
    """
    goes_on = _within_words(layout)
    word = np.cumsum(~goes_on) - 1
    sure = np.round(np.maximum.reduceat(confidence, np.flatnonzero(~goes_on)), DIGITS)[word]
    places = np.flatnonzero(sure >= threshold)
    if not places.size or not columns.types:
        return iter(())
    chances = columns.split(np.round(probabilities[places], DIGITS))
    kinds, opens = _types(chances, goes_on[places])
    first = np.flatnonzero(opens | ~_joins_previous(layout, places) | (np.diff(kinds, prepend=-1) != 0))
    return _runs(layout, places, first, sure, [columns.types[kind] for kind in kinds[first]])


def _within_words(layout: TokenLayout) -> Bools:
    """Whether a token continues a word: letters and digits without a space are found together."""
    goes_on = np.zeros(layout.size, dtype=bool)
    solid = layout.kind >= NUMBER
    goes_on[1:] = solid[1:] & solid[:-1] & (layout.glue[1:] == GLUED)
    return goes_on


def _types(chances: tuple[Floats, Floats], goes_on: Bools) -> tuple[Ints, Bools]:
    """The type of each marked token, one per word, and whether it starts there."""
    begins, insides = chances
    first = np.flatnonzero(~goes_on)
    kinds = np.argmax(np.add.reduceat(begins + insides, first), axis=1)[np.cumsum(~goes_on) - 1]
    rows = np.arange(kinds.size)
    return kinds, ~goes_on & (begins[rows, kinds] > insides[rows, kinds])


def _joins_previous(layout: TokenLayout, places: Ints) -> Bools:
    """Whether a marked token belongs to the one before: same line, and only a few symbols between them."""
    words = np.cumsum(layout.kind >= NUMBER)
    joined = np.zeros(places.size, dtype=bool)
    before, after = places[:-1], places[1:]
    near = (after - before - 1 <= LONGEST_GAP) & (layout.line[after] == layout.line[before])
    joined[1:] = near & (words[after - 1] == words[before])
    return joined


def _runs(
    layout: TokenLayout, places: Ints, first: Ints, sure: Floats, types: list[str]
) -> Iterator[tuple[int, Finding]]:
    """Runs without symbols at their ends, and none of symbols alone; confidence is the mean of the words."""
    solid = layout.kind[places] >= NUMBER
    starts = np.minimum.reduceat(np.where(solid, layout.start[places], layout.end.max()), first)
    ends = np.maximum.reduceat(np.where(solid, layout.end[places], 0), first)
    words = np.add.reduceat(solid.astype(float), first)
    mean = np.add.reduceat(np.where(solid, sure[places], 0.0), first) / np.maximum(words, 1)
    shares = np.round(np.minimum(mean, 1.0), DIGITS)
    texts = layout.text[places[first]]
    rows = zip(texts.tolist(), starts.tolist(), ends.tolist(), types, shares.tolist(), strict=True)
    for text, start, end, kind, share in rows:
        if start < end:
            yield text, Finding(start, end, kind, share, "model")
