"""A generalization hierarchy: one rule for one or more columns, and how it is read from YAML or CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reidrisk.core.spec import Spec
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Recoding
from reidrisk.tables.hierarchy.ages import DAYS, age_rule
from reidrisk.tables.hierarchy.codes import Atc, Icd10, prefix_rule, zip_rule
from reidrisk.tables.hierarchy.dates import PERIODS, date_rule
from reidrisk.tables.hierarchy.frequent import frequent_rule
from reidrisk.tables.hierarchy.levels import (
    Chain,
    ColumnValues,
    Levels,
    Objects,
    Rule,
    check_nesting,
    code_levels,
    number_of,
    objects,
    suppressed_level,
    with_base,
)
from reidrisk.tables.hierarchy.listed import MARK, column_of, read_arx_csv, tree_rule
from reidrisk.tables.hierarchy.numbers import number_rule


@dataclass(frozen=True, slots=True)
class Exact:
    """Level 0 only."""

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:  # noqa: ARG002 - the values do not matter
        """No level above the values."""
        return Chain(())


SHARED = ("kind", "max_level", "min_level", "reason")
"""Settings that every kind has."""


@dataclass(frozen=True, slots=True)
class HierarchyKind:
    """The settings of a kind, and how to build its rule; the flag says whether to add a suppressed level."""

    settings: tuple[str, ...]
    make: Callable[[Spec, Path], tuple[Rule, bool]]


def _by_rule(make: Callable[[Spec], Rule], *, suppress: bool = True) -> Callable[[Spec, Path], Any]:
    return lambda spec, folder: (make(spec), spec.flag("suppress", default=suppress))  # noqa: ARG005


def _zip(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    return zip_rule(spec, folder), spec.flag("suppress", default=True)


def _csv(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    spec.need("file", hint="Name a CSV file: the value, then its label at each level.")
    return read_arx_csv(folder / spec.text("file", "")), False


def _tree(spec: Spec, folder: Path) -> tuple[Rule, bool]:  # noqa: ARG001
    return tree_rule(spec)


AGES = HierarchyKind(("unit", "levels", "top", "suppress"), _by_rule(age_rule))
KINDS = {
    "exact": HierarchyKind(("suppress",), _by_rule(lambda _: Exact(), suppress=False)),
    "date": HierarchyKind(("levels", "suppress"), _by_rule(date_rule)),
    "age": AGES,
    "duration": AGES,
    "number": HierarchyKind(("levels", "top", "bottom", "suppress"), _by_rule(number_rule)),
    "prefix": HierarchyKind(("lengths", "normalise", "suppress"), _by_rule(prefix_rule)),
    "zip": HierarchyKind(("digit", "restricted", "populations", "suppress"), _zip),
    "icd10": HierarchyKind(("suppress",), _by_rule(lambda _: Icd10())),
    "atc": HierarchyKind(("suppress",), _by_rule(lambda _: Atc())),
    "frequent": HierarchyKind(("levels", "suppress"), _by_rule(frequent_rule)),
    "tree": HierarchyKind(("tree", "names", "suppress"), _tree),
    "csv": HierarchyKind(("file",), _csv),
}


def rule_of(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    """Build the rule that the settings describe, and say whether to add a suppressed level."""
    full = spec if "kind" in spec.content else _guess_kind(spec)
    name = full.content["kind"]
    if not isinstance(name, str) or name not in KINDS:
        raise InvalidSetting.among(full.at("kind"), str(name), KINDS)
    kind = KINDS[name]
    full.allow((*SHARED, *kind.settings))
    return kind.make(full, folder)


def _guess_kind(spec: Spec) -> Spec:
    """Guess the kind from the levels: dates, or ages in the unit of the finest level."""
    levels = spec.content.get("levels")
    if isinstance(levels, list) and levels:
        if _all_among(levels, PERIODS):
            return Spec(spec.place, {"kind": "date", **spec.content})
        if _all_among(levels, DAYS):
            return Spec(spec.place, {"kind": "age", "unit": levels[0], **spec.content})
    raise InvalidSetting(
        f"{spec.place} needs the setting 'kind'.",
        hint=f"One of: {', '.join(KINDS)}. A list alone is enough for dates, as in [day, month, year], and "
        "for ages, as in [days, weeks, years].",
    )


def _all_among(levels: list[Any], known: Container[str]) -> bool:
    return all(isinstance(level, str) and level in known for level in levels)


@dataclass(frozen=True, slots=True, eq=False)
class _ValueCounts:
    """Distinct values and the number of rows with each."""

    column: str
    present: Objects
    counts: Ints | None


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """How the values of a column are generalized, level by level."""

    column: str
    rule: Rule = field(repr=False)
    suppress: bool = True
    """Whether to add a last level, named "suppressed", that suppresses every value."""
    max_level: str | int | None = None
    """The maximum acceptable generalization, by name or number; None is the top."""
    min_level: str | int | None = None
    """The minimum generalization, by name or number; None is level 0."""
    reason: str = ""
    """Why no level above the maximum is acceptable."""

    @classmethod
    def of(cls, column: str, settings: Any, *, folder: str | Path = ".", place: str = "") -> Hierarchy:
        """Build from the settings that a YAML file has under the column's name."""
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
        """Keep the values unchanged; with `suppress` they may also be suppressed."""
        return cls.of(column, {"kind": "exact", "suppress": suppress})

    @classmethod
    def dates(cls, column: str, levels: Sequence[str], *, suppress: bool = True) -> Hierarchy:
        """Generalize dates by day, week, month, quarter, half_year, year or decade."""
        return cls.of(column, {"kind": "date", "levels": list(levels), "suppress": suppress})

    @classmethod
    def ages(
        cls, column: str, levels: Sequence[Any], *, unit: str, top: str | None = None, suppress: bool = True
    ) -> Hierarchy:
        """Generalize ages or lengths of stay, in days up to years; `top` is a text such as "90 years"."""
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
        """Generalize numbers by width, cuts, quantiles or rounding, with top and bottom coding."""
        given = {"kind": "number", "levels": list(levels) or None, "top": top, "bottom": bottom}
        return cls.of(column, _given(given | {"suppress": suppress}))

    @classmethod
    def prefixes(
        cls, column: str, lengths: Sequence[int], *, normalise: bool = False, suppress: bool = True
    ) -> Hierarchy:
        """Keep the first characters of a code, such as a postal code."""
        given = {"kind": "prefix", "lengths": list(lengths), "normalise": normalise, "suppress": suppress}
        return cls.of(column, given)

    @classmethod
    def zips(cls, column: str, *, digit: bool = False, restricted: Sequence[str] | None = None) -> Hierarchy:
        """Generalize US ZIP codes to three digits, or 000 for small areas; with `digit` also to one digit."""
        small = None if restricted is None else list(restricted)
        return cls.of(column, _given({"kind": "zip", "digit": digit, "restricted": small}))

    @classmethod
    def icd10(cls, column: str, *, suppress: bool = True) -> Hierarchy:
        """Generalize ICD-10 codes by category and chapter."""
        return cls.of(column, {"kind": "icd10", "suppress": suppress})

    @classmethod
    def atc(cls, column: str, *, suppress: bool = True) -> Hierarchy:
        """Generalize ATC drug codes by their four groups."""
        return cls.of(column, {"kind": "atc", "suppress": suppress})

    @classmethod
    def frequent(cls, column: str, levels: Sequence[int], *, suppress: bool = True) -> Hierarchy:
        """Keep categories that are in at least so many rows; all others become one group."""
        return cls.of(column, {"kind": "frequent", "levels": list(levels), "suppress": suppress})

    @classmethod
    def tree(
        cls,
        column: str,
        tree: Mapping[str, Any],
        *,
        names: Sequence[str] | None = None,
        suppress: bool | None = None,
    ) -> Hierarchy:
        """Generalize by a tree of categories, given as nested dictionaries and lists."""
        given = {"names": None if names is None else list(names), "suppress": suppress}
        return cls.of(column, {"kind": "tree", "tree": tree} | _given(given))

    @classmethod
    def csv(cls, column: str, path: str | Path) -> Hierarchy:
        """Read a file in ARX format: the value, then its label at each level."""
        return cls.of(column, {"kind": "csv", "file": str(path)})

    def limited(
        self, max_level: str | int | None = None, *, min_level: str | int | None = None, reason: str = ""
    ) -> Hierarchy:
        """Return the hierarchy with a maximum acceptable generalization and its reason."""
        return replace(self, max_level=max_level, min_level=min_level, reason=reason)

    def on(self, values: Sequence[Any] | Objects, counts: ArrayLike | None = None) -> Levels:
        """Build the levels for the distinct values of a column; None, if present, must be last."""
        given = values if isinstance(values, np.ndarray) else objects(values)
        rows = None if counts is None else np.asarray(counts, dtype=np.int64)
        missing = bool(given.size) and given[-1] is None and not self.rule.lists_missing
        size = given.size - missing
        present = _ValueCounts(self.column, given[:size], None if rows is None else rows[:size])
        chain = self._chain(present)
        names = (chain.base, *(step.name for step in chain.steps))
        _different(names, self.column)
        book = code_levels(chain, given, missing=missing)
        check_nesting(names, book, column=self.column)
        lowest, highest = self._allowed(names)
        recoding = Recoding(book.codes, book.leaves, book.domain, lowest, highest)
        return Levels(self.column, names, book.labels, recoding, self.reason)

    def _chain(self, values: _ValueCounts) -> Chain:
        chain = with_base(self.rule.chain(values), values.present)
        if not self.suppress:
            return chain
        return Chain((*chain.steps, suppressed_level(values.present.size)), chain.base, chain.rows)

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
            f"Two levels of {column!r} are named {twice[0]!r}.", hint="Give each level a different name."
        )


YAML = (".yaml", ".yml")


def read_hierarchies(path: str | Path) -> dict[str, Hierarchy]:
    """Read hierarchies by column from a folder of files `*hierarchy_COLUMN.csv`, one such file, or YAML."""
    place = Path(path)
    if place.is_dir():
        return _folder(place)
    if place.suffix.lower() in YAML:
        from reidrisk.core.yaml_file import read_yaml

        content = read_yaml(place)
        return hierarchies_from(content, folder=place.parent, place=f"{path_text(place)}: ")
    column = column_of(place)
    if place.exists() and column is not None:
        return {column: Hierarchy(column, read_arx_csv(place), suppress=False)}
    if not place.exists():
        raise UnreadableFile.missing(place)
    raise UnreadableFile(
        f"{path_text(place)} is not a folder, a YAML file or a hierarchy.",
        hint=f"Name a folder with files *{MARK}COLUMN.csv, or a file that ends in .yaml.",
    )


def hierarchies_from(content: Any, *, folder: str | Path, place: str) -> dict[str, Hierarchy]:
    """Build hierarchies by column from the content of a YAML file.

    File names in it are relative to `folder`; error messages start with `place`, such as `rules.yaml: `.
    """
    if not isinstance(content, Mapping) or not content:
        raise InvalidSetting(
            f"{place}expected a mapping of columns to hierarchies.",
            hint="Write a line for each column, such as admitted: [day, month, year].",
        )
    odd = [column for column in content if not isinstance(column, str)]
    if odd:
        raise InvalidSetting(f"{place}a column name is not text.", hint="Put it in quotes.")
    return {
        column: Hierarchy.of(column, settings, folder=folder, place=place)
        for column, settings in content.items()
    }


def _folder(folder: Path) -> dict[str, Hierarchy]:
    found: dict[str, tuple[Path, Hierarchy]] = {}
    for file in sorted(folder.iterdir()):
        column = column_of(file) if file.is_file() and not file.name.startswith(".") else None
        if column is None:
            continue
        if column in found:
            raise BadData(
                f"{path_text(folder)} has two hierarchies for {column!r}: {path_text(found[column][0].name)} "
                f"and {path_text(file.name)}.",
                hint="Keep one file for each column.",
            )
        found[column] = file, Hierarchy(column, read_arx_csv(file), suppress=False)
    if not found:
        raise UnreadableFile(
            f"{path_text(folder)} has no file *{MARK}COLUMN.csv.",
            hint="Name the files after their columns, such as hierarchy_age.csv, or give a YAML file.",
        )
    return {column: hierarchy for column, (_, hierarchy) in found.items()}
