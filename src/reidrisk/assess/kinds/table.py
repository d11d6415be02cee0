"""A table part that is released unchanged.

Classes are counted once; the risk in any context is computed from the counts. The parts of tables that are
transformed, de-identified or attacked share some settings and functions of this file.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.sketch import DraftFile, PartSketch
from reidrisk.assess.verdict import (
    PartVerdict,
    Remedy,
    RemedyKind,
    RiskFigure,
    decide_records,
    known_events,
    short_known_events,
    verdict_words,
)
from reidrisk.context.rule import PartKind
from reidrisk.context.score import ContextScore
from reidrisk.core.classes import ClassSizes
from reidrisk.core.place import SettingPlace
from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Schema
from reidrisk.core.settings import (
    PART_NAME,
    Choice,
    Entry,
    SettingGroup,
    TextSetting,
    YesNo,
    form_entries,
)
from reidrisk.core.wording import probability
from reidrisk.errors import InvalidSetting
from reidrisk.stats.class_risk import AttackRisk
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables.deidentify.settings import STEPS
from reidrisk.tables.events import EventKnowledge, event_knowledge
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from, read_hierarchies
from reidrisk.tables.inventory import ColumnUse, identifiers_among
from reidrisk.tables.measure import MeasureSettings, TableMeasure
from reidrisk.tables.rare import RareCodes
from reidrisk.tables.result import TableRisk
from reidrisk.tables.risk import measure_table
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.settings import (
    ADVERSARY,
    COLUMN_SETTINGS,
    COUNT_SETTINGS,
    ESCAPE_FORMULAS,
    EVENT_SETTINGS,
    FREE_TEXT,
    HIERARCHIES,
    KEY,
    OTHER,
    OUT,
    QUASI,
    READING_SETTINGS,
    REDUCE,
    RISK_SETTINGS,
    SENSITIVE,
    UNIT,
)

TREATMENT_WORDS = {
    "drop": "is left out",
    "pseudonym": "is replaced by a pseudonym",
    "number": "is replaced by a number",
    "keep": "is kept on purpose",
}
SAMPLED_ONLY = (
    "The sets of events that may be known were only sampled, which cannot show that no record is above the "
    "threshold: not acceptable."
)
TABLE_SETTINGS: Mapping[str, Entry] = {
    "name": PART_NAME,
    "kind": Entry(Choice(("table",)), "A data set, released unchanged or to be de-identified.", needed=True),
    "table": Entry(TextSetting("path, folder, pattern or URL"), "The table.", needed=True),
    **form_entries((*COLUMN_SETTINGS, HIERARCHIES, *EVENT_SETTINGS, *READING_SETTINGS)),
    "confirmed": Entry(
        YesNo(),
        "Whether a person has read and confirmed the roles of all columns. A draft of `reidrisk init` says "
        "false, and then the part is never acceptable.  [true]",
    ),
}
DISCLOSURE_SETTINGS: Mapping[str, Entry] = form_entries(SENSITIVE_SETTINGS)
TABLE_FORM = SettingGroup(
    {
        **TABLE_SETTINGS,
        **DISCLOSURE_SETTINGS,
        QUASI.name: replace(QUASI.entry, needed=True),
        "deidentify": Entry(YesNo(), "Whether to de-identify the table.  [false]"),
        **form_entries(
            (STEPS, KEY, replace(OUT, help=f"{OUT.help} Needs `steps`."), ESCAPE_FORMULAS, *RISK_SETTINGS)
        ),
    },
    title="A table part, measured unchanged",
    about="With `hierarchies`, every single generalization is tried.",
)
COUNTED = (
    "table",
    *(
        one.name
        for one in (
            *(QUASI, UNIT, REDUCE, SENSITIVE, FREE_TEXT, OTHER, HIERARCHIES),
            *EVENT_SETTINGS,
            *COUNT_SETTINGS,
            *SENSITIVE_SETTINGS,
            *READING_SETTINGS,
        )
    ),
)
"""The settings that the counts depend on."""


class TablePart(ReleasePart):
    """A table that is released unchanged."""

    kind: ClassVar[str] = "table"
    form: ClassVar[SettingGroup] = TABLE_FORM
    sketch_order: ClassVar[int] = 9
    judged_as: ClassVar[PartKind] = "table"

    @property
    def schema(self) -> Schema:
        """The roles of the columns."""
        return Schema(
            quasi=tuple(self.given["quasi"]),
            direct=tuple(self.treatments),
            sensitive=tuple(self.given.get("sensitive") or ()),
            unit=self.given.get("unit"),
            reduce=self.given.get("reduce") or {},
            text=self.given.get("text") or {},
            other=self.given.get("other") or {},
        )

    @property
    def treatments(self) -> dict[str, str]:
        """What is done to direct identifiers; they are dropped unless stated otherwise."""
        direct = self.given.get("direct") or {}
        return dict(direct) if isinstance(direct, Mapping) else dict.fromkeys(direct, "drop")

    @property
    def adversary(self) -> str:
        """Whose risk decides."""
        return str(self.given.get(ADVERSARY.name) or ADVERSARY.default)

    @property
    def sampling(self) -> Sampling | None:
        """How the table was drawn from its population, if stated."""
        return Sampling.of(self.given)

    @property
    def events(self) -> EventKnowledge | None:
        """What the adversary knows about the events of a person, if the table has events."""
        found = event_knowledge(
            self.given.get("events"),
            self.given.get("known"),
            counted=bool(self.given.get("count_events")),
        )
        if found is not None:
            found.check(self.schema)
        return found

    @property
    def reading(self) -> TableReading | None:
        """How the cells of the table are read, if stated."""
        return TableReading.of(self.given)

    @property
    def disclosure_limits(self) -> SensitiveLimits | None:
        """Limits on what classes may reveal about sensitive columns, if stated."""
        names = (name for name in DISCLOSURE_SETTINGS if self.given.get(name) is not None)
        stated = {name: self.given[name] for name in names}
        if stated and not self.given.get("sensitive"):
            raise InvalidSetting(
                f"{', '.join(stated)}: limits need a sensitive column.", hint="Write sensitive: [column]."
            )
        return SensitiveLimits(**stated) if stated else None

    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Hierarchies by column, if there are any."""
        return given_hierarchies(self.given.get("hierarchies"), self.folder, place=self.name)

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Check files and settings; a table that is not changed is not written."""
        for setting in ("out", "key"):
            if self.given.get(setting):
                raise place.at(setting).wrong(
                    "is only for a table that is changed; this one is released unchanged.",
                    hint="Add steps:, or deidentify: true.",
                )
        self.check_sources(place)
        self.check_table(place)

    def check_table(self, place: SettingPlace) -> None:
        """Check the schema, sampling, limits, adversary and hierarchies."""
        with place.names_line():
            _ = self.schema, self.sampling, self.disclosure_limits, self.reading
        if self.adversary == "journalist" and not (self.given.get("population") or self.sampling):
            raise place.at("adversary").wrong(
                "is journalist, which needs a population.",
                hint="Write population: FILE, or sampling_fraction, population_size or weights.",
            )
        with place.names_line(self.name):
            self.hierarchies()
        known = (*self.schema.quasi, *self.schema.sensitive, *(self.given.get("events") or ()))
        check_column_names(self.given.get("hierarchies"), known, place.at("hierarchies"))

    def sources(self) -> tuple[str, ...]:
        """The table, and the files for population, rare codes, a previous release and hierarchies."""
        names = [self.given.get(name) for name in ("table", "population", "rare", "previous")]
        return (*(name for name in names if name), *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Columns, inputs and limits."""
        stated = {name: self.given.get(name) for name in COUNTED}
        confirmed = bool(self.given.get("confirmed", True))
        return {**stated, "direct": dict(self.treatments), "confirmed": confirmed}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Count classes: for all columns, without each column, and after each single generalization."""
        control.report(self.name, "classes")
        found = measure_table(
            self.path(self.given["table"]), self.schema, settings=self.counts(control), reading=self.reading
        )
        return self.measure_dict(found)

    def counts(self, control: RunControl) -> MeasureSettings:
        """What to count beside the classes."""
        population, rare = self.given.get("population"), self.given.get("rare")
        previous = self.given.get("previous")
        return MeasureSettings(
            population=None if population is None else self.path(population),
            rare=RareCodes.read(self.path(rare), self.given.get("rare_columns") or ()) if rare else None,
            hierarchies=self.hierarchies(),
            sampling=self.sampling,
            sensitive_limits=self.disclosure_limits,
            special=self.given.get("special"),
            previous=None if previous is None else self.path(previous),
            events=None if self.events is None else replace(self.events, seed=control.seed),
            use=self.column_use,
        )

    def measure_dict(self, found: TableMeasure) -> dict[str, Any]:
        """A measurement as JSON types, with paths as the release file names them."""
        inputs = tuple((name, self.with_short_paths(value)) for name, value in found.inputs)
        return replace(found, inputs=inputs).to_dict()

    @property
    def column_use(self) -> ColumnUse:
        """What happens to columns before the release, as the release file states it."""
        return ColumnUse(treatments=self.treatments, confirmed=self.given.get("confirmed", True))

    def judge(
        self,
        measured: Mapping[str, Any],
        score: ContextScore,
        *,
        seed: int,  # noqa: ARG002 - part of the contract
        quick: bool = False,  # noqa: ARG002
    ) -> PartVerdict:
        """The record with the highest risk, or the average, by the rule of the context."""
        found = TableMeasure.from_dict(measured)
        return self.judge_sizes(found, found.sizes, score)

    def judge_sizes(self, found: TableMeasure, sizes: ClassSizes, score: ContextScore) -> PartVerdict:
        """The verdict for classes of these sizes, as a change would make them."""
        risk = found.risk(score.threshold)
        smallest, average = self._class_figures(risk, sizes)
        decision = decide_records(score, smallest=smallest, average=average, part=self.judged_as)
        events = risk.longitudinal
        number = None if events is None else events.found.knowledge.known
        objections = list(_objections(found, risk))
        estimate = risk.deciding_estimate if self.adversary == "journalist" else None
        limit = "" if estimate is None else ", upper limit of the estimate,"
        sentence = (
            f"The {decision.statistic}{known_events(number)}{limit} is {probability(decision.risk)}; "
            f"{decision.why}: {verdict_words(decision.acceptable)}."
        )
        told = () if estimate is None else (estimate.summary(),)
        verdict = PartVerdict(
            acceptable=decision.acceptable and not objections,
            statistic=f"{decision.statistic}, {self.adversary}{short_known_events(number)}",
            risk=decision.risk,
            attempt=decision.attempt,
            overall=decision.overall,
            threshold=score.threshold.probability,
            cell_size=score.threshold.cell_size,
            sentence=" ".join([sentence, *told, *objections]),
            final=RiskFigure(decision.statistic, decision.risk),
            measures=self._measures(),
            result=risk.to_dict(),
        )
        return verdict.with_inventory(found.inventory)

    def _class_figures(self, risk: TableRisk, sizes: ClassSizes) -> tuple[int, float]:
        """The smallest class and the average risk, in the view of the adversary who decides.

        If the population is estimated, both are limits: the estimates themselves decide nothing.
        """
        against = risk.journalist if self.adversary == "journalist" else None
        estimate = risk.deciding_estimate if self.adversary == "journalist" else None
        if estimate is not None:
            smallest, average = estimate.smallest_limit, estimate.average_limit
        else:
            smallest = sizes.smallest if against is None else _people_in_class(against)
            average = sizes.classes / sizes.records if against is None else against.average
        if risk.longitudinal is not None:
            worst = risk.longitudinal.worst
            smallest, average = min(smallest, worst.smallest), max(average, worst.high)
        return smallest, average

    def _measures(self) -> tuple[str, ...]:
        """Treatments of direct identifiers are stated, not checked, because no table is written."""
        return tuple(
            f"{column} {TREATMENT_WORDS[treatment]} before release (as stated, not checked)."
            for column, treatment in self.treatments.items()
        )

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Drop identifiers, search for a solution, generalize a column, or drop a column."""
        found = TableMeasure.from_dict(measured)
        yield from self._drop_identifiers(found, case)
        yield from self._search(case)
        yield from self._know_the_population(found, case)
        if self.adversary != "prosecutor" or found.events is not None:
            return  # class sizes in the population, and supports of events, were counted for this table only
        levels: dict[str, int] = {}
        for step in found.steps:
            levels[step.column] = levels.get(step.column, 0) + 1
            text = f"Generalize {step.column} to {step.level}"
            change = TableChange("generalize", text, None, levels[step.column])
            yield from self._with_classes(found, case, step.sizes, change)
        for rest in found.without:
            if rest.columns and isinstance(rest.sizes, ClassSizes):  # an estimate proves no remedy
                change = self._drop_column(found, rest.columns)
                yield from self._with_classes(found, case, rest.sizes, change)

    def _drop_column(self, found: TableMeasure, kept: Sequence[str]) -> TableChange:
        gone = [name for name in found.schema.quasi if name not in kept]
        settings = {
            f"parts.{self.name}.quasi": list(kept),
            f"parts.{self.name}.direct": {**self.treatments, **dict.fromkeys(gone, "drop")},
        }
        return TableChange("drop", f"Leave out {', '.join(gone)}", settings, 8)

    def _drop_identifiers(self, found: TableMeasure, case: PartCase) -> Iterator[Remedy]:
        """Leave out columns that seem to identify people."""
        columns = identifiers_among(found.inventory.items)
        if not columns:
            return
        overall, stops = case.verdict.overall, {one.item for one in found.inventory.unmeasured}
        enough = case.verdict.figures_acceptable and stops == set(columns)
        yield Remedy(
            kind="drop",
            part=self.name,
            text=f"Leave out {', '.join(columns)}.",
            change={f"parts.{self.name}.direct": {**self.treatments, **dict.fromkeys(columns, "drop")}},
            risk_before=overall,
            risk_after=overall,
            part_acceptable_after=enough,
            acceptable_after=enough and case.others_acceptable,
            size=1,
        )

    def _search(self, case: PartCase) -> Iterator[Remedy]:
        """With hierarchies, `deidentify` can search for a solution."""
        if not self.given.get("hierarchies"):
            return
        text = (
            "Search for the smallest loss that makes the table acceptable. Only the search can show whether "
            "it succeeds."
        )
        yield case.untested_remedy("generalize", text, {f"parts.{self.name}.deidentify": True}, 3)

    def _know_the_population(self, found: TableMeasure, case: PartCase) -> Iterator[Remedy]:
        """For a journalist against an estimated population: what replaces the estimate."""
        if self.adversary != "journalist" or found.sampled is None or found.matched is not None:
            return
        text = (
            "Name a table of the population (population:), so that classes are counted and not estimated; or "
            "release fewer quasi-identifiers or coarser values, until every class reaches the cell size."
        )
        yield case.untested_remedy("generalize", text, None, 4)

    def _with_classes(
        self, found: TableMeasure, case: PartCase, sizes: ClassSizes, change: TableChange
    ) -> Iterator[Remedy]:
        """The effect of other classes on the risk; otherwise on the number of records above the threshold."""
        helpful = list(
            case.remedy(
                change.kind,
                change.text,
                lambda score: self.judge_sizes(found, sizes, score),
                change.settings,
                change.size,
            )
        )
        if helpful:
            yield from helpful
            return
        k = case.score.threshold.cell_size
        now, then = (one.records_below(k) / one.records for one in (found.sizes, sizes))
        if then < now:
            risk = case.verdict.overall
            text = (
                f"{change.text}: lowers the share of records above 1/{k} from {100 * now:.1f} % to "
                f"{100 * then:.1f} %; the highest risk stays the same."
            )
            yield Remedy(
                kind=change.kind,
                part=case.name,
                text=text,
                change=change.settings,
                risk_before=risk,
                risk_after=risk,
                part_acceptable_after=False,
                acceptable_after=False,
                size=20 + then,
            )

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:
        """For any table; every other kind is tried first."""
        from reidrisk.assess.table_sketch import TableSketch
        from reidrisk.tables.draft import draft_table, suggested

        found = suggested(file.source)
        return TableSketch(file.written, draft_table(file.source, found), found)


@dataclass(frozen=True, slots=True)
class TableChange:
    """A change to the columns of a table, to try as a remedy."""

    kind: RemedyKind
    text: str
    settings: Mapping[str, Any] | None
    """For `--set`; None if there is no such setting."""
    size: float


def _objections(found: TableMeasure, risk: TableRisk) -> Iterator[str]:
    """What makes a table unacceptable whatever the size of its classes."""
    for one in found.disclosure:
        if not one.acceptable:
            yield f"The classes reveal too much about {one.column}: not acceptable."
    if found.rare is not None and not found.rare.acceptable:
        yield found.rare.objection()
    if risk.longitudinal is not None and risk.longitudinal.is_bound:
        yield SAMPLED_ONLY
    if risk.differencing is not None and not risk.differencing.acceptable:
        yield "Comparing it with the other release reveals groups that are too small: not acceptable."


def _people_in_class(against: AttackRisk) -> int:
    """The number of people in the smallest class of a known population."""
    return max(1, floor(1 / against.highest + 1e-9))


def check_column_names(given: Any, known: Sequence[str], place: SettingPlace) -> None:
    """Refuse a misspelled column, which would have no effect; columns that are not used here are allowed."""
    for column in given if isinstance(given, Mapping) else ():
        near = difflib.get_close_matches(str(column), known, n=1)
        if column not in known and near:
            raise place.at(str(column)).wrong(
                "is not a quasi-identifier.",
                hint=f"Did you mean {near[0]!r}? Choose from: {', '.join(known)}.",
            )


def given_hierarchies(given: Any, folder: Path, *, place: str) -> dict[str, Hierarchy]:
    """Hierarchies from a file or from the release file itself."""
    if given is None:
        return {}
    if isinstance(given, str):
        return read_hierarchies(folder / given)
    return hierarchies_from(given, folder=folder, place=f"{place}: hierarchies.")


def hierarchy_files(given: Any) -> tuple[str, ...]:
    """The files from which hierarchies are read."""
    if isinstance(given, str):
        return (given,)
    entries = given.values() if isinstance(given, Mapping) else ()
    return tuple(str(one["file"]) for one in entries if isinstance(one, Mapping) and one.get("file"))
