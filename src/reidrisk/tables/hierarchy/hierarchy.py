"""The generalization hierarchy of a column, and the ways to make one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Recoding
from reidrisk.tables.hierarchy.chain import Chain, Objects, Rule, objects, suppressed
from reidrisk.tables.hierarchy.kinds import rule_of
from reidrisk.tables.hierarchy.levels import Levels, check_nesting, coded, number_of, with_base


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """Distinct values with their numbers of rows."""

    column: str
    present: Objects
    counts: Ints | None


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """How the values of a column become more general, level by level."""

    column: str
    rule: Rule = field(repr=False)
    suppress: bool = True
    """Whether a last level, named "suppressed", tells nothing."""
    max_level: str | int | None = None
    """The maximum acceptable generalization, by name or number; None is the top."""
    min_level: str | int | None = None
    """The least generalization, by name or number; None is level 0."""
    reason: str = ""
    """Why nothing above the maximum is acceptable."""

    @classmethod
    def of(cls, column: str, settings: Any, *, folder: str | Path = ".", place: str = "") -> Hierarchy:
        """From the settings that a YAML file has under the column's name."""
        spec = Spec.of(settings, place=f"{place}{column}")
        rule, suppress = rule_of(spec, Path(folder))
        return cls(
            column,
            rule,
            suppress,
            max_level=spec.level("max_level"),
            min_level=spec.level("min_level"),
            reason=spec.text("reason", ""),
        )

    @classmethod
    def exact(cls, column: str, *, suppress: bool = False) -> Hierarchy:
        """Only the values as they are; with `suppress` also none of them."""
        return cls.of(column, {"kind": "exact", "suppress": suppress})

    @classmethod
    def dates(cls, column: str, levels: Sequence[str], *, suppress: bool = True) -> Hierarchy:
        """Dates by day, week, month, quarter, half_year, year or decade."""
        return cls.of(column, {"kind": "date", "levels": list(levels), "suppress": suppress})

    @classmethod
    def ages(
        cls, column: str, levels: Sequence[Any], *, unit: str, top: str | None = None, suppress: bool = True
    ) -> Hierarchy:
        """Ages and lengths of stay in days, weeks, months, quarters or years; `top` such as "90 years"."""
        given = {"kind": "age", "unit": unit, "levels": list(levels), "top": top, "suppress": suppress}
        return cls.of(column, _given(given))

    @classmethod
    def numbers(
        cls,
        column: str,
        levels: Sequence[Any] = (),
        *,
        top: float | None = None,
        bottom: float | None = None,
        suppress: bool = True,
    ) -> Hierarchy:
        """Numbers by width, cuts, quantiles or rounding, with open ends at `top` and `bottom`."""
        given = {"kind": "number", "levels": list(levels) or None, "top": top, "bottom": bottom}
        return cls.of(column, _given(given | {"suppress": suppress}))

    @classmethod
    def prefixes(
        cls, column: str, lengths: Sequence[int], *, normalise: bool = False, suppress: bool = True
    ) -> Hierarchy:
        """The first characters of a code, such as a postal code."""
        given = {"kind": "prefix", "lengths": list(lengths), "normalise": normalise, "suppress": suppress}
        return cls.of(column, given)

    @classmethod
    def zips(cls, column: str, *, digit: bool = False, restricted: Sequence[str] | None = None) -> Hierarchy:
        """US ZIP codes to three digits, those of small areas to 000; with `digit` further to one."""
        small = None if restricted is None else list(restricted)
        return cls.of(column, _given({"kind": "zip", "digit": digit, "restricted": small}))

    @classmethod
    def icd10(cls, column: str, *, suppress: bool = True) -> Hierarchy:
        """ICD-10 codes by category and chapter."""
        return cls.of(column, {"kind": "icd10", "suppress": suppress})

    @classmethod
    def atc(cls, column: str, *, suppress: bool = True) -> Hierarchy:
        """ATC codes of drugs by their four groups."""
        return cls.of(column, {"kind": "atc", "suppress": suppress})

    @classmethod
    def tree(
        cls,
        column: str,
        tree: Mapping[str, Any],
        *,
        names: Sequence[str] | None = None,
        suppress: bool | None = None,
    ) -> Hierarchy:
        """Categories under categories, as nested dictionaries and lists."""
        given = {"names": None if names is None else list(names), "suppress": suppress}
        return cls.of(column, {"kind": "tree", "tree": tree} | _given(given))

    @classmethod
    def csv(cls, column: str, path: str | Path) -> Hierarchy:
        """A file in the form of ARX: the value, then what it becomes on each level."""
        return cls.of(column, {"kind": "csv", "file": str(path)})

    def limited(
        self, max_level: str | int | None = None, *, min_level: str | int | None = None, reason: str = ""
    ) -> Hierarchy:
        """The same with a maximum acceptable generalization, and why."""
        return replace(self, max_level=max_level, min_level=min_level, reason=reason)

    def on(self, values: Sequence[Any] | Objects, counts: ArrayLike | None = None) -> Levels:
        """Build the levels on the distinct values of a column; None, where it occurs, is the last."""
        given = values if isinstance(values, np.ndarray) else objects(values)
        rows = None if counts is None else np.asarray(counts, dtype=np.int64)
        missing = bool(given.size) and given[-1] is None and not self.rule.lists_missing
        size = given.size - missing
        present = _Column(self.column, given[:size], None if rows is None else rows[:size])
        chain = self._chain(present)
        names = (chain.base, *(step.name for step in chain.steps))
        _different(names, self.column)
        book = coded(chain, given, missing=missing)
        check_nesting(names, book, column=self.column)
        lowest, highest = self._allowed(names)
        recoding = Recoding(book.codes, book.leaves, book.domain, lowest, highest)
        return Levels(self.column, names, book.labels, recoding, self.reason)

    def _chain(self, values: _Column) -> Chain:
        chain = with_base(self.rule.chain(values), values.present)
        if not self.suppress:
            return chain
        return Chain((*chain.steps, suppressed(values.present.size)), chain.base, chain.rows)

    def _allowed(self, names: tuple[str, ...]) -> tuple[int, int | None]:
        lowest = 0 if self.min_level is None else number_of(self.min_level, names, column=self.column)
        if self.max_level is None:
            return lowest, None
        highest = number_of(self.max_level, names, column=self.column)
        if highest < lowest:
            raise InvalidSetting(
                f"The min_level of {self.column!r}, {names[lowest]}, is above its max_level, "
                f"{names[highest]}.",
                hint=f"From fine to coarse the levels are: {', '.join(names)}.",
            )
        return lowest, highest


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _different(names: tuple[str, ...], column: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidSetting(
            f"Two levels of {column!r} are named {twice[0]!r}.", hint="Give each level a name of its own."
        )
