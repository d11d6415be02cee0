"""Apply the steps to a table, and report what they changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural, probability
from reidrisk.engine.replacing import count_of, is_moment, is_numeric, numbers_of, values_of
from reidrisk.engine.table import Table
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.perturb.linked import Points, own_nearest
from reidrisk.stats.proportion import interval
from reidrisk.tables.transform.plan import BY_CHANCE, Planned, guessable
from reidrisk.tables.transform.reduce import Sample
from reidrisk.tables.transform.step import Work

Figures = Mapping[str, Any]


def worth(kind: str, figures: Figures) -> str:
    """For people; the figures themselves stand beside it."""
    return SENTENCES[kind](figures)


def together(linkage: Mapping[str, Any] | None) -> str | None:
    """What all of them are worth against somebody who has the originals; None if no value was changed."""
    if linkage is None:
        return None
    return (
        f"Of {plural(linkage['guesses'], 'changed record')}, {_percent(linkage['value'])} "
        f"({_percent(linkage['low'])} to {_percent(linkage['high'])}) are nearest to their own original in "
        f"{', '.join(linkage['columns'])}; guessing would be right in {probability(linkage['guessing'])}."
    )


def _sample(figures: Figures) -> str:
    share = figures["rows_after"] / max(1, figures["rows_before"])
    rows = " if every row is a person" if figures["person"] is None else ""
    return (
        f"{_percent(share)} of the rows go out: who does not know who was drawn faces the journalist risk, "
        f"with a sampling fraction of {figures['share']:g}{rows}."
    )


def _tails(figures: Figures) -> str:
    [row] = figures["by_column"]
    return (
        f"{_percent(row['share_top'])} of the values coded at the top, {_percent(row['share_bottom'])} "
        f"at the bottom; variance {_ratio(row['variance_ratio'])} of what it was."
    )


def _noise(figures: Figures) -> str:
    said = [
        f"{row['column']} keeps {_ratio(row['variance_ratio'])} of its variance and a correlation of "
        f"{_ratio(row['correlation'])} with itself"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}{_correlations(figures)}."


def _swap(figures: Figures) -> str:
    said = [
        f"{row['column']} moved by {_percent(row['mean_rank_shift'])} of the ranks on average and keeps a "
        f"correlation of {_ratio(row['correlation'])} with itself"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}{_correlations(figures)}."


def _pram(figures: Figures) -> str:
    [row] = figures["by_column"]
    corrects = (
        "the shares of the original values follow from the released ones and the matrix"
        if row["correctable"]
        else "the matrix has no inverse that is worth anything: nobody can correct for it"
    )
    return (
        f"{_percent(row['expected_changed'])} were to change, {_percent(row['share_changed'])} did; "
        f"{corrects}; a released value is the true one with a chance of "
        f"{probability(figures['least_certain'])} or more."
    )


def _dates(figures: Figures) -> str:
    kept = (
        "checked: what lies between two dates of a person is as it was"
        if figures["intervals_kept"]
        else "what lies between two dates of a person is NOT as it was"
    )
    size = (
        f"; moved by {figures['mean_shift']:.0f} days on average, at most {figures['largest_shift']:.0f}"
        if figures["mean_shift"] is not None
        else ""
    )
    lost = sum(row["dates_lost"] for row in figures["by_column"])
    gone = f"; {plural(lost, 'date')} of nobody left out" if lost else ""
    return f"{kept}{size}{gone}."


def _pseudonyms(figures: Figures) -> str:
    said = [
        f"{row['column']}: {plural(row['distinct_before'], 'value')}, {plural(row['distinct'], 'pseudonym')}"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(said)}."


def _correlations(figures: Figures) -> str:
    change = figures["largest_correlation_change"]
    return "" if change is None else f"; correlations between them changed by at most {change:.3f}"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f} %"


def _ratio(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3f}"


SENTENCES: dict[str, Callable[[Figures], str]] = {
    "sample": _sample,
    "tails": _tails,
    "noise": _noise,
    "rank_swap": _swap,
    "pram": _pram,
    "shift_dates": _dates,
    "pseudonyms": _pseudonyms,
}


LEVEL = 0.95


def changed_columns(steps: Sequence[Planned]) -> tuple[str, ...]:
    """Columns whose values are changed, each once; what becomes a pseudonym can be held against nothing."""
    hidden = {name for one in steps if one.step.kind == "pseudonyms" for name in one.step.columns}
    every = dict.fromkeys(name for one in steps for name in one.step.changes)
    return tuple(name for name in every if name not in hidden)


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """The original values of some columns, and which of their rows are still there."""

    columns: tuple[str, ...]
    before: Points = field(repr=False)
    names: dict[str, dict[Any, int]] = field(repr=False)
    """Of columns of categories: the code of each value."""
    owner: Ints = field(repr=False)

    @classmethod
    def of(cls, table: Table, columns: tuple[str, ...]) -> Tracked:
        """As they are before anything is done."""
        names: dict[str, dict[Any, int]] = {}
        found = []
        for name in columns:
            if is_numeric(table, name) or is_moment(table, name):
                found.append(numbers_of(table, [name])[:, 0])
            else:
                codes, values = values_of(table, name)
                names[name] = {value: code for code, value in enumerate(values)}
                found.append(np.where(codes < 0, np.nan, codes))
        rows = np.stack(found, axis=1)
        return cls(
            columns, Points(rows, np.array([name in names for name in columns])), names, np.arange(len(rows))
        )

    def only(self, places: Ints) -> Tracked:
        """After other rows were left out."""
        return replace(self, owner=self.owner[places])

    def linkage(self, table: Table, seed: int) -> dict[str, Any] | None:
        """Changed records held against all originals; None if no row is left."""
        if not self.owner.size:
            return None
        after = np.stack([self._now(table, name) for name in self.columns], axis=1)
        own = self.before.rows[self.owner]
        same = ((after == own) | (np.isnan(after) & np.isnan(own))).all(axis=1)
        points = Points(after, self.before.categories)
        links = own_nearest(self.before, points, self.owner, np.random.default_rng(seed))
        low, high = interval(links.right, links.guesses, level=LEVEL)
        return {
            "columns": list(self.columns),
            "guesses": links.guesses,
            "right": links.right,
            "value": links.right / links.guesses,
            "low": low if links.right else 0.0,
            "high": high,
            "level": LEVEL,
            "originals": links.originals,
            "guessing": 1 / links.originals,
            "share_unchanged": float(same.mean()),
        }

    def _now(self, table: Table, name: str) -> Floats:
        if name not in self.names:
            return numbers_of(table, [name])[:, 0]
        codes, values = values_of(table, name)
        known = self.names[name]
        own = np.array([*(float(known.get(value, -1)) for value in values), np.nan])
        return np.asarray(own[codes])


StepDone = tuple[str, str, dict[str, Any]]
"""Kind, what was done in words, and figures."""


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A table after all of them."""

    table: Table
    rows_before: int
    rows_after: int
    steps: tuple[StepDone, ...] = field(repr=False)
    linkage: dict[str, Any] | None = field(default=None, repr=False)
    """How often a changed record is still nearest to its own original; None if no value was changed."""

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The steps for JSON."""
        return listed(self.steps)


def listed(steps: Sequence[StepDone]) -> list[dict[str, Any]]:
    """Steps for JSON, each with what it is worth in words."""
    return [
        {"kind": kind, "text": text, "worth": worth(kind, figures), **figures}
        for kind, text, figures in steps
    ]


def applied(
    table: Table, steps: Sequence[Planned], work: Work, *, unit: str | None = None, measured: bool = True
) -> Applied:
    """Do every step, to any column but the unit's; unless `measured`, only what writing again needs."""
    for one in steps:
        one.check(table.columns, table.source, unit=unit)
    before = count_of(table)
    changed = changed_columns(steps)
    tracked = Tracked.of(table, changed) if measured and changed else None
    now, told = table, []
    for one in steps:
        with one.named():
            done = one.step.apply(now, work)
        now = done.table
        told.append((one.step.kind, done.text, dict(done.figures)))
        if tracked is not None and done.kept is not None:
            tracked = tracked.only(done.kept)
    linkage = None if tracked is None else tracked.linkage(now, work.seed)
    return Applied(now, before, count_of(now), tuple(told), linkage)


CLASSES = (
    "classes are counted on values that were changed by chance: {}; the cell size is then no measure of the "
    "protection by itself; reidrisk table attack against the original is one"
)
EVENTS = (
    "known events are counted on values that were changed by chance: {}; the true ones may fit fewer people, "
    "or none, and the cell size is no measure of the protection by itself"
)
SECRETS = (
    "what classes tell is counted on values that were changed by chance: {}; the figures and limits hold "
    "for these, not for the true ones"
)


def step_notes(
    steps: Sequence[Planned],
    done: Applied | None,
    schema: Schema,
    key: bytes | None,
    *,
    events: Sequence[str] = (),
) -> tuple[str, ...]:
    """Sampling that an intruder has to reckon with, figures of changed values, draws that can be guessed."""
    if done is None:
        return ()
    told = ((CLASSES, schema.quasi), (EVENTS, events), (SECRETS, schema.sensitive))
    changed = ((text, changed_by_chance(steps, columns)) for text, columns in told)
    by_chance = (text.format(", ".join(names)) for text, names in changed if names)
    return (*_sampled(steps, done, schema.unit), *by_chance, *guessable(steps, key))


def sampling_fraction(steps: Sequence[Planned], unit: str | None = None) -> float | None:
    """The share of the records that is drawn in all; None if nothing is sampled.

    If several rows are one unit, rows that are drawn one by one leave nearly every unit in the table.
    """
    fraction = 1.0
    for one in steps:
        if isinstance(one.step, Sample) and unit in (None, one.step.person):
            fraction *= one.step.share
    return None if fraction == 1.0 else fraction


def changed_by_chance(steps: Sequence[Planned], columns: Sequence[str]) -> tuple[str, ...]:
    """Columns, known to an intruder, whose values need not be their persons' own."""
    changed = {name for one in steps if one.step.kind in BY_CHANCE for name in one.step.changes}
    return tuple(name for name in columns if name in changed)


def _sampled(steps: Sequence[Planned], done: Applied, unit: str | None) -> tuple[str, ...]:
    if sampling_fraction(steps) is None:
        return ()
    fraction = sampling_fraction(steps, unit)
    what = f"a random sample goes out, {done.rows_after:,} of {done.rows_before:,} rows"
    if fraction is None:
        return (
            f"{what}, which were not drawn by {unit}: most may still be in it, and no sampling fraction "
            f"follows; a sample with person: {unit} has one",
        )
    return (
        f"{what}: an intruder who does not know who was drawn faces less than the risks shown; reidrisk "
        f"table risk --sampling-fraction {fraction:g} estimates it",
    )
