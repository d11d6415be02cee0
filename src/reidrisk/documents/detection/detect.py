"""Finds in one document all that tells of participants, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reidrisk.detect.detector import CombinedDetector, build_detector
from reidrisk.detect.known.index import KnownValues
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.flow import Flow, flows
from reidrisk.documents.detection.owners import Stretch, Walk
from reidrisk.documents.detection.participants import Participants, Place
from reidrisk.documents.detection.plausible import Plausible
from reidrisk.documents.detection.sheet import Sheet
from reidrisk.documents.digest import sha256_of
from reidrisk.documents.document import Block
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings
from reidrisk.documents.kinds import read_document
from reidrisk.documents.study.study import Study

_WRAPPED = (".pdf", ".txt", ".md")
Told = Callable[[DocumentFinding, str], None]


@dataclass(frozen=True, slots=True)
class Searcher:
    """Everything that looks for identifiers, made once for many documents."""

    general: CombinedDetector
    participants: Participants | None
    values: KnownValues | None
    plausible: Plausible | None = None

    @classmethod
    def of(cls, study: Study | None, values: Sequence[str], settings: DetectSettings) -> Searcher:
        """For the participants of a study, for given values, and for anybody as the settings say."""
        listed = KnownValues([("value", value)] for value in values) if values else None
        general = build_detector(settings)
        if study is None:
            return cls(general, None, listed)
        return cls(general, Participants(study), listed, Plausible(study))

    def found_in(self, flow: Flow, walk: Walk) -> tuple[list[Stretch], list[Place]]:
        """What known values show in a text, and of whom its stretches tell."""
        stretches: list[Stretch] = []
        places: list[Place] = []
        if self.participants is not None:
            stretches, places = self.participants.find(flow, walk)
        for one in self.values.find(flow.text) if self.values is not None else ():
            places.append(Place(one.start, one.end, one.type, one.confidence, one.source))
        return stretches, places


def detect_document(
    path: str | Path,
    study: Study | None = None,
    values: Sequence[str] = (),
    settings: DetectSettings | None = None,
) -> DocumentFindings:
    """All places of a document that may identify somebody, and of whom of a study each tells."""
    return search_document(Path(path), Searcher.of(study, values, settings or DetectSettings()))


def search_document(path: Path, searcher: Searcher, *, told: Told | None = None) -> DocumentFindings:
    """The same with what was made before; `told` gets every finding with the text that stands there."""
    names: list[str] = []
    concerns: list[str] = []
    found: list[DocumentFinding] = []
    texts = flows(_noted(read_document(path), names, concerns), is_wrapped=path.suffix.lower() in _WRAPPED)
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


def _by_block(texts: Iterable[Flow], searcher: Searcher) -> Iterator[tuple[Block, list[Place]]]:
    """The places of each block, when no later text can add to them."""
    walk = Walk()
    sheet: Sheet | None = None
    for flow in texts:
        if sheet is None or sheet.block is not flow.block:
            if sheet is not None:
                yield sheet.block, sheet.places(searcher.general, searcher.plausible)
            sheet = Sheet(flow.block, sheet.later if sheet is not None else [])
        stretches, places = searcher.found_in(flow, walk if flow.goes_on else walk.aside())
        sheet.add(flow, stretches, places)
    if sheet is not None:
        yield sheet.block, sheet.places(searcher.general, searcher.plausible)
