"""What transformations mean for figures that are measured after them."""

from __future__ import annotations

from collections.abc import Sequence

from reidrisk.tables.transform.applied import Applied
from reidrisk.tables.transform.planned import BY_CHANCE, Planned, guessable


def step_notes(
    steps: Sequence[Planned],
    done: Applied | None,
    quasi: Sequence[str],
    key: bytes | None,
    *,
    events: Sequence[str] = (),
) -> tuple[str, ...]:
    """Sampling that an intruder has to reckon with, classes of changed values, draws that can be guessed."""
    if done is None:
        return ()
    told = (*_perturbed(steps, quasi, "classes"), *_perturbed(steps, events, "known events"))
    return (*_sampled(steps, done), *told, *guessable(steps, key))


def sampling_fraction(steps: Sequence[Planned]) -> float | None:
    """The share of people or rows that is drawn in all; None if nothing is sampled."""
    fraction = 1.0
    for one in steps:
        fraction *= getattr(one.step, "share", 1.0) if one.step.kind == "sample" else 1.0
    return None if fraction == 1.0 else fraction


def changed_by_chance(steps: Sequence[Planned], columns: Sequence[str]) -> tuple[str, ...]:
    """Columns, known to an intruder, whose values need not be their persons' own."""
    changed = {name for one in steps if one.step.kind in BY_CHANCE for name in one.step.changes}
    return tuple(name for name in columns if name in changed)


def _sampled(steps: Sequence[Planned], done: Applied) -> tuple[str, ...]:
    fraction = sampling_fraction(steps)
    if fraction is None:
        return ()
    return (
        f"a random sample goes out, {done.rows_after:,} of {done.rows_before:,} rows: an intruder who does "
        "not know who was drawn faces less than the risks shown; reidrisk table risk --sampling-fraction "
        f"{fraction:g} estimates it",
    )


def _perturbed(steps: Sequence[Planned], columns: Sequence[str], what: str) -> tuple[str, ...]:
    names = changed_by_chance(steps, columns)
    if not names:
        return ()
    return (
        f"{what} are counted on values that were changed by chance: {', '.join(names)}; the cell size is "
        "then no measure of the protection by itself; reidrisk table attack against the original is one",
    )
