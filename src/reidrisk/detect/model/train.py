"""Annotated documents in, a model out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from reidrisk.core.about import own_version
from reidrisk.detect.model.crf import learn_crf
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.unseen import Unseen, learn_confidence, parts, predict_unseen
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownType
from reidrisk.text.corpus import Document
from reidrisk.text.roles import TypeMap


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
    unseen: Sequence[Unseen],
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
