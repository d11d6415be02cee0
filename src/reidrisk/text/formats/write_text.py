"""Writers of formats that are plain text: brat, CoNLL, inline tags and PhysioNet deid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.inline import TYPE_NAME
from reidrisk.text.formats.jsonl import NAME_OF_ROLE
from reidrisk.text.formats.location import locate_error, misaligned
from reidrisk.text.formats.reader import BYTE_ORDER_MARK
from reidrisk.text.formats.tokens import owners, pieces
from reidrisk.text.formats.write_json import surface
from reidrisk.text.formats.writer import FILE_NAME, WORD, Capabilities, FilePerDocument

_SEPARATOR = re.compile(r"[\t\r\n]")


def _brat(document: Document) -> dict[str, str]:
    files = {f"{document.id}.ann": "".join(f"{line}\n" for line in _lines(document))}
    if document.text is not None:
        files[f"{document.id}.txt"] = document.text
    return files


def _lines(document: Document) -> Iterator[str]:
    entities: dict[str, list[str]] = {}
    for number, annotation in enumerate(document.annotations, 1):
        name = f"T{number}"
        places = ";".join(f"{start} {end}" for start, end in annotation.pieces)
        # the third column is a single line: a line end inside an annotation becomes a space
        column = "" if document.text is None else "\t" + _SEPARATOR.sub(" ", surface(document, annotation))
        yield f"{name}\t{annotation.type} {places}{column}"
        if annotation.role is not None:
            yield f"A{number}\tIdentifier {name} {NAME_OF_ROLE[annotation.role]}"
        if annotation.entity is not None:
            entities.setdefault(annotation.entity, []).append(name)
    for names in entities.values():
        yield f"*\tEquiv {' '.join(names)}"


_CARRIES = Capabilities(
    roles=True, entities=True, fragments=True, without_text=True, types=WORD, names=FILE_NAME
)
BRAT = FilePerDocument("brat", "brat", _CARRIES, _brat)


def _conll(document: Document) -> dict[str, str]:
    """Token, tab, IOB2 tag; the text is written too, because tokens do not show what is between them."""
    text = document.text or ""
    for number, one in enumerate(document.annotations, 1):
        if text[one.start].isspace() or text[one.end - 1].isspace():
            hint = "Annotations must start and end with a word, because tokens have no white space."
            problem = "it starts or ends with white space, which conll cannot hold"
            raise locate_error(misaligned(problem, hint=hint), document.place(number))
    lines: list[str] = []
    last = 0
    before: Annotation | None = None
    for (start, end), mark in owners(pieces(text, document.annotations), document.annotations):
        if text[start:end].isspace():
            continue
        if lines and "\n" in text[last:start]:
            lines.append("")
        tag = "O" if mark is None else f"{'I' if mark is before else 'B'}-{mark.type}"
        lines.append(f"{text[start:end]}\t{tag}")
        last, before = end, mark
    # the reader treats the first byte order mark as that of the file
    mark_of_file = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    table = mark_of_file + "".join(f"{line}\n" for line in lines)
    return {f"{document.id}.conll": table, f"{document.id}.txt": text}


CONLL = FilePerDocument("conll", "conll", Capabilities(overlaps=False, types=WORD, names=FILE_NAME), _conll)


def _inline(document: Document) -> dict[str, str]:
    text, parts, last = document.text or "", [], 0
    for mark in sorted(document.annotations, key=lambda mark: mark.start):
        parts += [text[last : mark.start], f"<{mark.type}>{text[mark.start : mark.end]}</{mark.type}>"]
        last = mark.end
    marked = "".join([*parts, text[last:]])
    # the reader treats the first byte order mark as that of the file
    mark_of_file = BYTE_ORDER_MARK if marked.startswith(BYTE_ORDER_MARK) else ""
    return {f"{document.id}.txt": mark_of_file + marked}


INLINE = FilePerDocument(
    "inline", "inline", Capabilities(overlaps=False, types=TYPE_NAME, names=FILE_NAME), _inline
)


_NAMES = re.compile(r"[^\s|\-]{1,90}-[^\s|\-]{1,90}")
_CANNOT = re.compile(r"START_OF_RECORD=|\|\|\|\|END_OF_RECORD")
_LINE_END = re.compile(r"[\r\n]")


@dataclass(frozen=True, slots=True)
class PhysioNetWriter:
    """A folder with notes.text and notes-phi.phrase; offsets count bytes of UTF-8."""

    capabilities: Capabilities
    name: str = "physionet"
    reads_as: str = "physionet"
    suffix: str = ""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the documents into an empty folder."""
        with (
            (target / "notes.text").open("w", encoding="utf-8", newline="") as texts,
            (target / "notes-phi.phrase").open("w", encoding="utf-8", newline="") as phrases,
        ):
            for document in documents:
                patient, note = document.id.split("-")
                text = document.text or ""
                texts.write(f"\nSTART_OF_RECORD={patient}||||{note}||||\n{text}||||END_OF_RECORD\n")
                for mark in document.annotations:
                    start, end = (len(text[:edge].encode("utf-8")) for edge in (mark.start, mark.end))
                    phrase = _LINE_END.sub(" ", surface(document, mark))
                    phrases.write(f"{patient} {note} {start} {end} {mark.type} {phrase}\n")


PHYSIONET = PhysioNetWriter(Capabilities(types=WORD, names=_NAMES, characters=_CANNOT))
