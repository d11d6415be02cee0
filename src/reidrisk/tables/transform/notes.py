"""What transformations mean for figures that are measured after them."""

from __future__ import annotations

from collections.abc import Sequence

from reidrisk.core.schema import Schema
from reidrisk.tables.transform.applied import Applied
from reidrisk.tables.transform.planned import BY_CHANCE, Planned, guessable
from reidrisk.tables.transform.sample import Sample

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
