"""Apply the steps to a table, and report what they changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.wording import plural, probability
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import MOMENTS, NUMBERS
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.swap import Points, own_nearest
from reidrisk.tables.transform.plan import BY_CHANCE, PlanStep, guessable_notes
from reidrisk.tables.transform.reduce import Sample
from reidrisk.tables.transform.step import StepInputs

Figures = Mapping[str, Any]


def explain_step(kind: str, figures: Figures) -> str:
    """Explain the figures of a step in a sentence."""
    return SENTENCES[kind](figures)


def explain_linkage(linkage: Mapping[str, Any] | None) -> str | None:
    """Explain how well all steps protect against a person with the originals; None if no value changed."""
    if linkage is None:
        return None
    return (
        f"Of {plural(linkage['guesses'], 'changed record')}, {_percent(linkage['value'])} "
        f"({_percent(linkage['low'])} to {_percent(linkage['high'])}) are closest to their own original in "
        f"{', '.join(linkage['columns'])}; a random guess would be correct in "
        f"{probability(linkage['guessing'])}.{_drawn_text(linkage)}"
    )


def _drawn_text(linkage: Figures) -> str:
    """Say that only some originals were compared."""
    drawn = linkage.get("sampled")
    if drawn is None:
        return ""
    return (
        f" They were compared with a sample of {drawn['drawn']:,} of {drawn['of']:,} originals; with all of "
        "them, fewer would be closest to their own."
    )


def _sample(figures: Figures) -> str:
    share = figures["rows_after"] / max(1, figures["rows_before"])
    rows = " if every row is a person" if figures["person"] is None else ""
    return (
        f"{_percent(share)} of the rows are released: for an intruder who does not know who was sampled, the "
        f"journalist risk applies, with a sampling fraction of {figures['share']:g}{rows}."
    )


def _tails(figures: Figures) -> str:
    [row] = figures["by_column"]
    return (
        f"{_percent(row['share_top'])} of the values coded at the top, {_percent(row['share_bottom'])} "
        f"at the bottom; the variance is {_ratio(row['variance_ratio'])} of the original."
    )


def _noise(figures: Figures) -> str:
    sentences = [
        f"{row['column']} keeps {_ratio(row['variance_ratio'])} of its variance and a correlation of "
        f"{_ratio(row['correlation'])} with the original"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(sentences)}{_correlations(figures)}."


def _swap(figures: Figures) -> str:
    sentences = [
        f"{row['column']} moved by {_percent(row['mean_rank_shift'])} of the ranks on average and has a "
        f"correlation of {_ratio(row['correlation'])} with the original"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(sentences)}{_correlations(figures)}."


def _pram(figures: Figures) -> str:
    [row] = figures["by_column"]
    corrects = (
        "the original shares can be estimated from the released values and the matrix"
        if row["correctable"]
        else "the matrix has no useful inverse, so the original shares cannot be estimated"
    )
    return (
        f"{_percent(row['expected_changed'])} were expected to change, {_percent(row['share_changed'])} did; "
        f"{corrects}; a released value is the true one with a probability of "
        f"{probability(figures['least_certain'])} or more."
    )


def _dates(figures: Figures) -> str:
    kept = (
        "checked: intervals between the dates of a person are unchanged"
        if figures["intervals_kept"]
        else "intervals between the dates of a person are NOT unchanged"
    )
    size = (
        f"; shifted by {figures['mean_shift']:.0f} days on average, at most {figures['largest_shift']:.0f}"
        if figures["mean_shift"] is not None
        else ""
    )
    suppressed = sum(row["dates_lost"] for row in figures["by_column"])
    gone = f"; {plural(suppressed, 'date')} without a person suppressed" if suppressed else ""
    return f"{kept}{size}{gone}."


def _pseudonyms(figures: Figures) -> str:
    sentences = [
        f"{row['column']}: {plural(row['distinct_before'], 'value')}, {plural(row['distinct'], 'pseudonym')}"
        for row in figures["by_column"]
    ]
    return f"{'; '.join(sentences)}."


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
MOST_ROWS = 1_000_000
"""Of a larger table, so many originals are compared; every row is changed, however many there are."""


def changed_columns(steps: Sequence[PlanStep]) -> tuple[str, ...]:
    """Return the columns whose values change, without those that become pseudonyms."""
    hidden = {name for one in steps if one.step.kind == "pseudonyms" for name in one.step.columns}
    every = dict.fromkeys(name for one in steps for name in one.step.changes)
    return tuple(name for name in every if name not in hidden)


@dataclass(frozen=True, slots=True, eq=False)
class OriginalValues:
    """The original values of some columns, and which rows are still in the table."""

    columns: tuple[str, ...]
    before: Points = field(repr=False)
    names: dict[str, dict[Any, int]] = field(repr=False)
    """The code of each value, for columns of categories."""
    owner: Ints = field(repr=False)
    places: Ints | None = field(default=None, repr=False)
    """Where the rows are in the table, if they are a sample of its rows."""
    every: int = 0
    """Rows of the table before any step."""

    @classmethod
    def of(cls, whole: Table, columns: tuple[str, ...], *, seed: int) -> OriginalValues:
        """Read the values before any step; of a large table, those of rows drawn by the seed."""
        every = whole.count()
        places = None if every <= MOST_ROWS else whole.rows.drawn_places(MOST_ROWS / every, seed=seed)
        table = whole if places is None else whole.rows.at(places)
        names: dict[str, dict[Any, int]] = {}
        found = []
        for name in columns:
            if table.kinds[name] in NUMBERS or table.kinds[name] in MOMENTS:
                found.append(table.rows.numbers([name])[:, 0])
            else:
                codes, values = table.rows.values(name)
                names[name] = {value: code for code, value in enumerate(values)}
                found.append(np.where(codes < 0, np.nan, codes))
        rows = np.stack(found, axis=1)
        points = Points(rows, np.array([name in names for name in columns]))
        return cls(columns, points, names, np.arange(len(rows)), places, every)

    def only(self, kept: Ints) -> OriginalValues:
        """Keep only these rows."""
        if self.places is None:
            return replace(self, owner=self.owner[kept])
        now = np.minimum(np.searchsorted(kept, self.places), max(0, len(kept) - 1))
        still = kept[now] == self.places if len(kept) else np.zeros(len(now), dtype=np.bool_)
        return replace(self, owner=self.owner[still], places=now[still])

    def linkage(self, table: Table, seed: int) -> dict[str, Any] | None:
        """Link changed records to all originals by distance; None if no row is left."""
        from reidrisk.stats.proportion import interval  # slow to load, and few releases have such steps

        if not self.owner.size:
            return None
        table = table if self.places is None else table.rows.at(self.places)
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
            "sampled": None
            if self.places is None
            else {"what": "rows", "drawn": links.originals, "of": self.every, "seed": seed},
        }

    def _now(self, table: Table, name: str) -> Floats:
        if name not in self.names:
            return table.rows.numbers([name])[:, 0]
        codes, values = table.rows.values(name)
        known = self.names[name]
        own = np.array([*(float(known.get(value, -1)) for value in values), np.nan])
        return np.asarray(own[codes])


StepRecord = tuple[str, str, dict[str, Any]]
"""Kind, description and figures of an applied step."""


@dataclass(frozen=True, slots=True, eq=False)
class TransformedTable:
    """A table after all steps."""

    table: Table
    rows_before: int
    rows_after: int
    steps: tuple[StepRecord, ...] = field(repr=False)
    linkage: dict[str, Any] | None = field(default=None, repr=False)
    """How often a changed record is still closest to its own original; None if no value changed."""

    @property
    def step_dicts(self) -> list[dict[str, Any]]:
        """The steps as JSON types."""
        return step_dicts(self.steps)


def step_dicts(steps: Sequence[StepRecord]) -> list[dict[str, Any]]:
    """Return the steps as JSON types, each with an explanation."""
    return [
        {"kind": kind, "text": text, "worth": explain_step(kind, figures), **figures}
        for kind, text, figures in steps
    ]


def apply_steps(
    table: Table,
    steps: Sequence[PlanStep],
    work: StepInputs,
    *,
    unit: str | None = None,
    measured: bool = True,
) -> TransformedTable:
    """Apply every step; without `measured`, skip the linkage of changed records."""
    for one in steps:
        one.check(table.columns, table.source, unit=unit)
    before = table.count()
    changed = changed_columns(steps)
    originals = OriginalValues.of(table, changed, seed=work.seed) if measured and changed else None
    now, records = table, []
    for one in steps:
        with one.named():
            done = one.step.apply(now, work)
        now = done.table
        records.append((one.step.kind, done.text, dict(done.figures)))
        if originals is not None and done.kept is not None:
            originals = originals.only(done.kept)
    linkage = None if originals is None else originals.linkage(now, work.seed)
    return TransformedTable(now, before, now.count(), tuple(records), linkage)


CLASSES = (
    "classes are counted on values that were changed at random: {}; the cell size alone then does not "
    "measure the protection; use reidrisk table attack against the original"
)
EVENTS = (
    "known events are counted on values that were changed at random: {}; the true values may fit fewer "
    "people, or none, and the cell size alone does not measure the protection"
)
SENSITIVE = (
    "attribute disclosure is measured on values that were changed at random: {}; the figures and limits "
    "apply to these, not to the true values"
)


def step_notes(
    steps: Sequence[PlanStep],
    done: TransformedTable | None,
    schema: Schema,
    key: bytes | None,
    *,
    events: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return notes on sampling, on figures of randomly changed values, and on a seed that can be guessed."""
    if done is None:
        return ()
    roles = ((CLASSES, schema.quasi), (EVENTS, events), (SENSITIVE, schema.sensitive))
    changed = ((text, changed_by_chance(steps, columns)) for text, columns in roles)
    by_chance = (text.format(", ".join(names)) for text, names in changed if names)
    return (*_sampling_notes(steps, done, schema.unit), *by_chance, *guessable_notes(steps, key))


def sampling_fraction(steps: Sequence[PlanStep], unit: str | None = None) -> float | None:
    """Return the share of records that is sampled by all steps; None without sampling.

    If a unit has several rows, sampling single rows leaves nearly every unit in the table.
    """
    fraction = 1.0
    for one in steps:
        if isinstance(one.step, Sample) and unit in (None, one.step.person):
            fraction *= one.step.share
    return None if fraction == 1.0 else fraction


def changed_by_chance(steps: Sequence[PlanStep], columns: Sequence[str]) -> tuple[str, ...]:
    """Return those of the columns whose values were changed at random."""
    changed = {name for one in steps if one.step.kind in BY_CHANCE for name in one.step.changes}
    return tuple(name for name in columns if name in changed)


def _sampling_notes(steps: Sequence[PlanStep], done: TransformedTable, unit: str | None) -> tuple[str, ...]:
    if sampling_fraction(steps) is None:
        return ()
    fraction = sampling_fraction(steps, unit)
    what = f"a random sample is released, {done.rows_after:,} of {done.rows_before:,} rows"
    if fraction is None:
        return (
            f"{what}, but not sampled by {unit}: most of them may still be in it, so there is no sampling "
            f"fraction; sample with person: {unit} to get one",
        )
    return (
        f"{what}: for an intruder who does not know who was sampled, the risk is lower than shown; estimate "
        f"it with reidrisk table risk --sampling-fraction {fraction:g}",
    )
