"""Attackers: the list of named people that they have, its fields, and its price."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reidrisk.core.settings import check_settings, read_settings
from reidrisk.core.wording import path_text
from reidrisk.population.fields import Fields, same_field
from reidrisk.population.policy import YAML, Policy, fields_of, settings_of
from reidrisk.population.settings import ATTACKER, COVERAGE, PRICE

_NUMBERS = (PRICE, COVERAGE)
_KEYS = ("name", "fields", *(one.name for one in _NUMBERS), "source")


@dataclass(frozen=True, slots=True)
class Attacker:
    """An attacker with a list of named people."""

    name: str
    fields: Fields | None = None
    """Fields of the list; None for an attacker who knows everything that a policy releases."""
    price: float | None = field(default=None, kw_only=True)
    """Price of the list; None if unknown."""
    coverage: float | None = field(default=None, kw_only=True)
    """Share of the people in the list, each with the same probability; None means everybody."""
    source: str = field(default="named by the user", kw_only=True)
    unknown: frozenset[str] = field(default=frozenset(), kw_only=True)
    """Fields that the list may or may not have; `birth` if only the year is certain."""
    answered: frozenset[str] | None = field(default=None, kw_only=True)
    """Fields that were checked; all others are unknown. None if `fields` is complete."""

    def __post_init__(self) -> None:
        check_settings(_NUMBERS, self)

    @classmethod
    def of(cls, fields: str, *, name: str | None = None, price: float | None = None) -> Attacker:
        """An attacker by the fields of the list, such as `county,year_of_birth`."""
        parsed = Fields.parse(fields)
        return cls(name or f"a list with {', '.join(parsed.texts())}", parsed, price=price)

    def with_price(self, price: float | None) -> Attacker:
        """The same list at another price; None keeps the price."""
        return self if price is None else replace(self, price=price)

    def usable(self, policy: Policy) -> Fields | None:
        """The fields that the policy releases and the list has; None if unknown."""
        if self.fields is None:
            return policy.fields
        return None if self.doubts(policy) else policy.fields.meet(self.fields)

    def doubts(self, policy: Policy) -> list[str]:
        """The released fields for which it is unknown whether the list has them."""
        released = policy.fields
        unsure = [name for name in _names(released) if self._unsure(name)]
        if self.fields is None or released.birth is None:
            return unsure
        sure_of_year = self.fields.birth is not None and released.birth == "year"
        return [*unsure, *(["birth"] if "birth" in self.unknown and not sure_of_year else [])]

    def _unsure(self, name: str) -> bool:
        if same_field(name, self.unknown):
            return True
        return self.answered is not None and not same_field(name, self.answered)

    def to_dict(self) -> dict[str, Any]:
        """The attacker as JSON types."""
        told = self.fields.granularities() if self.fields is not None else None
        return {
            "name": self.name,
            "fields": told if told is None else {**told, **dict.fromkeys(sorted(self.unknown), "unknown")},
            "price": self.price,
            "coverage": self.coverage,
            "source": self.source,
        }


def _names(released: Fields) -> list[str]:
    """Released fields, other than birth, that a list of people may have; none has admissions."""
    zip3 = ["zip5"] if released.zip3 else []
    return [*released.columns, *zip3, *(name for name in released.spread if name != "admission")]


GENERAL = Attacker(
    "GENERAL",
    source="knows everything that the policy releases, about everybody (doi:10.1136/jamia.2009.000026)",
)


def read_attacker(given: str | Path) -> Attacker:
    """Read an attacker: `general`, the fields of a list, or a YAML file."""
    text = str(given)
    if text.strip().casefold() == ATTACKER.default:
        return GENERAL
    if Path(text).suffix.lower() not in YAML:
        return Attacker.of(text)
    spec = settings_of(Path(text), _KEYS)
    fields = fields_of(spec) if "fields" in spec.content else None
    return Attacker(
        spec.text("name", Path(text).stem),
        fields,
        **read_settings(spec, (one for one in _NUMBERS if spec.content.get(one.name) is not None)),
        source=spec.text("source", path_text(given)),
    )
