"""Settings of replacement, each declared once and shared by all worker processes.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from reidrisk.core.setting_values import read_changes
from reidrisk.core.settings import Choice, Setting, WholeNumber, YesNo, check_settings, record_settings
from reidrisk.text.settings import DATE_ORDER
from reidrisk.text.values import DateOrder

Mode = Literal["redact", "label", "mask", "surrogate"]
Places = Literal["region", "anywhere"]
Names = Literal["set", "person"]

MODE = Setting(
    "mode",
    Choice(get_args(Mode)),
    "What to write instead of an identifier: [REDACTED], its type such as [NAME], blocks of the same length, "
    "or an invented value.",
    "surrogate",
)
DATE_DAYS = Setting(
    "date_days",
    WholeNumber(14, 3650),
    "The dates of a person are shifted by the same number of days, at most this many forward or back.",
    365,
)
KEEP_WEEKDAY = Setting(
    "keep_weekday",
    YesNo(),
    "Whether dates are shifted by whole weeks, so that a Monday stays a Monday.",
    default=False,
)
AGE_YEARS = Setting(
    "age_years",
    WholeNumber(1, 20),
    "The ages of a person are shifted by the same number of years, at most this many up or down.",
    2,
)
AGE_TOP = Setting(
    "age_top",
    WholeNumber(60, 120),
    "Highest age in the new texts. Ages above it are replaced by an age slightly below it.",
    89,
)
PLACES = Setting(
    "places",
    Choice(get_args(Places)),
    "Whether states, countries and ZIP codes stay in their region.",
    "region",
)
NAMES = Setting(
    "names",
    Choice(get_args(Names)),
    "Whether a name has one surrogate in the whole data set, or one per person.",
    "set",
)
RESYNTHESIS_SETTINGS = (MODE, DATE_DAYS, KEEP_WEEKDAY, DATE_ORDER, AGE_YEARS, AGE_TOP, PLACES, NAMES)
"""What `ResynthesisSettings` holds under the same names, in the order in which results record it."""
SURROGATE_SETTINGS = tuple(one for one in RESYNTHESIS_SETTINGS if one != MODE)
"""Those that concern surrogates only."""


@dataclass(frozen=True, slots=True)
class ResynthesisSettings:
    """What replaces an identifier, and how far surrogates may be from the original."""

    mode: Mode = MODE.default
    date_days: int = DATE_DAYS.default
    keep_weekday: bool = KEEP_WEEKDAY.default
    date_order: DateOrder = DATE_ORDER.default
    age_years: int = AGE_YEARS.default
    age_top: int = AGE_TOP.default
    places: Places = PLACES.default
    names: Names = NAMES.default

    def __post_init__(self) -> None:
        check_settings(RESYNTHESIS_SETTINGS, self)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return record_settings(RESYNTHESIS_SETTINGS, self)


def resynthesis_settings(mode: str, options: Mapping[str, str]) -> ResynthesisSettings:
    """The settings from NAME=VALUE options."""
    changes = read_changes(SURROGATE_SETTINGS, options, what="A replacement option")
    return replace(ResynthesisSettings(), mode=mode, **changes)  # type: ignore[arg-type]
