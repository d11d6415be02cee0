"""What real text has: all small letters, all capitals, slips of the keyboard, wrapped lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.text.corpus import Annotation, Document

SMALL, LARGE, SLIPS, WRAPPED = 0.12, 0.06, 0.08, 0.08
"""Shares of the documents."""


def noisy(document: Document, rng: np.random.Generator) -> Document:
    """The document, mostly as it is."""
    draw = rng.random()
    text = document.text or ""
    if draw < SMALL:
        return _cased(document, "".join(_same_length(letter, letter.lower()) for letter in text))
    if draw < SMALL + LARGE:
        return _cased(document, "".join(_same_length(letter, letter.upper()) for letter in text))
    if draw < SMALL + LARGE + SLIPS:
        return _slips(document, rng)
    if draw < SMALL + LARGE + SLIPS + WRAPPED:
        return _cased(document, _wrapped(text, int(rng.integers(50, 90))))
    return document


def _same_length(letter: str, other: str) -> str:
    return other if len(other) == 1 else letter


def _cased(document: Document, text: str) -> Document:
    return replace(document, text=text)


def _wrapped(text: str, width: int) -> str:
    """Spaces become line ends, so that offsets stay."""
    letters, column = list(text), 0
    for place, letter in enumerate(letters):
        column = 0 if letter == "\n" else column + 1
        if letter == " " and column > width:
            letters[place], column = "\n", 0
    return "".join(letters)


def _slips(document: Document, rng: np.random.Generator) -> Document:
    """Letters are lost or exchanged here and there; marks move along."""
    text = document.text or ""
    lost = [place for place, letter in enumerate(text) if letter.isalpha() and rng.random() < 0.015]
    kept = "".join(letter for place, letter in enumerate(text) if place not in set(lost))
    before = np.searchsorted(np.array(lost), np.arange(len(text) + 1))
    marks = (
        Annotation(int(m.start - before[m.start]), int(m.end - before[m.end]), m.type)
        for m in _still_there(document, before)
    )
    return replace(document, text=kept, annotations=tuple(marks))


def _still_there(document: Document, before: Ints) -> list[Annotation]:
    return [
        mark for mark in document.annotations if mark.end - before[mark.end] > mark.start - before[mark.start]
    ]
