"""A table part that is transformed: the transformed table is measured and released.

Its form is that of a table part with `steps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.kind import RunControl, TableWriter
from reidrisk.assess.kinds.table import TablePart
from reidrisk.assess.moved_dates import MovedDates
from reidrisk.assess.verdict import PartVerdict, RiskFigure, decide_records
from reidrisk.context.rule import PartKind
from reidrisk.context.score import ContextScore
from reidrisk.core.classes import ClassSizes
from reidrisk.core.place import SettingPlace
from reidrisk.core.spec import Spec
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.tables.deidentify.config import steps_of
from reidrisk.tables.events import EventKnowledge, measure_events
from reidrisk.tables.inventory import ColumnUse
from reidrisk.tables.risk import measure_opened, records_of
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.settings import ORDINAL
from reidrisk.tables.transform.applied import (
    TransformedTable,
    apply_steps,
    changed_by_chance,
    sampling_fraction,
    step_notes,
)
from reidrisk.tables.transform.keyed import ShiftDates
from reidrisk.tables.transform.plan import PlanStep, needs_key
from reidrisk.tables.transform.run import transform_table
from reidrisk.tables.transform.step import StepInputs as Draws


class TransformPart(TablePart, TableWriter):
    """A table that is transformed and then released."""

    task: ClassVar[str] = "transform"
    judged_as: ClassVar[PartKind] = "transform"

    @cached_property
    def steps(self) -> tuple[PlanStep, ...]:
        """The transformations in order."""
        return steps_of(Spec.of({"steps": self.given["steps"]}, place=self.name))

    @property
    def moved_dates(self) -> MovedDates | None:
        """By a step that shifts dates."""
        return moved_by_steps(self.steps, None if not self.given.get("key") else self.path(self.given["key"]))

    @property
    def sampling(self) -> Sampling | None:
        """The stated sampling of the source, combined with steps that draw a sample."""
        stated, fraction = super().sampling, sampling_fraction(self.steps, self.schema.unit)
        if fraction is None or (stated is not None and stated.fraction is None):
            return stated
        ordinal = tuple(self.given.get(ORDINAL.name) or ())
        return Sampling(fraction * (1.0 if stated is None else stated.fraction or 1.0), ordinal=ordinal)

    @property
    def dropped_columns(self) -> tuple[str, ...]:
        """Direct identifiers and free text that are not released."""
        treatments = {**self.treatments, **self.schema.text}
        return tuple(column for column, treatment in treatments.items() if treatment == "drop")

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Check the key, files, steps and settings."""
        self.check_key(place)
        self.check_sources(place)
        with place.names_line(self.name):
            needs_key(self.steps, self.key)
        self.check_out(place)
        if self.given.get("weights") and sampling_fraction(self.steps) is not None:
            raise place.at("weights").wrong(
                "no longer show how many people a record represents after a step that draws a sample.",
                hint="Write sampling_fraction: or population_size: instead.",
            )
        self._check_treatments(place.at("direct"), place.at("text"))
        self.check_table(place)

    def _check_treatments(self, place: SettingPlace, texts: SettingPlace) -> None:
        for column, treatment in self.treatments.items() if self.out else ():
            if treatment not in {"drop", "keep"}:
                raise place.at(column).wrong(
                    f"is {treatment}, which is not available for a table that is only transformed.",
                    hint="Write a step of kind: pseudonyms, drop the column, or write deidentify: true.",
                )
        for column, treatment in self.schema.text.items() if self.out else ():
            if treatment == "deidentify":
                raise texts.at(column).wrong(
                    "is deidentify, which is not available for a table that is only transformed.",
                    hint="Drop the column, or write deidentify: true.",
                )

    def counted(self) -> Mapping[str, Any]:
        """Also the steps, and the key that they use."""
        written = {name: self.given[name] for name in ("escape_formulas",) if self.given.get(name)}
        return {**super().counted(), "steps": self.given["steps"], "secret": self.fingerprint, **written}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Transform and count; also count the classes of the source."""
        control.report(self.name, "transformations")
        with open_table(self.path(self.given["table"]), reading=self.reading) as opened:
            counts = self.counts(control)
            before = self._risk_before(opened, counts.events)
            draws = Draws.drawing(control.seed, self.key)
            done = apply_steps(opened, self.steps, draws, unit=self.schema.unit)
            table = done.table.with_notes(opened.notes)
            found = measure_opened(table, self.schema, counts)
        return {**self.measure_dict(found), "transformed": self._transformation(before, done)}

    def _risk_before(self, opened: Table, events: EventKnowledge | None) -> dict[str, Any]:
        """The smallest class and the average risk of the source, including known events."""
        records = records_of(opened, self.schema, ())
        sizes = ClassSizes(records.class_sizes(self.schema.quasi))
        smallest, average = sizes.smallest, sizes.classes / sizes.records
        if events is not None:
            worst = measure_events(opened, records, self.schema, events).by_known[-1]
            smallest, average = min(smallest, worst.smallest), max(average, worst.high)
        return {"smallest_before": smallest, "average_before": average}

    def _transformation(self, before: Mapping[str, Any], done: TransformedTable) -> dict[str, Any]:
        events = () if self.events is None else self.events.columns
        return {
            "steps": done.step_dicts,
            "steps_linkage": done.linkage,
            "step_notes": list(step_notes(self.steps, done, self.schema, self.key, events=events)),
            "by_chance": list(changed_by_chance(self.steps, (*self.schema.quasi, *events))),
            "rows_before": done.rows_before,
            **before,
        }

    @property
    def column_use(self) -> ColumnUse:
        """What happens to columns and the order of rows; columns of pseudonyms are covered."""
        hidden = tuple(
            name for one in self.steps if one.step.kind == "pseudonyms" for name in one.step.columns
        )
        treatments = {name: done for name, done in self.treatments.items() if name not in hidden}
        return replace(super().column_use, treatments=treatments, changed=hidden, keeps_order=False)

    def judge(
        self, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
    ) -> PartVerdict:
        """The verdict on the transformed table, with the steps and the risk before them."""
        verdict = super().judge(measured, score, seed=seed, quick=quick)
        done = measured["transformed"]
        sizes = {"smallest": done["smallest_before"], "average": done["average_before"]}
        before = decide_records(score, **sizes, part=self.judged_as)
        steps = {name: done[name] for name in ("steps", "steps_linkage", "step_notes")}
        return replace(
            verdict,
            sentence=f"{verdict.sentence}{random_changes(done['by_chance'])}",
            initial=RiskFigure(before.statistic, before.risk) if self.adversary == "prosecutor" else None,
            measures=(*step_measures(done["steps"]), *verdict.measures),
            result={**(verdict.result or {}), **steps},
        )

    def write(self, control: RunControl, path: Path) -> None:
        """Transform again and write, without the columns to drop."""
        source = self.path(self.given["table"])
        transform_table(
            source,
            self.steps,
            path,
            key=self.key,
            seed=control.seed,
            drop=self.dropped_columns,
            reading=self.reading,
        )


def moved_by_steps(steps: Sequence[PlanStep], key: str | None) -> MovedDates | None:
    """How the first step that shifts dates moves them; None if there is none."""
    step = next((one.step for one in steps if isinstance(one.step, ShiftDates)), None)
    if step is None:
        return None
    weeks = ", whole weeks" if step.keep_weekday else ""
    by = f"step of release {step.release!r}{weeks}"
    return MovedDates("the step shift_dates", step.days, None if key is None else Path(key), by)


def step_measures(steps: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """What transformations did, one sentence each."""
    return tuple(f"{one['kind']}: {one['text']}." for one in steps)


def random_changes(columns: Sequence[str]) -> str:
    """A sentence after a verdict on classes of values that were changed at random."""
    return f" Counted on values that were changed at random: {', '.join(columns)}." if columns else ""
