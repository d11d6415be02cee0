"""Writer of PhysioNet deid: records in one file, phrases in another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reidrisk.text.corpus import Document
from reidrisk.text.formats.write_json import surface
from reidrisk.text.formats.writer import WORD, Carries

_NAMES = re.compile(r"[^\s|\-]{1,90}-[^\s|\-]{1,90}")
_CANNOT = re.compile(r"START_OF_RECORD=|\|\|\|\|END_OF_RECORD")
_LINE_END = re.compile(r"[\r\n]")


@dataclass(frozen=True, slots=True)
class PhysioNetWriter:
    """A folder with notes.text and notes-phi.phrase; offsets count bytes of UTF-8."""

    carries: Carries
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


PHYSIONET = PhysioNetWriter(Carries(types=WORD, names=_NAMES, characters=_CANNOT))
