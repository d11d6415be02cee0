"""All pages of a PDF are changed, one after the other, and then everything besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.clean import clean_document
from reidrisk.documents.pdf.damage import PageLetters, letters_of
from reidrisk.documents.pdf.layout import UNREAD
from reidrisk.documents.pdf.lettering import Lettering
from reidrisk.documents.pdf.note_places import Bounds
from reidrisk.documents.pdf.page_places import PagePlace
from reidrisk.documents.pdf.pages import Pages, ReadPage
from reidrisk.documents.pdf.pixels import Undecodable, blanked, rasterise
from reidrisk.documents.pdf.plan import Plan, explain, plan_page
from reidrisk.documents.pdf.reading import BESIDES, besides, told_by
from reidrisk.documents.pdf.streams import Spelling, Streams, clean_strays
from reidrisk.documents.pdf.structure import Touched
from reidrisk.documents.pdf.values import RemovedValues
from reidrisk.errors import FailedPages, InvalidSetting

if TYPE_CHECKING:
    from pikepdf import Pdf


@dataclass(slots=True)
class Rewriting:
    """A document while it is changed."""

    pdf: Pdf
    pages: Pages
    look: Look
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Pages with an explanation in their place: why, by the names of their blocks."""
    values: RemovedValues = field(default_factory=RemovedValues)
    """Values that must not remain besides the pages either."""
    places: dict[int, list[PagePlace]] = field(default_factory=dict)
    """What was changed, by the number of the page."""
    dropped: dict[int, list[Bounds]] = field(default_factory=dict)
    """Notes and links that went, by the number of the page."""
    letters: dict[int, PageLetters] = field(default_factory=dict, repr=False)
    """Letters by the number of the page."""
    explained: list[int] = field(default_factory=list)
    cramped: int = 0
    scanned: list[int] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    rasterised: list[int] = field(default_factory=list)
    restyled: set[int] = field(default_factory=set)
    """Pages whose patterns, masks or drawn letters told a value: they cannot look the same."""
    _spelling: Spelling = field(default_factory=Spelling)
    _undecodable: list[int] = field(default_factory=list)
    _before: dict[int, dict[str, Any]] = field(default_factory=dict, repr=False)
    """What pages were that are now pictures."""
    _touched: Touched = field(default_factory=set)
    _told: list[tuple[int, str]] = field(default_factory=list, repr=False)

    def run(self, changes: dict[str, list[Change]]) -> None:
        """Change every page, then clean the document."""
        lettering = Lettering(self.pdf)
        streams = Streams(self.pdf, lettering)
        told: list[str] = []
        unknown = set(changes) - {BESIDES}
        for page in self.pages:
            unknown.discard(page.name)
            if page.name in self.left_out:
                self._explain(page, lettering)
                continue
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
        self._spelling.prune(self.pdf, self.pages.fonts)
        self.dropped = clean_document(self.pdf, self.values, self._touched, self.boxes)

    @property
    def boxes(self) -> dict[int, list[Bounds]]:
        """Everything that looks different afterwards, by the number of the page."""
        return {
            number: [place.bounds for place in places] + self.dropped.get(number, [])
            for number, places in self.places.items()
        }

    def to_picture(self, number: int, written: Path | None = None) -> None:
        """Make a page a picture, unless that would show a value at a place that nobody knows.

        `written` is the document without its values, if it was saved.
        """
        if number in self.restyled:
            raise FailedPages(
                f"Page {number} has an image that cannot be decoded and a pattern that tells a value.",
                hint="Export the document again as a plain PDF, or use --per-page to leave this page out.",
                pages=[number],
                why="A pattern on it spelled a value.",
            )
        page = self.pdf.pages[number - 1].obj
        self._before[number] = {name: page[name] for name in ("/Contents", "/Resources") if name in page}
        rasterise(self.pdf, self.pages.path, number, self.places[number], self.look, written=written)
        self.rasterised.append(number)

    def from_picture(self, number: int) -> None:
        """Take back that a page became a picture."""
        page = self.pdf.pages[number - 1].obj
        for name in ("/Contents", "/Resources"):
            del page[name]
        for name, entry in self._before.pop(number).items():
            page[name] = entry
        self.rasterised.remove(number)

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
        text = page.text.text
        for change in changes:
            self._remember(text[change.start : change.end], change)
        plan = plan_page(page, changes, self.look, lettering)
        self.places[page.number] = plan.places
        self._note(page, plan)
        try:
            self._blank(page, plan)
        except Undecodable:
            self._undecodable.append(page.number)
        streams.rewrite(page, plan)
        self._spelling.count(page.content, plan.removed)
        taken = letters_of(glyph.text or UNREAD for glyph in plan.removed)
        self.letters[page.number] = PageLetters(letters_of([text]), taken)
        self._told += [(page.number, text) for text in plan.told]
        self._touched |= _touched(page, plan)

    def _explain(self, page: ReadPage, lettering: Lettering) -> None:
        """Put an explanation in the place of a page."""
        explain(page, self.left_out[page.name], lettering, self.pdf)
        self.explained.append(page.number)
        self.places[page.number] = []

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
            streams.rewrite(Pages(self.pdf, self.pages.path).read(number), Plan())


def _touched(page: ReadPage, plan: Plan) -> Touched:
    found: Touched = set()
    for mark in page.content.marks if plan.removed else []:
        if mark.properties is None or "/MCID" not in mark.properties:
            continue
        shows = page.content.shows[mark.first : mark.last]
        if any(glyph in plan.removed for show in shows for glyph in show.glyphs):
            found.add((page.page.obj.objgen, int(mark.properties["/MCID"])))
    return found
