"""Singling out, linkability and inference, answered for documents with figures.

Opinion 05/2014 of the Article 29 working party asks for all three. For documents they read: whether the
values that can be read of a participant are unique; whether a document and a row of the data share two or
more of them; and whether a masked value can be guessed from the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from reidrisk.documents.risk.participants import Participants
from reidrisk.documents.risk.shown import Shown
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk

NEEDED = 2
"""Values that a document and a row must share to be linked."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One of the three, and the figures that answer it."""

    criterion: Literal["singling_out", "linkability", "inference"]
    is_met: bool
    """Whether it is no longer possible."""
    figures: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"criterion": self.criterion, "met": self.is_met, **self.figures}


@dataclass(frozen=True, slots=True)
class _Remains:
    """What can be read of one participant, and what is masked."""

    subject: int
    released: tuple[str, ...]
    kept: tuple[str, ...]
    masked: tuple[str, ...]

    @property
    def known(self) -> int:
        return len(self.released) + len(self.kept)


@dataclass(frozen=True, slots=True)
class Leaked:
    """Participants of whom something leaked on the pages that were reviewed."""

    direct: int
    two_or_more: int
    """Quasi-identifier values."""


def criteria(people: Participants, shown: Shown, *, level: float = 0.95) -> tuple[Criterion, ...]:
    """All three, for the participants whom the documents mention."""
    remains = [_remains(people, shown, subject) for subject in shown.mentioned]
    sizes = [_size(people, one) for one in remains]
    return (
        _singling_out(remains, sizes),
        _linkability(remains, sizes),
        _inference(people, remains, level),
    )


def with_leaks(found: Sequence[Criterion], leaked: Leaked) -> tuple[Criterion, ...]:
    """The same where leaks count too: what leaked on some pages may elsewhere."""
    numbers = {"singling_out": leaked.direct, "linkability": leaked.two_or_more}
    return tuple(
        one
        if one.criterion not in numbers
        else replace(
            one,
            is_met=one.is_met and numbers[one.criterion] == 0,
            figures={**one.figures, "leaked_on_reviewed_pages": numbers[one.criterion]},
        )
        for one in found
    )


def _remains(people: Participants, shown: Shown, subject: int) -> _Remains:
    kept = shown.kept.get(subject, frozenset())
    released = shown.released.get(subject, frozenset()) - kept
    masked = [
        name
        for at, name in enumerate(people.variables)
        if name in shown.mentioned[subject]
        and name not in kept
        and not (name in released and _is_unchanged(people, at))
    ]
    return _Remains(subject, tuple(sorted(released)), tuple(sorted(kept)), tuple(masked))


def _is_unchanged(people: Participants, at: int) -> bool:
    return len(np.unique(people.released[:, at])) == len(np.unique(people.original[:, at]))


def _size(people: Participants, one: _Remains) -> int:
    return int(people.class_sizes(one.released, one.kept)[one.subject - 1])


def _singling_out(remains: Sequence[_Remains], sizes: Sequence[int]) -> Criterion:
    alone = sum(size == 1 for size in sizes)
    figures = {
        "participants": len(remains),
        "unique": alone,
        "smallest_class": min(sizes, default=None),
        "leaked_on_reviewed_pages": None,
    }
    return Criterion("singling_out", alone == 0, figures)


def _linkability(remains: Sequence[_Remains], sizes: Sequence[int]) -> Criterion:
    linked = [size for one, size in zip(remains, sizes, strict=True) if one.known >= NEEDED]
    figures = {
        "participants": len(remains),
        "sharing_two_or_more": len(linked),
        "with_one_row_only": sum(size == 1 for size in linked),
        "smallest_class": min(linked, default=None),
        "leaked_on_reviewed_pages": None,
    }
    return Criterion("linkability", not linked, figures)


def _inference(people: Participants, remains: Sequence[_Remains], level: float) -> Criterion:
    """Guess each masked value by what is usual among the others who look alike, and among all others."""
    rows = []
    for at, name in enumerate(people.variables):
        own = [one for one in remains if name in one.masked]
        if not own:
            continue
        values = people.original[:, at]
        whole = Counter(values.tolist())
        right = sum(_guess(values, _alike(people, one), one.subject - 1) for one in own)
        usual = sum(guessed(whole, int(values[one.subject - 1])) for one in own)
        rows.append(_row(name, len(own), round(right), round(usual), level))
    return Criterion("inference", all(row["met"] for row in rows), {"variables": rows})


def _alike(people: Participants, one: _Remains) -> Bools:
    """Which participants look like this one."""
    same = np.ones(len(people), dtype=bool)
    for names, codes in ((one.released, people.released), (one.kept, people.original)):
        for name in names:
            column = codes[:, people.variables.index(name)]
            same &= column == column[one.subject - 1]
    return same


def _guess(values: Ints, alike: Bools, own: int) -> float:
    return guessed(Counter(values[alike].tolist()), int(values[own]))


def guessed(counts: Counter[int], truth: int) -> float:
    """The chance to guess a value right from the most frequent one of the others; `counts` has it too.

    Equally frequent values are equally likely guesses. Values that are so only if the one to be guessed is
    counted in are too: otherwise leaving it out would tell that it is another.

    >>> guessed(Counter({1: 30, 2: 30}), 1), guessed(Counter({1: 3, 2: 1}), 1), guessed(Counter({1: 1}), 1)
    (0.5, 1.0, 0.0)
    """
    own = counts[truth] - 1
    rivals = [count for value, count in counts.items() if value != truth]
    top = max(rivals, default=0)
    if own == 0 or own < top - 1:
        return 0.0
    return 1 / (1 + sum(count == top for count in rivals)) if own <= top else 1.0


def _row(name: str, guesses: int, right: int, usual: int, level: float) -> dict[str, Any]:
    attack, control = attack_rate(right, guesses, level=level), attack_rate(usual, guesses, level=level)
    gain = residual_risk(attack, control)
    return {
        "variable": name,
        "guesses": guesses,
        "right": right,
        "right_without_the_document": usual,
        "gain": _estimate(gain, level),
        "met": attack.low <= control.high,
    }


def _estimate(rate: AttackRate, level: float) -> dict[str, float] | None:
    if np.isnan(rate.value):
        return None
    return {"value": rate.value, "low": rate.low, "high": rate.high, "level": level}
