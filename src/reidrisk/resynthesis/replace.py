"""Replace findings in a text, and map offsets between the old and the new text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from reidrisk.detect.finding import IN_ORDER, Finding
from reidrisk.errors import InvalidSetting, MisalignedOffsets
from reidrisk.resynthesis.settings import Mode
from reidrisk.resynthesis.surrogates import FoundValue, Surrogates


class TextChange(NamedTuple):
    """A piece of the old text and the piece of the new text that replaces it."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Maps offsets between two texts. Offsets count code points; between changes both texts are the same."""

    changes: tuple[TextChange, ...]
    """The changes in text order, without overlaps."""

    def __post_init__(self) -> None:
        old = [edge for change in self.changes for edge in change[:2]]
        new = [edge for change in self.changes for edge in change[2:]]
        if old != sorted(old) or new != sorted(new):
            raise InvalidSetting(
                "The changes of a text overlap or are out of order.",
                hint="List them from first to last, each once.",
            )

    def to_new(self, start: int, end: int) -> tuple[int, int]:
        """The span in the new text for a span in the old text; a replaced piece counts as a whole.

        >>> OffsetMap((TextChange(0, 4, 0, 6),)).to_new(5, 9)
        (7, 11)
        """
        return _map(self.changes, (start, end))

    def to_old(self, start: int, end: int) -> tuple[int, int]:
        """The span in the old text for a span in the new text; a surrogate counts as a whole.

        >>> OffsetMap((TextChange(0, 4, 0, 6),)).to_old(2, 3)
        (0, 4)
        """
        return _map([TextChange(*one[2:], *one[:2]) for one in self.changes], (start, end))


def _map(changes: Sequence[TextChange], span: tuple[int, int]) -> tuple[int, int]:
    starts = [change.old_start for change in changes]
    start, end = span
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, max(end - 1, start)) - 1
    begin = _edge(changes, first, start, inside=2)
    return begin, max(begin, _edge(changes, last, end, inside=3))


def _edge(changes: Sequence[TextChange], at: int, place: int, *, inside: int) -> int:
    """Map a position after the change `at`; inside the change, the edge of its piece."""
    if at < 0:
        return place
    change = changes[at]
    if place < change.old_end or (inside == 3 and place == change.old_end):
        return change[inside]
    return place - change.old_end + change.new_end


REDACTED = "[REDACTED]"
BLOCK = "█"


@dataclass(frozen=True, slots=True)
class DeidentifiedNote:
    """The new text, the findings that were replaced, and the offsets between the texts."""

    text: str = field(repr=False)
    findings: tuple[Finding, ...]
    """In order and without overlaps, with offsets in the old text."""
    offsets: OffsetMap


def merge_overlaps(findings: Iterable[Finding], length: int) -> list[Finding]:
    """Findings in order; overlapping ones are merged into one."""
    merged: list[Finding] = []
    for one in sorted(findings, key=IN_ORDER):
        if one.end > length:
            raise MisalignedOffsets(
                f"A finding of {one.source} ends at {one.end}, but the text has {length} characters.",
                hint="Offsets must count characters of the same text. Was a different text read?",
            )
        if merged and one.start < merged[-1].end:
            last = merged[-1]
            best = max(last, one, key=lambda each: (each.confidence, each.end - each.start))
            merged[-1] = Finding(last.start, max(last.end, one.end), best.type, best.confidence, best.source)
        else:
            merged.append(one)
    return merged


def replace_findings(
    text: str, findings: Iterable[Finding], new: Callable[[FoundValue], str]
) -> DeidentifiedNote:
    """Replace every finding with the result of `new`; all other text stays exactly the same."""
    found = merge_overlaps(findings, len(text))
    pieces: list[str] = []
    changes: list[TextChange] = []
    at = length = 0
    for one in found:
        value = new(FoundValue(one.type, text[one.start : one.end]))
        pieces += [text[at : one.start], value]
        length += one.start - at
        changes.append(TextChange(one.start, one.end, length, length + len(value)))
        length += len(value)
        at = one.end
    return DeidentifiedNote("".join([*pieces, text[at:]]), tuple(found), OffsetMap(tuple(changes)))


def values_of(text: str, findings: Sequence[Finding]) -> list[FoundValue]:
    """The text and type of each finding."""
    return [FoundValue(one.type, text[one.start : one.end]) for one in findings]


def placeholder_for(mode: Mode) -> Callable[[FoundValue], str]:
    """The function that makes the replacement of a value in the modes without surrogates.

    >>> name = FoundValue("NAME", "Ann Lee")
    >>> placeholder_for("label")(name), placeholder_for("mask")(name)
    ('[NAME]', '███ ███')
    """
    if mode == "label":
        return lambda value: f"[{value.type.upper().replace(' ', '_')}]"
    if mode == "mask":
        return lambda value: "".join(sign if sign.isspace() else BLOCK for sign in value.text)
    return lambda _: REDACTED


def surrogate_text(text: str, findings: Iterable[Finding], surrogates: Surrogates) -> DeidentifiedNote:
    """The text with a surrogate for every finding."""
    return replace_findings(text, findings, surrogates.of)
