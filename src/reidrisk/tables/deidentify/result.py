"""The result of de-identifying a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.errors import NoSolution
from reidrisk.tables.deidentify import describe
from reidrisk.tables.deidentify import describe as describe_by_tuple
from reidrisk.tables.deidentify.by_tuple import FoundByTuple
from reidrisk.tables.deidentify.events import EventForm
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.proposals import Proposal
from reidrisk.tables.result import TableRisk
from reidrisk.tables.transform.applied import Applied

if TYPE_CHECKING:
    from reidrisk.tables.utility.run import TableUtility

RungOutcome = Literal["solution", "no solution", "not tried", "not allowed"]


@dataclass(frozen=True, slots=True)
class Rung:
    """What happened at one threshold of the ladder."""

    threshold: Threshold
    outcome: RungOutcome
    share: float | None = None
    """Records that lose something, or would have to."""
    layout: str | None = None
    nearest: str | None = None
    requires: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "cell_size": self.threshold.cell_size,
            "probability": self.threshold.probability,
            "outcome": self.outcome,
            "suppressed_share": self.share,
            "layout": self.layout,
            "nearest": self.nearest,
            "requires": self.requires,
        }


@dataclass(frozen=True, slots=True)
class ColumnDone:
    """One line of the codebook."""

    column: str
    role: str
    treatment: str
    type_before: str
    type_after: str | None
    """None if the column does not go out."""


@dataclass(frozen=True)
class Deidentified(Result):
    """A table made releasable with the least loss, or the reasons why it cannot be."""

    found: Releasable | None
    rungs: tuple[Rung, ...]
    before: TableRisk
    after: TableRisk | None
    proposals: tuple[Proposal, ...]
    columns: tuple[ColumnDone, ...]
    quasi: tuple[str, ...]
    """Of all layouts."""
    settings: Mapping[str, Any]
    seed: int
    lattice: tuple[int, int]
    """Nodes within the levels allowed, and those whose classes were counted."""
    notes: tuple[str, ...] = ()
    done: Applied | None = field(default=None, repr=False)
    """What was transformed before the search; None if nothing was."""
    events: EventForm | None = None
    """What is done to events, where the table is one of events."""
    usefulness: TableUtility | None = None
    """The release held against the source, if somebody asked."""
    files: Mapping[str, str | None] = field(default_factory=lambda: {"out": None, "codebook": None})
    writer: Callable[[str | Path], None] | None = field(default=None, repr=False, compare=False)
    """Writes the table once more."""
    maker: Callable[[], Any] | None = field(default=None, repr=False, compare=False)
    """Makes the table once more, in memory."""

    @property
    def acceptable(self) -> bool:
        """Whether there is a form of the table that may be released."""
        return self.found is not None

    @property
    def threshold(self) -> Threshold:
        """The one that was reached, or the last that was tried."""
        if self.found is not None:
            return self.found.threshold
        tried = [rung.threshold for rung in self.rungs if rung.outcome == "no solution"]
        return tried[-1] if tried else self.rungs[0].threshold

    @property
    def levels(self) -> dict[str, str]:
        """The chosen level of each variable; 'local' where records have several."""
        return self._found().levels()

    def write(self, path: str | Path) -> None:
        """Write the de-identified table; the source is read once more and must not have changed."""
        self._found()
        if self.writer is not None:
            self.writer(path)

    def to_arrow(self) -> Any:
        """The de-identified table as an Arrow table; the source is read once more, as by `write`.

        From a CSV file every column has its detected type.
        """
        self._found()
        return self.maker() if self.maker is not None else None

    def with_codebook(self, path: str | Path) -> Deidentified:
        """The same, with the name of the codebook that goes with it."""
        return replace(self, files={**self.files, "codebook": str(path)})

    def _found(self) -> Releasable:
        if self.found is None:
            raise NoSolution("The table has no releasable form within the limits.", hint=self._hint())
        return self.found

    def _hint(self) -> str:
        said = [rung.nearest for rung in self.rungs if rung.nearest]
        return said[-1] if said else "Raise a limit, or choose fewer variables."

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        threshold = self.threshold
        return {
            "kind": "table_deidentified",
            "version": own_version(),
            "acceptable": self.acceptable,
            "method": self.settings["method"],
            "settings": dict(self.settings),
            "seed": self.seed,
            "versions": versions(),
            "reasons": self._reasons(),
            "conditions": self._conditions(),
            "threshold": {**asdict(threshold), "cell_size": threshold.cell_size},
            **self._found_parts,
            "steps": self.done.listed if self.done else [],
            "steps_linkage": self.done.linkage if self.done else None,
            "lattice": {"nodes": self.lattice[0], "evaluated": self.lattice[1]},
            "before": self.before.to_dict(),
            "after": self.after.to_dict() if self.after else None,
            "events": self.events.to_dict() if self.events else None,
            "threshold_ladder": [rung.to_dict() for rung in self.rungs],
            "named_solutions": describe.proposals_part(self.proposals, self.quasi),
            "codebook": self._codebook(),
            "files": dict(self.files),
            "usefulness": self.usefulness.to_dict() if self.usefulness else None,
            "notes": [*self.notes, *self._less_useful()],
        }

    @cached_property
    def _found_parts(self) -> dict[str, Any]:
        if self.found is None:
            nothing: dict[str, Any] = dict.fromkeys(("layout", "solution", "readings"))
            return {**nothing, "candidates": [], "variables": [], "associations": []}
        found, several = self.found, len(self.settings["layouts"]) > 1
        if isinstance(found, FoundByTuple):
            return describe_by_tuple.found_parts(found, several=several)
        released, worth = describe.worth_of(found)
        return {
            "layout": found.problem.layout.name if several else None,
            "solution": describe.solution_part(found, worth),
            "candidates": describe.candidates_part(found, several=several),
            "readings": describe.readings_part(found),
            "variables": describe.variables_part(found, released),
            "associations": describe.associations_part(found, released),
        }

    def _codebook(self) -> list[dict[str, Any]]:
        """Each column with its place in what goes out; None for those that do not."""
        places = iter(range(1, len(self.columns) + 1))
        return [
            {**asdict(column), "position": None if column.type_after is None else next(places)}
            for column in self.columns
        ]

    def _reasons(self) -> list[str]:
        if self.found is None or self.after is None:
            said = [rung.nearest for rung in self.rungs if rung.nearest]
            return [f"No solution. {text}" for text in said] or ["No solution."]
        lost, records = self.found.lost, self.found.problem.records
        share = f"{100 * lost.records / records:.1f} %"
        return [
            *self._alike(self.after),
            f"{plural(lost.records, 'record')} of {records:,} ({share}) lose "
            f"{plural(int(lost.by_column.sum()), 'cell')}.",
            *(one.reason() for one in self.after.secrets),
            *(one.reason() for one in (self.events, self.after.longitudinal) if one is not None),
        ]

    def _alike(self, after: TableRisk) -> list[str]:
        """How far records can be told apart; under the wildcard reading also by who knows the rule."""
        threshold = self.threshold
        limit = f"the threshold {probability(threshold.probability)} ({threshold.reason})"
        both = self._found_parts["readings"]
        if self.settings["reading"] == "value" or both is None:
            return [
                f"Every released record is like at least {after.sizes.smallest - 1:,} others: the highest "
                f"risk is {probability(after.prosecutor.highest)}, {limit}."
            ]
        wild, value = both["wildcard"], both["value"]
        return [
            f"If a suppressed cell matches every value, every record is like at least "
            f"{wild['smallest_class'] - 1:,} others: the highest risk is {probability(wild['highest'])}, "
            f"{limit}.",
            f"Who knows why cells were suppressed sees a smallest class of {value['smallest_class']:,}: "
            f"{100 * value['share_above_threshold']:.1f} % of the records are above the threshold then.",
        ]

    def _less_useful(self) -> list[str]:
        """A limit of utility refuses nothing: the risk alone decides about a release."""
        limits = self.usefulness.limits if self.usefulness else ()
        return [f"less useful than asked: {one.said()}" for one in limits if not one.met]

    def _conditions(self) -> list[str]:
        return [rung.requires for rung in self.rungs if rung.outcome == "solution" and rung.requires]
