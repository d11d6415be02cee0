"""Pictures: what they remember besides the picture is cut out; texts that can be seen in them are not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reidrisk.documents.docx.package import Package, Part
from reidrisk.documents.pictures import BLANK, stripped
from reidrisk.documents.places import Edit

_LETTERS = re.compile(rb"[\x20-\x7e\xa1-\xff]{4,}")
_WIDE_LETTERS = re.compile(rb"(?:[\x20-\x7e\xa1-\xff]\0){4,}")
_KINDS = frozenset(
    f"image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "bmp", "tiff", "x-emf", "emf", "x-wmf", "wmf")
)


def clean_media(package: Package) -> int:
    """Strip all pictures; gives how many stay, whose sight nobody searched."""
    pictures = package.of_kind("image")
    for part in pictures:
        if part.type not in _KINDS:
            blank(part)
            continue
        data = package.content(part)
        clean = stripped(data)
        if clean != data:
            part.data = clean
    return len(pictures)


def blank(part: Part) -> None:
    """Put a white point in the place of a picture."""
    part.data, part.type = BLANK, "image/png"


@dataclass(frozen=True, slots=True)
class LettersPlace:
    """Letters that a drawing holds as such."""

    part: Part

    def edit(self, edits: Sequence[Edit]) -> None:  # noqa: ARG002 - nothing of the drawing stays
        """A drawing that tells a value is not kept."""
        blank(self.part)


def letters_of(package: Package, part: Part) -> Iterator[str]:
    """Words that stand as letters in a drawing made of lines (EMF, WMF)."""
    if part.data is None and part.type.endswith("mf"):
        data = package.content(part)
        for found in _WIDE_LETTERS.finditer(data):
            yield found[0].decode("utf-16-le")
        for found in _LETTERS.finditer(data):
            yield found[0].decode("latin-1")
