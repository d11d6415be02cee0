"""A release of texts: who can get it, how identifiers were treated, and how likely an attempt is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from reidrisk.context.recognition import Recognition, missing_value, plain, stated
from reidrisk.context.settings import Access, Treatment
from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import StatedProbability, Triangular

SEMI_PUBLIC_ATTEMPT = 0.6
"""The value for weak controls and strong motives: IPC Ontario 2016, p. 15."""


@dataclass(frozen=True, slots=True)
class Release:
    """Who can get the texts, how caught identifiers were treated, and how likely an attempt is."""

    access: Access
    treatment: Treatment
    recognition: Recognition
    attempt: Triangular

    def __post_init__(self) -> None:
        if self.treatment not in get_args(Treatment):
            raise InvalidSetting.among(
                "The treatment of caught identifiers", self.treatment, get_args(Treatment)
            )
        if self.treatment == "redaction" and self.recognition != Recognition.certain():
            raise InvalidSetting(
                "If caught identifiers are redacted, every leak is obvious: recognition must be 1.",
                hint="Use resynthesis if caught identifiers were replaced with realistic surrogates.",
            )
        if self.attempt.high == 0:
            raise InvalidSetting(
                "With a zero chance of an attempt, there is nothing to assess.",
                hint="Give a chance above 0; 0.05 is the lowest in published guidelines.",
            )
        if self.access == "public" and self.attempt != Triangular.constant(1.0):
            raise InvalidSetting(
                "For a public release, an attempt is assumed to be certain.",
                hint="Use Release.non_public for a known recipient.",
            )

    @classmethod
    def public(cls, treatment: Treatment = "redaction", *, recognition: object = None) -> Release:
        """Anyone can get the texts; an attempt is assumed to be certain."""
        return cls("public", treatment, _recognition(treatment, recognition), Triangular.constant(1.0))

    @classmethod
    def semi_public(cls, treatment: Treatment = "redaction", *, recognition: object = None) -> Release:
        """Anyone who accepts the terms of use can get the texts."""
        attempt = Triangular.constant(SEMI_PUBLIC_ATTEMPT)
        return cls("semi_public", treatment, _recognition(treatment, recognition), attempt)

    @classmethod
    def non_public(
        cls, treatment: Treatment = "redaction", *, attempt: object, recognition: object = None
    ) -> Release:
        """A known recipient under controls; `attempt` is a probability or (low, mode, high)."""
        return cls("non_public", treatment, _recognition(treatment, recognition), _attempt(attempt))

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Release:
        """The release from what `to_dict` returned."""
        attempt = stated(given["attempt"])
        if not isinstance(attempt, Triangular):
            raise InvalidSetting("An attempt has no beta distribution.", hint="Give low, mode and high.")
        recognition = Recognition.from_json(given["recognition"])
        return cls(given["access"], given["treatment"], recognition, attempt)

    def to_dict(self) -> dict[str, object]:
        """The release as JSON types."""
        return {
            "access": self.access,
            "treatment": self.treatment,
            "recognition": self.recognition.to_json(),
            "attempt": plain(self.attempt),
        }


def _recognition(treatment: Treatment, given: object) -> Recognition:
    if isinstance(given, Recognition):
        return given
    if isinstance(given, StatedProbability):
        return Recognition(given)
    if isinstance(given, int | float):
        return Recognition(Triangular.constant(float(given)))
    if isinstance(given, dict):
        return Recognition.parse(
            f"{name}={value}" if name != "default" else str(value) for name, value in given.items()
        )
    if treatment == "resynthesis":
        raise missing_value("Resynthesis needs a value for recognition.")
    return Recognition.certain()


def _attempt(given: object) -> Triangular:
    if isinstance(given, Triangular):
        return given
    if isinstance(given, int | float):
        return Triangular.constant(float(given))
    if isinstance(given, tuple | list) and len(given) == 3:
        low, mode, high = (float(part) for part in given)
        return Triangular(low, mode, high)
    raise InvalidSetting(
        "An attempt must be a probability, or its lowest, most likely and highest value.",
        hint="Use attempt=0.4 or attempt=(0.3, 0.4, 0.5).",
    )
