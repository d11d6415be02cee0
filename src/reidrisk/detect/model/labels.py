"""Labels of tokens: the beginning of an identifier, its inside, or outside of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.detect.model.layout import Layout
from reidrisk.text.corpus import Annotation
from reidrisk.text.roles import TypeMap

OUT = "O"
KEPT = "~"
"""Begins the label of what is annotated as not to be masked: it helps to tell it from what is."""


def label_name(annotation: Annotation, types: TypeMap) -> str:
    """The type, marked if it is not to be masked."""
    role, _ = types.role(annotation)
    return f"{KEPT}{annotation.type}" if role == "ignored" else annotation.type


def labelled(layout: Layout, annotations: Sequence[Annotation], types: TypeMap) -> list[str]:
    """The label of every token. Of overlapping annotations the one to be masked counts, then the longest."""
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
