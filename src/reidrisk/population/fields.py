"""Demographic fields and their granularity, for what a policy releases and what a list contains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from reidrisk.core.reference_lists import RESTRICTED
from reidrisk.errors import InvalidSetting

Birth = Literal["year", "month", "date"]

BIRTH: tuple[Birth, ...] = ("year", "month", "date")
"""Coarsest first."""
ADMISSION = {"admission_quarter": 4, "admission_month": 12, "admission_date": 365}
ZIP5 = ("zip5", "zip", "zcta", "zcta5", "zip_code")
ZIP_RULES = (*RESTRICTED, "population", "none")
"""Which prefixes become 000: those on a published list, those with few people in this population, or none."""
_BIRTH_NAMES: Mapping[str, Birth] = {
    **{f"{part}_of_birth": part for part in BIRTH},
    **{f"birth_{part}": part for part in BIRTH},
    "dob": "date",
    "yob": "year",
    "age": "year",
}
KNOWN = ("year_of_birth", "month_of_birth", "date_of_birth", "zip3", "zip5", *ADMISSION)
"""Field names that are recognized in every population."""


@dataclass(frozen=True, slots=True)
class Fields:
    """A set of fields with their granularity."""

    birth: Birth | None = None
    columns: tuple[str, ...] = ()
    """Areas and categories, by the names of the population's columns, such as county and sex."""
    zip3: str | None = None
    """Three-digit ZIP areas under one of `ZIP_RULES`; None if they are not included."""
    spread: Mapping[str, int] = field(default_factory=dict)
    """Fields that no population contains, with a number of equally likely values, such as admission: 4."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(dict.fromkeys(self.columns)))
        object.__setattr__(self, "spread", MappingProxyType(dict(self.spread)))
        if self.birth is not None and self.birth not in BIRTH:
            raise InvalidSetting.among("The granularity of birth", str(self.birth), BIRTH)
        if self.zip3 is not None and self.zip3 not in ZIP_RULES:
            raise InvalidSetting.among("The rule of zip3", self.zip3, ZIP_RULES)
        if any(isinstance(values, bool) or values < 1 for values in self.spread.values()):
            raise InvalidSetting("A field must have at least one value.", hint="For example, write ward:10.")

    @classmethod
    def parse(cls, text: str | Iterable[str]) -> Fields:
        """Read names separated by commas: `county,date_of_birth,sex`, `zip3:none`, `ward:10`.

        >>> Fields.parse("county, year_of_birth, admission_quarter").texts()
        ['year of birth', 'county', 'admission quarter']
        """
        parts = text.split(",") if isinstance(text, str) else [str(part) for part in text]
        names = [part.strip() for part in parts if part.strip()]
        found: dict[str, Any] = {"birth": None, "columns": [], "zip3": None, "spread": {}}
        for name in names:
            _add(found, name)
        if not names:
            raise InvalidSetting(
                "No field is named.", hint=f"For example, write county,{','.join(KNOWN[:1])},sex."
            )
        return cls(found["birth"], tuple(found["columns"]), found["zip3"], found["spread"])

    def meet(self, other: Fields) -> Fields:
        """The fields that both sets contain, each at the coarser granularity."""
        birth = min((self.birth, other.birth), key=_step)
        columns = tuple(name for name in self.columns if same_field(name, other.columns))
        shared = {name: min(values, other.spread[name]) for name, values in self.spread.items()
                  if name in other.spread}  # fmt: skip
        return Fields(birth, columns, self._common_zip3(other, columns), shared)

    def _common_zip3(self, other: Fields, columns: tuple[str, ...]) -> str | None:
        if any(name in ZIP5 for name in columns):
            return None
        told = [one.zip3 or ("none" if any(name in ZIP5 for name in one.columns) else None)
                for one in (self, other)]  # fmt: skip
        if None in told:
            return None
        return next((rule for rule in told if rule != "none"), "none")

    def texts(self) -> list[str]:
        """A description of each field."""
        birth = [f"{self.birth} of birth"] if self.birth else []
        rule = "" if self.zip3 == "none" else f" (small areas merged: {self.zip3})"
        zip3 = [f"ZIP3{rule}"] if self.zip3 else []
        return [*birth, *zip3, *self.columns, *(_spread_text(*one) for one in self.spread.items())]

    def granularities(self) -> dict[str, str]:
        """Each field and its granularity, for JSON."""
        told = dict.fromkeys(self.columns, "as counted")
        if self.zip3:
            told["zip3"] = "all areas" if self.zip3 == "none" else f"small areas merged: {self.zip3}"
        if self.birth:
            told["birth"] = self.birth
        return told | {name: f"{values} values" for name, values in self.spread.items()}


def _step(birth: Birth | None) -> int:
    return -1 if birth is None else BIRTH.index(birth)


def same_field(name: str, others: Iterable[str]) -> bool:
    """Whether a field is among others, by its name or a synonym."""
    alike = {"gender": "sex"} | dict.fromkeys(ZIP5, "zip5")
    return alike.get(name, name) in {alike.get(other, other) for other in others}


def _spread_text(name: str, values: int) -> str:
    named = {f"admission:{bins}": text.replace("_", " ") for text, bins in ADMISSION.items()}
    return named.get(f"{name}:{values}", f"{name} ({values} values)")


def _add(found: dict[str, Any], name: str) -> None:
    plain, _, rule = name.partition(":")
    plain = plain.strip()
    if plain in _BIRTH_NAMES and not rule:
        if found["birth"] is not None:
            raise InvalidSetting("Birth is given twice.", hint="Keep the finer one.")
        found["birth"] = _BIRTH_NAMES[plain]
    elif plain == "zip3":
        found["zip3"] = rule.strip() or next(iter(RESTRICTED))
    elif plain in ADMISSION and not rule:
        found["spread"]["admission"] = ADMISSION[plain]
    elif rule:
        if not re.fullmatch(r"[1-9]\d{0,8}", rule.strip()):
            raise InvalidSetting(
                f"{plain!r} needs a number of values after the colon.", hint="Write ward:10."
            )
        found["spread"][plain] = int(rule)
    else:
        found["columns"].append(plain)
