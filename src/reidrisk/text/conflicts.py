"""Where annotators differ: overlapping marks form one place, which is agreed on or in conflict."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from reidrisk.core.files import written_whole
from reidrisk.errors import MisalignedOffsets
from reidrisk.text.corpus import ROLES, Annotation, Role

Kind = Literal["missing", "boundaries", "type", "role", "mixed"]
KINDS: dict[Kind, str] = {
    "missing": "somebody marked nothing there",
    "boundaries": "the same type, but not from the same start to the same end",
    "type": "the same words under different types",
    "role": "direct for one, quasi-identifier for another",
    "mixed": "more than one of these",
}
Marks = tuple[Annotation, ...]
Key = tuple[int, int, tuple[tuple[int, int], ...], str]


@dataclass(frozen=True, slots=True)
class Place:
    """Marks of all annotators that overlap."""

    marks: tuple[Marks, ...]
    """By annotator; empty for those who marked nothing there."""

    @property
    def start(self) -> int:
        """The first character that anybody marked."""
        return min(mark.start for own in self.marks for mark in own)

    @property
    def end(self) -> int:
        """The end of the last one."""
        return max(mark.end for own in self.marks for mark in own)

    @property
    def conflict(self) -> Kind | None:
        """How the annotators differ; None if they agree."""
        places = {tuple((mark.start, mark.end, mark.fragments) for mark in own) for own in self.marks}
        types = {tuple(mark.type for mark in own) for own in self.marks}
        if len(places) == len(types) == 1:
            return (
                "role" if any(len(stated_roles(same)) > 1 for same in zip(*self.marks, strict=True)) else None
            )
        marked = [own for own in self.marks if own]
        if len(marked) < len(self.marks):
            same = len({tuple(map(key_of, own)) for own in marked}) == 1
            return "missing" if same else "mixed"
        if len(places) == 1:
            return "type"
        return "boundaries" if len(types) == 1 else "mixed"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place on which annotators differ, and what became of it."""

    document: str
    place: Place
    kind: Kind
    settled: str
    """By what: majority, union, first, decision, or open."""
    gold: Marks
    text: str = field(default="", repr=False)


def stated_roles(marks: Iterable[Annotation]) -> Counter[Role]:
    """The roles that marks of one place were given; who states none leaves it to the others."""
    return Counter(mark.role for mark in marks if mark.role)


def key_of(mark: Annotation) -> Key:
    """What must be the same for two marks to agree; roles are compared on their own."""
    return mark.start, mark.end, mark.fragments, mark.type


def places(marks: Sequence[Marks]) -> list[Place]:
    """The marks of all annotators, those that overlap together, from first to last."""
    everything = sorted(
        ((mark, who) for who, own in enumerate(marks) for mark in own),
        key=lambda pair: (pair[0].start, pair[0].end, pair[1], pair[0].type),
    )
    found: list[Place] = []
    open_marks: list[tuple[Annotation, int]] = []
    end = -1
    for mark, who in everything:
        if open_marks and mark.start >= end:
            found.append(_place(open_marks, len(marks)))
            open_marks = []
        end = max(end, mark.end) if open_marks else mark.end
        open_marks.append((mark, who))
    return [*found, _place(open_marks, len(marks))] if open_marks else found


def _place(marks: list[tuple[Annotation, int]], annotators: int) -> Place:
    return Place(tuple(tuple(mark for mark, who in marks if who == own) for own in range(annotators)))


def mark_text(mark: Annotation) -> str:
    """A mark as a list of conflicts writes it, without its text.

    >>> mark_text(Annotation(12, 20, "NAME", "direct"))
    'NAME/direct 12-20'
    """
    role = f"/{mark.role}" if mark.role else ""
    return f"{mark.type}{role} {'+'.join(f'{start}-{end}' for start, end in mark.pieces)}"


def read_mark(text: str) -> Annotation | None:
    """A mark from such a text; None if it is none.

    >>> read_mark("NAME/direct 12-15+17-20")
    Annotation(start=12, end=20, type='NAME', role='direct', fragments=((12, 15), (17, 20)), score=None)
    """
    name, _, offsets = text.strip().rpartition(" ")
    name = name.strip()
    kind, slash, last = name.rpartition("/")
    role: Role | None = next((known for known in ROLES if slash and known == last), None)
    if not name:
        return None
    try:
        pairs = [part.split("-") for part in offsets.split("+")]
        pieces = tuple((int(start), int(end)) for start, end in pairs)
        fragments = pieces if len(pieces) > 1 else ()
        return Annotation(pieces[0][0], pieces[-1][1], kind if role else name, role, None, fragments)
    except (ValueError, MisalignedOffsets):
        return None


def write_conflicts(
    conflicts: Iterable[Conflict], names: Sequence[str], path: str | Path, *, show_text: bool = False
) -> None:
    """The conflicts as CSV with an empty column for decisions; the text itself only if asked for."""
    head = ["document", "start", "end", "kind", *names, "settled", "gold", "decision"]
    with written_whole(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*head, "text"] if show_text else head)
        for conflict in conflicts:
            place = conflict.place
            said = ["; ".join(map(mark_text, own)) for own in place.marks]
            gold = "; ".join(map(mark_text, conflict.gold))
            row = [
                conflict.document,
                place.start,
                place.end,
                conflict.kind,
                *said,
                conflict.settled,
                gold,
                "",
            ]
            rows.writerow([*row, conflict.text] if show_text else row)
