"""Fit the model, with parts of the lists hidden so that it learns from context too."""

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
"""Told what is being done, how many steps of it are over, and how many there are."""


@dataclass(frozen=True, slots=True, eq=False)
class UnseenDocument:
    """What a chain says of a document that it was not trained on."""

    part: int
    """Which part of the documents it belongs to."""
    layout: TokenLayout
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
) -> list[UnseenDocument]:
    """Each document, in order, by a chain that was trained on all parts but its own."""
    found: dict[int, UnseenDocument] = {}
    for number, part in enumerate(drawn):
        if progress is not None:
            progress("Training", number, len(drawn) + 1)
        own = set(part.tolist())
        crf = learn_crf([one for place, one in enumerate(documents) if place not in own], types, settings)
        said = _predict(crf, [documents[place] for place in part], types, number)
        found |= dict(zip(part.tolist(), said, strict=True))
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
    """The rule that fits what was said of unseen documents."""
    known = list(unseen)
    if not known:
        return Confidence()
    return Confidence.learn([one.evidence for one in known], [one.wanted for one in known])


def confidences(unseen: Sequence[UnseenDocument]) -> list[Floats]:
    """Of the tokens of each document, by a rule that was learnt from the other parts."""
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
    """A model of the documents' own labels; how sure findings are is learnt across `folds` parts of them."""
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
    """The model of all documents, and the rule of confidence from what was said of unseen ones."""
    crf = learn_crf(documents, types, settings)
    return Model(crf, learn_confidence(unseen), _describe(documents, settings, seed))


def usable(documents: Iterable[Document], *, folds: int) -> list[Document]:
    """Documents with text, or the reason why there is nothing to learn from."""
    known = list(documents)
    for document in known:
        if document.text is None:
            raise BadData(
                f"{document.source or 'The corpus'}, document {document.id!r}, has no text.",
                hint="Training needs the texts with their annotations.",
            )
    if folds < 2:
        raise InvalidSetting(f"The documents are cut into at least 2 parts, not {folds}.", hint="Use 5.")
    marked = sum(bool(document.annotations) for document in known)
    if marked < 2 * folds:
        raise NothingToMeasure(
            f"{marked} documents mark anything: too few to learn from in {folds} parts.",
            hint=f"Annotate at least {2 * folds} documents, better some hundred; or use fewer parts.",
        )
    return known


def check_types(documents: Iterable[Document], types: TypeMap) -> None:
    """Before any work: every annotation type has a role, or nothing could be measured in the end."""
    seen = Counter(mark.type for one in documents for mark in one.annotations if types.role(mark)[0] is None)
    if seen:
        listed = ", ".join(f"{kind} ({times})" for kind, times in seen.most_common())
        raise UnknownType(
            f"No mapping knows these annotation types of the corpus: {listed}.",
            hint="Say for each whether it is direct, quasi or ignored: --types FILE or TYPE=quasi,…",
        )


def _describe(documents: Sequence[Document], settings: TrainSettings, seed: int) -> dict[str, Any]:
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
