"""Ids of participants in a text: whole, in fragments, with other separators, or only the last number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reidrisk.documents.study.ids import PIECE, folded_piece, pieces_of
from reidrisk.documents.study.study import Study

_NUMBER = re.compile(r"\d+")
_ONE = re.compile(
    r"\b(?:subject|participant|patient|subj|pt|volunteer|proband)s?\.?"
    r"(?: (?:nos?|nr|numbers?|ids?|identifier|code))?[.:]? ?[#(:]? ?$"
)
_SEVERAL = re.compile(r"\b(?:subjects|participants|patients|volunteers)\.? $")
_LIST = re.compile(r" ?(?:,|;|and|or|&|to|through|/|-|, and) ?")
_BRACKET = re.compile(r"\s?[(\[]\s?\w")
_BETWEEN = "-_/. \u2013"
_BEFORE = 40
_TELLING = 3
"""Pieces that are an id even without the zeros before their numbers."""


@dataclass(frozen=True, slots=True)
class IdMention:
    """A place where an id stands."""

    start: int
    end: int
    subjects: tuple[int, ...] = field(repr=False)
    variable: str
    is_sure: bool
    """Whether it is an id wherever it stands; others are one only as a cell of a table."""
    is_cell: bool = True
    """Whether it could be a cell; others are an id only if values of whom it names follow in brackets."""


@dataclass(frozen=True, slots=True)
class _Known:
    subject: int
    pieces: tuple[str, ...] = field(repr=False)


class IdFinder:
    """Finds the ids of all participants of a study."""

    def __init__(self, study: Study) -> None:
        self._subject = study.subject
        data, roles = study.data, study.roles
        self._known: dict[str, list[_Known]] = {}
        self._joined: dict[str, list[tuple[int, str]]] = {}
        self.numbers = tuple(name for name in roles.direct if _is_number_of(study, name))
        """Variables that are the end of the id, as SUBJID is."""
        self._short = self.numbers[0] if self.numbers else None
        for subject, value in data.participants.values(study.subject):
            pieces = tuple(pieces_of(value))
            if not pieces:
                continue
            self._known.setdefault(folded_piece(pieces[-1]), []).append(_Known(subject, pieces))
            for at in range(len(pieces) - 1):
                whole = "".join(pieces[at:]).casefold()
                self._joined.setdefault(whole, []).append((subject, study.subject))

    def find(self, text: str, low: str) -> list[IdMention]:
        """Every id, from left to right, none overlapping another; `low` is the folded text."""
        found: list[IdMention] = []
        for match in (_NUMBER if self._digits_last else PIECE).finditer(low):
            if found and match.start() < found[-1].end:
                continue
            mention = self._mention(text, low, match, found[-1] if found else None)
            if mention is None:
                continue
            while found and mention.start < found[-1].end:
                found.pop()  # what looked like a number was a piece of this id
            found.append(mention)
        return found

    @property
    def _digits_last(self) -> bool:
        return all(piece.isdigit() for piece in self._known)

    def _mention(
        self, text: str, low: str, match: re.Match[str], before: IdMention | None
    ) -> IdMention | None:
        start, end = match.span()
        if end < len(low) and (low[end].isalnum() or _decimal(low, end)):
            return None
        longest: dict[int, list[_Known]] = {}
        for known in self._known.get(folded_piece(match[0]), ()):
            longest.setdefault(_reach(text, low, start, known), []).append(known)
        first = min(longest, default=start)
        if first < start and not _glued(low, first):
            people = tuple(known.subject for known in longest[first])
            pieces = pieces_of(low[first:end])
            exact = pieces == [piece.casefold() for piece in longest[first][0].pieces[-len(pieces) :]]
            if exact or len(pieces) >= _TELLING or self._has_cue(low, first, before):
                return IdMention(first, end, people, self._subject, is_sure=True)
        if joined := self._joined_at(low, start, end):
            return joined
        if start not in longest or _glued(low, start) or (start and _decimal(low, start - 1, back=True)):
            return None
        return self._number_alone(text, low, match, longest[start], before)

    def _number_alone(
        self, text: str, low: str, match: re.Match[str], known: list[_Known], before: IdMention | None
    ) -> IdMention | None:
        start, end = match.span()
        people = tuple(one.subject for one in known)
        exact = tuple(one.subject for one in known if one.pieces[-1] == text[start:end])
        variable = self._short or self._subject
        if self._has_cue(low, start, before):
            several = _SEVERAL.search(low, max(0, start - _BEFORE), start)
            chosen = exact or (() if several else people)
            return IdMention(start, end, chosen, variable, is_sure=True) if chosen else None
        is_cell = (start == 0 or text[start - 1] in "\n\t") and (end == len(text) or text[end] in "\n\t ")
        if not exact or not (is_cell or _BRACKET.match(low, end)):
            return None
        return IdMention(start, end, exact, variable, is_sure=False, is_cell=is_cell)

    def _has_cue(self, low: str, start: int, before: IdMention | None) -> bool:
        if _ONE.search(low, max(0, start - _BEFORE), start):
            return True
        return before is not None and before.is_sure and _LIST.fullmatch(low, before.end, start) is not None

    def _joined_at(self, low: str, start: int, end: int) -> IdMention | None:
        """Pieces without anything between them, with the letters before the number or without."""
        letters = start
        while letters and low[letters - 1].isalpha():
            letters -= 1
        for first in dict.fromkeys((letters, start)):
            people = self._joined.get(low[first:end], ())
            if people and not _glued(low, first):
                subjects = tuple(dict.fromkeys(subject for subject, _ in people))
                return IdMention(first, end, subjects, self._subject, is_sure=True)
        return None


def _reach(text: str, low: str, start: int, known: _Known) -> int:
    """Where the id begins if the pieces before the last one stand there too, zeros before them or not."""
    at = start
    for piece in reversed(known.pieces[:-1]):
        end = at - 1 if at and text[at - 1] in _BETWEEN else at
        begin = end
        while begin and low[begin - 1].isdigit() == piece.isdigit() and low[begin - 1].isalnum():
            begin -= 1
        if begin == end or folded_piece(low[begin:end]) != folded_piece(piece):
            break
        at = begin
    return at


def _glued(low: str, start: int) -> bool:
    """Whether a letter or digit stands right before."""
    return start > 0 and low[start - 1].isalnum()


def _decimal(low: str, at: int, *, back: bool = False) -> bool:
    """Whether a point or comma between digits stands there, as in 0.0412."""
    if low[at] not in ".,":
        return False
    other = at - 1 if back else at + 1
    return 0 <= other < len(low) and low[other].isdigit()


def _is_number_of(study: Study, name: str) -> bool:
    """Whether a variable is the end of the participants' id, as SUBJID is."""
    values = dict(study.data.participants.values(name))
    ids = dict(study.data.participants.values(study.subject))
    return bool(values) and all(
        pieces_of(ids[subject])[-len(pieces_of(value)) :] == pieces_of(value)
        for subject, value in values.items()
        if subject in ids
    )


class IdShapes:
    """What looks like an id of the study and is nobody's in the data, such as after a failed screening."""

    def __init__(self, study: Study) -> None:
        values = [value for _, value in study.data.participants.values(study.subject)]
        shapes = {_shape(value) for value in values}
        wanted = sorted(shape for shape in shapes if len(shape) > 6)[:20]
        self._pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(wanted)})(?![^\W_])") if wanted else None

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Places of the shape."""
        if self._pattern is not None:
            yield from (match.span() for match in self._pattern.finditer(text))


def _shape(value: str) -> str:
    """Letters as they are, digits in their number.

    >>> _shape("DEMO-301-01")
    'DEMO\\\\-\\\\d{3}\\\\-\\\\d{2}'
    """
    return re.sub(r"\d+", lambda match: rf"\d{{{len(match[0])}}}", re.escape(value))
