"""Published corpora, redacted and rewritten: nothing that stayed is called masked."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from reidrisk.text.alignment.redacted import align_redacted
from reidrisk.text.alignment.result import DocumentAlignment
from reidrisk.text.alignment.surrogate import align_surrogate
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.matching import IgnoredWords, Mask, WordCounter, masked_words
from reidrisk.text.read import read_documents

Span = tuple[int, int]
DOCUMENTS = 15


def apart(document: Document) -> list[Span]:
    """The annotated places, those left out that overlap one before them."""
    found: list[Span] = []
    for start, end in sorted(piece for mark in document.annotations for piece in mark.pieces):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def rewritten(text: str, places: list[Span], values: list[str]) -> str:
    pieces, at = [], 0
    for (start, end), value in zip(places, values, strict=True):
        pieces += [text[at:start], value]
        at = end
    return "".join(pieces) + text[at:]


def caught(text: str, places: list[Span], found: DocumentAlignment) -> list[bool]:
    mask = Mask(Annotation(one.start, one.end, "X") for one in found.masked)
    words = WordCounter(IgnoredWords.none())
    return [masked_words(text, Annotation(*place, "X"), mask, words).caught for place in places]


@pytest.mark.parametrize(
    "corpus", ["tab144", "asq_phi_800", "grascco_phi", "meddocan_train", "dab", "pl_core"]
)
def test_what_stayed_is_never_called_masked(shared: Path, corpus: str) -> None:
    rng = np.random.default_rng(5)
    every = read_documents(shared / "corpora" / f"{corpus}.jsonl")
    documents = list(islice(every, DOCUMENTS))
    pool = [
        document.text[start:end] for document in documents if document.text for start, end in apart(document)
    ]
    hidden = missed = 0
    for document in documents:
        text, places = document.text or "", apart(document)
        gone = [place for place in places if rng.random() < 0.9]
        kept = [place for place in places if place not in gone]
        marks = align_redacted(text, rewritten(text, gone, ["[NAME]"] * len(gone)), {"NAME"})
        surrogates = [str(rng.choice(pool)) for _ in gone]
        words = align_surrogate(text, rewritten(text, gone, surrogates), places)
        assert not any(caught(text, kept, marks))
        assert not any(caught(text, kept, words))
        hidden += len(gone)
        missed += caught(text, gone, marks).count(False)
    assert missed <= 0.01 * hidden
