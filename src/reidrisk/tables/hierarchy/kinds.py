"""The kinds of hierarchies by the name they have in a file, and the settings each takes."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.ages import age_rule
from reidrisk.tables.hierarchy.arx_csv import read_arx_csv
from reidrisk.tables.hierarchy.chain import Rule
from reidrisk.tables.hierarchy.codes import Atc, Icd10
from reidrisk.tables.hierarchy.dates import PERIODS, date_rule
from reidrisk.tables.hierarchy.exact import Exact
from reidrisk.tables.hierarchy.numbers import number_rule
from reidrisk.tables.hierarchy.prefixes import prefix_rule
from reidrisk.tables.hierarchy.spans import DAYS
from reidrisk.tables.hierarchy.trees import tree_rule
from reidrisk.tables.hierarchy.zips import zip_rule

SHARED = ("kind", "max_level", "min_level", "reason")
"""Settings of every kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind takes, and how its rule is made; the flag is whether a last level tells nothing."""

    settings: tuple[str, ...]
    make: Callable[[Spec, Path], tuple[Rule, bool]]


def _by_rule(make: Callable[[Spec], Rule], *, suppress: bool = True) -> Callable[[Spec, Path], Any]:
    return lambda spec, folder: (make(spec), spec.flag("suppress", default=suppress))  # noqa: ARG005


def _zip(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    return zip_rule(spec, folder), spec.flag("suppress", default=True)


def _csv(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    spec.need("file", hint="Name a CSV file: the value, then what it becomes on each level.")
    return read_arx_csv(folder / spec.text("file", "")), False


def _tree(spec: Spec, folder: Path) -> tuple[Rule, bool]:  # noqa: ARG001
    return tree_rule(spec)


AGES = Kind(("unit", "levels", "top", "suppress"), _by_rule(age_rule))
KINDS = {
    "exact": Kind(("suppress",), _by_rule(lambda _: Exact(), suppress=False)),
    "date": Kind(("levels", "suppress"), _by_rule(date_rule)),
    "age": AGES,
    "duration": AGES,
    "number": Kind(("levels", "top", "bottom", "suppress"), _by_rule(number_rule)),
    "prefix": Kind(("lengths", "normalise", "suppress"), _by_rule(prefix_rule)),
    "zip": Kind(("digit", "restricted", "populations", "suppress"), _zip),
    "icd10": Kind(("suppress",), _by_rule(lambda _: Icd10())),
    "atc": Kind(("suppress",), _by_rule(lambda _: Atc())),
    "tree": Kind(("tree", "names", "suppress"), _tree),
    "csv": Kind(("file",), _csv),
}


def rule_of(spec: Spec, folder: Path) -> tuple[Rule, bool]:
    """The rule that settings describe, and whether a last level tells nothing."""
    full = spec if "kind" in spec.content else _guessed(spec)
    name = full.content["kind"]
    if name not in KINDS:
        raise InvalidSetting.among(full.at("kind"), str(name), KINDS)
    kind = KINDS[name]
    full.allow((*SHARED, *kind.settings))
    return kind.make(full, folder)


def _guessed(spec: Spec) -> Spec:
    """Levels alone say whether they are of dates or of ages that are counted in the finest of them."""
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
