"""The result of training: how well models of these documents find identifiers in others of the kind."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import plural
from reidrisk.detect.model.model import THRESHOLD
from reidrisk.detect.model.settings import TrainSettings
from reidrisk.stats.proportion import interval
from reidrisk.text.evidence import Evidence
from reidrisk.text.result import group_row, labelled_rows, masking_row, type_row

FEW = 50
"""Fewer documents than this are few to learn from."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one setting of the knob gives on unseen documents."""

    threshold: float
    recall: float
    """Share of the identifiers' words that are masked."""
    precision: float
    """Share of masked words that belong to an identifier."""
    all_direct: float
    """Share of documents without any leaked direct identifier."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Words of which the model is about equally sure."""

    low: float
    high: float
    words: int
    confidence: float
    """What the model says on average."""
    share: float
    """How many of them are identifiers in truth."""


@dataclass(frozen=True)
class TextTraining(Result):
    """A trained model, measured by cross-validation."""

    evidence: Evidence = field(repr=False)
    """At the usual threshold."""
    knob: tuple[Setting, ...]
    calibration: tuple[Bin, ...]
    about: tuple[tuple[str, int], ...]
    settings: TrainSettings
    inputs: tuple[tuple[str, Any], ...]
    seed: int

    @property
    def acceptable(self) -> bool:
        """A model was made; no statement about any risk: `reidrisk text evaluate` makes those."""
        return True

    @property
    def all_direct(self) -> Estimate:
        """Share of documents in which every direct identifier was caught."""
        every = self.evidence.documents
        kept = every - self.evidence.documents_with_direct_leak
        return Estimate(kept / every, *interval(kept, every, method="jeffreys_modified"))

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: no text, no ids."""
        seen = self.evidence
        findings = [Reason(sentence, None) for sentence in self._sentences()]
        return {
            "kind": "text_training",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.inputs) | self.settings.to_dict() | {"threshold": THRESHOLD},
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
            f"Each of {plural(self.evidence.documents, 'document')} was judged by a model that had not seen "
            f"it ({folds} parts): {100 * self.evidence.word_recall():.1f} % of the identifiers' words were "
            f"found, and {100 * self.evidence.precision:.1f} % of what was marked belongs to an identifier.",
            f"In {caught:,} of them every direct identifier was caught.",
        ]

    def _warnings(self) -> list[str]:
        found = []
        if self.evidence.documents < FEW:
            found.append(
                f"{plural(self.evidence.documents, 'document')} are few to learn from: some hundred are "
                "better."
            )
        missed = [kind.type for kind in self.evidence.types if kind.instances >= 5 and kind.caught == 0]
        if missed:
            found.append(f"Not a single one was caught of: {', '.join(missed)}.")
        found.append(
            "The figures are for documents like these. Others, of another clinic or year, may be harder: "
            "evaluate on a sample of them before you rely on the model."
        )
        found.append(
            "The model stores words that several training documents have, and no long number. Treat its "
            "file as you treat the documents unless somebody has looked through those words."
        )
        return found
