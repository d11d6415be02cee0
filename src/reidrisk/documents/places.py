"""Texts whose characters know where they come from, so that a change of the text changes the file."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reidrisk.documents.document import Block, Change, Look
from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Edit:
    """What happens to a stretch of a place's own text."""

    start: int
    end: int
    new: str = field(default="", repr=False)
    box: str | None = None
    """The colour of the box around the new text, as `#0000ff`; None: it looks as the old text did."""
    ink: str = "#ffffff"
    """The colour of the text in the box."""


class TextHolder(Protocol):
    """Something in a file that holds a piece of text."""

    def edit(self, edits: Sequence[Edit]) -> None:
        """Carry out edits that are in order and do not overlap."""


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """A text after its edits; what would stand in a box stands in brackets.

    >>> spliced("Ann is 34.", [Edit(0, 3, "PPD", box="#0000ff"), Edit(7, 9, "30-39")])
    '[PPD] is 30-39.'
    """
    parts: list[str] = []
    last = 0
    for edit in edits:
        parts += [text[last : edit.start], bracketed(edit)]
        last = edit.end
    return "".join([*parts, text[last:]])


def bracketed(edit: Edit) -> str:
    """The new text where no box can be drawn."""
    return f"[{edit.new.strip()}]" if edit.box else edit.new


class MappedText:
    """A text made of places and of gaps between them, such as line ends, that are in no place."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.places: list[TextHolder] = []
        self._length = 0

    def add(self, place: TextHolder, text: str) -> None:
        """Go on with the text of a place."""
        if text:
            self._starts.append(self._length)
            self._ends.append(self._length + len(text))
            self.places.append(place)
            self.gap(text)

    def gap(self, text: str) -> None:
        """Go on with characters that no place holds."""
        self._parts.append(text)
        self._length += len(text)

    @property
    def block(self) -> Block:
        """The text as others see it."""
        return Block(self.name, "".join(self._parts))

    def apply(self, changes: Sequence[Change], look: Look) -> None:
        """Change the places; the first one that a change touches gets what is new."""
        edits: dict[int, list[Edit]] = defaultdict(list)
        for change in changes:
            index = max(bisect_right(self._starts, change.start) - 1, 0)
            new, touched = _look_of(change, look), False
            while index < len(self.places) and self._starts[index] < change.end:
                start, end = max(change.start, self._starts[index]), min(change.end, self._ends[index])
                if start < end:
                    offset = self._starts[index]
                    first = Edit(0, 0) if touched else new
                    edits[index].append(Edit(start - offset, end - offset, first.new, first.box, first.ink))
                    touched = True
                index += 1
            if not touched:
                raise InvalidSetting(
                    f"A change in {self.name} covers no text, only the space between texts.",
                    hint="Take the offsets from the blocks that were read from the same file.",
                )
        for index in sorted(edits, reverse=True):
            self.places[index].edit(edits[index])


def _look_of(change: Change, look: Look) -> Edit:
    if change.new is not None:
        return Edit(0, 0, change.new)
    colour = look.personal if change.category == "PPD" else look.confidential
    return Edit(0, 0, change.label if look.labels else "\u00a0" * 4, colour, look.text)


def apply_changes(texts: Iterable[MappedText], changes: Iterable[Change], look: Look) -> list[str]:
    """Carry out changes in the texts they name; gives the values that were taken out."""
    by_block: dict[str, list[Change]] = defaultdict(list)
    for change in sorted(changes, key=lambda change: (change.block, change.start, change.end)):
        by_block[change.block].append(change)
    removed: list[str] = []
    for mapped in texts:
        own = by_block.pop(mapped.name, [])
        text = mapped.block.text if own else ""
        _check(own, len(text))
        mapped.apply(own, look)
        removed += [text[change.start : change.end] for change in own]
    if by_block:
        raise InvalidSetting(
            f"Changes name the block {min(by_block)!r}, which the document does not have.",
            hint="Take the names from the blocks that were read from the same file.",
        )
    return removed


def _check(changes: Sequence[Change], length: int) -> None:
    last = 0
    for change in changes:
        if change.start < last:
            raise InvalidSetting(
                f"Two changes in {change.block} overlap.", hint="Join them, or leave one of them out."
            )
        if change.end > length:
            raise InvalidSetting(
                f"A change in {change.block} ends at {change.end}, but its text has {length} characters.",
                hint="Take the offsets from the blocks that were read from the same file.",
            )
        last = change.end
