"""The risks of two tools on the same documents, and the difference between them with its limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reidrisk.core.estimate import Estimate
from reidrisk.stats.arrays import Floats
from reidrisk.stats.paired_difference import paired_difference
from reidrisk.text.assess import judged_roles
from reidrisk.text.models import TextCase
from reidrisk.text.observed import sample_design

if TYPE_CHECKING:
    from reidrisk.text.result import TextRisk


@dataclass(frozen=True, eq=False)
class DocumentRisks:
    """The observed risk of each document from one role of identifiers."""

    values: Floats
    """In the order of the gold standard, with the mean of an uncertain recognition and attempt."""
    top: float
    """The largest possible value."""


def document_risks(risk: TextRisk) -> dict[str, DocumentRisks]:
    """The observed risks of the documents, by role; without what released values tell in any case.

    Direct identifiers are compared with the benchmark without the chance of an attempt on either side.
    """
    case = TextCase(risk.evidence, risk.release, risk.threshold, risk.settings, risk.seed)
    scale = {"direct": 1.0, "quasi": risk.release.attempt.mean * (1 - risk.settings.given_catch)}
    found = {}
    for name, role in judged_roles(case, risk.benchmark.high).items():
        top = float(role.documents.weights @ role.documents.tops)
        found[name] = DocumentRisks(scale[name] * role.documents.values, scale[name] * top)
    return found


def difference_of(risk: TextRisk, first: DocumentRisks, second: DocumentRisks) -> Estimate:
    """The first risk minus the second; both are of the documents of `risk`."""
    settings = risk.settings
    found = paired_difference(
        first.values,
        second.values,
        sample_design(risk.evidence, settings),
        top=max(first.top, second.top),
        level=settings.levels[1],
    )
    return Estimate(*found, settings.level)
