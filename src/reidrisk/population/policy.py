"""Sharing policies: which demographic fields are released, at which granularity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.spec import Spec
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting
from reidrisk.population.fields import Fields

YAML = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a policy releases about each person."""

    name: str
    fields: Fields
    source: str = field(default="named by the user", kw_only=True)

    @classmethod
    def of(cls, fields: str, *, name: str | None = None) -> Policy:
        """A policy given by its fields, such as `county,year_of_birth,sex`."""
        parsed = Fields.parse(fields)
        return cls(name or ", ".join(parsed.texts()), parsed)

    def to_dict(self) -> dict[str, Any]:
        """The policy as JSON types."""
        return {"name": self.name, "fields": self.fields.granularities(), "source": self.source}


SAFE_HARBOR = Policy(
    "Safe Harbor",
    Fields("year", ("sex", "race")),
    source="45 CFR 164.514(b)(2), with no geography below the state (doi:10.1136/jamia.2009.000026)",
)
LIMITED_DATASET = Policy(
    "Limited Dataset",
    Fields("date", ("county", "sex", "race")),
    source="45 CFR 164.514(e), with the county (doi:10.1136/jamia.2009.000026)",
)
NAMED: Mapping[str, Policy] = {"safe": SAFE_HARBOR, "limited": LIMITED_DATASET}
_KEYS = ("name", "fields", "source")


def read_policy(given: str | Path) -> Policy:
    """Read a policy: `safe`, `limited`, names of fields, or a YAML file."""
    text = str(given)
    if text.strip().casefold() in NAMED:
        return NAMED[text.strip().casefold()]
    if Path(text).suffix.lower() in YAML:
        spec = settings_of(Path(text), _KEYS)
        fields = fields_of(spec)
        name = spec.text("name", ", ".join(fields.texts()))
        return Policy(name, fields, source=spec.text("source", path_text(given)))
    return Policy.of(text)


def settings_of(path: Path, keys: tuple[str, ...]) -> Spec:
    """Read the settings of a YAML file; unknown ones are refused."""
    from reidrisk.core.yaml_file import read_yaml

    content = read_yaml(path)
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{path_text(path)} is not a mapping of settings.", hint=f"Known settings: {', '.join(keys)}."
        )
    spec = Spec.of(content, place=path_text(path))
    spec.allow(keys)
    return spec


def fields_of(spec: Spec) -> Fields:
    """Read the setting `fields`: a list of names, or names separated by commas."""
    given = spec.need("fields", hint="Write fields: [county, year_of_birth, sex].")
    if not isinstance(given, str | list) or not all(isinstance(name, str) for name in given):
        raise InvalidSetting(
            f"{spec.at('fields')} is not a list of names.", hint="Write [county, year_of_birth, sex]."
        )
    return Fields.parse(given)
