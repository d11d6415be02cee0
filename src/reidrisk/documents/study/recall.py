"""How well identifiers were found, as figures of a report or of an earlier study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reidrisk.core.spec import Spec, number, whole
from reidrisk.errors import InvalidSetting

HINT = (
    "Write recall: {documents: 120, direct: {USUBJID: {documents: 105, leaking: 8}}, "
    "quasi: {recall: 0.95, documents: 118, values: 4, instances: 2}}."
)


@dataclass(frozen=True, slots=True)
class DirectRecall:
    """One type of direct identifier."""

    documents: int
    """Participants of whom it was told anywhere."""
    leaking: int
    """Those of whom it was missed at least once."""


@dataclass(frozen=True, slots=True)
class QuasiRecall:
    """All quasi-identifiers together."""

    recall: float
    """Share of all instances that were found."""
    documents: int
    """Participants of whom any was told."""
    values: float
    """Mean number of distinct values, over all participants that were checked."""
    instances: float
    """Mean number of instances of a value."""


@dataclass(frozen=True, slots=True)
class RecallFigures:
    """What a check of some participants' texts found."""

    documents: int
    """Participants whose texts were checked."""
    direct: Mapping[str, DirectRecall] = field(default_factory=dict)
    quasi: QuasiRecall | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "direct", MappingProxyType(dict(self.direct)))
        if self.documents < 1 or not (self.direct or self.quasi):
            raise InvalidSetting("These figures of recall say nothing.", hint=HINT)
        for name, one in self.direct.items():
            if not 0 <= one.leaking <= one.documents <= self.documents or not one.documents:
                raise InvalidSetting(
                    f"{name}: {one.leaking} of {one.documents} of {self.documents} participants cannot be.",
                    hint="Those of whom it leaked are among those who have it, and these among all.",
                )
        quasi = self.quasi
        if quasi is not None and not (
            0 <= quasi.recall <= 1
            and 0 < quasi.documents <= self.documents
            and quasi.values * self.documents >= quasi.documents
            and quasi.instances >= 1
        ):
            raise InvalidSetting(
                "The recall of quasi-identifiers is between 0 and 1, every value occurs at least once, and "
                "everybody who counts has one.",
                hint=HINT,
            )

    @classmethod
    def of(cls, spec: Spec) -> RecallFigures:
        """From settings."""
        spec.allow(("documents", "direct", "quasi"))
        direct = _mapping(spec, "direct")
        quasi = _mapping(spec, "quasi")
        return cls(
            whole(spec.need("documents", hint=HINT), spec.at("documents")),
            {name: _direct(Spec.of(one, place=direct.at(name))) for name, one in direct.content.items()},
            _quasi(quasi) if quasi.content else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        quasi = self.quasi
        return {
            "documents": self.documents,
            "direct": {
                name: {"documents": one.documents, "leaking": one.leaking}
                for name, one in self.direct.items()
            },
            "quasi": None
            if quasi is None
            else {name: getattr(quasi, name) for name in ("recall", "documents", "values", "instances")},
        }


def _mapping(spec: Spec, key: str) -> Spec:
    given = spec.content.get(key) or {}
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{spec.at(key)} is no mapping.", hint=HINT)
    return Spec.of(given, place=spec.at(key))


def _direct(spec: Spec) -> DirectRecall:
    spec.allow(("documents", "leaking"))
    counts = [whole(spec.need(name, hint=HINT), spec.at(name), least=0) for name in ("documents", "leaking")]
    return DirectRecall(*counts)


def _quasi(spec: Spec) -> QuasiRecall:
    spec.allow(("recall", "documents", "values", "instances"))
    return QuasiRecall(
        number(spec.need("recall", hint=HINT), spec.at("recall")),
        whole(spec.need("documents", hint=HINT), spec.at("documents")),
        number(spec.need("values", hint=HINT), spec.at("values")),
        number(spec.need("instances", hint=HINT), spec.at("instances")),
    )
