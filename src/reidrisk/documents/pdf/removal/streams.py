"""Write the streams of a page again; a form that other pages use too is copied first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.glyph import Drawn, Mark
from reidrisk.documents.pdf.lettering.embed import FONT, STATE, Lettering
from reidrisk.documents.pdf.pages import ReadPage
from reidrisk.documents.pdf.removal.marks import clean_mark
from reidrisk.documents.pdf.removal.operators import without
from reidrisk.documents.pdf.removal.plan import Plan
from reidrisk.documents.pdf.removal.values import Values

if TYPE_CHECKING:
    from pikepdf import Pdf

_PAINTS = {
    "S": b"n",
    "s": b"n",
    "f": b"n",
    "F": b"n",
    "f*": b"n",
    "B": b"n",
    "B*": b"n",
    "b": b"n",
    "b*": b"n",
}


class Streams:
    """Writes the streams of all pages of one document."""

    def __init__(self, pdf: Pdf, lettering: Lettering, values: Values) -> None:
        self._pdf = pdf
        self._values = values
        self._lettering = lettering
        self._copies: dict[tuple[tuple[int, int], bytes], Any] = {}
        """Forms that were written again, by what they were and what they are."""

    def rewrite(self, page: ReadPage, plan: Plan) -> None:
        """Write the page's content, and the forms it uses, without what the plan removes."""
        work = _Work(page, plan, self._values)
        new_forms: dict[tuple[int, ...], Any] = {}
        for drawn in sorted(page.content.drawn, key=lambda one: -len(one.path)):
            below = {path[-1]: form for path, form in new_forms.items() if path[:-1] == drawn.path}
            data = work.written(drawn, {index: _name(form) for index, form in below.items()})
            if drawn.path:
                new_forms[drawn.path] = self._form(drawn, data, list(below.values()), work)
            else:
                page.page.obj["/Contents"] = self._pdf.make_stream(data)
                resources = page.page.obj.get("/Resources")
                own = resources if resources is not None else _inherited(page)
                page.page.obj["/Resources"] = self._resources(own, list(below.values()))

    def _form(self, drawn: Drawn, data: bytes, below: list[Any], work: _Work) -> Any:
        key = (drawn.source.objgen, data)
        if key not in self._copies:
            copy = self._pdf.make_stream(data)
            for name, entry in drawn.source.items():
                if name not in ("/Length", "/Filter", "/DecodeParms", "/OC"):
                    copy[name] = entry
            own = drawn.source.get("/Resources")
            copy["/Resources"] = self._resources(own if own is not None else _inherited(work.page), below)
            self._copies[key] = copy
        return self._copies[key]

    def _resources(self, source: Any, below: list[Any]) -> Any:
        """A copy of the resources that knows the new forms and the letters."""
        import pikepdf

        resources = pikepdf.Dictionary({} if source is None else dict(source.items()))
        for kind, entries in (
            ("/Font", {FONT: self._lettering.font}),
            ("/ExtGState", {STATE: self._lettering.state}),
            ("/XObject", {_name(form): form for form in below}),
        ):
            if entries:
                old = resources.get(kind)
                resources[kind] = pikepdf.Dictionary((dict(old.items()) if old is not None else {}) | entries)
        if "/Properties" in resources:
            del resources["/Properties"]
        return resources


class _Work:
    """One page while it is written."""

    def __init__(self, page: ReadPage, plan: Plan, values: Values) -> None:
        self.page, self.plan, self.values = page, plan, values
        self.marks = {(mark.drawn.path, mark.index): mark for mark in page.content.marks}
        self.shows = {(show.drawn.path, show.index): show for show in page.content.shows}

    def written(self, drawn: Drawn, forms: dict[int, str]) -> bytes:
        """The new content of one stream; `forms` are new names by the operator that draws them."""
        import pikepdf

        parts: list[bytes] = []
        same: list[Any] = []
        for index, instruction in enumerate(drawn.instructions):
            new = self._instruction(drawn, index, instruction, forms)
            if new is None:
                same.append(instruction)
                continue
            if same:
                parts.append(pikepdf.unparse_content_stream(same))
                same = []
            parts.append(new)
        if same:
            parts.append(pikepdf.unparse_content_stream(same))
        return b"\n".join(parts)

    def _instruction(self, drawn: Drawn, index: int, instruction: Any, forms: dict[int, str]) -> bytes | None:
        """The new form of an instruction; None: it stays."""
        operator, place = str(instruction.operator), (drawn.path, index)
        if (show := self.shows.get(place)) is not None:
            touched = any(glyph in self.plan.removed for glyph in show.glyphs)
            return without(show, self.plan.removed.__contains__, self.plan.drawings) if touched else None
        if place in self.page.content.concealed:
            return _PAINTS.get(operator, b"")
        if index in forms:
            return forms[index].encode() + b" Do"
        if (mark := self.marks.get(place)) is not None:
            return b"" if operator in ("DP", "MP") else clean_mark(mark, self.keeps)
        return None

    def keeps(self, mark: Mark, text: str) -> bool:
        """Whether a text for a stretch may stay: nothing of the stretch went, nor does it tell a value."""
        shows = self.page.content.shows[mark.first : mark.last]
        touched = any(glyph in self.plan.removed for show in shows for glyph in show.glyphs)
        stays = not touched and not self.values.within(text)
        if stays:
            self.plan.told.append(text)
        return stays


def _name(form: Any) -> str:
    return f"/ReidForm{form.objgen[0]}"


def _inherited(page: ReadPage) -> Any:
    try:
        return page.page.resources
    except (AttributeError, KeyError):
        return None
