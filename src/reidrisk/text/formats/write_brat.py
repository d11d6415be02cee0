"""Writer of brat standoff."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reidrisk.text.corpus import Document
from reidrisk.text.formats.jsonl import NAME_OF_ROLE
from reidrisk.text.formats.write_json import surface
from reidrisk.text.formats.writer import FILE_NAME, WORD, Carries, FileEach

_SEPARATOR = re.compile(r"[\t\r\n]")


def _files(document: Document) -> dict[str, str]:
    files = {f"{document.id}.ann": "".join(f"{line}\n" for line in _lines(document))}
    if document.text is not None:
        files[f"{document.id}.txt"] = document.text
    return files


def _lines(document: Document) -> Iterator[str]:
    entities: dict[str, list[str]] = {}
    for number, annotation in enumerate(document.annotations, 1):
        name = f"T{number}"
        places = ";".join(f"{start} {end}" for start, end in annotation.pieces)
        # the third column is one line: a line end inside an annotation is written as a space
        column = "" if document.text is None else "\t" + _SEPARATOR.sub(" ", surface(document, annotation))
        yield f"{name}\t{annotation.type} {places}{column}"
        if annotation.role is not None:
            yield f"A{number}\tIdentifier {name} {NAME_OF_ROLE[annotation.role]}"
        if annotation.entity is not None:
            entities.setdefault(annotation.entity, []).append(name)
    for names in entities.values():
        yield f"*\tEquiv {' '.join(names)}"


_CARRIES = Carries(roles=True, entities=True, fragments=True, without_text=True, types=WORD, names=FILE_NAME)
BRAT = FileEach("brat", "brat", _CARRIES, _files)
