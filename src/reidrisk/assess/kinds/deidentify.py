"""A table part that is de-identified before its release.

Every threshold is searched in advance; the context decides which of them may be used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from reidrisk.assess.kind import PartCase, RunControl, TableWriter
from reidrisk.assess.kinds.table import (
    DISCLOSURE_SETTINGS,
    TABLE_SETTINGS,
    TREATMENT_WORDS,
    check_column_names,
    hierarchy_files,
)
from reidrisk.assess.kinds.transform import moved_by_steps, random_changes, step_measures
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.verdict import (
    MISSING_SHOWN,
    PartVerdict,
    RecordDecision,
    Remedy,
    RiskFigure,
    decide_records,
    known_events,
    short_known_events,
    verdict_words,
)
from reidrisk.context.rule import HIGHEST
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory
from reidrisk.core.place import SettingPlace
from reidrisk.core.schema import Schema
from reidrisk.core.settings import (
    Entry,
    FileName,
    SettingGroup,
    YesNo,
    form_entries,
)
from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability
from reidrisk.core.yaml_file import KeyPath, read_yaml
from reidrisk.errors import Interrupted, InvalidSetting
from reidrisk.resynthesis.cells import cell_cleaner
from reidrisk.tables.deidentify.config import KEYS, TableConfig, config_from, read_config
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.profile import KIND, STOPPED
from reidrisk.tables.deidentify.result import Deidentified
from reidrisk.tables.deidentify.run import deidentify
from reidrisk.tables.deidentify.search import Watch
from reidrisk.tables.deidentify.settings import (
    DEIDENTIFY_SETTINGS,
    DERIVED,
    LADDER,
    LAYOUTS,
    SOLUTIONS,
    STEPS,
)
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.settings import ESCAPE_FORMULAS, KEY, OUT
from reidrisk.tables.transform.plan import BY_CHANCE
from reidrisk.tables.utility.settings import UTILITY

PROFILE = "profile"
"""The lattice profile in a measurement."""
KEPT_ROWS = 1_000_000
"""A larger table is searched again when it is written, so that other parts have its memory."""
REASON = "cell size {0}; the context decides whether it is enough"

DEIDENTIFY_FORM = SettingGroup(
    {
        **TABLE_SETTINGS,
        **DISCLOSURE_SETTINGS,
        "deidentify": Entry(YesNo(), "True: generalize and suppress until it is acceptable.", needed=True),
        "config": Entry(FileName(), "A file of `table deidentify` with all of the settings below."),
        **form_entries((STEPS, KEY, OUT, ESCAPE_FORMULAS, *DEIDENTIFY_SETTINGS)),
        CELL_SIZE.name: replace(CELL_SIZE, default_text="from the context").entry,
        LADDER.name: replace(
            LADDER, help="Cell sizes to try in this order; the context says which may be used."
        ).entry,
        **form_entries((DERIVED, LAYOUTS, SOLUTIONS, UTILITY)),
    },
    title="A table part, de-identified",
    about="As on the command line of `reidrisk table deidentify`; without `cell_size` and `ladder`, the "
    "context decides what is tried.",
)


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """What the search must achieve if the part itself does not state it."""

    cell_sizes: tuple[int, ...]
    """Strictest first."""
    average: float | None = None

    @classmethod
    def of(cls, score: ContextScore) -> SearchTarget:
        """The thresholds of the context; under an overall rule, what the context leaves for the data."""
        if score.rule == "cell_size":
            later = [rung.threshold.cell_size for rung in score.context.chosen.later]
            return cls(tuple(sorted({score.threshold.cell_size, *later}, reverse=True)))
        rule = score.rule_for("deidentify")
        cap = Threshold(rule.largest_single, "cap").cell_size
        return cls((cap,), rule.largest if rule.row.statistic == "strict_average" else None)


@dataclass(frozen=True, slots=True)
class ExploredSolution:
    """A combination of levels that somebody chose from the profile of the lattice."""

    levels: Mapping[str, str]
    """By column: the name of its level."""
    cell_size: int
    max_suppression: float
    layout: str | None = None


@dataclass(frozen=True)
class DeidentifyPart(TableWriter):
    """A table that is generalized and suppressed before it is released."""

    kind: ClassVar[str] = "table"
    task: ClassVar[str] = "deidentify"
    form: ClassVar[SettingGroup] = DEIDENTIFY_FORM

    target: SearchTarget

    @classmethod
    def of(cls, name: str, given: Mapping[str, Any], folder: Path, score: ContextScore) -> Self:
        """The part, with what the context requires."""
        return cls(name, given, folder, SearchTarget.of(score))

    @cached_property
    def config(self) -> TableConfig:
        """The settings of the named file; settings in the release file take precedence."""
        named = self.given.get("config")
        base = read_config(self.path(named)) if named else TableConfig()
        inline = {name: value for name, value in self.given.items() if name in KEYS and value is not None}
        if isinstance(inline.get("direct"), list):
            inline["direct"] = dict.fromkeys(inline["direct"], "drop")
        own = config_from(inline, folder=self.folder, place=self.name)
        return base.under(own)

    @property
    def moved_dates(self) -> MovedDates | None:
        """By a step before the search that shifts dates."""
        key = self.given.get("key")
        return moved_by_steps(self.config.steps, self.path(key) if key else None)

    @property
    def schema(self) -> Schema:
        """The roles of the columns."""
        return self.config.schema

    @property
    def cell_sizes(self) -> tuple[int, ...]:
        """The cell sizes to try, strictest first."""
        stated = self.config.values
        own = {*stated.get("ladder", ()), *([stated["cell_size"]] if "cell_size" in stated else [])}
        return tuple(sorted(own, reverse=True)) if own else self.target.cell_sizes

    @property
    def cell_size_setting(self) -> str | None:
        """The setting in which the part itself states the cell sizes; None if the context does."""
        return next((name for name in ("ladder", "cell_size") if name in self.config.values), None)

    @property
    def average(self) -> float | None:
        """The largest average risk, as stated or as the context requires."""
        stated = self.config.values.get("average")
        if stated is not None:
            return float(stated)
        return None if self.cell_size_setting else self.target.average

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Hierarchies by column."""
        return self.config.hierarchies

    @property
    def ladder(self) -> tuple[Threshold, ...]:
        """The thresholds to try; the context gives the reasons for them."""
        return tuple(Threshold.from_cell_size(size, REASON.format(size)) for size in self.cell_sizes)

    @property
    def options(self) -> DeidentifyOptions:
        """How the table is de-identified."""
        complete = self.config.under(TableConfig({"average": self.average}))
        confirmed = bool(self.given.get("confirmed", True))
        return complete.options(self.ladder, key=self.key, clean=cell_cleaner(), confirmed=confirmed)

    def check(self, place: SettingPlace, score: ContextScore) -> None:
        """Check key, files, settings, column names and the cell sizes against the context."""
        self.check_key(place)
        self.check_sources(place)
        with place.names_line(self.name):
            _ = self.schema, self.options, self.config.reading
        layouts = [name for layout in self.config.layouts for name in layout.quasi]
        known = (*self.schema.quasi, *layouts, *(self.given.get("events") or ()))
        for key in ("hierarchies", "weights", "max_level"):
            check_column_names(self.given.get(key), known, place.at(key))
        self.check_out(place)
        self._check_cell_sizes(place, score)

    def _check_cell_sizes(self, place: SettingPlace, score: ContextScore) -> None:
        setting, strictest = self.cell_size_setting, self.cell_sizes[0]
        probability_tried = Threshold.from_cell_size(strictest, "tried").probability
        if setting and score.rule == "cell_size" and not score.threshold.accepts(probability_tried):
            raise place.at(setting if setting in self.given else "config").wrong(
                f"starts at a cell size of {strictest}, but the context accepts at most "
                f"1/{score.threshold.cell_size}: they contradict each other.",
                hint=f"Start with {score.threshold.cell_size}, or leave it to the context.",
            )

    def sources(self) -> tuple[str, ...]:
        """The table, the configuration and hierarchies; never the key."""
        named = self.given.get("config")
        files = [str(self.given["table"]), *([named] if named else [])]
        files += [str(self.given["rare"])] if self.given.get("rare") else []
        if named and (self.folder / named).is_file():
            content = read_yaml(self.folder / named)
            below = Path(named).parent
            rules, listed = (
                (content.get("hierarchies"), content.get("rare"))
                if isinstance(content, Mapping)
                else (None, None)
            )
            files += [str(below / str(listed))] if listed else []
            files += [str(below / file) for file in hierarchy_files(rules)]
        return (*files, *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Everything but the output and the key, unless steps use the key."""
        stated = {name: value for name, value in self.given.items() if name not in ("out", "key", "name")}
        key = {"secret": self.fingerprint} if self.config.steps else {}
        return {**stated, "rungs": list(self.cell_sizes), "average": self.average, **key}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Search for the smallest loss at every threshold in turn."""
        done = self.search(control)
        if control.is_stopped:
            control.kept[self.name] = done
        found: dict[str, Any] = self.with_short_paths({**done.to_dict(), PROFILE: _profile(done, control)})
        if self.out is not None and done.acceptable and done.before.rows <= KEPT_ROWS:
            control.searched[self.name] = self, done
        return found

    def search(self, control: RunControl) -> Deidentified:
        """The result of the search, which can write the table."""

        def report(step: str, done: int, total: int) -> None:
            control.report(self.name, step, done, total)

        return deidentify(
            self.path(self.given["table"]),
            self.schema,
            self.hierarchies,
            threshold=self.ladder[0],
            max_suppression=self.config.max_suppression,
            options=self.options,
            watch=Watch(lambda: control.is_stopped, report, control.seed),
            reading=self.config.reading,
        )

    def try_levels(self, control: RunControl, solution: ExploredSolution) -> dict[str, Any]:
        """De-identify with the levels of one combination as the maximum; nothing is written.

        The combination must be a candidate: then no other one within these levels is acceptable.
        """
        options = self.options
        layouts = tuple(one for one in options.layouts if one.name == solution.layout)
        threshold = Threshold.from_cell_size(solution.cell_size, REASON.format(solution.cell_size))
        done = deidentify(
            self.path(self.given["table"]),
            self.schema,
            self.hierarchies,
            threshold=threshold,
            max_suppression=solution.max_suppression,
            options=replace(
                options, layouts=layouts, ladder=(), solutions=(), utility=None, max_level=solution.levels
            ),
            watch=Watch(lambda: control.is_stopped, None, control.seed),
            reading=self.config.reading,
        )
        found: dict[str, Any] = self.with_short_paths(done.to_dict())
        return found

    def changes_for(self, solution: ExploredSolution) -> dict[KeyPath, Any]:
        """The settings of the release file with which a new run finds this combination."""
        names = {column: level for column, level in solution.levels.items() if column in self.hierarchies}
        changes: dict[str, Any] = {"max_level": names, "max_suppression": solution.max_suppression}
        layouts = {one.name: list(one.quasi) for one in self.config.layouts}
        if len(layouts) > 1 and solution.layout in layouts and solution.layout != next(iter(layouts)):
            changes["layouts"] = {solution.layout: layouts[solution.layout], **layouts}
        if solution.cell_size not in self.cell_sizes:
            changes |= {"cell_size": solution.cell_size, "ladder": [solution.cell_size]}
        return {("parts", self.name, name): value for name, value in changes.items()}

    def judge(
        self,
        measured: Mapping[str, Any],
        score: ContextScore,
        *,
        seed: int,  # noqa: ARG002 - part of the contract
        quick: bool = False,  # noqa: ARG002
    ) -> PartVerdict:
        """The verdict by the classes of the result, not by the threshold that was the aim."""
        return judge_deidentified(measured, score)

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """For every threshold without a solution, the limit that prevents it."""
        limit = measured["settings"]["max_suppression"]
        for rung in measured["threshold_ladder"]:
            if rung["outcome"] != "no solution":
                continue
            share = None if rung.get("without_hierarchy") else rung["suppressed_share"]
            more = (
                f"allow suppressed values in {100 * share:.1f} % of records instead of {100 * limit:.0f} %"
                if share
                else ""
            )
            limits = ". ".join(text.rstrip(".") for text in (more, rung["nearest"] or "") if text)
            text = f"At 1/{rung['cell_size']}: {limits}. Only another search can show the effect."
            change = {f"parts.{self.name}.max_suppression": _rounded_up(share)} if share else None
            size = 3 + len(measured["threshold_ladder"])
            yield case.untested_remedy("generalize", text, change, size)

    def write(self, control: RunControl, path: Path) -> None:
        """Write the result of the search, or of another one if it was not kept."""
        part, done = control.searched.pop(self.name, (None, None))
        if self.name in control.kept:
            done = control.kept[self.name]
        elif done is None or part is not self:
            done = self.search(replace(control, stop=None))
        done.write(path)


def _profile(done: Deidentified, control: RunControl) -> dict[str, Any]:
    """Every combination of levels, counted for all cell sizes; or why there is no such profile."""
    if control.is_stopped:
        return {"kind": KIND, "missing": STOPPED}
    try:
        return done.lattice_profile().to_dict()
    except (InvalidSetting, Interrupted) as error:
        return {"kind": KIND, "missing": error.problem}


def without_profile(measured: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, as a result: the profile stays with the measurement."""
    return {name: value for name, value in measured.items() if name != PROFILE}


def _rounded_up(share: float) -> float:
    """Rounded so that the limit is certainly met."""
    return float(np.ceil(share * 1000) / 1000)


def judge_deidentified(measured: Mapping[str, Any], score: ContextScore) -> PartVerdict:
    """The verdict on a result of de-identification."""
    first, events = measured["before"]["prosecutor"], measured["before"].get("longitudinal")
    if events:
        first = events["by_known"][-1]
    if measured["solution"] is None:
        return _without_solution(measured, score, float(first["highest"]))
    smallest, average = remaining_risk(measured)
    decision = _decide(score, smallest, average)
    before = float(first["highest" if decision.statistic == HIGHEST else "average"])
    number = events["known"] if events else None
    threshold = permitted_threshold(score, smallest)
    return PartVerdict(
        acceptable=decision.acceptable,
        statistic=f"{decision.statistic}, prosecutor{short_known_events(number)}",
        risk=decision.risk,
        attempt=decision.attempt,
        overall=decision.overall,
        threshold=threshold.probability,
        cell_size=threshold.cell_size,
        sentence=(
            f"After de-identification{_lost(measured)}, the {decision.statistic}{known_events(number)} is "
            f"{probability(decision.risk)} (before: {probability(before)}); {decision.why}: "
            f"{verdict_words(decision.acceptable)}.{_rare_words(measured)}{random_changes(_randomly_changed(measured))}"
        ),
        initial=RiskFigure(decision.statistic, before),
        final=RiskFigure(decision.statistic, decision.risk),
        measures=tuple(_measures(measured)),
        result=without_profile(measured),
    ).with_inventory(Inventory.from_list(measured["inventory"]))


def _lost(measured: Mapping[str, Any]) -> str:
    """The columns of which nothing is left."""
    names = [row["column"] for row in measured.get("fully_suppressed", ())]
    return f" (no detail left in {', '.join(names)})" if names else ""


def remaining_risk(measured: Mapping[str, Any]) -> tuple[int, float]:
    """The smallest class and the average risk of the released table, by how suppressed cells are read."""
    after, readings = measured["after"], measured["readings"]
    if measured["settings"]["reading"] == "wildcard" and readings is not None:
        return int(readings["wildcard"]["smallest_class"]), float(readings["wildcard"]["average"])
    smallest, average = int(after["smallest_class"]), float(after["prosecutor"]["average"])
    if events := after.get("longitudinal"):
        worst = events["by_known"][-1]
        return min(smallest, round(1 / worst["highest"])), max(average, float(worst["average_high"]))
    return smallest, average


def permitted_threshold(score: ContextScore, smallest: int) -> Threshold:
    """The threshold of the context, or the higher one that the table needs if the context permits it."""
    if score.rule != "cell_size" or smallest >= score.threshold.cell_size:
        return score.threshold
    for rung in score.context.chosen.later:
        if smallest >= rung.threshold.cell_size and score.permits(rung.threshold).allowed:
            return rung.threshold
    return score.threshold


def _decide(score: ContextScore, smallest: int, average: float) -> RecordDecision:
    """The rule of the context; a smaller class may be acceptable under a higher threshold."""
    if score.rule != "cell_size" or smallest >= score.threshold.cell_size:
        return decide_records(score, smallest=smallest, average=average, part="deidentify")
    permission = score.permits(Threshold.from_cell_size(smallest, "reached"))
    if permission.allowed:
        threshold = permitted_threshold(score, smallest)
        why = f"the context permits 1/{threshold.cell_size} ({threshold.reason})"
        return RecordDecision.by_highest(1 / smallest, why, acceptable=True)
    missing = "; ".join(text.rstrip(".") for text in permission.missing[:MISSING_SHOWN])
    rest = len(permission.missing) - MISSING_SHOWN
    more = f"; and {rest} more" if rest > 0 else ""
    why = (
        f"the threshold is 1/{score.threshold.cell_size} ({score.threshold.reason}), and a higher one still "
        f"requires: {missing}{more}"
    )
    return RecordDecision.by_highest(1 / smallest, why, acceptable=False)


def _without_solution(measured: Mapping[str, Any], score: ContextScore, before: float) -> PartVerdict:
    tried = ", ".join(f"1/{rung['cell_size']}" for rung in measured["threshold_ladder"])
    decision = score.rule_for("deidentify").decide(highest=before, average=before)
    return PartVerdict(
        acceptable=False,
        statistic=f"{HIGHEST}, prosecutor",
        risk=before,
        attempt=decision.attempt,
        overall=decision.overall,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=f"No solution within the limits at {tried}: not acceptable.",
        initial=RiskFigure(HIGHEST, before),
        result=without_profile(measured),
    ).with_inventory(Inventory.from_list(measured["inventory"]))


def _randomly_changed(measured: Mapping[str, Any]) -> list[str]:
    """Variables and columns of events that steps changed at random before the search."""
    changed = {
        row["column"]
        for one in measured.get("steps", ())
        if one["kind"] in BY_CHANCE
        for row in one["by_column"]
    }
    events = measured.get("events") or {"columns": ()}
    known = (*(row["column"] for row in measured["variables"]), *events["columns"])
    return [name for name in known if name in changed]


def _rare_words(measured: Mapping[str, Any]) -> str:
    """What was done to records with a listed rare code, if there is a list."""
    rare = measured.get("rare_codes")
    if not rare or not rare["records"]:
        return ""
    done = (
        f"{rare['records_removed']:,} records removed"
        if rare["records_removed"]
        else f"{rare['cells_suppressed']:,} cells suppressed, {rare['cells_generalized']:,} generalized"
    )
    return f" {rare['records']:,} records had a code listed as rare and visible: {done}."


def _measures(measured: Mapping[str, Any]) -> Iterator[str]:
    """What was done to each column, and what was suppressed."""
    if rare := _rare_words(measured).strip():
        yield rare
    yield from step_measures(measured.get("steps", ()))
    yield from _generalizations(measured["variables"])
    yield from _event_measures(measured.get("events"))
    treated = measured["settings"]["treatments"]
    for column, treatment in treated.items():
        yield f"{column} {TREATMENT_WORDS[treatment]}."
    derived = {text.partition(":")[0] for text in measured["settings"]["derived"]}
    for row in measured["codebook"]:
        if row["type_after"] is None and row["column"] not in {*treated, *derived}:
            yield f"{row['column']} is left out."
    for row in measured.get("fully_suppressed", ()):
        yield f"No detail is left in {row['column']}: {row['reason']}."
    for row in measured.get("reduced", ()):
        if row["rows_changed"]:
            yield (
                f"{row['column']} is reduced to the {row['rule']} value per person, in "
                f"{row['rows_changed']:,} rows of {row['rows']:,}."
            )
    solution = measured["solution"]
    if solution["suppressed_cells"]:
        yield (
            f"{solution['suppressed_cells']:,} cells of {solution['suppressed_records']:,} records "
            f"({100 * solution['suppressed_share']:.1f} %) are suppressed."
        )


def _generalizations(variables: list[Mapping[str, Any]]) -> Iterator[str]:
    """Variables with one level for all records, then those with levels by record."""
    for row in variables:
        if row["level_number"]:
            done = (
                "suppressed in every record"
                if row["level"] == "suppressed"
                else f"generalized to {row['level']}"
            )
            yield f"{row['column']} is {done}."
    for row in variables:
        if row["level_number"] is None and row.get("level_shares"):
            levels = ", ".join(
                f"{name} in {100 * share:.1f} % of records" for name, share in row["level_shares"].items()
            )
            yield f"{row['column']} is as precise in each record as its class allows: {levels}."


def _event_measures(done: Mapping[str, Any] | None) -> Iterator[str]:
    """What was done to events, if the table has events."""
    if not done:
        return
    for column, level in done["levels"].items():
        yield f"{column} of events is released as {level}."
    if done["rows_left_out"]:
        share = f"{100 * done['share_left_out']:.1f} %"
        yield (
            f"{done['rows_left_out']:,} rows with events ({share}) are left out, or stay without the event."
        )
    if done.get("people_left_out"):
        yield f"People without any event left who are left out: {done['people_left_out']:,}."
