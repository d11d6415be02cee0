"""Annotations that did not fit their text: where they are and what became of them. Never their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reidrisk.core.shown_ids import shown_document
from reidrisk.core.wording import plural
from reidrisk.text.corpus import Document
from reidrisk.text.evidence import MisalignedPlace, Misalignment
from reidrisk.text.pairing import MARK_UNKNOWN

MOST_PLACES = 1000
"""Largest number of places that a result lists; all are counted."""


def misaligned_places(document: Document, side: str) -> list[MisalignedPlace]:
    """The misaligned annotations of one document."""
    return [
        MisalignedPlace(
            side,
            document.id,
            one.stated.type,
            one.stated.start,
            one.stated.end,
            None if one.found is None else one.found.start,
            None if one.found is None else one.found.end,
        )
        for one in document.misaligned
    ]


def misaligned_warnings(found: Misalignment | None, meaning: str) -> Iterator[str]:
    """A warning with the numbers of misaligned annotations; none if every annotation fits."""
    if found is None:
        return
    skipped, moved = found.gold_skipped + found.tool_skipped, found.gold_moved + found.tool_moved
    number = plural(skipped + moved, "annotation")
    yield f"{number} did not fit the text: {skipped:,} skipped, {moved:,} moved. {meaning}"


def place_text(place: MisalignedPlace, number: int = 0) -> str:
    """One misaligned annotation for people: document, type and offsets, never its text."""
    became = "skipped" if place.found_start is None else f"moved to {place.found_start}-{place.found_end}"
    return f"{shown_document(place.document, number)}, {place.type} at {place.start}-{place.end}: {became}"


class MisalignedTally:
    """Counts misaligned annotations of both sides, document by document."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._places: list[MisalignedPlace] = []
        self._notes: Counter[str] = Counter()
        self._suspicious = 0
        """Documents in which the tool probably did not count a byte order mark."""

    def add(self, gold: Document, tool: Document) -> None:
        """Count one document."""
        for side, document in (("gold", gold), ("tool", tool)):
            found = misaligned_places(document, side) if document.misaligned else []
            for place in found:
                self._counts[f"{side}_{'skipped' if place.found_start is None else 'moved'}"] += 1
            self._places += found[: MOST_PLACES - len(self._places)]
        self._notes.update(tool.notes)
        if MARK_UNKNOWN in tool.notes:
            marked = {(one.start, one.end) for one in gold.annotations}
            counted = sum((one.start, one.end) in marked for one in tool.annotations)
            without = sum((one.start + 1, one.end + 1) in marked for one in tool.annotations)
            self._suspicious += without > counted

    def add_counts(self, other: MisalignedTally) -> None:
        """Add the counts of other documents."""
        self._counts.update(other._counts)
        self._places += other._places[: MOST_PLACES - len(self._places)]
        self._notes.update(other._notes)
        self._suspicious += other._suspicious

    def finish(self) -> Misalignment | None:
        """The counts; None if every annotation fits."""
        if not self._counts:
            return None
        count = self._counts
        return Misalignment(
            gold_skipped=count["gold_skipped"],
            gold_moved=count["gold_moved"],
            tool_skipped=count["tool_skipped"],
            tool_moved=count["tool_moved"],
            places=tuple(self._places),
        )

    def notes(self) -> tuple[str, ...]:
        """Notes for the result. They name numbers, never text."""
        counts = sorted(self._notes.items())
        notes = [f"tool: {note} ({plural(times, 'document')})" for note, times in counts]
        if self._suspicious:
            number = plural(self._suspicious, "document")
            notes.append(
                f"The tool probably did not count the byte order mark in {number}: more of its annotations "
                "would coincide with the gold standard. Store the marked texts with its annotations, or run "
                "it on the text with the mark."
            )
        gold, tool = (self._sentence(side) for side in ("gold", "tool"))
        if gold:
            notes.append(
                f"Annotations of the gold standard that do not fit their text: {gold}. A skipped one counts "
                "as a leak; a moved one is evaluated where its text was found."
            )
        if tool:
            notes.append(
                f"Annotations of the tool that do not fit the text: {tool}. A skipped one masks nothing; a "
                "moved one masks only what it covers at its stated place too."
            )
        return tuple(notes)

    def _sentence(self, side: str) -> str:
        found = [(what, self._counts[f"{side}_{what}"]) for what in ("skipped", "moved")]
        return ", ".join(f"{number:,} {what}" for what, number in found if number)
