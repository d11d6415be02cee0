"""Every format of documents through one door, and which files are documents."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.document import UNPROVED, Block, DocumentFormat
from reidrisk.documents.proof.needles import Before
from reidrisk.documents.proof.prove import Proof, prove
from reidrisk.errors import FailedCheck, InvalidSetting, ReidRiskError, UnreadableFile

_HOMES = ("pdf.format", "docx.format", "plain.html", "plain.rtf", "plain.text")
"""Modules that declare a `FORMAT`; they are imported when the first document is."""


@cache
def formats() -> Mapping[str, DocumentFormat]:
    """Every format, by the extensions of its files."""
    declared = [import_module(f"reidrisk.documents.{home}").FORMAT for home in _HOMES]
    return {suffix: one for one in declared for suffix in one.suffixes}


def format_of(path: str | Path) -> DocumentFormat:
    """The format of a document by its extension, proved or not; its bytes are looked at when it is read."""
    found = formats().get(Path(Path(path).name.removesuffix(UNPROVED)).suffix.lower())
    if found is None:
        raise UnreadableFile(
            f"{path} is not a known kind of document.", hint=f"Known: {', '.join(formats())}."
        )
    return found


def read_document(path: str | Path) -> Iterator[Block]:
    """The blocks of a document, one at a time."""
    return format_of(path).read(path)


def prove_document(
    path: str | Path,
    values: Sequence[str],
    *,
    given: int | None = None,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    office: bool = False,
) -> Proof:
    """Search a document for values by readers of its format; `office` asks LibreOffice too, if installed.

    The first `given` values are those that the user asked for; all of them, if it is not said.
    """
    own = format_of(path)
    texts = (*own.texts, own.office) if office and own.office is not None else own.texts
    return prove(path, values, given=given, kept=kept, before=before, texts=texts, contents=own.contents)


def document_paths(given: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files that paths, folders and patterns mean, each once; no two of one name."""
    found: dict[Path, None] = {}
    for one in given:
        found |= dict.fromkeys(_files(str(one)))
    names = Counter(path.name for path in found)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InvalidSetting(
            f"Two documents are called {path_text(twice[0])}.",
            hint="Rename one of them, or work on them one by one.",
        )
    return tuple(found)


def _files(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith("."))
        return [one for one in inside if one.suffix.lower() in formats()]
    if path.exists():
        return [path]
    found = sorted(Path(name) for name in glob.glob(given, recursive=True))  # noqa: PTH207
    if not found:
        raise UnreadableFile(
            f"{path_text(given)} is no document, folder or pattern that finds one.", hint="Check the path."
        )
    return found


def told(error: Exception) -> ReidRiskError:
    """An error in our own words; those of others may quote the document."""
    if isinstance(error, ReidRiskError):
        return error
    if isinstance(error, OSError):
        return UnreadableFile(
            f"{error.strerror or 'The operating system refused'}.", hint="Check the rights and the disk."
        )
    if os.environ.get("REIDRISK_DEBUG"):
        raise error
    return FailedCheck(
        f"reidrisk has a defect: {type(error).__name__}.",
        hint="Please report it. REIDRISK_DEBUG=1 shows the full trace, which may quote your data.",
    )
