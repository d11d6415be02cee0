"""Train a model, and calibrate its confidence on documents held out from training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.about import own_version
from reidrisk.detect.model.confidence import Confidence, evidence
from reidrisk.detect.model.crf import Crf, learn_crf
from reidrisk.detect.model.layout import TokenLayout
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.scoring import Scorer
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import KEPT, OUT, LabelColumns, label_tokens, masses
from reidrisk.detect.model.vocabulary import Encoder
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownType
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap

Progress = Callable[[str, int, int], None]
"""Called with the task, the number of finished steps and the number of all steps."""


@dataclass(frozen=True, slots=True, eq=False)
class UnseenDocument:
    """Predictions of a chain for a document that it was not trained on."""

    part: int
    """The fold that the document belongs to."""
    layout: TokenLayout
    probabilities: Floats
    columns: LabelColumns
    evidence: Floats
    wanted: Bools
    """Whether each token belongs to an identifier."""


def parts(count: int, folds: int, *, seed: int) -> list[Ints]:
    """Positions of documents, drawn at random into parts of nearly equal size."""
    order = np.random.default_rng(seed).permutation(count)
    return [np.sort(order[start::folds]) for start in range(min(folds, count))]


def predict_unseen(
    documents: Sequence[Document],
    types: TypeMap,
    settings: TrainSettings,
    *,
    drawn: Sequence[Ints],
    progress: Progress | None = None,
) -> list[UnseenDocument]:
    """Predictions for each document, in order, by a chain trained on all parts except its own."""
    found: dict[int, UnseenDocument] = {}
    for number, part in enumerate(drawn):
        if progress is not None:
            progress("Training", number, len(drawn) + 1)
        own = set(part.tolist())
        crf = learn_crf([one for place, one in enumerate(documents) if place not in own], types, settings)
        predictions = _predict(crf, [documents[place] for place in part], types, number)
        found |= dict(zip(part.tolist(), predictions, strict=True))
    return [found[place] for place in sorted(found)]


def _predict(crf: Crf, documents: Sequence[Document], types: TypeMap, part: int) -> list[UnseenDocument]:
    encoder, scorer, columns = Encoder(crf.vocabulary), Scorer(crf), LabelColumns.of(crf.labels)
    found = []
    for document in documents:
        layout, grid = encoder.encode(document.text or "")
        probabilities = scorer.probabilities(layout, grid)
        seen = evidence(layout, masses(columns, probabilities))
        labels = label_tokens(layout, document.annotations, types)
        wanted = np.array([label != OUT and label[2:3] != KEPT for label in labels], dtype=bool)
        found.append(UnseenDocument(part, layout, probabilities, columns, seen, wanted))
    return found


def learn_confidence(unseen: Iterable[UnseenDocument]) -> Confidence:
    """Fit the confidence to predictions for unseen documents."""
    known = list(unseen)
    if not known:
        return Confidence()
    return Confidence.learn([one.evidence for one in known], [one.wanted for one in known])


def confidences(unseen: Sequence[UnseenDocument]) -> list[Floats]:
    """The confidence of each document's tokens, fitted on the other parts."""
    rules = {
        part: learn_confidence(one for one in unseen if one.part != part)
        for part in {one.part for one in unseen}
    }
    return [rules[one.part].sure(one.evidence) for one in unseen]


def train(
    documents: Iterable[Document],
    *,
    folds: int = 3,
    settings: TrainSettings | None = None,
    types: TypeMap | None = None,
    seed: int = 7,
) -> Model:
    """Train a model with the documents' own labels; confidences are calibrated across `folds` parts."""
    settings, types = settings or TrainSettings(), types or TypeMap()
    known = usable(documents, folds=folds)
    drawn = parts(len(known), folds, seed=seed)
    unseen = predict_unseen(known, types, settings, drawn=drawn)
    return fit(known, unseen, types, settings, seed=seed)


def fit(
    documents: Sequence[Document],
    unseen: Sequence[UnseenDocument],
    types: TypeMap,
    settings: TrainSettings,
    *,
    seed: int,
) -> Model:
    """Train on all documents, and fit the confidence to predictions for unseen documents."""
    crf = learn_crf(documents, types, settings)
    return Model(crf, learn_confidence(unseen), _describe(documents, settings, seed))


def usable(documents: Iterable[Document], *, folds: int) -> list[Document]:
    """The documents as a list; raises an error if they cannot be used for training."""
    known = list(documents)
    for document in known:
        if document.text is None:
            raise BadData(
                f"{document.where} has no text.",
                hint="Training needs the texts with their annotations.",
            )
    if folds < 2:
        raise InvalidSetting(f"Cross-validation needs at least 2 folds, not {folds}.", hint="Use 5.")
    marked = sum(bool(document.annotations) for document in known)
    if marked < 2 * folds:
        raise NothingToMeasure(
            f"Only {marked} documents have annotations: too few to train with {folds} folds.",
            hint=f"Annotate at least {2 * folds} documents (a few hundred are better), or use fewer folds.",
        )
    return known


def check_types(documents: Iterable[Document], types: TypeMap) -> None:
    """Check before training that every annotation type has a role; without one nothing can be measured."""
    seen = Counter(mark.type for one in documents for mark in one.annotations if types.role(mark)[0] is None)
    if seen:
        listed = ", ".join(f"{kind} ({times})" for kind, times in seen.most_common())
        raise UnknownType(
            f"The corpus has annotation types without a role: {listed}.",
            hint="Set each to direct, quasi or ignored: --types FILE or TYPE=quasi,…",
        )


def _describe(documents: Sequence[Document], settings: TrainSettings, seed: int) -> dict[str, Any]:
    """What a model file records about its training: numbers only."""
    types = Counter(mark.type for document in documents for mark in document.annotations)
    return {
        "version": own_version(),
        "documents": len(documents),
        "characters": sum(len(document.text or "") for document in documents),
        "annotations": dict(sorted(types.items())),
        "settings": settings.to_dict(),
        "seed": seed,
    }
