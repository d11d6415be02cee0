"""A hierarchy as a form: its kind and its levels as a line of text, for those who do not write YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.errors import InvalidSetting

LEVEL_KEYS = {"date": "levels", "age": "levels", "duration": "levels", "number": "levels"} | {
    "prefix": "lengths",
    "frequent": "levels",
}
"""Kinds whose levels are a list, and the setting that has it."""
KIND_WORDS = {
    "date": "dates: day, week, month, quarter, half_year, year, decade",
    "age": "ages: units and lengths, such as weeks, years, 5 years",
    "duration": "durations: units and lengths, such as days, weeks",
    "number": "numbers: widths of intervals, such as 10, 20",
    "prefix": "codes: how many first characters stay, such as 3, 2, 1",
    "frequent": "categories: values in fewer rows become other, such as 10, 50",
    "icd10": "diagnoses: ICD-10 category and chapter",
    "atc": "drugs: ATC groups",
    "zip": "US ZIP codes: three digits, small areas as 000",
    "exact": "exact values only",
}
"""Kinds that a form can make, each with what its levels are."""
UNITS = ("days", "weeks", "months", "quarters", "years")
MOST_LEVELS = 20


@dataclass(frozen=True, slots=True)
class HierarchyForm:
    """What a form shows of a hierarchy."""

    kind: str
    levels: str = ""
    """Separated by commas."""
    unit: str = "years"
    suppress: bool = True
    """Whether a last level suppresses every value."""
    editable: bool = True
    """Whether the form can show all of it; otherwise it would lose some settings."""

    @classmethod
    def of(cls, settings: Any) -> HierarchyForm:
        """Read the settings of a hierarchy, as a YAML file has them under the column's name.

        >>> HierarchyForm.of(["day", "month"])
        HierarchyForm(kind='date', levels='day, month', unit='years', suppress=True, editable=True)
        """
        content = settings if isinstance(settings, Mapping) else {}
        if isinstance(settings, list):
            content = {"kind": "date", "levels": settings}
        if isinstance(settings, str):
            content = {"kind": settings}
        kind = str(content.get("kind", "date"))
        levels = content.get(LEVEL_KEYS.get(kind, ""), [])
        known = {"kind", "unit", "suppress", "max_level", "reason", LEVEL_KEYS.get(kind, "")}
        simple = isinstance(levels, list) and all(isinstance(one, str | int | float) for one in levels)
        return cls(
            kind,
            ", ".join(map(str, levels)) if simple else "",
            str(content.get("unit", "years")),
            bool(content.get("suppress", kind != "exact")),
            editable=simple and kind in KIND_WORDS and set(content) <= known,
        )

    def settings(self, before: Any = None) -> dict[str, Any]:
        """The settings for a YAML file; maximum level and reason stay as they were before."""
        if self.kind not in KIND_WORDS:
            raise InvalidSetting.among("The kind of a hierarchy", self.kind, KIND_WORDS)
        found: dict[str, Any] = {"kind": self.kind}
        if self.kind in ("age", "duration"):
            if self.unit not in UNITS:
                raise InvalidSetting.among("The unit of a hierarchy", self.unit, UNITS)
            found["unit"] = self.unit
        key = LEVEL_KEYS.get(self.kind)
        if key is not None:
            found[key] = self._listed()
        if self.suppress != (self.kind != "exact"):
            found["suppress"] = self.suppress
        kept = before if isinstance(before, Mapping) else {}
        return found | {name: kept[name] for name in ("max_level", "reason") if name in kept}

    def _listed(self) -> list[str | int | float]:
        texts = [text.strip() for text in self.levels.split(",") if text.strip()]
        if not texts or len(texts) > MOST_LEVELS:
            raise InvalidSetting(
                f"A hierarchy needs 1 to {MOST_LEVELS} levels.",
                hint=f"Separate them by commas, for {KIND_WORDS[self.kind]}.",
            )
        if self.kind in ("date", "age", "duration"):
            return list(texts)
        try:
            return [int(text) if text.isdecimal() else float(text) for text in texts]
        except ValueError:
            raise InvalidSetting(
                "The levels of this kind are numbers.", hint=f"For {KIND_WORDS[self.kind]}."
            ) from None
