"""Read annotated documents from a file or a folder, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from reidrisk.core.plugins import is_plugin
from reidrisk.core.shown_ids import naming, shown_source
from reidrisk.errors import InvalidSetting, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Document
from reidrisk.text.formats.align import settle_misfits
from reidrisk.text.formats.asq import AsqReader
from reidrisk.text.formats.bdoc import BdocReader
from reidrisk.text.formats.brat import BratReader
from reidrisk.text.formats.conll import ConllReader
from reidrisk.text.formats.docbin import DocBinReader
from reidrisk.text.formats.doccano import DoccanoReader
from reidrisk.text.formats.gate_xml import GateXmlReader
from reidrisk.text.formats.i2b2_2006 import I2b2InlineReader
from reidrisk.text.formats.i2b2_2014 import I2b2Reader
from reidrisk.text.formats.inline import InlineReader
from reidrisk.text.formats.jsonl import JsonlReader
from reidrisk.text.formats.label_studio import LabelStudioReader
from reidrisk.text.formats.location import display_path
from reidrisk.text.formats.physionet import PhysioNetReader
from reidrisk.text.formats.presidio import PresidioReader
from reidrisk.text.formats.prodigy import ProdigyReader
from reidrisk.text.formats.reader import HEAD_BYTES, AnnotationReader, ReadSettings, SourceFile, file_errors
from reidrisk.text.formats.released import TEXT, RedactedReader, SurrogateReader
from reidrisk.text.formats.spacy_train import SpacyTrainReader
from reidrisk.text.formats.tab import TabReader
from reidrisk.text.formats.uima_json import UimaJsonReader
from reidrisk.text.formats.uima_xmi import UimaXmiReader
from reidrisk.text.formats.zipped import MAGIC, Archive

READERS: tuple[AnnotationReader, ...] = (
    JsonlReader(),
    BratReader(),
    I2b2Reader(),
    I2b2InlineReader(),
    TabReader(),
    PresidioReader(),
    DocBinReader(),
    SpacyTrainReader(),
    ProdigyReader(),
    DoccanoReader(),
    DoccanoReader(graphemes=True),
    LabelStudioReader(),
    PhysioNetReader(),
    GateXmlReader(),
    BdocReader(),
    UimaJsonReader(),
    UimaXmiReader(),
    AsqReader(),
    ConllReader(),
    InlineReader(),
    RedactedReader(),
    SurrogateReader(),
)
"""All readers. The first one that recognizes a file reads it."""

FORMATS: dict[str, str] = {reader.name: reader.title for reader in READERS}
"""Names and descriptions of the formats, for help texts."""

DEFAULTS = ReadSettings()
_NAME_IT = f"Name the format with --gold-format or --tool-format; one of: {', '.join(FORMATS)}."
_Plan = list[tuple[SourceFile, AnnotationReader]]


def read_documents(
    path: Path | str,
    *,
    format: str | None = None,  # noqa: A002 - the word users know from the command line
    settings: ReadSettings = DEFAULTS,
) -> Iterator[Document]:
    """Read the documents of a file, or of all matching files of a folder or zip file in order of their names.

    Path and format are checked immediately; documents are read when needed.
    """
    readers = READERS if format is None else (_named(format),)
    named = format is not None
    root = Path(path)
    with file_errors(root):
        folder, single = root.is_dir(), root.is_file()
    if folder:
        return _each_once(_plan(root, _files_of(root, readers), readers, named=named), settings, root)
    if not single and not root.exists():
        raise UnreadableFile.missing(display_path(root))
    if not single:
        raise UnreadableFile(f"{display_path(root)} is neither a file nor a folder.", hint="Check the path.")
    head = _head(root)
    if head.startswith(MAGIC):
        return _zipped(root, readers, settings, named=named)
    reader = readers[0] if named else _recognize(root, readers, head)
    return _each_once([(root, reader)], settings, root)


def _zipped(
    path: Path, readers: Sequence[AnnotationReader], settings: ReadSettings, *, named: bool
) -> Iterator[Document]:
    archive = Archive(path)
    try:
        plan = _plan(path, archive.entries(), readers, named=named)
    except BaseException:
        archive.close()
        raise
    return _closing(archive, plan, settings, path)


def _closing(archive: Archive, plan: _Plan, settings: ReadSettings, root: Path) -> Iterator[Document]:
    try:
        yield from _each_once(plan, settings, root)
    finally:
        archive.close()


def _named(name: str) -> AnnotationReader:
    if is_plugin(name):
        from reidrisk.text.formats.plugged import PluggedReader

        return PluggedReader(name)
    for reader in READERS:
        if reader.name == name:
            return reader
    raise InvalidSetting.among("The annotation format", name, FORMATS)


def _files_of(folder: Path, readers: Sequence[AnnotationReader]) -> list[Path]:
    """The visible files of a folder; something named like a file to read that is not a file is an error."""
    with file_errors(folder):
        found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        files = [path for path in found if path.is_file()]
        odd = [path for path in found if not (path.is_file() or path.is_dir())]
    if any(reader.choose([path]) for path in odd for reader in readers):
        hint = "Repair the link, or remove it from the folder."
        with _naming(folder, odd[0], found.index(odd[0]) + 1, len(found)):
            raise UnreadableFile(
                f"{display_path(odd[0])} has the name of a file to read, but is not a file.", hint=hint
            )
    return files


def _plan(
    root: Path, files: Sequence[SourceFile], readers: Sequence[AnnotationReader], *, named: bool
) -> _Plan:
    """The reader of each file. A file that should have a reader and has none is an error."""
    chosen = {path for reader in readers for path in reader.choose(files)}
    ordered = sorted(chosen, key=str)
    plan = [(path, readers[0]) for path in ordered] if named else _recognize_together(root, ordered, readers)
    if not plan:
        what = f"{readers[0].name} file" if named else "annotation file"
        hint = f"Give the folder that contains the files; folders inside it are not searched. {_NAME_IT}"
        raise UnreadableFile(f"{display_path(root)} contains no {what}.", hint=hint)
    return plan


def _head(path: SourceFile) -> bytes:
    with file_errors(path), path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _recognize_together(
    root: Path, files: Sequence[SourceFile], readers: Sequence[AnnotationReader]
) -> _Plan:
    """Choose a reader by the content of each file; a text without marks among marked texts is one of them."""
    found: list[tuple[SourceFile, AnnotationReader | None]] = []
    for at, path in enumerate(files, start=1):
        with _naming(root, path, at, len(files)):
            found.append((path, _reader_of(path, readers, _head(path))))
    marked = next((reader for _, reader in found if isinstance(reader, (RedactedReader, InlineReader))), None)
    plan: _Plan = []
    for at, (path, reader) in enumerate(found, start=1):
        with _naming(root, path, at, len(files)):
            plan.append((path, reader or _among(marked, path) or _unknown(path, _head(path))))
    return plan


def _naming(
    root: Path, path: SourceFile, at: int, files: int, document: int | None = None
) -> AbstractContextManager[None]:
    """Errors about one of the files name its number: the name of a file is often the id of a patient."""
    return naming(display_path(path), within=display_path(root), file=at, files=files, document=document)


def _among(marked: AnnotationReader | None, path: SourceFile) -> AnnotationReader | None:
    return marked if path.suffix.lower() == TEXT and _head(path).strip() else None


def _recognize(path: SourceFile, readers: Sequence[AnnotationReader], head: bytes) -> AnnotationReader:
    return _reader_of(path, readers, head) or _unknown(path, head)


def _reader_of(path: SourceFile, readers: Sequence[AnnotationReader], head: bytes) -> AnnotationReader | None:
    return next((reader for reader in readers if reader.recognizes(path, head)), None)


def _unknown(path: SourceFile, head: bytes) -> NoReturn:
    if not head.strip():
        raise UnreadableFile(
            f"{display_path(path)} is empty.", hint="Check how it was created, or leave it out."
        )
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(
            f"{display_path(path)} is UTF-16 text.", hint="Save it as UTF-8, for example with iconv."
        )
    raise UnreadableFile(
        f"{display_path(path)} has an unknown format, or is damaged.",
        hint=f"{_NAME_IT} The reader then explains what is wrong with the file.",
    )


def _each_once(plan: _Plan, settings: ReadSettings, root: Path) -> Iterator[Document]:
    sources: dict[str, str] = {}
    for at, (path, reader) in enumerate(plan, start=1):
        found = reader.read(path, settings)
        while True:
            number = len(sources) + 1
            with _naming(root, path, at, len(plan), number):
                read = next(found, None)
                if read is None:
                    break
                document = replace(settle_misfits(read, settings.misaligned), number=number)
                if document.id in sources:
                    raise _repeated(document, sources[document.id])
            sources[document.id] = document.source
            yield document


def _repeated(document: Document, first: str) -> UnmatchedDocuments:
    other = shown_source(first, document.id)
    where = "twice" if first == document.source else f"and so does {other}"
    problem = f"{shown_source(document.source, document.id)} contains {document.shown} {where}."
    return UnmatchedDocuments(problem, hint="Give every document a unique id.")
