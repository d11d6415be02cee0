"""Search a redacted document, whoever made it, for values that must not be in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.detect.known.rows import LIST_COLUMN, read_rows
from reidrisk.documents.document import CoveredPage, sha256_of
from reidrisk.documents.findings.file import KIND, read_findings
from reidrisk.documents.findings.finding import by_block
from reidrisk.documents.formats import format_of, read_document
from reidrisk.documents.proof.needles import folded
from reidrisk.documents.proof.ocr import find_ocr
from reidrisk.documents.proof.prove import Proof
from reidrisk.documents.review.opinions import decided
from reidrisk.documents.search import NotSearched, search_file, why_no_ocr
from reidrisk.errors import InvalidSetting, NothingToMeasure, UnmatchedDocuments, UnreadableFile

SHORTEST = 3
"""Shorter cells of a table, such as a sex or an age, stand in every document."""


@dataclass(frozen=True, slots=True)
class GivenValues:
    """Values, each once, and how many were too short to tell anything."""

    values: tuple[str, ...] = field(repr=False)
    skipped: int = 0
    numbers: tuple[int, ...] = ()
    """The number of each value in its list, from 1."""

    @classmethod
    def of(cls, values: Iterable[str]) -> GivenValues:
        """Each value once, by its number; blank ones are none."""
        first: dict[str, int] = {}
        for number, value in enumerate(values, 1):
            if value.strip():
                first.setdefault(value, number)
        return cls(tuple(first), numbers=tuple(first.values()))

    def __len__(self) -> int:
        return len(self.values)


def read_values(path: str | Path, *, source: str | Path | None = None) -> GivenValues:
    """Values from a file; `source` is the original document where it is a file of findings."""
    file = Path(path)
    if file.suffix.lower() == ".json" and _holds_findings(file):
        if source is None:
            raise InvalidSetting(
                f"{path_text(path)} holds places, not values.",
                hint="Name the document that it was made from: --source ORIGINAL.",
            )
        return _once(_found(file, Path(source)), shortest=1)
    if source is not None:
        raise InvalidSetting(
            "--source goes with a file of findings.", hint="Lists and tables hold the values themselves."
        )
    rows = list(read_rows(file))
    is_list = all(name == LIST_COLUMN for row in rows for name, _ in row)
    return _once((value for row in rows for _, value in row), shortest=1 if is_list else SHORTEST)


def _holds_findings(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return f'"{KIND}"'.encode() in file.read(200)
    except OSError:
        return False


def _once(values: Iterator[str], *, shortest: int) -> GivenValues:
    found: dict[str, str] = {}
    numbers: list[int] = []
    skipped: set[str] = set()
    for number, value in enumerate(values, 1):
        plain = folded(value)
        if len(plain) < shortest:
            skipped.add(plain)
        elif plain not in found:
            found[plain] = value
            numbers.append(number)
    if not found:
        raise NothingToMeasure(
            "There is no value to search for.", hint="Give one a line, or a table with a header."
        )
    return GivenValues(tuple(found.values()), len(skipped), tuple(numbers))


def _found(path: Path, source: Path) -> Iterator[str]:
    file = read_findings(path)
    digest = sha256_of(source)
    wanted = next((one for one in file.documents if one.sha256 == digest), None)
    if wanted is None:
        raise UnmatchedDocuments(
            f"{path_text(path)} was not made from {path_text(source)}.",
            hint="Name the document as it was when findings were made.",
        )
    findings = by_block(decided(wanted, file.reviews).findings)
    for block in read_document(source):
        for one in findings.get(block.name, ()):
            yield block.text[one.start : one.end]


@dataclass(frozen=True)
class DocumentProof(Result):
    """Whether a document is free of values."""

    document: str
    sha256: str
    proof: Proof
    not_searched: tuple[NotSearched, ...]
    """Where a value could be that was not looked for there."""
    pictures: int
    """Pictures in which letters were read."""
    files: int
    """Attachments and other files within the document that were searched."""
    numbers: tuple[int, ...]
    """The number of each value in its list."""
    skipped: int
    """Cells of a table that were too short to tell anything."""
    covered: tuple[CoveredPage, ...]
    readers: tuple[str, ...]
    settings: Mapping[str, Any]

    @property
    def acceptable(self) -> bool:
        """Whether everything was searched, and none of the values is there."""
        return self.proof.holds and not self.not_searched

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types: numbers of values, never values."""
        places = {hit.value for hit in self.proof.hits}
        return {
            "kind": "document_proof",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": dict(self.settings),
            "seed": None,
            "versions": versions(),
            "document": self.document,
            "sha256": self.sha256,
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "holds": self.proof.holds,
            "values": self.proof.values,
            "values_found": len(places),
            "values_skipped": self.skipped,
            "places": self.proof.places,
            "pictures": self.pictures,
            "files": self.files,
            "not_searched": [{"where": one.where, "why": one.why} for one in self.not_searched],
            "readers": list(self.readers),
            "hits": [{"value": self.numbers[hit.value - 1], "where": hit.where} for hit in self.proof.hits],
            "covered": [{"page": one.page, "words": one.words} for one in self.covered],
        }

    def _reasons(self) -> list[str]:
        searched = f"{plural(self.proof.places, 'place')} of the file"
        found = len({hit.value for hit in self.proof.hits})
        values = plural(self.proof.values, "value")
        reasons = [
            f"{found:,} of {values} found in {searched}."
            if found
            else f"None of {values} was found in the {searched} that were searched."
            if self.not_searched
            else f"None of {values} was found in {searched}."
        ]
        if self.not_searched:
            reasons.append(
                f"{plural(len(self.not_searched), 'place')} could not be searched: a value may be there."
            )
        return reasons

    def _warnings(self) -> list[str]:
        said = list(self.proof.notes)
        if self.pictures:
            said.append(
                f"Text in {plural(self.pictures, 'picture')} was read by OCR, which can miss words. "
                "Look at scans and figures yourself."
            )
        if self.covered:
            words = sum(one.words for one in self.covered)
            pages = ", ".join(str(one.page) for one in self.covered[:10])
            more = ", …" if len(self.covered) > 10 else ""
            said.append(
                f"{plural(words, 'word')} can still be read under boxes that were drawn over them, on "
                f"page {pages}{more}: covered is not removed."
            )
        if self.skipped:
            said.append(
                f"{plural(self.skipped, 'value')} of fewer than 3 characters in the table "
                f"{'was' if self.skipped == 1 else 'were'} not searched: they stand in every document."
            )
        return said


def verify_document(
    path: str | Path,
    values: str | Path | Iterable[str],
    *,
    source: str | Path | None = None,
    office: bool = False,
    ocr: str | None = None,
) -> DocumentProof:
    """Whether values are still in a document, whoever redacted it, or in anything within it.

    `values` are texts, or a file: one a line, a table whose cells are meant, or findings of `source`. `ocr`
    names the languages in which Tesseract reads pictures, such as `eng+deu`. The default are those that are
    installed; with `none`, no picture is read. What could not be searched is in the result.
    """
    file = Path(path)
    _check(file)
    given = _given(values, source)
    reader = find_ocr(ocr)
    found = search_file(file, given.values, ocr=reader, why=why_no_ocr(ocr), office=office)
    own = format_of(file)
    asked = ["LibreOffice"] if office and own.office is not None else []
    if reader is not None and found.pictures:
        asked.append(f"Tesseract ({'+'.join(reader.languages)})")
    return DocumentProof(
        document=file.name,
        sha256=sha256_of(file),
        proof=found.proof,
        not_searched=found.not_searched,
        pictures=found.pictures,
        files=found.files,
        numbers=given.numbers,
        skipped=given.skipped,
        covered=() if own.covered is None else own.covered(file),
        readers=(*own.readers(), *asked),
        settings={
            "document": path_text(path),
            "values": path_text(values) if isinstance(values, str | Path) else "given",
            "source": None if source is None else path_text(source),
            "office": office,
            "ocr": "+".join(reader.languages) if reader is not None else "none",
        },
    )


def _given(values: str | Path | Iterable[str], source: str | Path | None) -> GivenValues:
    if isinstance(values, str | Path):
        return read_values(values, source=source)
    given = GivenValues.of(values)
    if not given.values:
        raise NothingToMeasure("There is no value to search for.", hint="Give at least one.")
    return given


def _check(path: Path) -> None:
    """An empty file holds no value, and proves nothing."""
    format_of(path)
    try:
        size = path.stat().st_size
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path_text(path)} cannot be read: {reason}.", hint="Check the path.") from None
    if not size:
        raise UnreadableFile(f"{path_text(path)} is empty: 0 bytes.", hint="Is it the right file?")
