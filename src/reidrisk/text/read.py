"""Read annotated documents from a file or a folder, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Document
from reidrisk.text.formats.brat import BratReader
from reidrisk.text.formats.i2b2_2014 import I2b2Reader
from reidrisk.text.formats.jsonl import JsonlReader
from reidrisk.text.formats.place import shown
from reidrisk.text.formats.presidio import PresidioReader
from reidrisk.text.formats.reader import HEAD_BYTES, Reader, ReadSettings, file_errors
from reidrisk.text.formats.released import RedactedReader, SurrogateReader
from reidrisk.text.formats.tab import TabReader

READERS: tuple[Reader, ...] = (
    *(JsonlReader(), BratReader(), I2b2Reader(), TabReader(), PresidioReader()),
    *(RedactedReader(), SurrogateReader()),
)
"""Every format we read. The first that recognises a file reads it."""

FORMATS: dict[str, str] = {reader.name: reader.title for reader in READERS}
"""Names and descriptions of the formats, for help texts."""

DEFAULTS = ReadSettings()
_NAME_IT = f"Name the format with --gold-format or --tool-format; one of: {', '.join(FORMATS)}."
_Plan = list[tuple[Path, Reader]]


def read_documents(
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002 - the word users know from the command line
    settings: ReadSettings = DEFAULTS,
) -> Iterator[Document]:
    """The documents of a file, or of all fitting files of a folder in the order of their names.

    Path and format are checked at once; the documents are read as they are asked for.
    """
    readers = READERS if format is None else (_named(format),)
    root = Path(path)
    with file_errors(root):
        folder, single = root.is_dir(), root.is_file()
    if folder:
        plan = _plan_of_folder(root, readers, named=format is not None)
    elif single:
        plan = [(root, readers[0] if format is not None else _recognised(root, readers))]
    else:
        raise UnreadableFile(f"{shown(root)} is no file and no folder.", hint="Check the path.")
    return _each_once(plan, settings)


def _named(name: str) -> Reader:
    for reader in READERS:
        if reader.name == name:
            return reader
    raise InvalidSetting.among("The annotation format", name, FORMATS)


def _plan_of_folder(folder: Path, readers: Sequence[Reader], *, named: bool) -> _Plan:
    """Which file is read by what. A file that should fit and does not is an error, not a gap."""
    with file_errors(folder):
        found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        files = [path for path in found if path.is_file()]
    if named:
        plan = [(path, readers[0]) for path in readers[0].choose(files)]
    else:
        chosen = {path for reader in readers for path in reader.choose(files)}
        plan = [(path, _recognised(path, readers)) for path in sorted(chosen)]
    odd = [
        path for reader in readers for path in reader.choose(found) if not (path.is_file() or path.is_dir())
    ]
    if odd:
        hint = "Mend the link, or take it out of the folder."
        raise UnreadableFile(f"{shown(odd[0])} is named like a file to read, but is none.", hint=hint)
    if not plan:
        what = f"{readers[0].name} file" if named else "annotation file"
        hint = f"Give the folder that holds the files; folders inside it are not searched. {_NAME_IT}"
        raise UnreadableFile(f"{shown(folder)} holds no {what}.", hint=hint)
    return plan


def _recognised(path: Path, readers: Sequence[Reader]) -> Reader:
    with file_errors(path), path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.strip():
        raise UnreadableFile(f"{shown(path)} is empty.", hint="Check how it was made, or leave it out.")
    for reader in readers:
        if reader.recognises(path, head):
            return reader
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(
            f"{shown(path)} is UTF-16 text.", hint="Save it as UTF-8, for example with iconv."
        )
    raise UnreadableFile(
        f"{shown(path)} is in no format that is known here, or damaged.",
        hint=f"{_NAME_IT} Its reader then says what is wrong with the file.",
    )


def _each_once(plan: _Plan, settings: ReadSettings) -> Iterator[Document]:
    sources: dict[str, str] = {}
    for path, reader in plan:
        for document in reader.read(path, settings):
            if document.id in sources:
                first = sources[document.id]
                where = "twice" if first == document.source else f"and so does {first}"
                problem = f"{document.source} holds document {document.id!r} {where}."
                raise UnmatchedDocuments(problem, hint="Give every document an id of its own.")
            sources[document.id] = document.source
            yield document
