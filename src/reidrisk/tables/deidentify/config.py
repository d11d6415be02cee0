"""Read the settings of a de-identification from one YAML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.cells import CellCleaner
from reidrisk.core.reading import TableReading, read_reading
from reidrisk.core.schema import Derived, Schema, TextTreatment, text_treatments
from reidrisk.core.settings import (
    COLUMNS,
    MappingOf,
    TextSetting,
    named_entries,
    read_settings,
    read_value,
)
from reidrisk.core.spec import Spec, whole
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout, NamedSolution
from reidrisk.tables.deidentify.settings import (
    ALL_SETTINGS,
    FILE_SETTINGS,
    LADDER,
    MAX_LEVEL,
    MAX_SUPPRESSION,
    OPTION_SETTINGS,
)
from reidrisk.tables.events import event_knowledge
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from, read_hierarchies
from reidrisk.tables.settings import DIRECT, FREE_TEXT, READING_SETTINGS
from reidrisk.tables.transform.plan import PlanStep, steps_from
from reidrisk.tables.utility.plan import UtilityPlan, utility_plan

KEYS = tuple(one.name for one in (*ALL_SETTINGS, *FILE_SETTINGS))


@dataclass(frozen=True, slots=True)
class TableConfig:
    """The settings in the file; settings that it does not have are absent."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """Settings by the names of the command-line options."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    derived: tuple[Derived, ...] = ()
    steps: tuple[PlanStep, ...] = ()
    layouts: tuple[Layout, ...] = ()
    solutions: tuple[NamedSolution, ...] = ()
    utility: UtilityPlan | None = None

    def under(self, own: TableConfig) -> TableConfig:
        """Return these settings overridden by `own`; if `own` names columns, these layouts do not apply."""
        keeps = not own.layouts and "quasi" not in own.values
        return TableConfig(
            values={**self.values, **own.values},
            hierarchies={**self.hierarchies, **own.hierarchies},
            derived=own.derived or self.derived,
            steps=own.steps or self.steps,
            layouts=self.layouts if keeps else own.layouts,
            solutions=own.solutions or self.solutions,
            utility=own.utility or self.utility,
        )

    @property
    def schema(self) -> Schema:
        """The roles of the columns."""
        said = self.values
        quasi = said.get("quasi") or (self.layouts[0].quasi if self.layouts else ())
        if not quasi:
            raise InvalidSetting(
                "No quasi-identifiers are given.",
                hint="Name the columns that an intruder may know: --quasi sex,age,region, or in a file "
                "quasi: [sex, age, region], or layouts.",
            )
        return Schema(
            quasi=quasi,
            direct=tuple(said.get("direct", ())),
            sensitive=said.get("sensitive", ()),
            unit=said.get("unit"),
            reduce=said.get("reduce", {}),
            text=said.get("text", {}),
            other=said.get("other", {}),
        )

    @property
    def cleans_text(self) -> bool:
        """Whether a column of free text is to be de-identified, which needs a detector."""
        return "deidentify" in self.values.get("text", {}).values()

    @property
    def reading(self) -> TableReading | None:
        """How the cells of the table are read, if the settings say it."""
        return TableReading.of(self.values)

    @property
    def max_suppression(self) -> float:
        """The share of records that may have a suppressed value."""
        return float(self.values.get(MAX_SUPPRESSION.name, MAX_SUPPRESSION.default))

    def options(
        self,
        ladder: Sequence[Threshold],
        *,
        key: bytes | None,
        clean: CellCleaner | None = None,
        confirmed: bool = True,
    ) -> DeidentifyOptions:
        """Build the options of the de-identification."""
        said = self.values
        return DeidentifyOptions(
            **{one.name: said[one.name] for one in OPTION_SETTINGS if said.get(one.name) is not None},
            ladder=tuple(ladder),
            sensitive_limits=self._limits(),
            treatments=said.get("direct", {}),
            key=key,
            derived=self.derived,
            steps=self.steps,
            layouts=self.layouts,
            solutions=self.solutions,
            events=event_knowledge(
                said.get("events"), said.get("known"), counted=bool(said.get("count_events", False))
            ),
            utility=self.utility,
            clean=clean,
            confirmed=confirmed,
        )

    def _limits(self) -> SensitiveLimits | None:
        names = [one.name for one in SENSITIVE_SETTINGS if self.values.get(one.name) is not None]
        return SensitiveLimits(**{name: self.values[name] for name in names}) if names else None


def read_config(path: str | Path) -> TableConfig:
    """Read a file; every error names the place in it."""
    file = Path(path)
    return config_from(read_yaml(file), folder=file.parent, place=path_text(file))


def config_from(content: Any, *, folder: Path, place: str) -> TableConfig:
    """Build from the content of a file; file names in it are relative to `folder`."""
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{place} is not a mapping of settings.", hint=f"Known settings: {', '.join(KEYS)}."
        )
    spec = Spec.of(content, place=place)
    spec.allow(KEYS)
    return TableConfig(
        values=_values(spec),
        hierarchies=_hierarchies(spec, folder),
        derived=tuple(
            _derived(Spec.of(entry, place=at), name) for name, at, entry in _entries(spec, "derived")
        ),
        steps=steps_of(spec),
        layouts=tuple(
            Layout(name, read_value(COLUMNS, entry, at)) for name, at, entry in _entries(spec, "layouts")
        ),
        solutions=_solutions(spec),
        utility=utility_plan(spec.content["utility"], place=spec.at("utility"), propensity=False)
        if spec.content.get("utility") is not None
        else None,
    )


def steps_of(spec: Spec) -> tuple[PlanStep, ...]:
    """Read the transformations before the search, each with its place."""
    if "steps" not in spec.content:
        return ()
    return tuple(PlanStep(step, place) for place, step in steps_from(spec))


def _values(spec: Spec) -> dict[str, Any]:
    plain = (one for one in ALL_SETTINGS if one.name not in OWN_READERS and one not in READING_SETTINGS)
    found = {**read_settings(spec, plain), **read_reading(spec)}
    for key, read in OWN_READERS.items():
        if key in spec.content:
            found[key] = read(spec, key)
    return found


def _hierarchies(spec: Spec, folder: Path) -> dict[str, Hierarchy]:
    given = spec.content.get("hierarchies")
    if given is None:
        return {}
    if isinstance(given, str):
        return read_hierarchies(folder / given)
    return hierarchies_from(given, folder=folder, place=f"{spec.place}: hierarchies.")


def _derived(spec: Spec, name: str) -> Derived:
    spec.allow(("from", "to", "unit"))
    hint = "Write for example from: admission_date and to: discharge_date."
    unit: Any = spec.text("unit", "days")
    return Derived(name, str(spec.need("from", hint=hint)), str(spec.need("to", hint=hint)), unit)


def _solutions(spec: Spec) -> tuple[NamedSolution, ...]:
    if "solutions" not in spec.content:
        return ()
    hint = "Write a list of name: and levels:."
    found = []
    for at, entry in spec.items("solutions", hint=hint):
        one = Spec.of(entry, place=at)
        one.allow(("name", "levels"))
        levels = {column: level for column, _, level in _entries(one, "levels")}
        found.append(NamedSolution(str(one.need("name", hint=hint)), levels))
    return tuple(found)


def _entries(spec: Spec, key: str) -> list[tuple[str, str, Any]]:
    """Return name, place and content of each entry of a mapping."""
    return named_entries(spec.content.get(key, {}), spec.at(key))


def _direct(spec: Spec, key: str) -> dict[str, str]:
    """Read direct identifiers, each with what is done to it."""
    found: dict[str, str] = read_value(MappingOf(TextSetting()), spec.content[key], spec.at(key))
    return found


def _texts(spec: Spec, key: str) -> dict[str, TextTreatment]:
    """Read columns of free text, each with what is done to it; a list means that they are dropped."""
    given = spec.content[key]
    if isinstance(given, list):
        given = dict.fromkeys(read_value(COLUMNS, given, spec.at(key)), "drop")
    found: dict[str, str] = read_value(MappingOf(TextSetting()), given, spec.at(key))
    return text_treatments(found)


def _ladder(spec: Spec, key: str) -> list[int]:
    """Read cell sizes."""
    rungs = spec.items(key, hint="Write cell sizes, such as [5, 3].")
    return [whole(entry, at) for at, entry in rungs]


def _levels(spec: Spec, key: str) -> dict[str, str | int]:
    """Read levels by column, each by name or number."""
    return {name: _level(entry, at) for name, at, entry in _entries(spec, key)}


def _level(given: Any, place: str) -> str | int:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise InvalidSetting(
            f"{place} is not the name or number of a level.",
            hint="Write the name of the level, such as month.",
        )
    return given


OWN_READERS: dict[str, Callable[[Spec, str], Any]] = {
    DIRECT.name: _direct,
    FREE_TEXT.name: _texts,
    LADDER.name: _ladder,
    MAX_LEVEL.name: _levels,
}
"""Readers of settings that are not of a plain type."""
