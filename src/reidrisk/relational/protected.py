"""A release whose risk is below the threshold: searched, written, and measured again on the written files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.about import own_version, versions
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import percent, plural
from reidrisk.engine.linked import NO_DAY
from reidrisk.errors import BadData, NoSolution
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.event_levels import Protected
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.people import people_of
from reidrisk.relational.plan import completed
from reidrisk.relational.protect import ProtectLimits, protect_people, spelled
from reidrisk.relational.release import RelationalRelease, release_database, settings_of
from reidrisk.relational.risk import USUAL, RelationalRisk, risk_of
from reidrisk.relational.verify import pseudonyms_of, read_treatment
from reidrisk.resynthesis.dates.shift import person_offsets
from reidrisk.stats.arrays import Bools, Ints

MOST_TIMES = 5
"""How often the tables are written, leaving out more people each time."""


@dataclass(frozen=True)
class ProtectedRelease(Result):
    """Linked tables as they were released, and their risk before and after."""

    release: RelationalRelease = field(repr=False)
    protection: Protected = field(repr=False)
    before: RelationalRisk = field(repr=False)
    after: RelationalRisk = field(repr=False)
    limits: ProtectLimits = field(default_factory=ProtectLimits)

    @property
    def acceptable(self) -> bool:
        """Whether the written files keep what was promised, and nobody in them is exposed."""
        return self.release.acceptable and self.after.acceptable

    def reasons(self) -> tuple[Reason, ...]:
        """Explain the verdict."""
        return (*self.after.reasons(), Reason(self._sentence(), None))

    def _sentence(self) -> str:
        done = self.protection
        levels = ", ".join(f"{name} ({level})" for name, level in done.levels.items()) or "exact values"
        dates = (
            f" Dates that are not released: {', '.join(done.dates_removed)}." if done.dates_removed else ""
        )
        if done.twins_removed:
            dates += (
                f" Columns removed because they would show coarser events: {', '.join(done.twins_removed)}."
            )
        if done.keys_removed:
            dates += f" Keys removed because they would lead to these dates: {', '.join(done.keys_removed)}."
        return (
            f"Released as {levels}; {plural(done.rows_left_out, 'row')} of {done.rows:,} left out with "
            f"{plural(done.values_left_out, 'value')}, and {self.release.left_out:,} of "
            f"{self.release.people:,} people.{dates} {percent(done.loss)} of the detail is lost. "
            "Rows and levels are chosen by a heuristic: fewer might be enough."
        )

    def _released_names(self) -> tuple[str, ...]:
        return self.release._released_names()

    def _released_rows(self, name: str | None) -> Any:
        return self.release._released_rows(name)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        threshold, release = self.after.threshold, self.release.to_dict()
        return {
            "kind": "relational_deidentified",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {
                **settings_of(self.release.config),
                "max_suppression": self.limits.people,
                "max_event_suppression": self.limits.rows,
            },
            "seed": self.after.exposure.knowledge.seed,
            "versions": versions(),
            "place": self.release.place,
            "reasons": texts(self.reasons()),
            "holds": holds(self.reasons()),
            "warnings": release["warnings"],
            "threshold": {
                "probability": threshold.probability,
                "reason": threshold.reason,
                "cell_size": threshold.cell_size,
            },
            "highest": probability_of(self.after),
            "protection": {**self.protection.to_dict(), "people_left_out": self.release.left_out},
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "release": release,
            "undefined": {},
        }


def probability_of(risk: RelationalRisk) -> float:
    """The risk of the most exposed person."""
    return 1 / int(risk.worst.least.min())


def protected_release(  # noqa: PLR0913 - the tables, where to write, what decides
    database: Database,
    config: RelationalConfig,
    out: str | Path,
    *,
    key: bytes,
    threshold: Threshold | None = None,
    known: int | None = None,
    limits: ProtectLimits | None = None,
    stop: Callable[[], bool] | None = None,
) -> ProtectedRelease:
    """Choose levels, rows and people, write all tables, and measure the risk again on the written files.

    If the written files expose somebody, because a treatment changed the classes, they are left out as well
    and the tables are written again. Nothing is written if the limits do not allow that.
    """
    limit, limits = threshold or USUAL, limits or ProtectLimits()
    config = spelled(database, completed(database, config))
    knowledge = JoinKnowledge.of(config, known=known)
    people = people_of(database, config)
    shift = _offsets(database, config, key)
    before = risk_of(people, knowledge, place=database.place, threshold=limit, shift=shift, drivers=False)
    if config.profile == "fhir":
        return _protected_resources(_Written(database, config, key, knowledge, limit), out, before, limits)
    chosen = protect_people(database, people, config, knowledge, limit, limits=limits, shift=shift, stop=stop)
    left_out = chosen.left_out
    promised = {
        "cell_size": limit.cell_size,
        "known": knowledge.total,
        "by_table": dict(knowledge.by_table),
    }
    for _ in range(MOST_TIMES):
        written = _Written(database, chosen.config, key, knowledge, limit)
        try:
            release = release_database(
                database,
                chosen.config,
                out,
                key=key,
                left_out=left_out,
                check=written.refuse_exposed,
                promised=promised,
            )
        except _StillExposedError as error:
            left_out = left_out | error.people
            if np.count_nonzero(left_out) > limits.people * len(left_out) + 1e-9 or left_out.all():
                break
            continue
        return ProtectedRelease(release, replace(chosen, left_out=left_out), before, written.risk(), limits)
    raise NoSolution(
        f"The written tables would expose more than {percent(limits.people)} of the people: a treatment "
        "changes values that the search counted. Nothing was written.",
        hint="Give coarser hierarchies, or a higher --max-suppression.",
    )


def _protected_resources(
    written: _Written, out: str | Path, before: RelationalRisk, limits: ProtectLimits
) -> ProtectedRelease:
    """Resources of FHIR as their profile releases them, if nobody is exposed then: nothing is generalized."""
    people = before.exposure.people
    nobody = np.zeros(len(people), dtype=np.bool_)
    kept = Protected(written.config, nobody, {}, (), len(people.person), 0, 0, 0.0, 1, 1)
    try:
        release = release_database(
            written.database, written.config, out, key=written.key, check=written.refuse_exposed
        )
    except _StillExposedError as error:
        size = written.threshold.cell_size
        raise NoSolution(
            f"{np.count_nonzero(error.people):,} of {len(nobody):,} people would be in groups smaller than "
            f"{size} in the released resources, {error.by_quasi:,} of them by quasi-identifiers alone. "
            "Values of FHIR resources cannot be generalized. Nothing was written.",
            hint="Leave out columns of patient (columns: {patient.birth_date: drop}) or files of resources "
            "with events, assume fewer known events, or give the resources as tables, with hierarchies.",
        ) from None
    return ProtectedRelease(release, kept, before, written.risk(), limits)


def _keys(database: Database, config: RelationalConfig) -> list[str]:
    """The keys of all people, in their order."""
    return database.tables.person_keys(database.at(config.person), repeats=config.repeats)


def _offsets(database: Database, config: RelationalConfig, key: bytes) -> Ints | None:
    if config.dates.offset is None:
        return None
    return person_offsets(_keys(database, config), key, config.dates.offset)


class _StillExposedError(Exception):
    """People whom the written files expose."""

    def __init__(self, people: Bools, by_quasi: int) -> None:
        super().__init__("some people are exposed")
        self.people = people
        self.by_quasi = by_quasi


@dataclass(eq=False)
class _Written:
    """The written folder, measured before it appears."""

    database: Database
    config: RelationalConfig
    key: bytes
    knowledge: JoinKnowledge
    threshold: Threshold
    found: RelationalRisk | None = None

    def risk(self) -> RelationalRisk:
        if self.found is None:
            raise NoSolution("The release was not measured.", hint="Release the tables again.")
        return self.found

    def refuse_exposed(self, folder: Path) -> None:
        found, of = measure_written(
            folder, self.database, self.config, self.key, self.knowledge, self.threshold
        )
        if not found.acceptable:
            exposed = found.worst.floor < self.threshold.cell_size
            people = np.zeros(len(_keys(self.database, self.config)), bool)
            people[of[exposed]] = True
            static = found.exposure.people.static
            by_quasi = np.bincount(static)[static] < self.threshold.cell_size
            raise _StillExposedError(people, int(np.count_nonzero(by_quasi)))
        self.found = found


def measure_written(
    folder: Path,
    database: Database,
    config: RelationalConfig,
    key: bytes,
    knowledge: JoinKnowledge,
    threshold: Threshold,
) -> tuple[RelationalRisk, Ints]:
    """The risk of the people in written files, and who each of them is among the originals."""
    content = read_treatment(folder)
    olds = _keys(database, config)
    place_of = {new: place for place, new in enumerate(pseudonyms_of(content, key, olds))}
    files = {table: str(folder / name) for table, name in content["tables"].items()}
    with Database.open(folder, files=files) as released:
        people = people_of(released, config)
        keys = _keys(released, config)
    strange = sum(one not in place_of for one in keys)
    if strange:
        raise BadData(
            f"{plural(strange, 'person')} of the release: not among the originals by this key.",
            hint="Name the originals, the settings and the key with which the tables were released.",
        )
    of = np.array([place_of[one] for one in keys], dtype=np.int64)
    offsets = None if config.dates.offset is None else person_offsets(olds, key, config.dates.offset)[of]
    if offsets is not None and people.day is not None:
        true = people.day - offsets[people.person]
        people = replace(people, day=np.where(people.day == NO_DAY, NO_DAY, true))
    found = risk_of(
        people, knowledge, place=database.place, threshold=threshold, shift=offsets, drivers=False
    )
    return found, of
