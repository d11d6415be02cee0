"""A table part that is transformed: what is measured, and released, is what the transformations leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.parts.part import Work
from reidrisk.assess.parts.releasing import ReleasingPart
from reidrisk.assess.parts.table import TablePart
from reidrisk.core.classes import ClassSizes
from reidrisk.core.spec import Spec
from reidrisk.engine.classes import class_sizes
from reidrisk.engine.table import Table, open_table
from reidrisk.tables.deidentify.config import steps_of
from reidrisk.tables.events import EventKnowledge, measure_events
from reidrisk.tables.risk import measure_opened, records_of
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.transform.applied import (
    TransformedTable,
    apply_steps,
    changed_by_chance,
    sampling_fraction,
    step_notes,
)
from reidrisk.tables.transform.plan import PlanStep
from reidrisk.tables.transform.run import transform_table
from reidrisk.tables.transform.step import StepInputs as Draws


class StepsPart(TablePart, ReleasingPart):
    """A table that is transformed, and then released as it is."""

    kind: ClassVar[str] = "table"
    task: ClassVar[str] = "transform"

    @cached_property
    def steps(self) -> tuple[PlanStep, ...]:
        """The transformations in turn."""
        return steps_of(Spec.of({"steps": self.given["steps"]}, place=self.name))

    @property
    def sampling(self) -> Sampling | None:
        """What is said of the source, and that only a part of it goes out."""
        said, fraction = super().sampling, sampling_fraction(self.steps, self.schema.unit)
        if fraction is None or (said is not None and said.fraction is None):
            return said
        return Sampling(fraction * (1.0 if said is None else said.fraction or 1.0))

    @property
    def dropped(self) -> tuple[str, ...]:
        """Columns that do not go out."""
        return tuple(column for column, treatment in self.treatments.items() if treatment == "drop")

    def counted(self) -> Mapping[str, Any]:
        """Also the steps, and the key that they draw with."""
        return {**super().counted(), "steps": self.given["steps"], "secret": self.fingerprint}

    def measure(self, work: Work) -> dict[str, Any]:
        """Transform, then count; and the classes that the source had."""
        if work.progress is not None:
            work.progress(self.name, "transformations", 0, 0)
        with open_table(self.path(self.given["table"])) as opened:
            before = self._before(opened, self.asked(work).events)
            draws = Draws.drawing(work.seed, self.secret)
            done = apply_steps(opened, self.steps, draws, unit=self.schema.unit)
            found = measure_opened(replace_source(done.table, opened), self.schema, self.asked(work))
        return {**self.finished(found), "transformed": self._transformed(before, done)}

    def _before(self, opened: Table, events: EventKnowledge | None) -> dict[str, Any]:
        """What the source had: its classes, and in a table of events what may be known of these."""
        records = records_of(opened, self.schema, ())
        sizes = ClassSizes(class_sizes(records, self.schema.quasi))
        smallest, average = sizes.smallest, sizes.classes / sizes.records
        if events is not None:
            worst = measure_events(opened, records, self.schema, events).by_known[-1]
            smallest, average = min(smallest, worst.smallest), max(average, worst.high)
        return {"smallest_before": smallest, "average_before": average}

    def _transformed(self, before: Mapping[str, Any], done: TransformedTable) -> dict[str, Any]:
        events = () if self.events is None else self.events.columns
        return {
            "steps": done.step_dicts,
            "steps_linkage": done.linkage,
            "step_notes": list(step_notes(self.steps, done, self.schema, self.secret, events=events)),
            "by_chance": list(changed_by_chance(self.steps, (*self.schema.quasi, *events))),
            "rows_before": done.rows_before,
            **before,
        }

    def unnamed(self) -> tuple[str, ...]:
        """Columns of which nothing is said; a pseudonym names nobody."""
        hidden = {name for one in self.steps if one.step.kind == "pseudonyms" for name in one.step.columns}
        return tuple(name for name in super().unnamed() if name not in hidden)

    def write(self, work: Work, path: Path) -> None:
        """Without the columns that are to be dropped."""
        source = self.path(self.given["table"])
        transform_table(source, self.steps, path, key=self.secret, seed=work.seed, drop=self.dropped)


def replace_source(table: Table, opened: Table) -> Table:
    """A table made from another, with the notes of that one: how the file was read."""
    return replace(table, notes=opened.notes)
