"""Transformations that are to be done, each with the place that names it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from reidrisk.errors import InvalidSetting, ReidRiskError, UnknownColumn
from reidrisk.tables.transform.config import read_steps, step_from
from reidrisk.tables.transform.step import Step

KEYED = ("shift_dates", "pseudonyms")
"""Kinds that need a key."""
DRAWN = ("sample", "noise", "rank_swap", "pram")
"""Kinds that draw by chance."""
BY_CHANCE = ("noise", "rank_swap", "pram", "shift_dates")
"""Kinds after which a value is no longer the person's own."""
KEY_HINT = "Make one with: reidrisk table key FILE; name it with --key, or as key in a release file."
GivenSteps = str | Path | Sequence[Any]
"""A file, or a list of steps, mappings as a file has them, or planned ones."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One step, and where it stands, for messages."""

    step: Step
    place: str

    @contextmanager
    def named(self) -> Iterator[None]:
        """Whatever is wrong is told with the place."""
        try:
            yield
        except ReidRiskError as error:
            raise type(error)(f"{self.place} ({self.step.kind}): {error.problem}", hint=error.hint) from None

    def check(self, columns: Sequence[str], source: str, *, unit: str | None = None) -> None:
        """Refuse a column that the table does not have, or names twice, and other people than there are."""
        own = self.step.columns
        with self.named():
            for name in own:
                if name not in columns:
                    raise UnknownColumn.among(name, columns, source=source)
            if len(set(own)) < len(own):
                raise InvalidSetting("A column is named twice.", hint="Name each column once.")
            if unit is not None and unit in self.step.changes:
                raise InvalidSetting(
                    f"It changes {unit!r}, which tells whose record a row is.",
                    hint="Leave the unit as it is, or make pseudonyms of it.",
                )

    def said(self) -> dict[str, Any]:
        """Its settings, as JSON types; of a matrix, which names values, only that there is one."""
        found: dict[str, Any] = {"kind": self.step.kind}
        step: Any = self.step  # a dataclass, as every step is
        for field in fields(step):
            value = getattr(step, field.name)
            if isinstance(value, Mapping):
                value = "as given"
            found[field.name] = list(value) if isinstance(value, tuple) else value
        return found


def planned(given: GivenSteps) -> tuple[Planned, ...]:
    """All of them, checked as far as that goes without a table."""
    if isinstance(given, str | Path):
        return tuple(Planned(step, place) for place, step in read_steps(given))
    return tuple(_planned(one, f"steps[{at}]") for at, one in enumerate(given))


def _planned(one: Any, place: str) -> Planned:
    if isinstance(one, Planned):
        return one
    return Planned(one if hasattr(one, "apply") else step_from(one, place), place)


def needs_key(steps: Sequence[Planned], key: bytes | None) -> None:
    """Refuse before any work what cannot be done without a secret."""
    for one in steps:
        if one.step.kind in KEYED and not key:
            raise InvalidSetting(
                f"{one.place} ({one.step.kind}) needs a key.",
                hint=KEY_HINT,
            )


def guessable(steps: Sequence[Planned], key: bytes | None) -> tuple[str, ...]:
    """That draws follow from the seed alone, if so: whoever guesses it can undo them."""
    kinds = dict.fromkeys(one.step.kind for one in steps if one.step.kind in DRAWN)
    if key or not kinds:
        return ()
    return (
        f"{', '.join(kinds)}: drawn from the seed alone, and who guesses it can undo much of that; with a "
        "key nobody can",
    )
