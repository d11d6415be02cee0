"""Annotated documents in, a model out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.about import own_version
from reidrisk.detect.model.confidence import Confidence, evidence
from reidrisk.detect.model.crf import Crf, learn_crf
from reidrisk.detect.model.labels import KEPT, OUT, labelled
from reidrisk.detect.model.layout import Layout
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.scoring import Scorer
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import LabelColumns, masses
from reidrisk.detect.model.vocabulary import Encoder
from reidrisk.errors import BadData, NothingToMeasure
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Unseen:
    """What a chain says of a document that it was not trained on."""

    layout: Layout
    probabilities: Floats
    columns: LabelColumns
    evidence: Floats
    wanted: Bools
    """Whether each token belongs to an identifier."""


def train(
    documents: Iterable[Document],
    *,
    settings: TrainSettings | None = None,
    types: TypeMap | None = None,
    seed: int = 7,
    progress: Progress | None = None,
) -> Model:
    """A model of the documents' own labels. Confidences are learnt by cross-validation within them."""
    settings, types = settings or TrainSettings(), types or TypeMap()
    known = usable(documents)
    unseen = predict_unseen(known, types, settings, seed=seed, progress=progress)
    crf = learn_crf(known, types, settings)
    return Model(crf, learn_confidence(unseen), describe(known, settings, seed))


def usable(documents: Iterable[Document]) -> list[Document]:
    """Documents with text, or the reason why there is nothing to learn from."""
    known = list(documents)
    for document in known:
        if document.text is None:
            raise BadData(
                f"{document.source or 'The corpus'}, document {document.id!r}, has no text.",
                hint="Training needs the texts with their annotations.",
            )
    if not any(document.annotations for document in known):
        raise NothingToMeasure(
            "The corpus marks no identifier to learn from.", hint="Check the path and the format."
        )
    return known


def parts(count: int, folds: int, *, seed: int) -> list[Ints]:
    """Places of documents, drawn into parts of nearly equal size."""
    order = np.random.default_rng(seed).permutation(count)
    return [np.sort(order[start::folds]) for start in range(min(folds, count))]


def predict_unseen(
    documents: Sequence[Document],
    types: TypeMap,
    settings: TrainSettings,
    *,
    seed: int,
    progress: Progress | None = None,
) -> list[Unseen | None]:
    """For each document what a chain says that was trained on the others; None where there are too few."""
    found: list[Unseen | None] = [None] * len(documents)
    if len(documents) < 2 * settings.inner_folds:
        return found
    drawn = parts(len(documents), settings.inner_folds, seed=seed)
    for number, part in enumerate(drawn):
        if progress is not None:
            progress("Calibrating", number, len(drawn))
        own = set(part.tolist())
        rest = [document for place, document in enumerate(documents) if place not in own]
        if any(document.annotations for document in rest):
            crf = learn_crf(rest, types, settings)
            for place, unseen in zip(
                part.tolist(), _said(crf, [documents[k] for k in part], types), strict=True
            ):
                found[place] = unseen
    return found


def _said(crf: Crf, documents: Sequence[Document], types: TypeMap) -> list[Unseen]:
    encoder, scorer, columns = Encoder(crf.vocabulary), Scorer(crf), LabelColumns.of(crf.labels)
    found = []
    for document in documents:
        layout, grid = encoder.encode(document.text or "")
        probabilities = scorer.probabilities(layout, grid)
        seen = evidence(layout, masses(columns, probabilities))
        labels = labelled(layout, document.annotations, types)
        wanted = np.array([label != OUT and label[2:3] != KEPT for label in labels], dtype=bool)
        found.append(Unseen(layout, probabilities, columns, seen, wanted))
    return found


def learn_confidence(unseen: Iterable[Unseen | None]) -> Confidence:
    """The rule that fits what was said of unseen documents."""
    known = [one for one in unseen if one is not None]
    if not known:
        return Confidence()
    return Confidence.learn([one.evidence for one in known], [one.wanted for one in known])


def describe(documents: Sequence[Document], settings: TrainSettings, seed: int) -> dict[str, Any]:
    """What a model's file says of its origin: numbers only."""
    types = Counter(mark.type for document in documents for mark in document.annotations)
    return {
        "version": own_version(),
        "documents": len(documents),
        "characters": sum(len(document.text or "") for document in documents),
        "annotations": dict(sorted(types.items())),
        "settings": settings.to_dict(),
        "seed": seed,
    }
