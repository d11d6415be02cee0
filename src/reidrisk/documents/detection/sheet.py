"""What was found in one block, by whatever looked for it, becomes places that do not overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from reidrisk.detect.detector import CombinedDetector
from reidrisk.detect.finding import Finding
from reidrisk.documents.detection.flow import Flow
from reidrisk.documents.detection.general import general_findings, outside
from reidrisk.documents.detection.owners import Stretch
from reidrisk.documents.detection.participants import Place
from reidrisk.documents.detection.plausible import Plausible
from reidrisk.documents.document import Block

_WHOLE = frozenset(("IDNUM", "PHONE", "FAX", "DATE", "AGE", "COUNTRY", "MEDICALRECORD"))
"""Types of which nothing is left where a value of a participant was the better part."""


@dataclass(slots=True)
class Sheet:
    """One block with what was found in it, and what reaches into the next one."""

    block: Block
    found: list[Place] = field(repr=False)
    later: list[Place] = field(default_factory=list, repr=False)
    _owned: list[tuple[int, int, Stretch]] = field(default_factory=list, repr=False)

    def add(self, flow: Flow, stretches: Sequence[Stretch], places: Iterable[Place]) -> None:
        """Take in what a text of the block showed."""
        for stretch in stretches:
            for block, start, end in flow.places(stretch.start, stretch.end):
                if block is self.block:
                    self._owned.append((start, end, stretch))
        for one in places:
            if one.start >= flow.own:
                continue
            for block, start, end in flow.places(one.start, one.end):
                (self.found if block is self.block else self.later).append(one.at(start, end))

    def places(self, detector: CombinedDetector, plausible: Plausible | None) -> list[Place]:
        """All places of the block, none overlapping another."""
        self._owned.sort(key=lambda entry: entry[:2])
        kept: list[Place] = []
        for one in sorted(self.found, key=lambda one: (-one.confidence, one.start - one.end, one.start)):
            at = bisect_left(kept, one.start, key=lambda other: other.start)
            clear = (at == 0 or kept[at - 1].end <= one.start) and (
                at == len(kept) or one.end <= kept[at].start
            )
            if clear:
                kept.insert(at, one)
        return sorted([*kept, *self._general(detector, kept, plausible)], key=lambda one: one.start)

    def _general(
        self, detector: CombinedDetector, kept: list[Place], plausible: Plausible | None
    ) -> Iterator[Place]:
        text = self.block.text
        for one in general_findings(detector, text):
            stretch = self._stretch(one)
            owners = () if stretch is None else stretch.owners
            first = bisect_right(kept, one.start, key=lambda other: other.end)
            last = bisect_left(kept, one.end, key=lambda other: other.start)
            taken = [(other.start, other.end) for other in kept[first:last]]
            if taken and one.type in _WHOLE:
                continue
            for start, end in outside(one, taken, text):
                if plausible is not None and not plausible.keeps(
                    replace(one, start=start, end=end), text, stretch
                ):
                    continue
                yield Place(
                    start,
                    end,
                    one.type,
                    one.confidence,
                    one.source,
                    owners[:1],
                    None,
                    None if stretch is None else stretch.section,
                )

    def _stretch(self, one: Finding) -> Stretch | None:
        at = bisect_right(self._owned, one.start, key=lambda entry: entry[0]) - 1
        return self._owned[at][2] if at >= 0 and one.start < self._owned[at][1] else None
