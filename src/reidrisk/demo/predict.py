"""The output of a simulated tool, given what it misses."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.leaks import Place
from reidrisk.text.corpus import Annotation, Corpus, Document

Span = tuple[int, int]

LABELS = {
    "NAME": "PERSON",
    "DATE": "DATE_TIME",
    "ID": "ID_NUMBER",
    "PHONE": "PHONE",
    "STREET": "LOCATION",
    "CITY": "LOCATION",
    "STATE": "LOCATION",
    "ZIP": "LOCATION",
    "COUNTRY": "LOCATION",
    "ORGANIZATION": "ORGANIZATION",
    "AGE": "AGE",
}
"""The tool's own labels; a type not listed keeps its name."""
PARTIAL = 0.2
"""Share of leaks of several words in which some of the words are masked after all."""
_MISLABELLED = 0.03
_DOUBLED = 0.08
_FALSE_LABELS = ("PERSON", "PERSON", "ORGANIZATION", "LOCATION", "DATE_TIME", "ID_NUMBER")
_WORD = re.compile(r"\w+")
_ORDINARY = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]{4,}){0,1}|\d{2,3}(?:[/.]\d+)?")


def predicted(corpus: Corpus, missed: set[Place], *, precision: float, rng: np.random.Generator) -> Corpus:
    """Predictions for every document: caught, partly masked and false ones, shuffled."""
    leaking: dict[int, set[int]] = {}
    for number, at in missed:
        leaking.setdefault(number, set()).add(at)
    outputs = []
    for number, document in enumerate(corpus):
        found = _on_gold(document, leaking.get(number, set()), rng=rng)
        wanted = int(rng.poisson(len(found) * (1 - precision) / precision))
        found += _false(document, wanted, rng=rng)
        order = rng.permutation(len(found))
        outputs.append(Document(document.id, tuple(found[at] for at in order)))
    return Corpus(tuple(outputs))


def _on_gold(document: Document, leaking: set[int], *, rng: np.random.Generator) -> list[Annotation]:
    text = document.text or ""
    found = []
    for at, annotation in enumerate(document.annotations):
        for start, end in annotation.pieces:
            words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(text[start:end])]
            label = LABELS.get(annotation.type, annotation.type)
            if rng.random() < _MISLABELLED:
                label = pick(_FALSE_LABELS, rng=rng)
            spans = _masked_part(words, rng=rng) if at in leaking else _caught(words, (start, end), rng=rng)
            found += [_prediction(span, label, rng=rng) for span in spans]
    return found


def _masked_part(words: Sequence[Span], *, rng: np.random.Generator) -> list[Span]:
    """Nothing, or some of the words but never all: the value stays a leak."""
    if len(words) < 2 or rng.random() >= PARTIAL:
        return []
    keep = int(rng.integers(1, len(words)))
    part = words[:keep] if rng.random() < 0.5 else words[-keep:]
    return [(part[0][0], part[-1][1])]


def _caught(words: Sequence[Span], whole: Span, *, rng: np.random.Generator) -> list[Span]:
    """The whole value; now and then once more in part, or as two spans that overlap."""
    if len(words) < 2 or rng.random() >= _DOUBLED:
        return [whole]
    if len(words) > 2 and rng.random() < 0.5:
        return [(whole[0], words[1][1]), (words[1][0], whole[1])]
    return [whole, pick(words, rng=rng)]


def _false(document: Document, wanted: int, *, rng: np.random.Generator) -> list[Annotation]:
    """Ordinary words taken for identifiers; never inside the gold, where they would catch a leak."""
    text = document.text or ""
    gold = sorted(piece for annotation in document.annotations for piece in annotation.pieces)
    gaps = zip([0, *(end for _, end in gold)], [*(start for start, _ in gold), len(text)], strict=True)
    free = [found.span() for low, high in gaps for found in _ORDINARY.finditer(text, low, high)]
    chosen = rng.choice(len(free), size=min(wanted, len(free)), replace=False) if free else ()
    return [_prediction(free[at], pick(_FALSE_LABELS, rng=rng), rng=rng) for at in chosen]


def _prediction(span: Span, label: str, *, rng: np.random.Generator) -> Annotation:
    return Annotation(*span, label, score=round(float(rng.uniform(0.5, 1.0)), 2))
