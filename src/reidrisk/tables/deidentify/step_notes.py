"""What transformations before a search mean for its figures."""

from __future__ import annotations

from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.transform.planned import BY_CHANCE, guessable


def step_notes(options: DeidentifyOptions, prepared: Prepared) -> tuple[str, ...]:
    """Sampling that an intruder has to reckon with, classes of changed values, draws that can be guessed."""
    return (
        *_sampled(options, prepared),
        *_perturbed(options, prepared),
        *guessable(options.steps, options.key),
    )


def _sampled(options: DeidentifyOptions, prepared: Prepared) -> tuple[str, ...]:
    fraction, done = 1.0, prepared.done
    for one in options.steps:
        fraction *= getattr(one.step, "share", 1.0) if one.step.kind == "sample" else 1.0
    if fraction == 1.0 or done is None:
        return ()
    return (
        f"a random sample goes out, {done.rows_after:,} of {done.rows_before:,} rows: an intruder who does "
        "not know who was drawn faces less than the risks shown; reidrisk table risk --sampling-fraction "
        f"{fraction:g} estimates it",
    )


def _perturbed(options: DeidentifyOptions, prepared: Prepared) -> tuple[str, ...]:
    changed = {name for one in options.steps if one.step.kind in BY_CHANCE for name in one.step.changes}
    names = [name for name in prepared.tuples.columns if name in changed]
    if not names:
        return ()
    return (
        f"classes are counted on values that were changed by chance: {', '.join(names)}; the cell size is "
        "then no measure of the protection by itself; reidrisk table attack against the original is one",
    )
