"""Finds in one document all that tells of participants, page by page, as places that do not overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from reidrisk.core.collector import pause_collector
from reidrisk.detect.detector import CombinedDetector, build_detector
from reidrisk.detect.finding import Finding
from reidrisk.detect.known.listed import ListedValues
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.flow import Flow, flows
from reidrisk.documents.detection.given import GivenPlace, given_across, given_in, with_given
from reidrisk.documents.detection.owners import Stretch, Walk
from reidrisk.documents.detection.participants import FoundPlace, ParticipantFinder
from reidrisk.documents.detection.plausible import Plausible, general_findings, is_heading_word, outside
from reidrisk.documents.document import Block, sha256_of
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.formats import format_of
from reidrisk.documents.study.study import Study

_WHOLE = frozenset(("IDNUM", "PHONE", "FAX", "DATE", "AGE", "COUNTRY", "MEDICALRECORD"))
"""Types of which nothing is left where a value of a participant was the better part."""
Told = Callable[[DocumentFinding, str], None]


@dataclass(slots=True)
class Sheet:
    """One block with what was found in it, and what reaches into the next one."""

    block: Block
    found: list[FoundPlace] = field(repr=False)
    later: list[FoundPlace] = field(default_factory=list, repr=False)
    given: list[GivenPlace] = field(default_factory=list, repr=False)
    """Where values that were given stand."""
    given_later: list[GivenPlace] = field(default_factory=list, repr=False)
    _owned: list[tuple[int, int, Stretch]] = field(default_factory=list, repr=False)

    def add(self, flow: Flow, stretches: Sequence[Stretch], places: Iterable[FoundPlace]) -> None:
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

    def add_given(self, flow: Flow, values: ListedValues) -> None:
        """Take in the values that begin in a text of the block and end in the next one."""
        for one in given_across(flow, values):
            (self.given if one.block is self.block else self.given_later).append(one)

    @pause_collector()
    def places(self, searcher: Searcher) -> list[FoundPlace]:
        """All places of the block, none overlapping another."""
        self._owned.sort(key=lambda entry: entry[:2])
        kept: list[FoundPlace] = []
        taken = bytearray(len(self.block.text))
        for one in sorted(self.found, key=lambda one: (-one.confidence, one.start - one.end, one.start)):
            if taken.find(1, one.start, one.end) < 0:
                taken[one.start : one.end] = b"\1" * (one.end - one.start)
                kept.append(one)
        kept.sort(key=lambda one: one.start)
        kept = with_given(kept, self.given, self.block.text)
        if searcher.general is None:
            return kept
        general = self._general(searcher.general, kept, searcher.plausible)
        return sorted([*kept, *general], key=lambda one: one.start)

    def _general(
        self, detector: CombinedDetector, kept: list[FoundPlace], plausible: Plausible | None
    ) -> Iterator[FoundPlace]:
        text = self.block.text
        for one in general_findings(detector, text):
            if is_heading_word(one, text):
                continue
            stretch = self._stretch(one)
            owners = () if stretch is None else stretch.owners
            first = bisect_right(kept, one.start, key=lambda other: other.end)
            last = bisect_left(kept, one.end, key=lambda other: other.start)
            taken = [(other.start, other.end) for other in kept[first:last]]
            if taken and one.type in _WHOLE:
                continue
            for start, end in outside(one, taken, text):
                part = one if (start, end) == (one.start, one.end) else replace(one, start=start, end=end)
                if plausible is not None and not plausible.keeps(part, text, stretch):
                    continue
                yield FoundPlace(
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


@dataclass(frozen=True, slots=True)
class Searcher:
    """Everything that looks for identifiers, made once for many documents."""

    general: CombinedDetector | None
    """What identifies anybody; None where only given values are searched."""
    participants: ParticipantFinder | None
    values: ListedValues | None
    plausible: Plausible | None = None

    @classmethod
    def of(
        cls, study: Study | None, values: ListedValues | Sequence[str], settings: DetectSettings | None
    ) -> Searcher:
        """For the participants of a study, for given values, and for anybody as the settings say.

        Values without a study and without settings are all that is searched.
        """
        listed = values if isinstance(values, ListedValues) else ListedValues(values) if values else None
        if study is None and listed is not None and settings is None:
            return cls(None, None, listed)
        general = build_detector(settings or DetectSettings())
        if study is None:
            return cls(general, None, listed)
        return cls(general, ParticipantFinder(study), listed, Plausible(study))

    def found_in(self, flow: Flow, walk: Walk) -> tuple[list[Stretch], list[FoundPlace]]:
        """What the data of a study show in a text, and of whom its stretches tell."""
        return ([], []) if self.participants is None else self.participants.find(flow, walk)


def detect_document(
    path: str | Path,
    study: Study | None = None,
    values: Sequence[str] = (),
    settings: DetectSettings | None = None,
) -> DocumentFindings:
    """All places of a document that may identify somebody, and of whom of a study each tells.

    Values without a study are all that is searched, unless settings say how to detect more.
    """
    return search_document(Path(path), Searcher.of(study, values, settings))


def search_document(
    path: Path, searcher: Searcher, *, told: Told | None = None, blocks: Iterable[Block] | None = None
) -> DocumentFindings:
    """The same with what was made before; `told` gets every finding with the text that stands there.

    `blocks` are those of the document, if somebody has read it already.
    """
    names: list[str] = []
    concerns: list[str] = []
    found: list[DocumentFinding] = []
    own = format_of(path)
    read = own.read(path) if blocks is None else blocks
    texts = flows(_noted(read, names, concerns), is_wrapped=own.is_wrapped)
    for block, places in _by_block(texts, searcher):
        for one in places:
            finding = one.finding(block.name)
            found.append(finding)
            if told is not None:
                told(finding, block.text[one.start : one.end])
    order = {name: number for number, name in enumerate(names)}
    found.sort(key=lambda one: (order[one.block], one.start))
    return DocumentFindings(path.name, sha256_of(path), tuple(names), tuple(found), tuple(concerns))


def _noted(blocks: Iterable[Block], names: list[str], concerns: list[str]) -> Iterator[Block]:
    for block in blocks:
        names.append(block.name)
        concern = getattr(block, "concern", "")
        if concern:
            concerns.append(f"{block.name}: {concern}")
        yield block


def _by_block(texts: Iterable[Flow], searcher: Searcher) -> Iterator[tuple[Block, list[FoundPlace]]]:
    """The places of each block, when no later text can add to them."""
    walk = Walk()
    sheet: Sheet | None = None
    for flow in texts:
        if sheet is None or sheet.block is not flow.block:
            if sheet is not None:
                yield sheet.block, sheet.places(searcher)
            sheet = _sheet(flow.block, sheet, searcher.values)
        stretches, places = searcher.found_in(flow, walk if flow.goes_on else walk.aside())
        sheet.add(flow, stretches, places)
        if searcher.values is not None:
            sheet.add_given(flow, searcher.values)
    if sheet is not None:
        yield sheet.block, sheet.places(searcher)


def _sheet(block: Block, before: Sheet | None, values: ListedValues | None) -> Sheet:
    """A new sheet with what reaches into it, and with the given values in it."""
    sheet = Sheet(block, [] if before is None else before.later)
    sheet.given += [] if before is None else before.given_later
    sheet.given += [] if values is None else given_in(block, values)
    return sheet
