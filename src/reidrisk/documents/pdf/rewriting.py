"""All pages of a document, one after the other, and then everything besides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reidrisk.documents.document import Change, Look
from reidrisk.documents.pdf.clean.annotations import Bounds
from reidrisk.documents.pdf.clean.document import clean_document
from reidrisk.documents.pdf.clean.structure import Touched
from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.lettering.embed import Lettering
from reidrisk.documents.pdf.pages import ReadPage, each_page, read_page
from reidrisk.documents.pdf.removal.plan import Plan, plan_page
from reidrisk.documents.pdf.removal.spelling import Spelling
from reidrisk.documents.pdf.removal.strays import clean_strays
from reidrisk.documents.pdf.removal.streams import Streams
from reidrisk.documents.pdf.removal.values import Values
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from pikepdf import Pdf


@dataclass(slots=True)
class Rewriting:
    """A document while it is changed."""

    pdf: Pdf
    look: Look
    values: Values = field(default_factory=Values)
    boxes: dict[int, list[Bounds]] = field(default_factory=dict)
    """Places that look different afterwards, by the number of their page."""
    cramped: int = 0
    _fonts: Fonts = field(default_factory=Fonts)
    _spelling: Spelling = field(default_factory=Spelling)
    _touched: Touched = field(default_factory=set)
    _told: list[tuple[int, str]] = field(default_factory=list, repr=False)

    def run(self, changes: dict[str, list[Change]]) -> None:
        """Change every page, then clean the document."""
        lettering = Lettering(self.pdf)
        streams = Streams(self.pdf, lettering, self.values)
        unknown = set(changes)
        for page in each_page(self.pdf, self._fonts):
            unknown.discard(page.name)
            self._page(page, changes.get(page.name, []), streams, lettering)
        if unknown:
            raise InvalidSetting(
                f"Changes name {min(unknown)}, which the document does not have.",
                hint="Take the names from the blocks that read_pdf gives for the same file.",
            )
        self._look_again(streams)
        clean_strays(self.pdf, self.values)
        lettering.finish()
        self._spelling.prune(self.pdf, self._fonts)
        dropped = clean_document(self.pdf, self.values, self._touched, self.boxes)
        for number, bounds in dropped.items():
            self.boxes.setdefault(number, []).extend(bounds)

    def _page(self, page: ReadPage, changes: list[Change], streams: Streams, lettering: Lettering) -> None:
        for change in changes:
            instead = change.label if change.new is None else change.new
            self.values.add(page.text.text[change.start : change.end], instead)
        plan = plan_page(page, changes, self.look, lettering)
        streams.rewrite(page, plan)
        self._spelling.count(page.content, plan.removed)
        self.boxes[page.number] = [place.bounds for place in plan.places]
        self.cramped += plan.cramped
        self._told += [(page.number, text) for text in plan.told]
        self._touched |= _touched(page, plan)

    def _look_again(self, streams: Streams) -> None:
        """Texts that stand for stretches of earlier pages may tell values that were found on later ones."""
        for number in sorted({number for number, text in self._told if self.values.within(text)}):
            page = read_page(self.pdf, number, Fonts())
            streams.rewrite(page, Plan())


def _touched(page: ReadPage, plan: Plan) -> Touched:
    found: Touched = set()
    for mark in page.content.marks if plan.removed else []:
        if mark.properties is None or "/MCID" not in mark.properties:
            continue
        shows = page.content.shows[mark.first : mark.last]
        if any(glyph in plan.removed for show in shows for glyph in show.glyphs):
            found.add((page.page.obj.objgen, int(mark.properties["/MCID"])))
    return found
