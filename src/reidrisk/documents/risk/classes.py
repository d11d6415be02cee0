"""Risk through what was caught: participants alike on new values; singling out, linkability and inference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from reidrisk.documents.risk.participants import CodedParticipants, Shown
from reidrisk.errors import BadData
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk

NEEDED = 2
"""Values that a document and a row must share to be linked."""


@dataclass(frozen=True, slots=True, order=True)
class SubjectGroup:
    """Participants of whom the same variables can be read, in classes of the same size."""

    class_size: int
    variables: tuple[str, ...]
    participants: int
    subjects: tuple[int, ...] = field(default=(), repr=False)
    """Numbers of their rows, from 1; empty unless they are asked for."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types; who they are only if it was asked for."""
        found: dict[str, Any] = {
            "variables": list(self.variables),
            "class_size": self.class_size,
            "risk": 1 / self.class_size,
            "participants": self.participants,
        }
        return found | {"subjects": list(self.subjects)} if self.subjects else found


@dataclass(frozen=True, slots=True)
class Classes:
    """Participants by the size of their class, smallest first."""

    groups: tuple[SubjectGroup, ...]

    @property
    def smallest(self) -> int:
        """Size of the smallest class."""
        return self.groups[0].class_size

    @property
    def highest(self) -> float:
        """The risk of the most exposed participant."""
        return 1 / self.smallest

    @property
    def participants(self) -> int:
        """How many are counted."""
        return sum(group.participants for group in self.groups)

    def without_names(self) -> Classes:
        """The same, not telling who they are."""
        return Classes(tuple(replace(group, subjects=()) for group in self.groups))

    def below(self, cell_size: int) -> int:
        """Participants in classes smaller than the cell size."""
        return sum(group.participants for group in self.groups if group.class_size < cell_size)


def classes_of_everybody(
    people: CodedParticipants, *, original: bool = False, without: str | None = None
) -> Classes:
    """Everybody on all quasi-identifiers, or on all but one: the conservative way."""
    names = tuple(name for name in people.variables if name != without)
    sizes = people.class_sizes(*((names, ()) if not original else ((), names)))
    return _grouped({number: (int(size), names) for number, size in enumerate(sizes, start=1)})


def classes_of_mentioned(
    people: CodedParticipants, shown: Shown, *, original: bool = False
) -> Classes | None:
    """Everybody who is mentioned on what can be read of them, among all participants of the trial.

    With `original` as the documents were before. None if nobody is mentioned.
    """
    found = {}
    cached: dict[tuple[frozenset[str], frozenset[str]], Any] = {}
    for subject in shown.mentioned:
        if not 1 <= subject <= len(people):
            raise BadData(
                f"A finding means participant {subject}, but the study has {len(people)}.",
                hint="Findings and study do not belong together: detect again.",
            )
        kept = shown.mentioned[subject] if original else shown.kept.get(subject, frozenset())
        released = frozenset() if original else shown.released.get(subject, frozenset()) - kept
        key = (released, kept)
        if key not in cached:
            cached[key] = people.class_sizes(sorted(released), sorted(kept))
        names = tuple(name for name in people.variables if name in released | kept)
        found[subject] = (int(cached[key][subject - 1]), names)
    return _grouped(found) if found else None


def _grouped(found: Mapping[int, tuple[int, tuple[str, ...]]]) -> Classes:
    groups: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for subject, key in found.items():
        groups.setdefault(key, []).append(subject)
    return Classes(tuple(sorted(SubjectGroup(*key, len(own), tuple(own)) for key, own in groups.items())))


@dataclass(frozen=True, slots=True)
class DocumentCriterion:
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


def criteria(
    people: CodedParticipants, shown: Shown, *, level: float = 0.95
) -> tuple[DocumentCriterion, ...]:
    """All three, for the participants whom the documents mention."""
    remains = [_remains(people, shown, subject) for subject in shown.mentioned]
    sizes = [_size(people, one) for one in remains]
    return (
        _singling_out(remains, sizes),
        _linkability(remains, sizes),
        _inference(people, remains, level),
    )


def with_leaks(found: Sequence[DocumentCriterion], leaked: Leaked) -> tuple[DocumentCriterion, ...]:
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


def _remains(people: CodedParticipants, shown: Shown, subject: int) -> _Remains:
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


def _is_unchanged(people: CodedParticipants, at: int) -> bool:
    return len(np.unique(people.released[:, at])) == len(np.unique(people.original[:, at]))


def _size(people: CodedParticipants, one: _Remains) -> int:
    return int(people.class_sizes(one.released, one.kept)[one.subject - 1])


def _singling_out(remains: Sequence[_Remains], sizes: Sequence[int]) -> DocumentCriterion:
    alone = sum(size == 1 for size in sizes)
    figures = {
        "participants": len(remains),
        "unique": alone,
        "smallest_class": min(sizes, default=None),
        "leaked_on_reviewed_pages": None,
    }
    return DocumentCriterion("singling_out", alone == 0, figures)


def _linkability(remains: Sequence[_Remains], sizes: Sequence[int]) -> DocumentCriterion:
    linked = [size for one, size in zip(remains, sizes, strict=True) if one.known >= NEEDED]
    figures = {
        "participants": len(remains),
        "sharing_two_or_more": len(linked),
        "with_one_row_only": sum(size == 1 for size in linked),
        "smallest_class": min(linked, default=None),
        "leaked_on_reviewed_pages": None,
    }
    return DocumentCriterion("linkability", not linked, figures)


def _inference(people: CodedParticipants, remains: Sequence[_Remains], level: float) -> DocumentCriterion:
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
    return DocumentCriterion("inference", all(row["met"] for row in rows), {"variables": rows})


def _alike(people: CodedParticipants, one: _Remains) -> Bools:
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
