"""Write the streams of a page again, and clean other streams and fonts that tell values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts import Font, Fonts, name_text
from reidrisk.documents.pdf.glyphs import Content, Drawn, Glyph, Mark, TextShow
from reidrisk.documents.pdf.interpret import Interpreter, Layers
from reidrisk.documents.pdf.layout import page_text
from reidrisk.documents.pdf.lettering import FONT, STATE, Lettering, to_unicode
from reidrisk.documents.pdf.operators import Boxed, again, clean_mark, goes_on, without
from reidrisk.documents.pdf.pages import ReadPage
from reidrisk.documents.pdf.plan import Plan
from reidrisk.documents.pdf.values import RemovedValues

if TYPE_CHECKING:
    from pikepdf import Pdf

_PAINTS = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"}
_NAMING = {"Tf", "Do", "gs", "cs", "CS", "scn", "SCN", "sh"}
"""Operators that name a resource."""


class Streams:
    """Writes the streams of all pages of one document."""

    def __init__(self, pdf: Pdf, lettering: Lettering) -> None:
        self._pdf = pdf
        self.values = RemovedValues()
        """Values that texts and names must not tell; they are known only when all pages were read."""
        self._lettering = lettering
        self._copies: dict[tuple[tuple[int, int], bytes], Any] = {}
        """Forms that were written again, by what they were and what they are."""

    def rewrite(self, page: ReadPage, plan: Plan) -> None:
        """Write the page's content, and the forms it uses, without what the plan removes."""
        work = Work(page.content, plan, self.values)
        inherited = page.resources
        new_forms: dict[tuple[int, ...], Any] = {}
        for drawn in sorted(page.content.drawn, key=lambda one: -len(one.path)):
            below = {path[-1]: form for path, form in new_forms.items() if path[:-1] == drawn.path}
            below |= {index: image for (path, index), image in plan.images.items() if path == drawn.path}
            data = work.written(drawn, {index: _name(new) for index, new in below.items()})
            own = drawn.source.get("/Resources") if drawn.path else inherited
            resources = self._resources(inherited if own is None else own, list(below.values()), plan)
            if drawn.path:
                new_forms[drawn.path] = self._form(drawn, data, resources)
            else:
                page.page.obj["/Contents"] = self._pdf.make_stream(_with_loose(drawn, data, plan.loose))
                page.page.obj["/Resources"] = resources

    def _form(self, drawn: Drawn, data: bytes, resources: Any) -> Any:
        key = (drawn.source.objgen, data)
        if key not in self._copies:
            copy = self._pdf.make_stream(data)
            for name, entry in drawn.source.items():
                if name not in ("/Length", "/Filter", "/DecodeParms", "/OC"):
                    copy[name] = entry
            copy["/Resources"] = resources
            self._copies[key] = copy
        return self._copies[key]

    def _resources(self, source: Any, below: list[Any], plan: Plan) -> Any:
        """A copy of the resources that knows the new forms and the letters."""
        import pikepdf

        added: dict[str, dict[str, Any]] = {"/XObject": {_name(form): form for form in below}}
        if plan.drawings or plan.loose:
            added |= {"/Font": {FONT: self._lettering.font}, "/ExtGState": {STATE: self._lettering.state}}
        resources = _dictionary({} if source is None else dict(source.items()))
        for kind in {*resources.keys(), *added}:
            old = resources.get(kind)
            if old is None or isinstance(old, pikepdf.Dictionary):
                listed = dict(old.items()) if old is not None else {}
                plan.told += listed
                entries = {plain_name(name, self.values): entry for name, entry in listed.items()}
                resources[kind] = _dictionary(entries | added.get(kind, {}))
        if "/Properties" in resources:
            del resources["/Properties"]
        return resources


def _dictionary(entries: dict[str, Any]) -> Any:
    """A dictionary of a PDF; entry by entry, so that names may hold any bytes."""
    import pikepdf

    made = pikepdf.Dictionary()
    for name, entry in entries.items():
        made[name] = entry
    return made


class Work:
    """The streams of one page, or of another thing that is drawn, while they are written."""

    def __init__(self, content: Content, plan: Plan, values: RemovedValues) -> None:
        self.content, self.plan, self.values = content, plan, values
        self.shows = {(show.drawn.path, show.index): show for show in content.shows}
        self.marks = {(mark.drawn.path, mark.index): mark for mark in content.marks}
        self.under = _under(plan)

    def written(self, drawn: Drawn, forms: dict[int, str]) -> bytes:
        """The new content of one stream; `forms` are new names by the operator that draws them."""
        import pikepdf

        parts: list[bytes] = []
        done = 0
        for index in self._worth_a_look(drawn, forms):
            new = self._instruction(drawn, index, drawn.instructions[index], forms)
            if new is None:
                continue
            if done < index:
                parts.append(pikepdf.unparse_content_stream(drawn.instructions[done:index]))
            parts.append(new)
            done = index + 1
        if done < len(drawn.instructions):
            parts.append(pikepdf.unparse_content_stream(drawn.instructions[done:]))
        return b"\n".join(parts)

    def _worth_a_look(self, drawn: Drawn, forms: dict[int, str]) -> Iterable[int]:
        """Instructions that may have to change; any may name a value, if values are known."""
        if not self.values.is_empty:
            return range(len(drawn.instructions))
        places = (*self.shows, *self.marks, *self.under, *self.content.concealed, *self.content.unread)
        return sorted({index for path, index in places if path == drawn.path}.union(forms))

    def _instruction(self, drawn: Drawn, index: int, instruction: Any, forms: dict[int, str]) -> bytes | None:
        """The new form of an instruction; None: it stays."""
        operator, place = name_text(instruction.operator), (drawn.path, index)
        if (show := self.shows.get(place)) is not None:
            return self._show(show)
        if (boxes := self.under.get(place)) is not None:
            return b"\n".join([*boxes, b"BT"])
        if place in self.content.unread or place in self.content.concealed:
            return self._emptied(operator, place)
        if index in forms:
            return forms[index].encode() + b" Do"
        if (mark := self.marks.get(place)) is not None:
            return b"" if operator in ("DP", "MP") else clean_mark(mark, self._keeps)
        return self._renamed(operator, instruction.operands) if operator in _NAMING else None

    def _emptied(self, operator: str, place: tuple[tuple[int, ...], int]) -> bytes:
        """What is left of an operator that is not to draw anything."""
        if place in self.content.unread:
            return b"" if operator in ("Tj", "TJ") else b"T*"  # nobody knows what others read there
        return b"n" if operator in _PAINTS else b""

    def _show(self, show: TextShow) -> bytes | None:
        """An operator that shows text; None: it stays."""
        removed = self.plan.removed
        if not any(glyph in removed for glyph in show.glyphs):
            return None
        setting, back = show.setting, None
        if setting is not None and goes_on(show):
            chosen = show.drawn.instructions
            fill = setting.fill
            if isinstance(fill, tuple):
                fill = b" ".join(self._again(chosen[index]) for index in fill)
            back = again(show, self._again(chosen[setting.font]), fill)
        return without(show, removed.__contains__, self.plan.drawings, back)

    def _again(self, instruction: Any) -> bytes:
        """An instruction that sets something once more."""
        import pikepdf

        renamed = self._renamed(name_text(instruction.operator), instruction.operands)
        return bytes(pikepdf.unparse_content_stream([instruction]) if renamed is None else renamed)

    def _renamed(self, operator: str, operands: Any) -> bytes | None:
        """An operator whose resource is named by a value, with the new name."""
        import pikepdf

        names = [name_text(part) for part in operands if isinstance(part, pikepdf.Name)]
        if not any(plain_name(name, self.values) != name for name in names):
            return None
        parts = [
            pikepdf.Name(plain_name(name_text(part), self.values)) if isinstance(part, pikepdf.Name) else part
            for part in operands
        ]
        return pikepdf.unparse_content_stream([(parts, pikepdf.Operator(operator))])

    def _keeps(self, mark: Mark, text: str) -> bool:
        """Whether a text for a stretch may stay: nothing of the stretch went, nor does it tell a value."""
        shows = self.content.shows[mark.first : mark.last]
        touched = any(glyph in self.plan.removed for show in shows for glyph in show.glyphs)
        stays = not touched and not self.values.within(text, parts=True)
        if stays:
            self.plan.told.append(text)
        return stays


def _under(plan: Plan) -> dict[tuple[tuple[int, ...], int], list[bytes]]:
    """Boxes by the operator that begins the text object which their labels are written in."""
    found: dict[tuple[tuple[int, ...], int], list[bytes]] = defaultdict(list)
    for glyph, drawings in plan.drawings.items():
        show = glyph.show
        if show.setting is not None and goes_on(show):
            boxes = [drawing.under for drawing in drawings if isinstance(drawing, Boxed)]
            found[show.drawn.path, show.setting.begin] += boxes
    return dict(found)


def plain_name(name: str, values: RemovedValues) -> str:
    """The name of a resource, or another one for it if it tells a value."""
    return f"/ReidName{values.number(name)}" if values.within(name) else name


def _with_loose(drawn: Drawn, data: bytes, loose: list[bytes]) -> bytes:
    """The content of a page, and what is drawn over it in the space of the page."""
    if not loose:
        return data
    operators = [name_text(instruction.operator) for instruction in drawn.instructions]
    open_states = max(0, operators.count("q") - operators.count("Q"))
    return b"\n".join([b"q", data, b"Q\n" * (open_states + 1), *loose])


def _name(form: Any) -> str:
    return f"/ReidObject{form.objgen[0]}"


def clean_strays(pdf: Pdf, values: RemovedValues) -> set[int]:
    """Write such streams again; one that tells a value loses its text. Pages that look different by it."""
    layers, fonts = Layers(pdf.Root), Fonts()
    changed = set()
    for stream, resources in _strays([page.obj.get("/Resources") for page in pdf.pages]):
        content = Interpreter(fonts, layers).run(stream, resources)
        if not content.drawn:
            continue
        glyphs = [glyph for show in content.shows if not show.drawn.path for glyph in show.glyphs]
        plan = Plan()
        if values.within(page_text(glyphs, content.spans).text) or values.within(_drawn_text(content)):
            plan.removed = set(glyphs)
            changed.add(stream.objgen)
        stream.write(Work(content, plan, values).written(content.drawn[0], {}))
    if not changed:
        return set()
    reached = ((number, _strays([page.obj.get("/Resources")])) for number, page in enumerate(pdf.pages, 1))
    return {number for number, strays in reached if any(stream.objgen in changed for stream, _ in strays)}


def _drawn_text(content: Content) -> str:
    return "".join(glyph.text or "" for glyph in content.glyphs)


def _strays(waiting: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Every such stream that resources reach, with the resources it uses itself."""
    seen: set[tuple[int, int]] = set()
    while waiting:
        resources = waiting.pop()
        if resources is None:
            continue
        for stream, own in [*_masks(resources), *_patterns(resources), *_letters(resources)]:
            if stream.objgen not in seen:
                seen.add(stream.objgen)
                waiting.append(own)
                yield stream, own
        for form in _forms(resources):
            if form.objgen not in seen:
                seen.add(form.objgen)
                waiting.append(form.get("/Resources"))


def _forms(resources: Any) -> list[Any]:
    import pikepdf

    return [
        found
        for found in _entries(resources, "/XObject")
        if isinstance(found, pikepdf.Stream) and found.get("/Subtype") == "/Form"
    ]


def _patterns(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    found = _entries(resources, "/Pattern")
    return [(item, item.get("/Resources")) for item in found if isinstance(item, pikepdf.Stream)]


def _masks(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    masks = [state.get("/SMask") for state in _entries(resources, "/ExtGState")]
    groups = [mask.get("/G") for mask in masks if isinstance(mask, pikepdf.Dictionary)]
    return [(group, group.get("/Resources")) for group in groups if isinstance(group, pikepdf.Stream)]


def _letters(resources: Any) -> list[tuple[Any, Any]]:
    import pikepdf

    return [
        (glyph, font.get("/Resources", resources))
        for font in _entries(resources, "/Font")
        if font.get("/Subtype") == "/Type3" and "/CharProcs" in font
        for _, glyph in font["/CharProcs"].items()
        if isinstance(glyph, pikepdf.Stream)
    ]


def _entries(resources: Any, kind: str) -> list[Any]:
    import pikepdf

    listed = resources.get(kind)
    if not isinstance(listed, pikepdf.Dictionary):
        return []
    return [entry for _, entry in listed.items() if isinstance(entry, pikepdf.Dictionary | pikepdf.Stream)]


class Spelling:
    """Which codes of which font are still drawn."""

    def __init__(self) -> None:
        self._used: dict[Font, set[int]] = defaultdict(set)
        self._gone: dict[Font, set[int]] = defaultdict(set)

    def count(self, content: Content, removed: set[Glyph]) -> None:
        """Take note of the codes of one page."""
        for show in content.shows:
            used, gone = self._used[show.font], self._gone[show.font]
            for glyph in show.glyphs:
                (gone if glyph in removed else used).add(glyph.number)

    def prune(self, pdf: Pdf, fonts: Fonts) -> None:
        """Fonts of which something was removed list only what is still drawn, in an order without sense."""
        import pikepdf

        for key, font in fonts.known().items():
            if not self._gone[font]:
                continue
            source: Any = pdf.get_object(key)
            if isinstance(source.get("/ToUnicode"), pikepdf.Stream):
                texts = {code: font.texts[code] for code in self._used[font] if code in font.texts}
                source["/ToUnicode"] = pdf.make_stream(to_unicode(texts, size=1 if font.cmap is None else 2))
            encoding = source.get("/Encoding")
            if isinstance(encoding, pikepdf.Dictionary) and "/Differences" in encoding:
                copy = pikepdf.Dictionary(dict(encoding.items()))
                copy["/Differences"] = _differences(encoding["/Differences"], self._used[font])
                source["/Encoding"] = copy


def _differences(listed: Any, used: set[int]) -> Any:
    import pikepdf

    items: list[Any] = []
    code = 0
    for item in listed:
        if isinstance(item, int):
            code = item
            continue
        if code in used:
            items += [code, item]
        code += 1
    return pikepdf.Array(items)
