"""A relational part: linked tables, de-identified by their settings, written aside, proved and measured."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

from reidrisk.assess.kind import PartCase, RunControl, TableWriter
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.sketch import DraftFile, PartSketch
from reidrisk.assess.verdict import (
    PartVerdict,
    Remedy,
    RiskFigure,
    decide_records,
    known_events,
    verdict_words,
)
from reidrisk.context.score import ContextScore
from reidrisk.core.file_set import at_once, together
from reidrisk.core.inventory import ROLES, Inventory, InventoryItem, Status
from reidrisk.core.key import read_key
from reidrisk.core.place import SettingPlace
from reidrisk.core.scratch import scratch_folder
from reidrisk.core.settings import (
    PART_NAME,
    AnyValue,
    Choice,
    Entry,
    FileName,
    MappingOf,
    SettingGroup,
    YesNo,
    form_entries,
)
from reidrisk.core.threshold import Threshold
from reidrisk.core.trail import log_written
from reidrisk.core.wording import percent, probability
from reidrisk.errors import NoSolution
from reidrisk.relational.config import KEYS, RelationalConfig, config_of, table_column
from reidrisk.relational.database import Database
from reidrisk.relational.exposure import JoinKnowledge
from reidrisk.relational.joint import JointPart, MovedDays
from reidrisk.relational.plan import Treatment, completed
from reidrisk.relational.protect import ProtectLimits
from reidrisk.relational.protected import measure_written, protected_release
from reidrisk.relational.release import RelationalRelease, release_database
from reidrisk.relational.risk import RelationalRisk
from reidrisk.relational.told import coarser_labels
from reidrisk.tables.deidentify.settings import MAX_EVENT_SUPPRESSION, MAX_SUPPRESSION

SIZES = (3, 5, 11, 20)
"""Cell sizes that other assumptions ask for."""
LIMITS = (
    replace(MAX_SUPPRESSION, help="Largest share of people who may be left out. Needs `deidentify`."),
    replace(
        MAX_EVENT_SUPPRESSION,
        help="Largest share of rows with events that may be left out. Needs `deidentify`.",
    ),
)
COUNTED = (
    *(key for key in KEYS if key not in ("key", "out")),
    *(one.name for one in LIMITS),
    "confirmed",
)
GONE = ("drop", "blank")
UNREAD = "keys, roles and treatments were suggested; read them, then write confirmed: true"
MEASURE = "Each person has one pseudonym, and all dates of a person move together."
RELATIONAL_FORM = SettingGroup(
    {
        "name": PART_NAME,
        "kind": Entry(
            Choice(("relational",)), "Linked tables about the same people, released together.", needed=True
        ),
        "folder": Entry(FileName(), "The original tables: one file per table. Otherwise name `tables`."),
        "tables": Entry(MappingOf(FileName()), "By table: its file, if not all of a folder."),
        "confirmed": Entry(
            YesNo(),
            "Whether a person has read and confirmed keys, roles and treatments. A draft of `reidrisk init` "
            "says false, which stops an acceptable verdict.  [true]",
        ),
        "key": Entry(FileName(), "Key file for pseudonyms and dates.", needed=True),
        "deidentify": Entry(
            YesNo(), "True: generalize, and leave out rows and people, until it is acceptable."
        ),
        "out": Entry(
            FileName(), "Folder for the released tables, written if acceptable. Needs `deidentify`."
        ),
        **form_entries(LIMITS),
        **{
            key: Entry(AnyValue("as in the settings of linked tables"), f"`{key}` of the settings.")
            for key in KEYS
            if key not in ("folder", "key", "out", "tables", "deidentify")
        },
    },
    title="A relational part",
    about="The settings are those of [linked tables](../guides/relational.md). The tables are written aside, "
    "proved, and measured as they would be released. With `deidentify` and `out`, the folder is written if "
    "the verdict is acceptable; without, `reidrisk relational deidentify` writes it.",
)


@dataclass(frozen=True, slots=True, eq=False)
class WrittenTables:
    """Tables as they would be released, and what is known about them."""

    release: RelationalRelease = field(repr=False)
    risk: RelationalRisk = field(repr=False)
    keys: list[str] = field(repr=False)
    """The original key of each person in them."""
    protection: str | None = None
    """What the search chose; None if the settings were enough."""
    no_solution: str | None = None
    """Why the search found nothing."""


@dataclass(frozen=True)
class RelationalPart(TableWriter):
    """Linked tables that are de-identified by their settings."""

    kind: ClassVar[str] = "relational"
    form: ClassVar[SettingGroup] = RELATIONAL_FORM
    writes_folder: ClassVar[bool] = True
    sketch_order: ClassVar[int] = 2

    cell_size: int = 5
    """That of the context."""

    @classmethod
    def of(cls, name: str, given: Mapping[str, Any], folder: Path, score: ContextScore) -> Self:
        """The part with these settings."""
        return cls(name, given, folder, score.threshold.cell_size)

    @property
    def config(self) -> RelationalConfig:
        """The settings of the tables."""
        stated = {key: self.given[key] for key in KEYS if self.given.get(key) is not None}
        return config_of(stated, folder=self.folder, place=self.name)

    @property
    def searches(self) -> bool:
        """Whether values, rows and people may go until the risk is acceptable."""
        return bool(self.given.get("deidentify"))

    @property
    def limits(self) -> ProtectLimits:
        """How much may be left out."""
        stated = [one.default if (own := self.given.get(one.name)) is None else own for one in LIMITS]
        return ProtectLimits(*stated)

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Check files, settings, and the folder to be written."""
        if bool(self.given.get("folder")) == bool(self.given.get("tables")):
            raise place.wrong("names no folder, or both folder and tables.", hint="Write one of them.")
        self.check_sources(place)
        self.check_key(place)
        for name in ("out", *(one.name for one in LIMITS)):
            if self.given.get(name) is not None and not self.searches:
                raise place.at(name).wrong(
                    "is only for tables that are de-identified here.", hint="Write deidentify: true, too."
                )
        with place.names_line():
            _ = self.config
        self.check_out(place)

    def check_key(self, place: SettingPlace) -> None:
        """Refuse a key file that does not exist."""
        if not (self.folder / self.given["key"]).is_file():
            raise place.at("key").missing(
                self.given["key"], hint="Create it with: reidrisk key new FILE --for pseudonyms"
            )

    def check_out(self, place: SettingPlace) -> None:
        """Refuse a folder that cannot be made, or that has to do with the originals."""
        if self.out is None:
            return
        out = self.out.resolve()
        sources = [(self.folder / one).resolve() for one in self.sources()]
        if not out.parent.is_dir():
            raise place.at("out").wrong(
                "is in a folder that does not exist.", hint="Create the folder first."
            )
        if out.exists() and not out.is_dir():
            raise place.at("out").wrong("is a file.", hint="Name a folder to write.")
        if any(out.is_relative_to(source) or source.is_relative_to(out) for source in sources):
            raise place.at("out").wrong(
                "is the folder of the originals, or inside it, or around it.", hint="Name another folder."
            )

    @property
    def moved_dates(self) -> MovedDates:
        """By `dates` of the settings, and the key."""
        dates = self.config.dates
        anchored = dates.anchor is not None
        setting = "dates.anchor" if anchored else "dates.offset"
        return MovedDates(setting, dates.offset, Path(self.path(self.given["key"])), anchored=anchored)

    def sources(self) -> tuple[str, ...]:
        """The folder or the files, and a file with hierarchies."""
        rules, folder = self.given.get("hierarchies"), self.given.get("folder")
        tables = (
            [str(folder)] if folder else [str(file) for file in (self.given.get("tables") or {}).values()]
        )
        return (*tables, *((rules,) if isinstance(rules, str) else ()))

    def counted(self) -> Mapping[str, Any]:
        """Everything but the key, unless distances between dates depend on it."""
        dates = self.config.dates
        key = {"secret": self.fingerprint} if dates.know == "intervals" and dates.offset is not None else {}
        return {**{name: self.given.get(name) for name in COUNTED}, "cell_size": self.cell_size, **key}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Write the tables aside, prove them, and measure the risk of the people in them."""
        control.report(self.name, "tables")
        found = self._written_aside(control.seed)
        if self.name in control.joined:
            control.written[self.name] = self, found
        sizes = sorted({*SIZES, self.cell_size})
        return {
            "by_cell_size": {
                str(size): self.with_short_paths(
                    replace(found.risk, threshold=Threshold.from_cell_size(size, "to be judged")).to_dict()
                )
                for size in sizes
            },
            "inventory": [one.to_dict() for one in (*self._unread(), *map(_item, found.release.treatments))],
            "release": self._shown_release(found.release),
            "protection": found.protection,
            "no_solution": found.no_solution,
        }

    def _unread(self) -> Iterator[InventoryItem]:
        """What a draft said and no person has confirmed."""
        if self.given.get("confirmed", True) is not True:
            yield InventoryItem(ROLES, "suggestion", "kept", "unmeasured", UNREAD)

    def _shown_release(self, release: RelationalRelease) -> dict[str, Any]:
        """What became of every table and column; where it was written aside concerns nobody."""
        found: dict[str, Any] = self.with_short_paths(release.to_dict())
        proof = {**found["proof"], "database": self.given.get("out") or self.name}
        tables = sorted(found["tables"], key=lambda one: str(one["table"]))
        return {**found, "tables": tables, "proof": proof}

    def _written_aside(self, seed: int) -> WrittenTables:
        """The release in a work folder that goes at the end, its risk, and the keys of its people."""
        with Database.of(self.config) as database, scratch_folder() as folder, at_once():
            return self._release(database, folder / "released", seed)

    def _release(self, database: Database, out: Path, seed: int) -> WrittenTables:
        """Write and measure the tables; if somebody is exposed, search for what must go, and write that."""
        key = read_key(self.path(self.given["key"]))
        config = completed(database, self.config)
        limit = Threshold.from_cell_size(self.cell_size, "the cell size of the context")
        knowledge = JoinKnowledge.of(config, seed=seed)
        release = release_database(database, config, out, key=key)
        risk, of = measure_written(out, database, config, key, knowledge, limit)
        protection = no_solution = None
        if self.searches and not risk.acceptable:
            with scratch_folder() as other:
                try:
                    done = protected_release(
                        database, config, other / "limited", key=key, threshold=limit, limits=self.limits
                    )
                except NoSolution as error:
                    no_solution = error.problem
                else:
                    release, protection = done.release, done.reasons()[-1].text
                    risk, of = measure_written(
                        other / "limited", database, release.config, key, knowledge, limit
                    )
                    shutil.rmtree(out)
                    shutil.move(other / "limited", out)
        keys = database.tables.person_keys(database.at(config.person), repeats=config.repeats)
        return WrittenTables(release, risk, [keys[place] for place in of.tolist()], protection, no_solution)

    def write(self, control: RunControl, path: Path) -> None:
        """Write the folder as it was measured, all of it or nothing; the proof is part of it."""
        control.report(self.name, "tables")
        target = path.resolve()
        before = {file for file in target.rglob("*") if file.is_file()} if target.is_dir() else set()
        with together() as files:
            draft = files.draft(target)
            with at_once(), Database.of(self.config) as database:
                self._release(database, draft, control.seed)
            files.then(partial(log_written, target))  # as a folder, whichever of its files are new
            for file in sorted(before):
                if not (draft / file.relative_to(target)).exists():
                    files.remove(file)

    def people(self, control: RunControl) -> JointPart:
        """What the released tables tell about each person, by the original keys."""
        found = self._written_once(control)
        config = found.release.config
        with Database.of(self.config) as database:
            columns = {
                one.name: database.at(one.column) for one in config.attributes() if database.has(one.column)
            }
            coarser = {
                name: coarser_labels(config.hierarchies[attribute], database.tables.values(at))
                for name, at in columns.items()
                if (attribute := config.attribute_of(at)) in config.hierarchies
            }
        exposure = found.risk.exposure
        people = exposure.people
        shown = _attribute_names(config, people.columns)
        attributes = {
            shown[name]: tuple(people.labels[name][code] for code in codes.tolist())
            for name, codes in people.columns.items()
        }
        return JointPart(
            self.name,
            tuple(found.keys),
            attributes,
            tables=people.tables,
            person=people.person,
            table=people.table,
            event=people.event,
            days=None
            if people.day is None or exposure.shift is None
            else MovedDays(people.day, exposure.shift, exposure.knowledge.most),
            coarser={shown[name]: own for name, own in coarser.items() if name in shown},
        )

    def _written_once(self, control: RunControl) -> WrittenTables:
        """What measuring the part wrote aside; written here if that was not needed."""
        with control.writing:
            part, found = control.written.get(self.name, (None, None))
            if part is not self or found is None:
                found = self._written_aside(control.seed)
                control.written[self.name] = self, found
        return found

    def judge(
        self,
        measured: Mapping[str, Any],
        score: ContextScore,
        *,
        seed: int,  # noqa: ARG002 - nothing is drawn here
        quick: bool = False,
    ) -> PartVerdict:
        """The rule of the context on people over all tables; what was sampled counts by its limit."""
        found = self._at(measured, score.threshold)
        worst = found["by_known"][-1]
        smallest = round(1 / worst["highest_limit"])
        decision = decide_records(score, smallest=smallest, average=worst["average_high"])
        statistic = f"{decision.statistic}{known_events(worst['known'])}"
        sentence = (
            f"{statistic[0].upper()}{statistic[1:]}: {probability(decision.risk)}, {decision.why}; "
            f"{percent(worst['share_above_threshold'])} of people are in groups smaller than "
            f"{score.threshold.cell_size}: {verdict_words(decision.acceptable)}."
        )
        if measured["no_solution"] and not decision.acceptable:
            sentence += f" {measured['no_solution']}"
        verdict = PartVerdict(
            acceptable=decision.acceptable,
            statistic=statistic,
            risk=decision.risk,
            attempt=decision.attempt,
            overall=decision.overall,
            threshold=score.threshold.probability,
            cell_size=score.threshold.cell_size,
            sentence=sentence,
            final=RiskFigure(statistic, decision.risk),
            measures=(MEASURE, *([measured["protection"]] if measured["protection"] else [])),
            result=None if quick else {**found, "release": measured["release"]},
        )
        return verdict.with_inventory(Inventory.from_list(measured["inventory"]))

    def _at(self, measured: Mapping[str, Any], threshold: Threshold) -> dict[str, Any]:
        """The figures for a threshold; for a cell size that was not counted, those of the next larger."""
        known = {int(size): found for size, found in measured["by_cell_size"].items()}
        larger = [size for size in sorted(known) if size >= threshold.cell_size]
        found: dict[str, Any] = known[larger[0] if larger else max(known)]
        stated = {
            "probability": threshold.probability,
            "reason": threshold.reason,
            "cell_size": threshold.cell_size,
        }
        return {**found, "threshold": stated}

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:
        """For a folder of tables that refer to each other, or follow a standard."""
        from reidrisk.assess.linked_sketch import sketch_folder

        return sketch_folder(file)

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """What was measured without each table."""
        for row in self._at(measured, case.score.threshold)["remedies"][:3]:
            yield case.untested_remedy("drop", str(row["text"]), None, 4)


def _attribute_names(config: RelationalConfig, names: Iterable[str]) -> dict[str, str]:
    """Attributes as `same` of the part names them; otherwise, and if two have one name, by their column."""
    wanted = {
        name: name if name in config.derive else config.attribute_of(table_column(name, "quasi"))
        for name in names
    }
    several = {name for name, number in Counter(wanted.values()).items() if number > 1}
    return {name: name if attribute in several else attribute for name, attribute in wanted.items()}


def _item(one: Treatment) -> InventoryItem:
    status: Status = "accepted"
    if one.plan.action in GONE:
        status = "removed"
    elif one.role in ("quasi-identifier", "event", "date"):
        status = "measured"
    why = "chosen in the settings" if one.source == "settings" else f"by {one.source}"
    return InventoryItem(str(one.at), one.role, one.words, status, why)
