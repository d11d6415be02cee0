"""Qualitative risk: low, moderate or high, for documents whose data cannot be counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from reidrisk.errors import InvalidSetting

Degree = Literal["low", "moderate", "high"]
DEGREES: tuple[Degree, ...] = get_args(Degree)

TABLE: Mapping[tuple[Degree, Degree], Degree] = {
    ("low", "low"): "moderate",
    ("low", "moderate"): "low",
    ("low", "high"): "low",
    ("moderate", "low"): "high",
    ("moderate", "moderate"): "moderate",
    ("moderate", "high"): "low",
    ("high", "low"): "high",
    ("high", "moderate"): "moderate",
    ("high", "high"): "moderate",
}
"""By identifiers, then by the weakest protection. Our own table: the source prints only 3 of 81 rows."""
ACTIONS: Mapping[Degree, str] = {
    "high": "Redact or transform all direct identifiers and quasi-identifiers.",
    "moderate": "Redact or transform the direct identifiers and the key quasi-identifiers.",
    "low": "Redact or transform the direct identifiers, as in all situations; no quasi-identifier has to go.",
}
SOURCE = "Kumar and Sareen, PhUSE 2017, table 1"


@dataclass(frozen=True, slots=True)
class QualitativeRisk:
    """The risk level of a document, and what to do about it."""

    level: Degree
    factors: Mapping[str, Degree]
    is_printed: bool
    """Whether the source prints this row; otherwise the level is our own proposal."""

    @property
    def action(self) -> str:
        """What to do to lower the risk."""
        return ACTIONS[self.level]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "level": self.level,
            "factors": dict(self.factors),
            "action": self.action,
            "source": SOURCE,
            "ours": not self.is_printed,
        }


PRINTED = {
    ("low", "high", "high", "high"),
    ("high", "moderate", "moderate", "moderate"),
    ("high", "high", "high", "low"),
}


def qualitative_risk(
    *, identifiers: str, population: str, participants: str, centres: str
) -> QualitativeRisk:
    """Low, moderate or high risk of a document from four factors, each low, moderate or high.

    `identifiers` raise the risk. A large `population` with the disease, many `participants` and many
    `centres` lower it; the weakest of these three counts.

    >>> qualitative_risk(identifiers="high", population="high", participants="high", centres="low").level
    'high'
    """
    given = {
        "identifiers": identifiers,
        "population": population,
        "participants": participants,
        "centres": centres,
    }
    factors = {name: _degree(name, value) for name, value in given.items()}
    hazard, *protections = factors.values()
    weakest = min(protections, key=DEGREES.index)
    return QualitativeRisk(TABLE[hazard, weakest], factors, tuple(factors.values()) in PRINTED)


def _degree(name: str, value: str) -> Degree:
    for degree in DEGREES:
        if value == degree:
            return degree
    raise InvalidSetting.among(f"The factor {name}", str(value), DEGREES)
