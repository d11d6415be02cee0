"""Write a PDF with its changes, page after page, and nothing else that could carry a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.files import whole_path
from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.clean import Bounds, clean_document
from reidrisk.documents.pdf.lettering import Lettering
from reidrisk.documents.pdf.pixels import Undecodable, blanked, rasterise
from reidrisk.documents.pdf.plan import PagePlace, Plan, plan_page
from reidrisk.documents.pdf.reading import BESIDES, Pages, ReadPage, besides, opened, told_by
from reidrisk.documents.pdf.rendering import pages_that_differ
from reidrisk.documents.pdf.streams import Spelling, Streams, clean_strays
from reidrisk.documents.pdf.structure import Touched
from reidrisk.documents.pdf.values import RemovedValues
from reidrisk.errors import FailedCheck, InvalidSetting

if TYPE_CHECKING:
    from pikepdf import Pdf


@dataclass(slots=True)
class Rewriting:
    """A document while it is changed."""

    pdf: Pdf
    source: Path
    look: Look
    values: RemovedValues = field(default_factory=RemovedValues)
    """Values that must not remain besides the pages either."""
    places: dict[int, list[PagePlace]] = field(default_factory=dict)
    """What was changed, by the number of the page."""
    dropped: dict[int, list[Bounds]] = field(default_factory=dict)
    """Notes and links that went, by the number of the page."""
    cramped: int = 0
    scanned: list[int] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    rasterised: list[int] = field(default_factory=list)
    restyled: set[int] = field(default_factory=set)
    """Pages whose patterns, masks or drawn letters told a value: they cannot look the same."""
    _spelling: Spelling = field(default_factory=Spelling)
    _undecodable: list[int] = field(default_factory=list)
    _touched: Touched = field(default_factory=set)
    _told: list[tuple[int, str]] = field(default_factory=list, repr=False)

    def run(self, changes: dict[str, list[Change]]) -> None:
        """Change every page, then clean the document."""
        lettering = Lettering(self.pdf)
        streams = Streams(self.pdf, lettering)
        pages, told = Pages(self.pdf, self.source), list[str]()
        unknown = set(changes) - {BESIDES}
        for page in pages:
            unknown.discard(page.name)
            told += told_by(page.content)
            self._page(page, changes.get(page.name, []), streams, lettering)
            for place in self.places[page.number]:
                place.glyphs.clear()
        if unknown:
            raise InvalidSetting(
                f"Changes name {min(unknown)}, which the document does not have.",
                hint="Take the names from the blocks that read_pdf gives for the same file.",
            )
        self._besides(changes.get(BESIDES, []), told)
        self._look_again(streams)
        self.restyled = clean_strays(self.pdf, self.values)
        for number in self._undecodable:
            self.to_picture(number)
        lettering.finish()
        self._spelling.prune(self.pdf, pages.fonts)
        self.dropped = clean_document(self.pdf, self.values, self._touched, self.boxes)

    @property
    def boxes(self) -> dict[int, list[Bounds]]:
        """Everything that looks different afterwards, by the number of the page."""
        return {
            number: [place.bounds for place in places] + self.dropped.get(number, [])
            for number, places in self.places.items()
        }

    def to_picture(self, number: int) -> None:
        """Make a page a picture, unless that would show a value at a place that nobody knows."""
        if number in self.restyled:
            raise FailedCheck(
                f"Page {number} has an image that cannot be decoded and a pattern that tells a value.",
                hint="Export the document again as a plain PDF, or leave this page out.",
            )
        rasterise(self.pdf, self.source, number, self.places[number], self.look)
        self.rasterised.append(number)

    def _besides(self, changes: list[Change], told: list[str]) -> None:
        text = besides(self.pdf, told) if changes else ""
        for change in changes:
            if change.end > len(text):
                raise InvalidSetting(
                    f"A change {BESIDES} ends at {change.end}, after the end of its text.",
                    hint="Take offsets from the blocks that read_pdf gives for the same file.",
                )
            self._remember(text[change.start : change.end], change)

    def _remember(self, value: str, change: Change) -> None:
        self.values.add(value, change.label if change.new is None else change.new)

    def _page(self, page: ReadPage, changes: list[Change], streams: Streams, lettering: Lettering) -> None:
        for change in changes:
            self._remember(page.text.text[change.start : change.end], change)
        plan = plan_page(page, changes, self.look, lettering)
        self.places[page.number] = plan.places
        self._note(page, plan)
        try:
            self._blank(page, plan)
        except Undecodable:
            self._undecodable.append(page.number)
        streams.rewrite(page, plan)
        self._spelling.count(page.content, plan.removed)
        self._told += [(page.number, text) for text in plan.told]
        self._touched |= _touched(page, plan)

    def _note(self, page: ReadPage, plan: Plan) -> None:
        self.cramped += plan.cramped
        if page.concern in ("scanned", "recognised"):
            self.scanned.append(page.number)
        elif page.concern == "unreadable":
            self.unreadable.append(page.number)

    def _blank(self, page: ReadPage, plan: Plan) -> None:
        """Pixels under the places go too."""
        for picture in page.content.pictures if plan.places else []:
            new = blanked(self.pdf, picture, plan.places, self.look)
            if new is not None:
                plan.images[(picture.drawn.path, picture.index)] = new

    def _look_again(self, streams: Streams) -> None:
        """Texts that stand for stretches of pages, and names, may tell values that were found on any page."""
        streams.values = self.values
        telling = {text for text in {text for _, text in self._told} if self.values.within(text, parts=True)}
        for number in sorted({number for number, text in self._told if text in telling}):
            streams.rewrite(Pages(self.pdf, self.source).read(number), Plan())


def _touched(page: ReadPage, plan: Plan) -> Touched:
    found: Touched = set()
    for mark in page.content.marks if plan.removed else []:
        if mark.properties is None or "/MCID" not in mark.properties:
            continue
        shows = page.content.shows[mark.first : mark.last]
        if any(glyph in plan.removed for show in shows for glyph in show.glyphs):
            found.add((page.page.obj.objgen, int(mark.properties["/MCID"])))
    return found


@dataclass(frozen=True, slots=True)
class WrittenPdf:
    """What was done to a PDF; pages are counted from 1."""

    pages: int
    changes: int
    scanned: tuple[int, ...] = ()
    """Pages that are pictures: what nobody recognised on them is still there."""
    unreadable: tuple[int, ...] = ()
    """Pages with fonts that do not tell what they say: values there were not found."""
    rasterised: tuple[int, ...] = ()
    """Pages that became pictures because they could not be changed in themselves."""
    cramped: int = 0
    """New values that had to be set smaller than is good to read."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """What the user must be told, in words."""
        said = []
        if self.scanned:
            said.append(f"Scanned: {_listed(self.scanned)}. Only recognised text was searched.")
        if self.unreadable:
            said.append(f"Fonts do not tell what they say: {_listed(self.unreadable)}. Look at these pages.")
        if self.rasterised:
            said.append(f"Now pictures without text: {_listed(self.rasterised)}.")
        if self.cramped:
            said.append(f"New values set very small to fit: {self.cramped}.")
        return tuple(said)


def _listed(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(str(number) for number in numbers[:10])
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"


def write_pdf(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    values: Iterable[str] = (),
    check: Callable[[Path], None] | None = None,
) -> WrittenPdf:
    """Write a copy of `source` with the changes; `check` sees the file before it gets its name.

    What is taken out of the pages is also taken out of bookmarks, links and other texts, and so are `values`.
    """
    by_block: dict[str, list[Change]] = defaultdict(list)
    for change in sorted(changes):
        by_block[change.block].append(change)
    with opened(source) as pdf, whole_path(out, folder=False) as part:
        work = Rewriting(pdf, Path(source), look or Look())
        for value in values:
            work.values.add(value, "PPD")
        work.run(by_block)
        _save(work, part)
        if check is not None:
            check(part)
        count = sum(len(listed) for listed in by_block.values())
        seen = tuple(work.scanned), tuple(work.unreadable), tuple(sorted(work.rasterised))
        return WrittenPdf(len(pdf.pages), count, *seen, work.cramped)


def _save(work: Rewriting, part: Path) -> None:
    """Save, and look whether all pages still look the same; those that do not become pictures."""
    work.pdf.save(part, deterministic_id=True)
    differ = pages_that_differ(work.source, part, work.boxes)
    wrong = [page for page in differ if page not in (*work.rasterised, *work.restyled)]
    for number in wrong:
        work.to_picture(number)
    if wrong:
        work.pdf.save(part, deterministic_id=True)
