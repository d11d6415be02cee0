"""Corpora in; a model's file and how well such models find identifiers out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from reidrisk.core.files import writable, write_bytes
from reidrisk.core.wording import path_text
from reidrisk.detect.model.file import model_bytes
from reidrisk.detect.model.lexicon import NUMBER
from reidrisk.detect.model.model import THRESHOLD, Model
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.detect.model.spans import findings
from reidrisk.detect.model.train import check_types, fit, usable
from reidrisk.detect.model.training_result import Bin, Setting, TextTraining
from reidrisk.detect.model.unseen import Progress, Unseen, confidences, parts, predict_unseen
from reidrisk.stats.arrays import Floats
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.evaluate import Source, TextFiles, documents_of, gather_evidence
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting

THRESHOLDS = (0.02, 0.05, 0.1, THRESHOLD, 0.3, 0.5, 0.7, 0.9)
EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)
"""Of the bins in which confidences are compared with the truth."""


def train_text(  # noqa: PLR0913 - what is learnt, where it is put, how it is measured
    corpora: Sequence[Source],
    out: str | Path,
    *,
    folds: int = 5,
    settings: TrainSettings | None = None,
    counting: Counting | None = None,
    seed: int = 7,
    progress: Progress | None = None,
) -> TextTraining:
    """Train a model on annotated corpora, write it, and measure it by cross-validation.

    Every figure is of documents that the model in question was not trained on: `folds` models see all
    parts but one each. The model that is written is trained on all documents.
    """
    settings, counting = settings or TrainSettings(), counting or Counting()
    writable(out)
    documents = usable(_together(corpora), folds=folds)
    check_types(documents, counting.types)
    drawn = parts(len(documents), folds, seed=seed)
    unseen = predict_unseen(documents, counting.types, settings, drawn=drawn, progress=progress)
    if progress is not None:
        progress("Training", folds, folds + 1)
    model = fit(documents, unseen, counting.types, settings, seed=seed)
    content = model_bytes(model)
    measured = _Measured(documents, unseen, confidences(unseen), counting)
    result = TextTraining(
        evidence=measured.evidence(THRESHOLD),
        knob=tuple(measured.setting(threshold) for threshold in THRESHOLDS),
        calibration=measured.calibration(),
        about=_about(model, len(content)),
        settings=settings,
        inputs=_inputs(corpora, counting, out, folds),
        seed=seed,
    )
    write_bytes(out, content)
    return result


def _together(sources: Sequence[Source]) -> Iterator[Document]:
    """The documents of all corpora; where there are several, ids are told apart by the corpus's number."""
    for number, source in enumerate(sources, start=1):
        for one in documents_of(source, TextSettings()):
            yield one if len(sources) == 1 else replace(one, id=f"{number}/{one.id}")


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """Predictions for unseen documents, held against their annotations."""

    documents: Sequence[Document]
    unseen: Sequence[Unseen]
    sure: Sequence[Floats]
    counting: Counting

    def evidence(self, threshold: float) -> Evidence:
        """By job 1's own evaluation."""
        marked = []
        for document, one, sure in zip(self.documents, self.unseen, self.sure, strict=True):
            found = findings(one.layout, one.probabilities, sure, one.columns, threshold)
            marks = tuple(Annotation(finding.start, finding.end, finding.type) for finding in found)
            marked.append(replace(document, annotations=marks))
        return gather_evidence(self.documents, marked, settings=TextSettings(), counting=self.counting)

    def setting(self, threshold: float) -> Setting:
        """What the knob gives at one place."""
        seen = self.evidence(threshold)
        direct = 1 - seen.documents_with_direct_leak / seen.documents
        return Setting(threshold, seen.word_recall(), seen.precision, direct)

    def calibration(self) -> tuple[Bin, ...]:
        """The words, by how sure the model is of them, and how many of them are identifiers."""
        words = [one.layout.kind >= NUMBER for one in self.unseen]
        sure = np.concatenate([own[word] for own, word in zip(self.sure, words, strict=True)])
        right = np.concatenate([one.wanted[word] for one, word in zip(self.unseen, words, strict=True)])
        place = np.clip(np.searchsorted(np.array(EDGES), sure, side="right") - 1, 0, len(EDGES) - 2)
        found = []
        for number, (low, high) in enumerate(pairwise(EDGES)):
            own = place == number
            if own.any():
                found.append(
                    Bin(low, high, int(own.sum()), float(sure[own].mean()), float(right[own].mean()))
                )
        return tuple(found)


def _about(model: Model, size: int) -> tuple[tuple[str, int], ...]:
    return (
        ("characters", model.about["characters"]),
        ("annotations", sum(model.about["annotations"].values())),
        ("labels", len(model.labels)),
        ("features", model.crf.features.size),
        ("words", len(model.crf.vocabulary.values["word"])),
        ("bytes", size),
    )


def _inputs(
    sources: Sequence[Source], counting: Counting, out: str | Path, folds: int
) -> tuple[tuple[str, object], ...]:
    names = [
        path_text(source.path if isinstance(source, TextFiles) else source)
        for source in sources
        if isinstance(source, str | Path | TextFiles)
    ]
    corpora = ", ".join(names) or "documents in memory"
    named: dict[str, object] = {"corpora": corpora, "out": path_text(out), "folds": folds}
    return tuple((named | {"ignore_words": counting.ignored.name}).items())
