"""Places of text in an HTML document, and how a box is put there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reidrisk.documents.places import Edit, spliced

Element = Any
"""An element of lxml, which has no types."""
_WITHOUT_MARKUP = frozenset(("title", "option", "textarea", "style", "text", "tspan", "desc"))
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class AttributePlace:
    """A text that stands in an attribute."""

    element: Element = field(repr=False)
    name: str

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change it as it stands; a link that lost a part of its address leads nowhere."""
        new = _writable(spliced(self.element.get(self.name), edits))
        self.element.set(self.name, "#" if self.name in ("href", "src") else new)


@dataclass(frozen=True, slots=True)
class TextPlace:
    """The text at the begin of an element, or the one that follows it."""

    element: Element = field(repr=False)
    where: Literal["text", "tail"]

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change the text; boxes become elements of their own."""
        text = getattr(self.element, self.where)
        holder = self.element if self.where == "text" else self.element.getparent()
        if holder.tag in _WITHOUT_MARKUP or not any(edit.box for edit in edits):
            setattr(self.element, self.where, _writable(spliced(text, edits)))
            return
        place = 0 if self.where == "text" else holder.index(self.element) + 1
        setattr(self.element, self.where, None)
        before, last, boxes = "", 0, []
        for edit in edits:
            before += text[last : edit.start]
            last = edit.end
            if edit.box:
                boxes.append((before, _box(edit)))
                before = ""
            else:
                before += edit.new
        setattr(self.element, self.where, boxes[0][0])
        follows = [*(told for told, _ in boxes[1:]), before + text[last:]]
        for number, ((_, box), follow) in enumerate(zip(boxes, follows, strict=True)):
            box.tail = follow
            holder.insert(place + number, box)


def _box(edit: Edit) -> Element:
    from lxml import etree

    box = etree.Element("span", style=f"background-color:{edit.box};color:{edit.ink}")
    box.text = _writable(edit.new)
    return box


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text)
