"""Recognition: the chance that an adversary tells a leaked original from surrogates, and published values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.stats.uncertain import Beta, StatedProbability, Triangular


@dataclass(frozen=True, slots=True)
class PublishedRecognition:
    """A published value, and its source."""

    value: str
    evidence: str


PUBLISHED = (
    PublishedRecognition(
        "0.1", "Carrell et al. 2013, JAMIA 20(2):342: pilot, 81 notes, about 90 % of leaks stayed concealed"
    ),
    PublishedRecognition(
        "0.27", "Carrell et al. 2020, JAMIA 27(9):1374: 200 documents, four aggressive human readers"
    ),
    PublishedRecognition(
        "0.68",
        "Carrell et al. 2019, JAMIA 26(12):1536: a trained tagger flagged 211 of 310 leaks (beta:211.5,99.5)",
    ),
    PublishedRecognition(
        "by type",
        "Carrell et al. 2020: patient 0.23 and doctor names 0.25, dates 0.32, organizations 0.45, ages 0.09",
    ),
)


@dataclass(frozen=True, slots=True)
class Recognition:
    """The chance that a leaked original is recognized as one: a single value, or one per type."""

    default: StatedProbability
    by_type: Mapping[str, StatedProbability] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_type", MappingProxyType(dict(self.by_type)))

    @classmethod
    def certain(cls) -> Recognition:
        """Every leak is recognized. This is the value for redaction."""
        return cls(Triangular.constant(1.0))

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Recognition:
        """Read `0.27`, `0.1,0.2,0.3` (triangular), `beta:211.5,99.5` or `TYPE=0.23`, in any combination.

        A name that ends in .json is a result file of `text attack`.
        """
        default: StatedProbability | None = None
        by_type: dict[str, StatedProbability] = {}
        for text in texts:
            name, equals, value = text.rpartition("=")
            if equals:
                by_type[name.strip()] = parse_probability(value, "recognition")
            else:
                default = (
                    read_recognition(value)
                    if value.endswith(".json")
                    else parse_probability(value, "recognition")
                )
        if default is None:
            raise missing_value("Recognition is given for some types only, without a value for the others.")
        return cls(default, by_type)

    @classmethod
    def from_json(cls, given: Any) -> Recognition:
        """Read what `to_json` gave."""
        if isinstance(given, Mapping) and "default" in given:
            types = {str(name): stated(value) for name, value in given["by_type"].items()}
            return cls(stated(given["default"]), types)
        return cls(stated(given))

    def of(self, kind: str) -> StatedProbability:
        """The recognition of one type."""
        return self.by_type.get(kind, self.default)

    def to_json(self) -> object:
        """A number, or an object that describes the distribution."""
        if not self.by_type:
            return plain(self.default)
        types = {name: plain(value) for name, value in self.by_type.items()}
        return {"default": plain(self.default), "by_type": types}


def missing_value(problem: str) -> InvalidSetting:
    """The error for a missing recognition, with the published values."""
    listed = "\n".join(f"  {entry.value:8} {entry.evidence}" for entry in PUBLISHED)
    return InvalidSetting(
        problem,
        hint=(
            "Say how often an adversary recognizes a leaked original among the surrogates "
            f"(1 = always). Published evidence:\n{listed}\nFor example: --recognition 0.27"
        ),
    )


def read_recognition(path: str) -> StatedProbability:
    """Read the recognition that an attack measured from its result file."""
    try:
        result = json.loads(Path(path).read_text(encoding="utf-8"))
        kind, option = result["kind"], result["recognition_option"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        kind, option = None, None
    if kind != "text_attack":
        raise InvalidSetting(
            f"{Path(path).name} is not the result of an attack.",
            hint="Create one with: reidrisk text attack DEIDENTIFIED --gold GOLD --json RESULT.json",
        )
    if option is None:
        raise InvalidSetting(
            f"{Path(path).name} has no recognition: the texts were redacted, or nothing leaked.",
            hint="Use --method redaction, or give a published value such as --recognition 0.27.",
        )
    return parse_probability(option, "recognition")


def parse_probability(text: str, what: str) -> StatedProbability:
    """Read a probability: a number, `low,mode,high` or `beta:a,b`."""
    try:
        if text.startswith("beta:"):
            a, b = (float(part) for part in text.removeprefix("beta:").split(","))
            return Beta(a, b)
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) == 1:
            return Triangular.constant(numbers[0])
        low, mode, high = numbers
        return Triangular(low, mode, high)
    except InvalidSetting:
        raise
    except ValueError:
        raise InvalidSetting(
            f"{text!r} is not a valid {what}.",
            hint="Give a probability such as 0.3, or low,mode,high such as 0.3,0.4,0.5.",
        ) from None


def plain(value: StatedProbability) -> object:
    """A probability as JSON types."""
    if isinstance(value, Beta):
        return {"beta": [value.a, value.b]}
    return value.low if value.is_constant else [value.low, value.mode, value.high]


def stated(given: Any) -> StatedProbability:
    """Read what `plain` gave.

    >>> [plain(stated(given)) for given in (0.3, [0.1, 0.2, 0.3], {"beta": [2.0, 3.0]})]
    [0.3, [0.1, 0.2, 0.3], {'beta': [2.0, 3.0]}]
    """
    if isinstance(given, Mapping):
        a, b = given["beta"]
        return Beta(float(a), float(b))
    if isinstance(given, list | tuple):
        low, mode, high = given
        return Triangular(float(low), float(mode), float(high))
    return Triangular.constant(float(given))
