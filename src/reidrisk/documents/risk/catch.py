"""Risk through what was caught: how many participants are alike on the values that replaced it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reidrisk.documents.risk.participants import Participants
from reidrisk.documents.risk.shown import Shown
from reidrisk.errors import BadData


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
    people: Participants, *, original: bool = False, without: str | None = None
) -> Classes:
    """Everybody on all quasi-identifiers, or on all but one: the conservative way."""
    names = tuple(name for name in people.variables if name != without)
    sizes = people.class_sizes(*((names, ()) if not original else ((), names)))
    return _grouped({number: (int(size), names) for number, size in enumerate(sizes, start=1)})


def classes_of_mentioned(people: Participants, shown: Shown, *, original: bool = False) -> Classes | None:
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
