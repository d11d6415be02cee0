"""Train a detector on annotated texts, and measure it by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.files import writable, write_bytes
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.detect.model.file import model_bytes
from reidrisk.detect.model.lexicon import NUMBER
from reidrisk.detect.model.model import Model
from reidrisk.detect.model.settings import FOLDS, TrainSettings
from reidrisk.detect.model.spans import findings
from reidrisk.detect.model.train import (
    Progress,
    UnseenDocument,
    check_types,
    confidences,
    fit,
    parts,
    predict_unseen,
    usable,
)
from reidrisk.detect.settings import DEFAULT_THRESHOLD
from reidrisk.stats.arrays import Floats
from reidrisk.stats.proportion import interval
from reidrisk.text.corpus import Annotation, Document, Misaligned
from reidrisk.text.evaluate import Source, TextFiles, documents_of, gather_evidence
from reidrisk.text.evidence import Evidence
from reidrisk.text.misaligned import misaligned_warnings
from reidrisk.text.result import group_row, labelled_rows, masking_row, type_row
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting

FEW = 50
"""Warn if there are fewer documents than this."""


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """What one threshold achieves on unseen documents."""

    threshold: float
    recall: float
    """Share of identifier words that are masked."""
    precision: float
    """Share of masked words that belong to an identifier."""
    all_direct: float
    """Share of documents without any leaked direct identifier."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Words with about the same confidence."""

    low: float
    high: float
    words: int
    confidence: float
    """Mean confidence of the model."""
    share: float
    """Share of these words that are identifiers."""


@dataclass(frozen=True)
class TextTraining(Result):
    """A trained model, measured by cross-validation."""

    evidence: Evidence = field(repr=False)
    """Evaluation at the default threshold."""
    knob: tuple[ThresholdResult, ...]
    calibration: tuple[Bin, ...]
    about: tuple[tuple[str, int], ...]
    settings: TrainSettings
    inputs: tuple[tuple[str, Any], ...]
    seed: int

    @property
    def acceptable(self) -> bool:
        """Always true: a model was trained. `reidrisk text evaluate` measures the risk."""
        return True

    @property
    def all_direct(self) -> Estimate:
        """Share of documents in which every direct identifier was caught."""
        every = self.evidence.documents
        kept = every - self.evidence.documents_with_direct_leak
        return Estimate(kept / every, *interval(kept, every, method="clopper_pearson"))

    def to_dict(self) -> dict[str, Any]:
        """Everything that a report needs, as JSON types; no text and no ids."""
        seen = self.evidence
        findings = [Reason(sentence, None) for sentence in self._sentences()]
        return {
            "kind": "text_training",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.inputs) | self.settings.to_dict() | {"threshold": DEFAULT_THRESHOLD},
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": self._warnings(),
            "documents": seen.documents,
            "masking": masking_row(seen),
            "all_direct": self.all_direct.to_dict(),
            "groups": [group_row(seen, "direct"), group_row(seen, "quasi")],
            "by_type": [type_row(kind, seen.documents) for kind in seen.types],
            "labelled": labelled_rows(seen.labels),
            "knob": [asdict(one) for one in self.knob],
            "calibration": [asdict(one) for one in self.calibration],
            "model": dict(self.about),
        }

    def _sentences(self) -> list[str]:
        folds = dict(self.inputs)["folds"]
        caught = self.evidence.documents - self.evidence.documents_with_direct_leak
        return [
            f"Cross-validation ({folds} folds) tested each of {plural(self.evidence.documents, 'document')} "
            f"with a model that had not seen it. It found {100 * self.evidence.word_recall():.1f} % of the "
            f"words in identifiers; {100 * self.evidence.precision:.1f} % of masked words are identifiers.",
            f"All direct identifiers were caught in {plural(caught, 'document')}.",
        ]

    def _warnings(self) -> list[str]:
        found = list(misaligned_warnings(self.evidence.misaligned, LEARNED))
        if self.evidence.documents < FEW:
            found.append(
                f"Only {plural(self.evidence.documents, 'document')} for training. A few hundred are better."
            )
        missed = [kind.type for kind in self.evidence.types if kind.instances >= 5 and kind.caught == 0]
        if missed:
            found.append(f"No instance of these types was caught: {', '.join(missed)}.")
        found.append(
            "These figures apply to documents like these. Documents from another clinic or year may be "
            "harder. Evaluate the model on a sample of them before you rely on it."
        )
        found.append(
            "The model file contains words that occur in several training documents, but no long numbers. "
            "Protect it like the documents unless someone has reviewed these words."
        )
        return found


LEARNED = "The model learned nothing from skipped ones; in its evaluation each of them counts as a leak."
THRESHOLDS = (0.02, 0.05, 0.1, DEFAULT_THRESHOLD, 0.3, 0.5, 0.7, 0.9)
EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)
"""Edges of the bins in which confidence is compared with the annotations."""


def train_text(  # noqa: PLR0913 - training data, output, and how to measure
    corpora: Sequence[Source],
    out: str | Path,
    *,
    folds: int = FOLDS.default,
    settings: TrainSettings | None = None,
    counting: Counting | None = None,
    misaligned: Misaligned = "refuse",
    seed: int = 7,
    progress: Progress | None = None,
) -> TextTraining:
    """Train a model on annotated corpora, write it, and measure it by cross-validation.

    Every figure comes from documents that the model in question was not trained on: each of `folds` models
    is trained on all parts except one. The model file is trained on all documents.
    """
    settings, counting = settings or TrainSettings(), counting or Counting()
    writable(out)
    documents = usable(_together(corpora, misaligned), folds=folds)
    check_types(documents, counting.types)
    drawn = parts(len(documents), folds, seed=seed)
    unseen = predict_unseen(documents, counting.types, settings, drawn=drawn, progress=progress)
    if progress is not None:
        progress("Training", folds, folds + 1)
    model = fit(documents, unseen, counting.types, settings, seed=seed)
    content = model_bytes(model)
    validation = _CrossValidation(documents, unseen, confidences(unseen), counting)
    result = TextTraining(
        evidence=validation.evidence(DEFAULT_THRESHOLD),
        knob=tuple(validation.at(threshold) for threshold in THRESHOLDS),
        calibration=validation.calibration(),
        about=_about(model, len(content)),
        settings=settings,
        inputs=_inputs(corpora, counting, out, folds),
        seed=seed,
    )
    write_bytes(out, content)
    return result


def _together(sources: Sequence[Source], misaligned: Misaligned) -> Iterator[Document]:
    """The documents of all corpora; with several corpora, ids get the number of the corpus as a prefix."""
    for number, source in enumerate(sources, start=1):
        for one in documents_of(source, TextSettings(misaligned=misaligned)):
            yield one if len(sources) == 1 else replace(one, id=f"{number}/{one.id}")


@dataclass(frozen=True, slots=True, eq=False)
class _CrossValidation:
    """Predictions for unseen documents, compared with their annotations."""

    documents: Sequence[Document]
    unseen: Sequence[UnseenDocument]
    sure: Sequence[Floats]
    counting: Counting

    def evidence(self, threshold: float) -> Evidence:
        """Evaluate the predictions at a threshold, as `text evaluate` does."""
        marked = []
        for document, one, sure in zip(self.documents, self.unseen, self.sure, strict=True):
            found = findings(one.layout, one.probabilities, sure, one.columns, threshold)
            marks = tuple(Annotation(finding.start, finding.end, finding.type) for finding in found)
            marked.append(replace(document, annotations=marks, misaligned=()))
        return gather_evidence(self.documents, marked, settings=TextSettings(), counting=self.counting)

    def at(self, threshold: float) -> ThresholdResult:
        """The result at one threshold."""
        seen = self.evidence(threshold)
        direct = 1 - seen.documents_with_direct_leak / seen.documents
        return ThresholdResult(threshold, seen.word_recall(), seen.precision, direct)

    def calibration(self) -> tuple[Bin, ...]:
        """Words grouped by confidence, with the share of identifiers in each group."""
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
    formats = [one.format for one in sources if isinstance(one, TextFiles) and one.format]
    named |= {"formats": list(dict.fromkeys(formats))} if formats else {}
    return tuple((named | {"ignore_words": counting.ignored.name}).items())
