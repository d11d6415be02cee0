"""What chains say of documents that they were not trained on: the base of every honest figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.detect.model.confidence import Confidence, evidence
from reidrisk.detect.model.crf import Crf, learn_crf
from reidrisk.detect.model.labels import KEPT, OUT, labelled
from reidrisk.detect.model.layout import Layout
from reidrisk.detect.model.scoring import Scorer
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import LabelColumns, masses
from reidrisk.detect.model.vocabulary import Encoder
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many steps of it are over, and how many there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """What a chain says of a document that it was not trained on."""

    part: int
    """Which part of the documents it belongs to."""
    layout: Layout
    probabilities: Floats
    columns: LabelColumns
    evidence: Floats
    wanted: Bools
    """Whether each token belongs to an identifier."""


def parts(count: int, folds: int, *, seed: int) -> list[Ints]:
    """Places of documents, drawn into parts of nearly equal size."""
    order = np.random.default_rng(seed).permutation(count)
    return [np.sort(order[start::folds]) for start in range(min(folds, count))]


def predict_unseen(
    documents: Sequence[Document],
    types: TypeMap,
    settings: TrainSettings,
    *,
    drawn: Sequence[Ints],
    progress: Progress | None = None,
) -> list[Unseen]:
    """Each document, in order, by a chain that was trained on all parts but its own."""
    found: dict[int, Unseen] = {}
    for number, part in enumerate(drawn):
        if progress is not None:
            progress("Training", number, len(drawn) + 1)
        own = set(part.tolist())
        crf = learn_crf([one for place, one in enumerate(documents) if place not in own], types, settings)
        said = _said(crf, [documents[place] for place in part], types, number)
        found |= dict(zip(part.tolist(), said, strict=True))
    return [found[place] for place in sorted(found)]


def _said(crf: Crf, documents: Sequence[Document], types: TypeMap, part: int) -> list[Unseen]:
    encoder, scorer, columns = Encoder(crf.vocabulary), Scorer(crf), LabelColumns.of(crf.labels)
    found = []
    for document in documents:
        layout, grid = encoder.encode(document.text or "")
        probabilities = scorer.probabilities(layout, grid)
        seen = evidence(layout, masses(columns, probabilities))
        labels = labelled(layout, document.annotations, types)
        wanted = np.array([label != OUT and label[2:3] != KEPT for label in labels], dtype=bool)
        found.append(Unseen(part, layout, probabilities, columns, seen, wanted))
    return found


def learn_confidence(unseen: Iterable[Unseen]) -> Confidence:
    """The rule that fits what was said of unseen documents."""
    known = list(unseen)
    if not known:
        return Confidence()
    return Confidence.learn([one.evidence for one in known], [one.wanted for one in known])


def confidences(unseen: Sequence[Unseen]) -> list[Floats]:
    """Of the tokens of each document, by a rule that was learnt from the other parts."""
    rules = {
        part: learn_confidence(one for one in unseen if one.part != part)
        for part in {one.part for one in unseen}
    }
    return [rules[one.part].sure(one.evidence) for one in unseen]
