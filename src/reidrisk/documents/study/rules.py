"""How the data of a trial are de-identified: rules, or the tables that somebody else made by theirs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

LEAST_DAYS, MOST_DAYS = 14, 3650


@dataclass(frozen=True, slots=True)
class ReleaseRules:
    """What stands in the released data instead; the same rules replace values in documents."""

    key: Path | None = None
    """Key file for new ids and date offsets; created if it does not exist."""
    recode: tuple[str, ...] = ()
    """Ids that get another value of the same form, never a real one."""
    shift_days: int | None = None
    """Dates of a participant move by one number of days, at most so many forward or back."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    levels: Mapping[str, str | int] = field(default_factory=dict)
    """The level to which each of these variables is generalized, by name."""

    def __post_init__(self) -> None:
        for name in ("hierarchies", "levels"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "recode", tuple(self.recode))
        if (self.recode or self.shift_days is not None) and self.key is None:
            raise InvalidSetting(
                "New ids and shifted dates need a key.", hint="Name a file: key: study.key; it is made."
            )
        if self.shift_days is not None and not LEAST_DAYS <= self.shift_days <= MOST_DAYS:
            raise InvalidSetting(
                f"Dates are shifted by {LEAST_DAYS} to {MOST_DAYS:,} days at most, not {self.shift_days}.",
                hint="Usual is a year: shift: {days: 365}.",
            )
        for name in self.levels:
            if name not in self.hierarchies:
                raise InvalidSetting.among(
                    "A level is for a variable with a hierarchy, which", name, self.hierarchies
                )
        missing = [name for name in self.hierarchies if name not in self.levels]
        if missing:
            raise InvalidSetting(
                f"No level is named for {', '.join(missing)}.", hint="Write levels: {AGE: 5 years}."
            )


@dataclass(frozen=True, slots=True)
class ReleasedTables:
    """The data that were released, made elsewhere, and who became whom."""

    tables: Mapping[str, Path]
    link: Path
    """A table with two columns: the id of a participant and the released one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", MappingProxyType({k: Path(v) for k, v in self.tables.items()}))


Deidentified = ReleaseRules | ReleasedTables
