"""The result of de-identifying a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.core.about import own_version, versions
from reidrisk.core.inventory import Inventory
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural, probability
from reidrisk.errors import InvalidSetting, NoSolution
from reidrisk.tables.deidentify import describe
from reidrisk.tables.deidentify.by_tuple import TupleSolution
from reidrisk.tables.deidentify.events import EventForm
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.lost_columns import LostColumn, lost_columns
from reidrisk.tables.deidentify.proposals import Proposal
from reidrisk.tables.deidentify.rare import TreatedRare
from reidrisk.tables.deidentify.reduced import ReducedColumn
from reidrisk.tables.deidentify.search import SampledSearch
from reidrisk.tables.deidentify.texts import TextColumn
from reidrisk.tables.result import TableRisk
from reidrisk.tables.transform.applied import TransformedTable

if TYPE_CHECKING:
    from reidrisk.tables.deidentify.profile import LatticeProfile
    from reidrisk.tables.utility.run import TableUtility

LadderStatus = Literal["solution", "no solution", "not tried", "not allowed"]


@dataclass(frozen=True, slots=True)
class LadderStep:
    """The result of one threshold of the ladder."""

    threshold: Threshold
    outcome: LadderStatus
    share: float | None = None
    """The share of records that are suppressed, or would have to be."""
    layout: str | None = None
    nearest: str | None = None
    requires: str | None = None
    without_hierarchy: tuple[str, ...] = ()
    """Variables whose exact values prevent a solution, because they have no hierarchy."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {
            "cell_size": self.threshold.cell_size,
            "probability": self.threshold.probability,
            "outcome": self.outcome,
            "suppressed_share": self.share,
            "layout": self.layout,
            "nearest": self.nearest,
            "requires": self.requires,
            "without_hierarchy": list(self.without_hierarchy),
        }


@dataclass(frozen=True, slots=True)
class CodebookEntry:
    """One line of the codebook: a column and what was done to it."""

    column: str
    role: str
    treatment: str
    type_before: str
    type_after: str | None
    """None if the column is not released."""


@dataclass(frozen=True)
class Deidentified(Result):
    """A table de-identified with the least loss, or the reasons why there is no solution."""

    found: Releasable | None
    rungs: tuple[LadderStep, ...]
    before: TableRisk
    after: TableRisk | None
    proposals: tuple[Proposal, ...]
    columns: tuple[CodebookEntry, ...]
    quasi: tuple[str, ...]
    """The quasi-identifiers of all layouts."""
    settings: Mapping[str, Any]
    seed: int
    lattice: tuple[int, int]
    """Number of nodes within the allowed levels, and of those whose classes were counted."""
    notes: tuple[str, ...] = ()
    sampled: SampledSearch | None = None
    """What a sample and what exact counts decided; None if the tuples fit in memory."""
    done: TransformedTable | None = field(default=None, repr=False)
    """The transformations before the search; None if there are none."""
    rare: TreatedRare | None = None
    """What was done to records with a code listed as rare; None without a list."""
    events: EventForm | None = None
    """The released form of events, if the table has events."""
    reduced: tuple[ReducedColumn, ...] = ()
    """Columns that a rule reduces to one value per person."""
    removed_rows: int = 0
    """Number of rows of removed records."""
    inventory: Inventory = field(default_factory=Inventory)
    """Everything that leaves with the released table."""
    texts: tuple[TextColumn, ...] = ()
    """Columns of free text in which identifiers were replaced."""
    usefulness: TableUtility | None = None
    """The comparison of the release with the source, if requested."""
    files: Mapping[str, str | None] = field(default_factory=lambda: {"out": None, "codebook": None})
    writer: Callable[[str | Path], None] | None = field(default=None, repr=False, compare=False)
    """Writes the table again."""
    maker: Callable[[], Any] | None = field(default=None, repr=False, compare=False)
    """Builds the table again, in memory."""
    linker: Callable[[str], Any] | None = field(default=None, repr=False, compare=False)
    """Builds the table again, in memory, with one column as it was."""
    profiler: Callable[[], LatticeProfile] | None = field(default=None, repr=False, compare=False)
    """Counts every combination of levels."""

    @property
    def acceptable(self) -> bool:
        """Whether there is a solution, and everything that leaves with it is covered by the verdict."""
        return self.found is not None and self.inventory.is_complete

    @property
    def threshold(self) -> Threshold:
        """The threshold of the solution, or the last one tried."""
        if self.found is not None:
            return self.found.threshold
        tried = [rung.threshold for rung in self.rungs if rung.outcome == "no solution"]
        return tried[-1] if tried else self.rungs[0].threshold

    @property
    def levels(self) -> dict[str, str]:
        """The chosen level of each variable; 'local' if records have different levels."""
        return self._found().levels()

    def write(self, path: str | Path) -> None:
        """Write the de-identified table; the source is read again and must not have changed."""
        self._releasable()
        if self.writer is not None:
            self.writer(path)

    def to_arrow(self) -> Any:
        """Return the de-identified table as an Arrow table; the source is read again, as by `write`.

        From a CSV file every column has its detected type.
        """
        self._releasable()
        return self.maker() if self.maker is not None else None

    def _released_rows(self, name: str | None) -> Any:
        """The rows that `write` writes, in the same order, if no table of figures is named."""
        return self.to_arrow() if name is None else None

    def linked_by(self, column: str) -> Any:
        """Return the released rows as an Arrow table, with the original values of a column.

        For what parts of a release tell together about one person; this table is never released.
        """
        self._found()
        return self.linker(column) if self.linker is not None else None

    def lattice_profile(self) -> LatticeProfile:
        """Count every combination of levels, to explore other thresholds and limits without a new search.

        Refused if the method has no lattice, with limits on sensitive columns, and for tables whose distinct
        combinations do not fit in memory. Of a lattice with more than 20,000 combinations, only the
        candidates of the search are counted.
        """
        if self.profiler is None:
            raise InvalidSetting("There is no profile of the lattice.", hint="Run the search again.")
        return self.profiler()

    def with_codebook(self, path: str | Path) -> Deidentified:
        """Return the result with the name of its codebook."""
        return replace(self, files={**self.files, "codebook": str(path)})

    def _found(self) -> Releasable:
        if self.found is None:
            raise NoSolution("There is no solution within the limits.", hint=self._hint())
        return self.found

    def _releasable(self) -> None:
        """Refuse to hand out a table whose verdict is not acceptable."""
        self._found()
        if not self.inventory.is_complete:
            raise NoSolution(
                "The table may not be released: it has columns or items that were not measured.",
                hint=self.inventory.objection,
            )

    def _hint(self) -> str:
        nearest = [rung.nearest for rung in self.rungs if rung.nearest]
        return nearest[-1] if nearest else "Raise a limit, or choose fewer variables."

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        threshold, reasons = self.threshold, self._reasons()
        return {
            "kind": "table_deidentified",
            "version": own_version(),
            "acceptable": self.acceptable,
            "method": self.settings["method"],
            "settings": dict(self.settings),
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(reasons),
            "holds": holds(reasons),
            "conditions": self._conditions(),
            "threshold": {**asdict(threshold), "cell_size": threshold.cell_size},
            **self._found_parts,
            "fully_suppressed": [one.to_dict() for one in self.fully_suppressed],
            "reduced": [one.to_dict() for one in self.reduced],
            "steps": self.done.step_dicts if self.done else [],
            "steps_linkage": self.done.linkage if self.done else None,
            "lattice": {"nodes": self.lattice[0], "evaluated": self.lattice[1]},
            "sampled_search": self.sampled.to_dict() if self.sampled else None,
            "before": self.before.to_dict(),
            "after": self.after.to_dict() if self.after else None,
            "events": self.events.to_dict() if self.events else None,
            "rare_codes": self.rare.to_dict() if self.rare else None,
            "threshold_ladder": [rung.to_dict() for rung in self.rungs],
            "named_solutions": describe.proposals_part(self.proposals, self.quasi),
            "text": [one.to_dict() for one in self.texts],
            **self.inventory.to_dict(),
            "codebook": self._codebook(),
            "files": dict(self.files),
            "usefulness": self.usefulness.to_dict() if self.usefulness else None,
            "notes": [*self.notes, *self._less_useful()],
        }

    @cached_property
    def fully_suppressed(self) -> tuple[LostColumn, ...]:
        """The columns of which nothing is left, and the choice that would keep each of them."""
        return () if self.found is None else lost_columns(self.found, self.events)

    @cached_property
    def _found_parts(self) -> dict[str, Any]:
        if self.found is None:
            nothing: dict[str, Any] = dict.fromkeys(("layout", "solution", "readings"))
            return {**nothing, "candidates": [], "variables": [], "associations": []}
        parts = self._solution_parts(self.found, several=len(self.settings["layouts"]) > 1)
        return {**parts, "solution": {**parts["solution"], "removed_rows": self.removed_rows}}

    def _solution_parts(self, found: Releasable, *, several: bool) -> dict[str, Any]:
        if isinstance(found, TupleSolution):
            return describe.tuple_solution_parts(found, several=several)
        released, worth = describe.worth_of(found)
        return {
            "layout": found.problem.layout.name if several else None,
            "solution": describe.solution_part(found, worth),
            "candidates": describe.candidates_part(found, several=several),
            "readings": describe.readings_part(found),
            "variables": describe.variables_part(found, released),
            "associations": [] if self.sampled else describe.associations_part(found, released),
        }

    def _codebook(self) -> list[dict[str, Any]]:
        """Return each column with its position in the release; None for those not released."""
        places = iter(range(1, len(self.columns) + 1))
        return [
            {**asdict(column), "position": None if column.type_after is None else next(places)}
            for column in self.columns
        ]

    def _reasons(self) -> list[Reason]:
        """Return what stops the release first, then the reasons that speak for it if there is a solution."""
        figures = [Reason(text, self.found is not None) for text in self._sentences()]
        return [*self.inventory.reasons(), *figures]

    def _sentences(self) -> list[str]:
        if self.found is None or self.after is None:
            nearest = [rung.nearest for rung in self.rungs if rung.nearest]
            return [f"No solution. {text}" for text in nearest] or ["No solution."]
        known = self.after.longitudinal
        return [
            *self._class_sentences(self.after),
            self._suppression_sentence(self.found),
            *([] if self.rare is None else [self.rare.sentence()]),
            *(one.reason().text for one in self.after.disclosure),
            *([] if self.events is None else [self.events.reason()]),
            *([] if known is None else [known.reason().text]),
        ]

    def _suppression_sentence(self, found: Releasable) -> str:
        """Say how many records lose cells, keep a row without any, or leave no row."""
        suppressed, records = found.suppressed, found.problem.records
        start = f"{plural(suppressed.records, 'record')} of {records:,}"
        share = f"({100 * suppressed.records / records:.1f} %)"
        cells = int(suppressed.by_column.sum()) - suppressed.width * suppressed.removed
        parts = [
            f"{suppressed.removed:,} removed with {plural(self.removed_rows, 'row')}",
            f"{suppressed.blank:,} released with all quasi-identifiers suppressed",
        ]
        numbers = (suppressed.removed, suppressed.blank)
        done = [text for text, number in zip(parts, numbers, strict=True) if number]
        if found.problem.options.suppress == "records" and done:
            return f"{start} {share} are suppressed: {'; '.join(done)}."
        gone = f"; {parts[0]}" if suppressed.removed else ""
        return f"{start} {share} have {plural(cells, 'suppressed cell')} in all{gone}."

    def _class_sentences(self, after: TableRisk) -> list[str]:
        """Explain the smallest class; under the wildcard reading also for an intruder who knows the rule."""
        threshold = self.threshold
        limit = f"the threshold {probability(threshold.probability)} ({threshold.reason})"
        both = self._found_parts["readings"]
        if self.settings["reading"] == "value" or both is None:
            return [
                f"Every released record has the same values as at least {after.sizes.smallest - 1:,} others: "
                f"the highest risk is {probability(after.prosecutor.highest)}, {limit}."
            ]
        wild, value = both["wildcard"], both["value"]
        return [
            f"If a suppressed cell matches every value, every record matches at least "
            f"{wild['smallest_class'] - 1:,} others: the highest risk is {probability(wild['highest'])}, "
            f"{limit}.",
            f"For an intruder who knows why cells were suppressed, the smallest class has "
            f"{plural(value['smallest_class'], 'record')}: then "
            f"{100 * value['share_above_threshold']:.1f} % of the records are above the threshold.",
        ]

    def _less_useful(self) -> list[str]:
        """Return notes on missed limits of utility; the risk alone decides about a release."""
        limits = self.usefulness.limits if self.usefulness else ()
        return [f"less useful than required: {one.describe()}" for one in limits if not one.met]

    def _conditions(self) -> list[str]:
        return [rung.requires for rung in self.rungs if rung.outcome == "solution" and rung.requires]
