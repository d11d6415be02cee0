"""Search a file for values, and all that is in it: pictures, attachments, and what is packed in those."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from reidrisk.core.scratch import scratch_folder
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS
from reidrisk.documents.formats import format_of, prove_document
from reidrisk.documents.proof.enclosed import (
    BROKEN,
    DEEPEST,
    EnclosedKind,
    Locked,
    TooLarge,
    kind_of_bytes,
    letters_in,
    name_of_kind,
    unpacked,
)
from reidrisk.documents.proof.needles import Needles
from reidrisk.documents.proof.ocr import NO_PICTURES, FoundPicture, Ocr
from reidrisk.documents.proof.prove import Hit, Proof, prove
from reidrisk.documents.proof.texts import Unread
from reidrisk.errors import BadData, FailedCheck

MOST_PICTURES = 200
"""Pictures that are read in one file: a page takes about two seconds."""
MOST_FILES = 2_000
"""Files that are opened within one file."""
_EXTENSIONS: dict[EnclosedKind, str] = {"pdf": "pdf", "rtf": "rtf", "html": "html", "text": "txt"}
_WORD = b"word/document.xml"


@dataclass(frozen=True, slots=True)
class NotSearched:
    """A place in which a value could be that nobody looked for there."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search of a file and of all that is in it found."""

    proof: Proof
    not_searched: tuple[NotSearched, ...]
    pictures: int
    """Pictures in which letters were read."""
    files: int
    """Files within the file that were searched."""


def search_file(path: Path, values: Sequence[str], *, ocr: Ocr | None, why: str, office: bool) -> Searched:
    """Search a file for values; `why` says why there is no OCR, if so."""
    with scratch_folder() as folder:
        search = _FileSearch(values, ocr, why, folder, office=office)
        search.document(path, "", 0)
        search.read_pictures()
    proof = Proof(
        len(values),
        search.places,
        tuple(sorted(search.hits)),
        len(values),
        tuple(dict.fromkeys(search.notes)),
    )
    return Searched(proof, tuple(dict.fromkeys(search.not_searched)), search.pictures, search.files)


@dataclass
class _FileSearch:
    """A search while it goes on."""

    values: Sequence[str] = field(repr=False)
    ocr: Ocr | None
    why: str
    folder: Path
    office: bool
    hits: set[Hit] = field(default_factory=set)
    places: int = 0
    notes: list[str] = field(default_factory=list)
    not_searched: list[NotSearched] = field(default_factory=list)
    pictures: int = 0
    files: int = 0
    _waiting: list[Iterator[FoundPicture]] = field(default_factory=list)

    @cached_property
    def _needles(self) -> Needles:
        return Needles(dict(enumerate(self.values, 1)), given=range(1, len(self.values) + 1))

    def document(self, path: Path, inside: str, depth: int) -> None:
        """A document of a known format, its pictures and its attachments."""
        own = format_of(path)
        self._add(prove_document(path, self.values, office=self.office), inside)
        if own.pictures is not None:
            self._waiting.append(self._within(own.pictures(path), inside))
        for where, data in own.enclosed(path) if own.enclosed is not None else ():
            if data is None:
                self._skip(f"{inside}{where}", "it cannot be unpacked")
            else:
                self._bytes(data, f"{inside}{where}", depth + 1)

    def _within(self, pictures: Iterable[FoundPicture], inside: str) -> Iterator[FoundPicture]:
        try:
            for picture in pictures:
                yield FoundPicture(f"{inside}{picture.where}", picture.load, picture.is_part)
        except Exception:  # noqa: BLE001 - other people's programs raise what they like
            self._skip(f"{inside}pictures of the document", "they cannot be listed")

    def _add(self, proof: Proof, inside: str) -> None:
        self.hits |= {Hit(hit.value, f"{inside}{hit.where}") for hit in proof.hits}
        self.places += proof.places
        self.notes += [f"{inside}{note}" for note in proof.notes]

    def _skip(self, where: str, why: str) -> None:
        self.not_searched.append(NotSearched(where, why))

    def _bytes(self, data: bytes, where: str, depth: int) -> None:
        """A file within the file, of whatever kind."""
        if not data.strip(b"\0\r\n\t "):
            return
        self.files += 1
        if depth > DEEPEST or self.files > MOST_FILES:
            limit = (
                f"more than {DEEPEST} files within each other"
                if depth > DEEPEST
                else f"more than {MOST_FILES:,} files"
            )
            self._skip(where, limit)
            return
        kind = kind_of_bytes(data)
        try:
            if kind in ("picture", "other"):
                self._letters(data, where)
            if kind == "picture":
                self._waiting.append(iter([FoundPicture(where, lambda: _opened(data))]))
            elif kind in _EXTENSIONS or (kind == "zip" and _WORD in data):
                self.document(self._file(data, _EXTENSIONS.get(kind, "docx")), f"{where}: ", depth)
            elif kind != "other":
                self._archive(data, kind, where, depth)
            else:
                self._skip(where, f"{name_of_kind(data)}: only its plain letters were searched")
        except Locked:
            self._skip(where, "it needs a password")
        except TooLarge:
            self._skip(where, "it is too large when unpacked")
        except (*BROKEN, BadData, FailedCheck):
            self._skip(where, "it needs a password" if b"/Encrypt" in data else "it cannot be read")

    def _letters(self, data: bytes, where: str) -> None:
        """The bytes of a file as letters."""
        for text in letters_in(data):
            self.hits |= {Hit(number, where) for number in self._needles.found(text, plainly=True)}
        self.places += 1

    def _archive(self, data: bytes, kind: EnclosedKind, where: str, depth: int) -> None:
        """Files that are packed together; parts of Office files are XML."""
        contents = list(unpacked(data, kind))
        if kind == "zip":
            path = self._file(data, "zip")
            self._add(prove(path, self.values, texts=DOCX_TEXTS, contents=DOCX_CONTENTS), f"{where}: ")
        for name, content in contents:
            if kind != "zip" or not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                self._bytes(content, f"{where}: {name}", depth + 1)

    def _file(self, data: bytes, extension: str) -> Path:
        path = self.folder / f"{self.files}.{extension}"
        path.write_bytes(data)
        return path

    def read_pictures(self) -> None:
        """All pictures, as far as there are not too many of them."""
        pictures = (picture for waiting in self._waiting for picture in waiting)
        if self.ocr is None:
            for picture in pictures:
                if not picture.is_part:
                    self._skip(picture.where, self.why)
            return
        for where, text in self.ocr.read_all(islice(pictures, MOST_PICTURES)):
            if isinstance(text, Unread):
                self._skip(where, str(text))
                continue
            self.pictures += 1
            self.hits |= {Hit(number, f"{where} (OCR)") for number in self._needles.found(text)}
        for picture in pictures:
            if not picture.is_part:
                self._skip(picture.where, f"only the first {MOST_PICTURES} pictures were read")


def _opened(data: bytes) -> Any:
    from PIL import Image

    return Image.open(BytesIO(data))


def why_no_ocr(asked: str | None) -> str:
    """Why pictures are not read, in words."""
    return "pictures were not to be read" if asked == NO_PICTURES else "Tesseract is not installed"
