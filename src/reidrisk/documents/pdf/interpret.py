"""Run the content of a page: where each glyph and each picture lies, and which bytes ask for it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from reidrisk.documents.pdf.contents import instructions
from reidrisk.documents.pdf.fonts import Font, Fonts, name_text, number
from reidrisk.documents.pdf.glyphs import (
    IDENTITY,
    Content,
    Drawn,
    Mark,
    Matrix,
    Picture,
    ShowSetting,
    TextShow,
    shifted,
    show_text,
    times,
)

SHOWING = ("Tj", "TJ", "'", '"')
"""Operators that show text."""
_DEVICE = ("g", "rg", "k")
"""Operators that choose a color by numbers alone."""
_DEEPEST = 24
"""Forms within forms; deeper ones are a loop."""


def _groups(listed: Any) -> set[tuple[int, int]]:
    import pikepdf

    found: list[Any] = list(listed) if isinstance(listed, pikepdf.Array) else []
    return {group.objgen for group in found if isinstance(group, pikepdf.Dictionary)}


class Layers:
    """The layers of a document."""

    def __init__(self, root: Any) -> None:
        self._off: set[tuple[int, int]] = set()
        properties = root.get("/OCProperties")
        setting = properties.get("/D") if properties is not None else None
        if setting is None:
            return
        if setting.get("/BaseState") == "/OFF":
            self._off = _groups(properties.get("/OCGs")) - _groups(setting.get("/ON"))
        self._off |= _groups(setting.get("/OFF"))

    def off(self, group: Any) -> bool:
        """Whether a layer, or a rule over layers, hides what it holds."""
        import pikepdf

        if group is None or not self._off:
            return False
        if group.get("/Type") != "/OCMD":
            return group.objgen in self._off
        members = group.get("/OCGs")
        if members is None:
            return False
        listed = list(members) if isinstance(members, pikepdf.Array) else [members]
        hidden = [member.objgen in self._off for member in listed]
        policy = str(group.get("/P", "/AnyOn"))
        visible = {
            "/AllOn": not any(hidden),
            "/AnyOff": any(hidden),
            "/AllOff": all(hidden),
        }.get(policy, not all(hidden))
        return bool(hidden) and not visible


class State(NamedTuple):
    """The part of the graphics state that places text."""

    ctm: Matrix = IDENTITY
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    chosen: int | None = None
    """The operator that chose the font; None: it stands in another stream."""
    fill: bytes | tuple[int, ...] | None = b"0 g"
    """The operators that chose the color to fill with, or how to write them; None: nobody knows."""
    plain: bool = True
    """Whether what is drawn covers what is under it."""


class Interpreter:
    """Runs the streams of one page."""

    def __init__(self, fonts: Fonts, layers: Layers) -> None:
        self.content = Content()
        self._fonts = fonts
        self._layers = layers
        self._off = 0
        """How many open layers are switched off."""
        self._spans: list[int] = []

    def run(self, source: Any, resources: Any) -> Content:
        """Everything that a page, or another thing with content, draws."""
        self._stream(source, resources, (), State())
        return self.content

    def _stream(self, source: Any, resources: Any, path: tuple[int, ...], state: State) -> None:
        parsed = instructions(source)
        if parsed is None:
            self.content.is_broken = True
            return
        drawn = Drawn(path, source, parsed)
        self.content.drawn.append(drawn)
        _Run(self, drawn, resources, state).all()

    def form(self, form: Any, path: tuple[int, ...], state: State, resources: Any) -> None:
        """Draw a form where it is asked for."""
        if len(path) > _DEEPEST:
            self.content.concealed.add((path[:-1], path[-1]))  # or it would go on drawing what was removed
            return
        given = form.get("/Matrix")
        matrix = _matrix(given) if given is not None and len(given) == 6 else IDENTITY
        own = form.get("/Resources")
        state = state._replace(ctm=times(matrix, state.ctm), chosen=None)
        self._stream(form, resources if own is None else own, path, state)


class _Run:
    """One stream while it runs."""

    def __init__(self, whole: Interpreter, drawn: Drawn, resources: Any, state: State) -> None:
        self.whole, self.drawn, self.resources, self.state = whole, drawn, resources, state
        self.saved: list[State] = []
        self.marks: list[tuple[Mark, bool, bool]] = []
        self.text = self.line = IDENTITY
        self.inside = False
        self.begun: int | None = None
        """The operator that began the text object, if nothing but text and its state came since."""
        self.last: ShowSetting | None = None
        """The last one, which most operators share."""
        self.fonts: dict[str, Font] = {}

    def all(self) -> None:
        """Run every instruction."""
        for index, instruction in enumerate(self.drawn.instructions):
            operator = name_text(instruction.operator)
            act = _ACTS.get(operator)
            if act is not None:
                try:
                    act(self, index, instruction.operands)
                except (IndexError, TypeError, ValueError, ArithmeticError):
                    if operator in SHOWING:
                        self.whole.content.unread.add((self.drawn.path, index))
        while self.marks:
            self._close(self.marks.pop())

    def save(self, _: int, __: Any) -> None:
        self.begun = None
        self.saved.append(self.state)

    def restore(self, _: int, __: Any) -> None:
        self.begun = None
        if self.saved:
            self.state = self.saved.pop()

    def concat(self, _: int, operands: Any) -> None:
        self.begun = None
        self.state = self.state._replace(ctm=times(_matrix(operands), self.state.ctm))

    def begin(self, index: int, _: Any) -> None:
        self.text = self.line = IDENTITY
        self.inside, self.begun = True, index

    def end(self, _: int, __: Any) -> None:
        self.inside, self.begun = False, None

    def choose_font(self, index: int, operands: Any) -> None:
        called = name_text(operands[0])
        if called not in self.fonts:
            self.fonts[called] = self.whole._fonts.of(self._listed("/Font", operands[0]))
        self.state = self.state._replace(font=self.fonts[called], size=number(operands[1]), chosen=index)

    def _listed(self, kind: str, called: Any) -> Any:
        """A resource; None where there is none of this name."""
        listed: Any = self.resources.get(kind) if self.resources is not None else None
        return listed.get(called) if _is_dictionary(listed) else None

    def extend(self, _: int, operands: Any) -> None:
        """An extended graphics state may set the font too, and let shine through what is drawn."""
        chosen = self._listed("/ExtGState", operands[0])
        if chosen is not None and not _covers(chosen):
            self.state = self.state._replace(plain=False)
        pair = chosen.get("/Font") if chosen is not None else None
        if pair is not None:
            self.state = self.state._replace(
                font=self.whole._fonts.of(pair[0]), size=number(pair[1]), chosen=None
            )

    def color(self, index: int, _: Any) -> None:
        """A color, or the space of the colors that follow."""
        self.state = self.state._replace(fill=(index,))

    def color_in_space(self, index: int, _: Any) -> None:
        """A color in the space that was chosen."""
        fill = self.state.fill
        self.state = self.state._replace(fill=(fill[0], index) if isinstance(fill, tuple) else None)

    def _fill_below(self) -> bytes | None:
        """How a form can choose the color that it begins with; None: by names that it does not know."""
        import pikepdf

        fill = self.state.fill
        if not isinstance(fill, tuple):
            return fill
        chosen = [self.drawn.instructions[index] for index in fill]
        if any(name_text(one.operator) not in _DEVICE for one in chosen):
            return None
        return bytes(pikepdf.unparse_content_stream(chosen))

    def setting(self, name: str, scale: float) -> Callable[[int, Any], None]:
        """What an operator that sets one number does."""

        def act(_: int, operands: Any) -> None:
            self.state = self.state._replace(**_only(name, number(operands[0]) * scale))

        return act

    def render_mode(self, _: int, operands: Any) -> None:
        self.state = self.state._replace(mode=int(number(operands[0])))

    def move(self, _: int, operands: Any) -> None:
        self.line = self.text = shifted(self.line, number(operands[0]), number(operands[1]))

    def move_leading(self, index: int, operands: Any) -> None:
        self.state = self.state._replace(leading=-number(operands[1]))
        self.move(index, operands)

    def place(self, _: int, operands: Any) -> None:
        self.line = self.text = _matrix(operands)

    def next_line(self, _: int, __: Any) -> None:
        self.line = self.text = shifted(self.line, 0.0, -self.state.leading)

    def show(self, index: int, operands: Any) -> None:
        self._show(index, [_string(operands[0])])

    def show_array(self, index: int, operands: Any) -> None:
        self._show(index, [item if _is_number(item) else _string(item) for item in operands[0]])

    def show_next(self, index: int, operands: Any) -> None:
        self.next_line(index, operands)
        self._show(index, [_string(operands[0])])

    def show_spaced(self, index: int, operands: Any) -> None:
        self.state = self.state._replace(word_spacing=number(operands[0]), spacing=number(operands[1]))
        self.next_line(index, operands)
        self._show(index, [_string(operands[2])])

    def _show(self, index: int, items: list[Any]) -> None:
        s = self.state
        font = s.font or Font(None, {}, {}, 0.5)
        show = TextShow(
            self.drawn, index, s.ctm, self.line, font, s.size, s.spacing, s.word_spacing, s.stretch, s.rise,
            s.mode, self.inside, self._setting(),
        )  # fmt: skip
        span = self.whole._spans[-1] if self.whole._spans else -1
        self.text = show_text(show, items, self.text, span)
        if self.whole._off:
            self.whole.content.concealed.add((self.drawn.path, index))
        self.whole.content.shows.append(show)

    def _setting(self) -> ShowSetting | None:
        s = self.state
        if self.begun is None or s.chosen is None or s.fill is None or not s.plain:
            return None
        found = ShowSetting(self.begun, s.chosen, s.fill)
        if found != self.last:
            self.last = found
        return self.last

    def mark(self, index: int, operands: Any) -> None:
        """A stretch begins that may be a layer or have a text of its own."""
        content = self.whole.content
        properties = self._properties(operands[1]) if len(operands) > 1 else None
        tag = name_text(operands[0])
        off = tag == "/OC" and self.whole._layers.off(properties)
        actual = properties.get("/ActualText") if properties is not None else None
        if actual is not None:
            content.spans.append(str(actual))
            self.whole._spans.append(len(content.spans) - 1)
        self.whole._off += off
        mark = Mark(self.drawn, index, tag, properties, len(content.shows))
        content.marks.append(mark)
        self.marks.append((mark, off, actual is not None))

    def _properties(self, given: Any) -> Any:
        """Properties of a mark, which may be listed among the resources under a name."""
        if _is_name(given):
            given = self._listed("/Properties", given)
        return given if _is_dictionary(given) else None

    def unmark(self, _: int, __: Any) -> None:
        if self.marks:
            self._close(self.marks.pop())

    def _close(self, held: tuple[Mark, bool, bool]) -> None:
        mark, off, has_text = held
        mark.last = len(self.whole.content.shows)
        self.whole._off -= off
        if has_text:
            self.whole._spans.pop()

    def point(self, index: int, operands: Any) -> None:
        """A mark without extent."""
        self.whole.content.marks.append(Mark(self.drawn, index, name_text(operands[0]), None, 0, 0))

    def draw(self, index: int, operands: Any) -> None:
        """A form or an image."""
        import pikepdf

        self.begun = None
        found = self._listed("/XObject", operands[0])
        if not isinstance(found, pikepdf.Stream):
            return
        off = self.whole._layers.off(found.get("/OC"))
        if self.whole._off or off:
            self.whole.content.concealed.add((self.drawn.path, index))
        if found.get("/Subtype") == "/Image":
            self.whole.content.pictures.append(
                Picture(self.drawn, index, found, self.state.ctm, inline=False)
            )
        elif found.get("/Subtype") == "/Form":
            self.whole._off += off
            state = self.state._replace(fill=self._fill_below())
            self.whole.form(found, (*self.drawn.path, index), state, self.resources)
            self.whole._off -= off

    def inline_image(self, index: int, _: Any) -> None:
        instruction = self.drawn.instructions[index]
        self.whole.content.pictures.append(
            Picture(self.drawn, index, instruction, self.state.ctm, inline=True)
        )
        self.paint(index, _)

    def paint(self, index: int, _: Any) -> None:
        self.begun = None
        if self.whole._off:
            self.whole.content.concealed.add((self.drawn.path, index))


def _set(name: str, scale: float = 1.0) -> Callable[[_Run, int, Any], None]:
    return lambda run, index, operands: run.setting(name, scale)(index, operands)


_ACTS: dict[str, Callable[[_Run, int, Any], None]] = {
    "q": _Run.save, "Q": _Run.restore, "cm": _Run.concat, "BT": _Run.begin, "ET": _Run.end,
    **dict.fromkeys(_DEVICE, _Run.color), "cs": _Run.color,
    "sc": _Run.color_in_space, "scn": _Run.color_in_space,
    "Tf": _Run.choose_font, "gs": _Run.extend, "Tr": _Run.render_mode,
    "Tc": _set("spacing"), "Tw": _set("word_spacing"), "TL": _set("leading"), "Ts": _set("rise"),
    "Tz": _set("stretch", 0.01),
    "Td": _Run.move, "TD": _Run.move_leading, "Tm": _Run.place, "T*": _Run.next_line,
    "Tj": _Run.show, "TJ": _Run.show_array, "'": _Run.show_next, '"': _Run.show_spaced,
    "BDC": _Run.mark, "BMC": _Run.mark, "DP": _Run.point, "MP": _Run.point, "EMC": _Run.unmark,
    "Do": _Run.draw, "INLINE IMAGE": _Run.inline_image,
    **dict.fromkeys(("S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "sh"), _Run.paint),
}  # fmt: skip


def _covers(chosen: Any) -> bool:
    """Whether a graphics state lets nothing shine through."""
    return (
        number(chosen.get("/ca"), 1.0) == 1.0
        and chosen.get("/BM", "/Normal") in ("/Normal", "/Compatible")
        and chosen.get("/SMask", "/None") == "/None"
    )


def _only(name: str, value: float) -> dict[str, Any]:
    return {name: value}


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = map(number, operands)
    return (a, b, c, d, e, f)


def _string(item: Any) -> bytes:
    """The bytes of a string; what is none shows nothing."""
    import pikepdf

    if not isinstance(item, pikepdf.String):
        raise TypeError
    return bytes(item)


def _is_number(item: Any) -> bool:
    return isinstance(item, int | float | Decimal)


def _is_name(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Name)


def _is_dictionary(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Dictionary)
