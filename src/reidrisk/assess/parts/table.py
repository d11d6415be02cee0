"""A table part that is measured as it is: classes are counted once, the risk follows in any context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Part, Work
from reidrisk.core.schema import Schema
from reidrisk.engine.table import open_table
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.tables.events import EventKnowledge, event_knowledge
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from, read_hierarchies
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.rare import RareCodes
from reidrisk.tables.risk import measure_table
from reidrisk.tables.sampling import Sampling

COUNTED = (
    "sensitive",
    "table",
    "quasi",
    "unit",
    "reduce",
    "population",
    "rare",
    "rare_columns",
    "hierarchies",
    "sampling_fraction",
    "population_size",
    "weights",
    "special",
    "previous",
    "events",
    "known",
    "count_events",
)
SECRETS = ("l", "t", "beta", "delta", "diversity", "c", "distance", "likeness")


class TablePart(Part):
    """A table that is to be released as it is."""

    kind: ClassVar[str] = "table"

    @property
    def schema(self) -> Schema:
        """What the columns mean."""
        return Schema(
            quasi=tuple(self.given["quasi"]),
            direct=tuple(self.treatments),
            sensitive=tuple(self.given.get("sensitive") or ()),
            unit=self.given.get("unit"),
            reduce=self.given.get("reduce") or {},
        )

    @property
    def treatments(self) -> dict[str, str]:
        """What is done to direct identifiers; dropped where nothing is said."""
        direct = self.given.get("direct") or {}
        return dict(direct) if isinstance(direct, Mapping) else dict.fromkeys(direct, "drop")

    @property
    def adversary(self) -> str:
        """Whose risk decides."""
        return str(self.given.get("adversary") or "prosecutor")

    @property
    def sampling(self) -> Sampling | None:
        """How the table was drawn from its population, if that is said."""
        return Sampling.of(self.given)

    @property
    def events(self) -> EventKnowledge | None:
        """What the adversary knows of the events of a person, if the table is one of events."""
        asked = event_knowledge(
            self.given.get("events"),
            self.given.get("known"),
            counted=bool(self.given.get("count_events")),
        )
        if asked is not None:
            asked.check(self.schema)
        return asked

    @property
    def secrets(self) -> SensitiveLimits | None:
        """What classes may tell of sensitive columns, if that is said."""
        said = {name: self.given[name] for name in SECRETS if self.given.get(name) is not None}
        if said and not self.given.get("sensitive"):
            raise InvalidSetting(
                f"{', '.join(said)}: limits need a sensitive column.", hint="Write sensitive: [column]."
            )
        return SensitiveLimits(**said) if said else None

    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """By column; none where nothing is said."""
        return given_hierarchies(self.given.get("hierarchies"), self.folder, place=self.name)

    def sources(self) -> tuple[str, ...]:
        """The table and every list or rule beside it."""
        names = [self.given.get(name) for name in ("table", "population", "rare", "previous")]
        return (*(name for name in names if name), *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Columns and inputs."""
        said = {name: self.given.get(name) for name in (*COUNTED, *SECRETS)}
        return {**said, "direct": sorted(self.treatments)}

    def measure(self, work: Work) -> dict[str, Any]:
        """Count classes: of all columns, without each, and after each single generalization."""
        if work.progress is not None:
            work.progress(self.name, "classes", 0, 0)
        return self.finished(
            measure_table(self.path(self.given["table"]), self.schema, settings=self.asked(work))
        )

    def asked(self, work: Work) -> MeasureSettings:
        """What is counted beside the classes."""
        population, rare = self.given.get("population"), self.given.get("rare")
        previous = self.given.get("previous")
        return MeasureSettings(
            population=None if population is None else self.path(population),
            rare=RareCodes.read(self.path(rare), self.given.get("rare_columns") or ()) if rare else None,
            hierarchies=self.hierarchies(),
            sampling=self.sampling,
            sensitive_limits=self.secrets,
            special=self.given.get("special"),
            previous=None if previous is None else self.path(previous),
            events=None if self.events is None else replace(self.events, seed=work.seed),
        )

    def finished(self, found: TableMeasure) -> dict[str, Any]:
        """As JSON types, with paths as the release file names them."""
        named = tuple((name, self.told(value)) for name, value in found.inputs)
        return replace(found, inputs=named, unnamed=self.unnamed()).to_dict()

    def unnamed(self) -> tuple[str, ...]:
        """Columns of the table of which nothing is said."""
        with open_table(self.path(self.given["table"])) as table:
            events = self.given.get("events") or ()
            return tuple(name for name in table.columns if name not in (*self.schema.columns, *events))


def given_hierarchies(given: Any, folder: Path, *, place: str) -> dict[str, Hierarchy]:
    """Hierarchies from a path or as they are written in the release file."""
    if given is None:
        return {}
    if isinstance(given, str):
        return read_hierarchies(folder / given)
    return hierarchies_from(given, folder=folder, place=f"{place}: hierarchies.")


def hierarchy_files(given: Any) -> tuple[str, ...]:
    """The files that hierarchies are read from."""
    if isinstance(given, str):
        return (given,)
    entries = given.values() if isinstance(given, Mapping) else ()
    return tuple(str(one["file"]) for one in entries if isinstance(one, Mapping) and one.get("file"))
