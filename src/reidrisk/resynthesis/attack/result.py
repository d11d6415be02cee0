"""The result of attacking released texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.context.release import Release
from reidrisk.core.about import own_version, versions
from reidrisk.core.estimate import Estimate
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.stats.uncertain import Beta
from reidrisk.text.assess import assess_only
from reidrisk.text.evidence import Evidence
from reidrisk.text.settings import TextSettings
from reidrisk.text.verdict import RiskPart

UNDEFINED = "nothing leaked, so nothing can be recognized"
FEW = 20
"""With fewer leaks than this, the interval is too wide to be useful."""


@dataclass(frozen=True, slots=True)
class AttackRow:
    """The result of one attack."""

    attack: str
    recognition: float | None
    precision: float | None
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class TypeRow:
    """The result of the best attack for one type."""

    type: str
    role: str
    instances: int
    leaks: int
    flagged: int


@dataclass(frozen=True, slots=True)
class RiskRow:
    """The risk of the texts under one assumed recognition."""

    name: str
    recognition: float
    direct: Estimate | None
    quasi: Estimate | None


@dataclass(frozen=True)
class TextAttack(Result):
    """How often an adversary recognizes a leaked original in the attacked texts."""

    _main_table = "risks"
    inputs: tuple[tuple[str, str], ...]
    method: str
    """Redaction, where every leak is visible, or resynthesis."""
    documents: int
    instances: int
    leaks: int
    recognition: Estimate | None
    bootstrap: tuple[float, float] | None
    """Limits from resampling documents, which accounts for leaks that occur in groups."""
    best: str | None
    attacks: tuple[AttackRow, ...]
    by_type: tuple[TypeRow, ...]
    trade: tuple[tuple[float, float | None, float | None], ...]
    """Accepted precision, and the resulting recognition and precision."""
    risks: tuple[RiskRow, ...]
    settings: Mapping[str, Any]
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def acceptable(self) -> bool:
        """Always true: the recognition was measured. On its own it is neither good nor bad."""
        return True

    @property
    def option(self) -> str | None:
        """The value for `text evaluate --recognition`: the posterior after this experiment."""
        if self.method == "redaction" or self.recognition is None:
            return None
        flagged = sum(row.flagged for row in self.by_type)
        return f"beta:{flagged + 0.5:g},{self.leaks - flagged + 0.5:g}"

    def to_dict(self) -> dict[str, Any]:
        """Everything that a report needs, as JSON types; no text and no ids."""
        findings = [Reason(sentence, None) for sentence in self._sentences()]
        return {
            "kind": "text_attack",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {**dict(self.inputs), **dict(self.settings)},
            "seed": self.seed,
            "versions": versions(),
            "method": self.method,
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": [*self._warnings(), *self.notes],
            "documents": self.documents,
            "instances": self.instances,
            "leaks": self.leaks,
            "recognition": None if self.recognition is None else self.recognition.to_dict(),
            "undefined": None if self.recognition is not None else UNDEFINED,
            "bootstrap": None if self.bootstrap is None else list(self.bootstrap),
            "recognition_option": self.option,
            "best": self.best,
            "attacks": [_row(row) for row in self.attacks],
            "by_type": [_row(row) for row in self.by_type],
            "trade": [
                {"accepted_precision": accepted, "recognition": found, "precision": held}
                for accepted, found, held in self.trade
            ],
            "risks": [_risk(row) for row in self.risks],
        }

    def _sentences(self) -> list[str]:
        if self.method == "redaction":
            return [
                "Marks show what was caught, so all other readable values are originals: recognition is 1."
            ]
        if self.recognition is None:
            return ["No identifier of the gold standard leaked, so there is nothing to recognize."]
        flagged = sum(row.flagged for row in self.by_type)
        return [
            f"The best attack ({self.best}) found {flagged:,} of {plural(self.leaks, 'leaked original')}.",
            "The attacks were trained on other documents with known answers, which an adversary rarely has. "
            "The estimate is therefore more likely too high than too low.",
        ]

    def _warnings(self) -> list[str]:
        if self.method == "resynthesis" and 0 < self.leaks < FEW:
            return [f"Only {plural(self.leaks, 'leak')}, so the interval is wide. Annotate more documents."]
        return []


def _row(row: AttackRow | TypeRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


def _risk(row: RiskRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "recognition": row.recognition,
        "direct": None if row.direct is None else row.direct.to_dict(),
        "quasi": None if row.quasi is None else row.quasi.to_dict(),
    }


PUBLISHED = ((0.1, "Carrell 2013"), (0.27, "Carrell 2020"), (0.68, "Carrell 2019"))
"""Published recognition probabilities, for comparison."""


def effect_on_risk(
    evidence: Evidence, measured: tuple[float, Beta] | None, settings: TextSettings, *, seed: int
) -> Iterator[RiskRow]:
    """The risk of a public release if every leak is recognized, as measured here, and as published."""
    threshold = Threshold.from_cell_size(5, "cell size of five, for comparison")
    cases: list[tuple[str, float, Release]] = [("every leak recognized", 1.0, Release.public("redaction"))]
    if measured is not None:
        value, posterior = measured
        cases.append(("measured here", value, Release.public("resynthesis", recognition=posterior)))
        cases += [
            (name, value, Release.public("resynthesis", recognition=value)) for value, name in PUBLISHED
        ]
    for name, value, release in cases:
        risk = assess_only(evidence, release, threshold, settings, seed=seed)
        yield RiskRow(name, value, _estimate(risk.direct), _estimate(risk.quasi))


def _estimate(part: RiskPart | None) -> Estimate | None:
    return None if part is None else part.estimate
