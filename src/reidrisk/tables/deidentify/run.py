"""The loop: thresholds in turn, layouts in turn, until one has a solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.files import writable
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.release import ReleasePlan
from reidrisk.engine.table import open_table
from reidrisk.engine.write import is_text, ready_to_write
from reidrisk.errors import Interrupted, InvalidSetting
from reidrisk.tables.deidentify.codebook import columns_done
from reidrisk.tables.deidentify.figures import Setting, risk_of
from reidrisk.tables.deidentify.methods import METHODS, Releasable
from reidrisk.tables.deidentify.nearest import explained, relaxations
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.deidentify.prepare import Prepared, prepare
from reidrisk.tables.deidentify.problem import Problem, built_levels, only
from reidrisk.tables.deidentify.proposals import Ground, proposals
from reidrisk.tables.deidentify.result import Deidentified, Rung
from reidrisk.tables.deidentify.search import Found, Missing, Watch
from reidrisk.tables.deidentify.secrets import narrowed, read_secrets, told_after
from reidrisk.tables.deidentify.treatments import check_columns
from reidrisk.tables.deidentify.usefulness import check_plan, with_usefulness
from reidrisk.tables.deidentify.writing import arrow_release, refuse_changed, release_of, write_release
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.result import TableRisk
from reidrisk.tables.secrets import SecretFound

DEFAULT = Threshold.from_cell_size(5, "cell size of five, the default")


def deidentify(  # noqa: PLR0913 - the data and its meaning, then what may be lost, then where to
    table: Any,
    schema: Schema,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    threshold: Threshold | None = None,
    max_suppression: float = 0.05,
    options: DeidentifyOptions | None = None,
    out: str | Path | None = None,
    watch: Watch | None = None,
) -> Deidentified:
    """Generalize and suppress until the risk is at most the threshold, with the least loss.

    At most `max_suppression` of the records lose a value. With `out` the table is written as well.
    The result says whether there is a solution; it never raises for the want of one.
    """
    options, watch = options or DeidentifyOptions(), watch or Watch()
    ladder = _ladder(threshold or (options.ladder[0] if options.ladder else DEFAULT), options)
    if not 0 <= max_suppression <= 1:
        raise InvalidSetting(
            f"A limit is a share in [0, 1], not {max_suppression}.", hint="Write 15 % as 0.15."
        )
    if out is not None:
        ready_to_write(writable(out))
    with open_table(table) as opened:
        check_columns(opened.columns, schema, options, source=opened.source)
        check_plan(opened, options.utility)
        prepared = prepare(opened, schema, options, as_text=_as_text(out))
        _check_weights(options, prepared)
        levels = built_levels(prepared.tuples, hierarchies or {}, options.max_level)
        secrets = read_secrets(opened, schema, options, hierarchies or {}, prepared.tuples)
        problems = [
            Problem(
                layout,
                only(prepared.tuples, layout.quasi),
                tuple(levels[name] for name in layout.quasi),
                options,
                max_suppression,
                narrowed(secrets, prepared.tuples, layout.quasi),
            )
            for layout in options.layouts or (Layout("as requested", schema.quasi),)
        ]
        walked = _walk(problems, ladder, watch)
        ground = Ground(prepared.tuples, levels, ladder, max_suppression, options, secrets)
        rows = proposals(ground, problems, options.solutions, walked.found)
        run = _Run(table, schema, hierarchies or {}, options, prepared, max_suppression)
        result = run.result(walked, rows, ladder=ladder, out=out, seed=watch.seed)
    return with_usefulness(result, table, hierarchies or {}, options.utility)


def _told_before(walked: _Walked) -> tuple[SecretFound, ...]:
    problem = walked.problem
    return tuple(one.found(np.arange(len(problem.tuples))) for one in problem.secrets)


def _after(found: Releasable, quasi: tuple[str, ...], setting: Setting) -> TableRisk:
    risk = risk_of(found.lost.after().counts, quasi, found.threshold, setting)
    if not isinstance(found, Found):  # limits on secrets are kept by the search only
        return risk
    return replace(risk, secrets=told_after(found.problem.secrets, found.lost))


def _as_text(out: str | Path | None) -> bool:
    return out is None or is_text(Path(out))


def _order_notes(release: ReleasePlan | None) -> tuple[str, ...]:
    if release is None or (release.order == "source" and not release.told):
        return ()
    names = ", ".join(release.told) or "nothing"
    if release.order == "content":
        return (f"rows are not in the order of the source, which tells: {names}",)
    return (f"the order of the rows tells what the values no longer do: {names}",)


def _check_weights(options: DeidentifyOptions, prepared: Prepared) -> None:
    for name in options.weights:
        if name not in prepared.tuples.columns:
            raise InvalidSetting.among(
                "A weight is for a quasi-identifier, which", name, prepared.tuples.columns
            )


def _ladder(baseline: Threshold, options: DeidentifyOptions) -> tuple[Threshold, ...]:
    """The baseline, then the thresholds of the ladder that accept more."""
    return (baseline, *(rung for rung in options.ladder if rung.cell_size < baseline.cell_size))


@dataclass(frozen=True, slots=True, eq=False)
class _Walked:
    """How far the loop went."""

    found: Releasable | None
    rungs: tuple[Rung, ...]
    problem: Problem
    """Of the solution, or the first."""
    lattice: tuple[int, int]


def _walk(problems: list[Problem], ladder: tuple[Threshold, ...], watch: Watch) -> _Walked:
    """Every threshold that is allowed, every layout in order of preference, until there is a solution."""
    rungs: list[Rung] = []
    nodes = evaluated = 0
    for place, threshold in enumerate(ladder):
        permission = problems[0].options.gate(threshold, place)
        if not permission.allowed:
            rungs.append(Rung(threshold, "not allowed", requires=permission.requires))
            continue
        refused: list[Missing] = []
        for problem in problems:
            tried = METHODS[problem.options.method](problem, threshold, watch)
            nodes, evaluated = nodes + tried.outcome.lattice, evaluated + tried.outcome.evaluated
            if not isinstance(tried, Missing):
                rungs.append(_solved(tried, len(problems) > 1, permission.requires))
                left = [Rung(later, "not tried") for later in ladder[place + 1 :]]
                return _Walked(tried, (*rungs, *left), problem, (nodes, evaluated))
            if watch.stopped:
                raise Interrupted(
                    "The search was interrupted before it had found any solution.",
                    hint="Let it run longer, or restrict the levels of some variables.",
                )
            refused.append(tried)
        rungs.append(_unsolved(refused, permission.requires))
    return _Walked(None, tuple(rungs), problems[0], (nodes, evaluated))


def _solved(found: Releasable, several: bool, requires: str | None) -> Rung:  # noqa: FBT001 - private
    return Rung(
        found.threshold,
        "solution",
        share=found.lost.records / found.problem.records,
        layout=found.problem.layout.name if several else None,
        requires=requires,
    )


def _unsolved(refused: list[Missing], requires: str | None) -> Rung:
    """The layout that came nearest speaks for the threshold."""
    nearest = min(refused, key=lambda missing: missing.needed)
    several = len(refused) > 1
    text = explained(nearest, relaxations(nearest))
    return Rung(
        nearest.threshold,
        "no solution",
        share=nearest.needed,
        layout=nearest.problem.layout.name if several else None,
        nearest=f"{nearest.problem.layout.name}: {text}" if several else text,
        requires=requires,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Everything that a result is made from and that a later writing needs."""

    source: Any
    schema: Schema
    hierarchies: Mapping[str, Hierarchy]
    options: DeidentifyOptions
    prepared: Prepared
    limit: float

    def result(
        self,
        walked: _Walked,
        rows: list[Any],
        *,
        ladder: tuple[Threshold, ...],
        out: str | Path | None,
        seed: int,
    ) -> Deidentified:
        found, prepared = walked.found, self.prepared
        tried = [rung.threshold for rung in walked.rungs if rung.outcome != "not allowed"]
        threshold = found.threshold if found else (tried or list(ladder))[-1]
        quasi, tuples = walked.problem.layout.quasi, walked.problem.tuples
        opened = prepared.opened
        before = Setting(self.schema, prepared.rows, opened.source, opened.notes)
        gone = found.lost.removed if found and self.schema.unit is None else 0
        after = Setting(self.schema, prepared.rows - gone, "the released table", ())
        release = release_of(found, prepared, self.schema, self.options) if found else None
        if found and release and out is not None:
            write_release(found, prepared, release, out)
        return Deidentified(
            found=found,
            rungs=walked.rungs,
            before=replace(risk_of(tuples.counts, quasi, threshold, before), secrets=_told_before(walked)),
            after=_after(found, quasi, after) if found else None,
            proposals=tuple(rows),
            columns=columns_done(prepared, self.schema, found, release),
            quasi=prepared.tuples.columns,
            settings=self._said(ladder, out),
            seed=seed,
            lattice=(walked.lattice[0], min(walked.lattice)),
            notes=(*self._notes(), *_order_notes(release)),
            files={"out": None if out is None or found is None else str(out), "codebook": None},
            writer=self._writer(found) if found else None,
            maker=self._maker(found) if found else None,
        )

    def _said(self, ladder: tuple[Threshold, ...], out: str | Path | None) -> dict[str, Any]:
        return {
            "table": self.prepared.opened.source,
            "read_as": list(self.prepared.opened.notes),
            "out": None if out is None else str(out),
            "quasi": list(self.schema.quasi),
            "unit": self.schema.unit,
            "reduce": dict(self.schema.reduce),
            "sensitive": list(self.schema.sensitive),
            "max_suppression": self.limit,
            "ladder": [threshold.cell_size for threshold in ladder],
            **self.options.said(),
        }

    def _notes(self) -> tuple[str, ...]:
        """What the user may not have meant."""
        exact = [name for name in self.prepared.tuples.columns if name not in self.hierarchies]
        strange = [name for name in self.hierarchies if name not in self.prepared.table.columns]
        kept = [name for name, treatment in self.options.treatments.items() if treatment == "keep"]
        told = {
            "no hierarchy, hence exact values or none": exact,
            "hierarchies of columns that the table does not have": strange,
            "kept on purpose, though named as direct identifiers": kept,
        }
        return tuple(f"{what}: {', '.join(names)}" for what, names in told.items() if names)

    def _writer(self, found: Releasable) -> Callable[[str | Path], None]:
        def write(path: str | Path) -> None:
            ready_to_write(writable(path))
            with self._again(found, as_text=_as_text(path)) as (prepared, release):
                write_release(found, prepared, release, path)

        return write

    def _maker(self, found: Releasable) -> Callable[[], Any]:
        def make() -> Any:
            with self._again(found, as_text=False) as (prepared, release):
                return arrow_release(found, prepared, release)

        return make

    @contextmanager
    def _again(self, found: Releasable, *, as_text: bool) -> Iterator[tuple[Prepared, ReleasePlan]]:
        """The source opened once more, if it has not changed."""
        with open_table(self.source) as opened:
            check_columns(opened.columns, self.schema, self.options, source=opened.source)
            prepared = prepare(opened, self.schema, self.options, as_text=as_text)
            refuse_changed(found, prepared.tuples)
            release = release_of(found, prepared, self.schema, self.options)
            yield prepared, release.on(only(prepared.tuples, release.tuples.columns))
