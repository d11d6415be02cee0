"""Small annotated documents for the tests, written with the marks inside the text."""

from __future__ import annotations

import re

from reidrisk.text.corpus import Annotation, Document, Role

MARK = re.compile(r"\[(?P<type>[A-Z_]+)(?P<role>[dqi]?)(?:#(?P<entity>\w+))?:(?P<text>[^\]]*)\]")
ROLES: dict[str, Role | None] = {"": None, "d": "direct", "q": "quasi", "i": "ignored"}


def document(marked: str, name: str = "doc") -> Document:
    """`[NAMEd#e1:Jane Doe]` is an annotation of type NAME, role direct, entity e1."""
    text, marks, last = "", [], 0
    for match in MARK.finditer(marked):
        text += marked[last : match.start()]
        start = len(text)
        text += match["text"]
        marks.append(Annotation(start, len(text), match["type"], ROLES[match["role"]], match["entity"]))
        last = match.end()
    return Document(name, tuple(marks), text + marked[last:])


def found(gold: Document, *surfaces: str, label: str = "PHI") -> Document:
    """A tool's output that marks the first occurrence of each of these strings."""
    assert gold.text is not None
    marks = []
    for surface in surfaces:
        start = gold.text.index(surface)
        marks.append(Annotation(start, start + len(surface), label))
    return Document(gold.id, tuple(marks))
