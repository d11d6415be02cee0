"""Where annotators differ, and how conflicts are resolved into one gold standard.

Overlapping marks form one place. The annotators agree on a place, or it is in conflict; a rule (majority,
union, first annotator) or a decision resolves the conflict.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from reidrisk.core.files import whole_file
from reidrisk.errors import BadData, MisalignedOffsets, UnreadableFile
from reidrisk.text.corpus import ROLES, Annotation, Role

ConflictKind = Literal["missing", "boundaries", "type", "role", "mixed"]
KINDS: dict[ConflictKind, str] = {
    "missing": "somebody marked nothing there",
    "boundaries": "the same type, but not from the same start to the same end",
    "type": "the same words under different types",
    "role": "direct identifier for one, quasi-identifier for another",
    "mixed": "more than one of these",
}
Rule = Literal["majority", "union", "first"]
RULES: dict[Rule, str] = {
    "majority": "what more than half of the annotators marked alike; a tie stays open and is marked",
    "union": "whatever anybody marked is marked",
    "first": "what the first annotator marked",
}
CAUTION: tuple[Role | None, ...] = ("direct", "quasi", None, "ignored")
"""Roles from the most to the least cautious; a tie goes to the more cautious one."""
_WORD = re.compile(r"\w")
Marks = tuple[Annotation, ...]
Key = tuple[int, int, tuple[tuple[int, int], ...], str]


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """The overlapping marks of all annotators."""

    marks: tuple[Marks, ...]
    """By annotator; empty for those who marked nothing."""

    @property
    def start(self) -> int:
        """The first character that anybody marked."""
        return min(mark.start for own in self.marks for mark in own)

    @property
    def end(self) -> int:
        """The end of the last mark."""
        return max(mark.end for own in self.marks for mark in own)

    @property
    def conflict(self) -> ConflictKind | None:
        """How the annotators differ; None if they agree."""
        spans = {tuple((mark.start, mark.end, mark.fragments) for mark in own) for own in self.marks}
        types = {tuple(mark.type for mark in own) for own in self.marks}
        if len(spans) == len(types) == 1:
            return (
                "role" if any(len(stated_roles(same)) > 1 for same in zip(*self.marks, strict=True)) else None
            )
        marked = [own for own in self.marks if own]
        if len(marked) < len(self.marks):
            same = len({tuple(map(key_of, own)) for own in marked}) == 1
            return "missing" if same else "mixed"
        if len(spans) == 1:
            return "type"
        return "boundaries" if len(types) == 1 else "mixed"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place where annotators differ, and how the conflict was resolved."""

    document: str
    place: MarkedPlace
    kind: ConflictKind
    settled: str
    """How it was resolved: majority, union, first or decision; otherwise open."""
    gold: Marks
    text: str = field(default="", repr=False)


def stated_roles(marks: Iterable[Annotation]) -> Counter[Role]:
    """The roles stated for the marks of one place; marks without a role do not count."""
    return Counter(mark.role for mark in marks if mark.role)


def key_of(mark: Annotation) -> Key:
    """What must be equal for two marks to agree; roles are compared separately."""
    return mark.start, mark.end, mark.fragments, mark.type


def marked_places(marks: Sequence[Marks]) -> list[MarkedPlace]:
    """The marks of all annotators, grouped where they overlap, in text order."""
    everything = sorted(
        ((mark, who) for who, own in enumerate(marks) for mark in own),
        key=lambda pair: (pair[0].start, pair[0].end, pair[1], pair[0].type),
    )
    found: list[MarkedPlace] = []
    open_marks: list[tuple[Annotation, int]] = []
    end = -1
    for mark, who in everything:
        if open_marks and mark.start >= end:
            found.append(_marked_place(open_marks, len(marks)))
            open_marks = []
        end = max(end, mark.end) if open_marks else mark.end
        open_marks.append((mark, who))
    return [*found, _marked_place(open_marks, len(marks))] if open_marks else found


def _marked_place(marks: list[tuple[Annotation, int]], annotators: int) -> MarkedPlace:
    return MarkedPlace(tuple(tuple(mark for mark, who in marks if who == own) for own in range(annotators)))


def resolve_conflict(place: MarkedPlace, rule: Rule, text: str) -> tuple[Marks, str]:
    """The marks of the gold standard at a place in conflict, and how it was resolved."""
    if rule == "union":
        return union(place, text), "union"
    if rule == "first":
        return place.marks[0], "first"
    votes = _votes(place)
    half = len(place.marks) / 2
    winners = [key for key, number in votes.items() if number > half]
    if winners:
        tied = any(_is_role_tied(place, key) for key in winners)
        return tuple(_with_role(place, key) for key in winners), "open" if tied else "majority"
    if sum(not own for own in place.marks) > half:
        return (), "majority"
    return union(place, text), "open"


def agreed_marks(place: MarkedPlace) -> Marks:
    """The marks of a place on which all annotators agree, except perhaps for roles."""
    return tuple(_with_role(place, key) for key in _votes(place))


def union(place: MarkedPlace, text: str) -> Marks:
    """Whatever anybody marked: marks with most votes and the longest first, then what is left of others.

    A remaining piece is joined to a mark of the same type that it touches; otherwise it is a mark of its own.
    """
    votes = _votes(place)
    order = sorted(votes, key=lambda key: (-votes[key], key[0] - key[1], _caution(place, key), key))
    chosen: list[Annotation] = []
    for key in order:
        mark = _with_role(place, key)
        for start, end in _uncovered(mark, chosen):
            whole = (start, end) == (mark.start, mark.end) or not any(_meets(mark, one) for one in chosen)
            if not whole and not _WORD.search(text[start:end]):
                continue
            piece = mark if whole else replace(mark, start=start, end=end, fragments=())
            _join(piece, chosen)
            if whole:
                break
    return tuple(sorted(chosen, key=key_of))


def apply_decision(
    decision: str, place: MarkedPlace, names: Sequence[str], text: str, *, where: str
) -> Marks:
    """The marks that a decision stands for: an annotator's name, `all`, `none`, or the marks themselves."""
    if decision in names:
        return place.marks[names.index(decision)]
    if decision in ("none", "all"):
        return () if decision == "none" else union(place, text)
    found = []
    for part in decision.split(";"):
        mark = read_mark(part) if part.strip() else None
        if mark is None:
            raise BadData(
                f"{where}: the decision is not understood.",
                hint=f"Write {', '.join(names)}, all, none, or marks such as NAME 12-20; DATE 25-31.",
            )
        found.append(mark)
    if any(mark.end > len(text) or text[mark.start : mark.end].isspace() for mark in found):
        raise MisalignedOffsets(
            f"{where}: a mark is beyond the end of the text or covers only white space.",
            hint="Offsets count characters of the text from 0; the end is exclusive.",
        )
    return tuple(found)


def _votes(place: MarkedPlace) -> dict[Key, int]:
    """How many annotators made each mark, in text order."""
    counted = Counter(key for own in place.marks for key in {key_of(mark) for mark in own})
    return {key: counted[key] for key in sorted(counted)}


def _with_role(place: MarkedPlace, key: Key) -> Annotation:
    """The mark with the role that most annotators gave it; entity ids come from the first annotator."""
    same = [(who, mark) for who, own in enumerate(place.marks) for mark in own if key_of(mark) == key]
    roles = stated_roles(mark for _, mark in same)
    role = min(roles, key=lambda one: (-roles[one], CAUTION.index(one)), default=None)
    who, mark = same[0]
    return replace(mark, role=role, entity=mark.entity if who == 0 else None, score=None)


def _is_role_tied(place: MarkedPlace, key: Key) -> bool:
    """Whether two roles have the most votes."""
    roles = stated_roles(mark for own in place.marks for mark in own if key_of(mark) == key)
    most = roles.most_common(2)
    return len(most) == 2 and most[0][1] == most[1][1]


def _caution(place: MarkedPlace, key: Key) -> int:
    return CAUTION.index(_with_role(place, key).role)


def _uncovered(mark: Annotation, chosen: Sequence[Annotation]) -> list[tuple[int, int]]:
    """The parts of a mark that no chosen mark covers."""
    left = [mark.pieces[0]] if len(mark.pieces) == 1 else list(mark.pieces)
    for other in chosen:
        for start, end in other.pieces:
            left = [
                part
                for first, last in left
                for part in ((first, min(last, start)), (max(first, end), last))
                if part[0] < part[1]
            ]
    return left


def _meets(mark: Annotation, other: Annotation) -> bool:
    return mark.start < other.end and other.start < mark.end


def _join(piece: Annotation, chosen: list[Annotation]) -> None:
    for at, other in enumerate(chosen):
        touches = piece.start <= other.end and other.start <= piece.end
        if touches and other.type == piece.type and not other.fragments and not piece.fragments:
            start, end = min(piece.start, other.start), max(piece.end, other.end)
            chosen[at] = replace(other, start=start, end=end)
            return
    chosen.append(piece)


def write_conflicts(
    conflicts: Iterable[Conflict], names: Sequence[str], path: str | Path, *, show_text: bool = False
) -> None:
    """Write the conflicts as CSV with an empty column for decisions; the text only with `show_text`."""
    head = ["document", "start", "end", "kind", *names, "settled", "gold", "decision"]
    with whole_file(path) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*head, "text"] if show_text else head)
        for conflict in conflicts:
            place = conflict.place
            marks = ["; ".join(map(mark_text, own)) for own in place.marks]
            gold = "; ".join(map(mark_text, conflict.gold))
            row = [
                conflict.document,
                place.start,
                place.end,
                conflict.kind,
                *marks,
                conflict.settled,
                gold,
                "",
            ]
            rows.writerow([*row, conflict.text] if show_text else row)


def mark_text(mark: Annotation) -> str:
    """A mark as it is written in the list of conflicts, without its text.

    >>> mark_text(Annotation(12, 20, "NAME", "direct"))
    'NAME/direct 12-20'
    """
    role = f"/{mark.role}" if mark.role else ""
    return f"{mark.type}{role} {'+'.join(f'{start}-{end}' for start, end in mark.pieces)}"


def read_mark(text: str) -> Annotation | None:
    """A mark from the list of conflicts; None if the text is not a mark.

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


def read_decisions(path: str | Path) -> dict[tuple[str, int, int], str]:
    """The decisions in a list of conflicts, by document, start and end."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise UnreadableFile(
            f"The file of decisions {path} cannot be read as CSV in UTF-8.",
            hint="Fill in the list of conflicts, and give that file.",
        ) from None
    found: dict[tuple[str, int, int], str] = {}
    for number, row in enumerate(rows, start=2):
        decision = (row.get("decision") or "").strip()
        if not decision:
            continue
        try:
            key = (str(row["document"]), int(row["start"]), int(row["end"]))
        except (KeyError, TypeError, ValueError):
            raise BadData(
                f"{path}, row {number}, has no document, start or end.",
                hint="Keep these columns of the list of conflicts.",
            ) from None
        if found.setdefault(key, decision) != decision:
            raise BadData(
                f"{path}, row {number}, decides the same conflict again.", hint="Decide each conflict once."
            )
    return found
