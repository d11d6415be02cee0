"""Open a DOCX, and keep the parts that are needed to show it, and how they refer to each other."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from reidrisk.core.input_limits import check_archive
from reidrisk.documents.docx.names import FOLLOWED, RELATIONSHIPS, STRICT, TYPES, TYPES_OF_PARTS, Element, W
from reidrisk.errors import MissingPackage, UnreadableFile

LARGEST_XML = 2**30
"""Bytes of one entry that is parsed; a thousand pages have some twenty million."""
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)

_ANOTHER = {
    b"%PDF": "PDF",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x1f\x8b": "packed with gzip",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


@contextmanager
def opened_zip(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """The zip file, found harmless by its table of contents."""
    _check_head(Path(path))
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE:
        raise damaged(path) from None
    with archive:
        _check_entries(archive.infolist(), path)
        yield archive


def read_entry(archive: zipfile.ZipFile, name: str, *, most: int | None = None) -> bytes:
    """The bytes of an entry that is there."""
    try:
        if most is not None and archive.getinfo(name).file_size > most:
            raise _bomb(archive.filename or "The file")
        with archive.open(name) as file:
            return file.read()
    except DAMAGE:
        raise damaged(archive.filename or "The file") from None


def damaged(path: object) -> UnreadableFile:
    """The error of a file that is a DOCX only in part."""
    return UnreadableFile(
        f"{path} is damaged: its parts cannot be read.", hint="Open it in Word, save it anew and give that."
    )


def no_docx(path: object, kind: str) -> UnreadableFile:
    """The error of a file that is something else."""
    return UnreadableFile(
        f"{path} is not a DOCX file but {kind}.",
        hint="Rename it with the right extension, or save it as DOCX.",
    )


def _check_head(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(2**16)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from None
    if not head:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    if head.startswith(_OLE):
        raise _old(path)
    if not head.startswith(b"PK\x03\x04"):
        kind = next((name for start, name in _ANOTHER.items() if head.startswith(start)), "something else")
        raise no_docx(path, kind)


def _old(path: Path) -> UnreadableFile:
    with path.open("rb") as file:
        kept = b""
        while chunk := file.read(2**20):
            if _ENCRYPTED in kept + chunk:
                return UnreadableFile(
                    f"{path} is encrypted and needs a password.",
                    hint="Save a copy without a password in Word and give that.",
                )
            kept = chunk[-len(_ENCRYPTED) :]
    return UnreadableFile(
        f"{path} is not a DOCX file but an old Office file.", hint="Save it as DOCX in Word."
    )


def _check_entries(infos: list[zipfile.ZipInfo], path: str | Path) -> None:
    check_archive(infos, str(path))
    if any(info.flag_bits & 0x1 for info in infos):
        raise UnreadableFile(f"{path} is encrypted.", hint="Save a copy without a password and give that.")
    names = [info.filename.casefold() for info in infos]
    if len(set(names)) < len(names):
        raise UnreadableFile(
            f"{path} holds two parts of one name, of which a reader sees only one.",
            hint="Open it in Word, save it anew and give that.",
        )
    for name in names:
        if ".." in PurePosixPath(name).parts or name.startswith("/") or "\\" in name:
            raise UnreadableFile(
                f"{path} has a part whose name leads out of it.", hint="Save it anew in Word."
            )


def _bomb(path: object) -> UnreadableFile:
    return UnreadableFile(
        f"{path} unpacks to far more than a document has.", hint="Where is it from? It may be an attack."
    )


@dataclass(slots=True)
class Relation:
    """A reference of a part to another one, or to an address outside."""

    kind: str
    target: str = field(repr=False)
    external: bool


@dataclass(slots=True)
class Part:
    """A file inside the document."""

    name: str
    kind: str
    type: str
    relations: dict[str, Relation] = field(default_factory=dict)
    tree: Element = field(default=None, repr=False)
    """The root element of an XML part; None for pictures."""
    data: bytes | None = field(default=None, repr=False)
    """Other content than the source has; None: it is copied."""


class Package:
    """An open document: the parts that are kept, in the order in which they are reached."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.source = archive.filename or "The file"
        self._names = {name.casefold(): name for name in archive.namelist()}
        self._types = _Types(self._root("[Content_Types].xml"))
        self.parts: dict[str, Part] = {}
        self.left_out: Counter[str] = Counter()
        """How many references of each kind were not followed."""
        self.main = self._start()

    def of_kind(self, *kinds: str) -> list[Part]:
        """The parts of some kinds."""
        return [part for part in self.parts.values() if part.kind in kinds]

    def content(self, part: Part) -> bytes:
        """The bytes of a part as the source has them."""
        return read_entry(self.archive, self._names[part.name.casefold()])

    def _start(self) -> Part:
        relations = self._relations("")
        mains = [one for one in relations.values() if one.kind == "officeDocument" and not one.external]
        if not mains or mains[0].target.casefold() not in self._names:
            raise no_docx(self.source, "another zip file")
        kind = self._types.of(mains[0].target)
        if "macroEnabled" in kind or any("vbaproject" in name for name in self._names):
            raise UnreadableFile(
                f"{self.source} holds macros, which can carry anything.",
                hint="Save it as DOCX without macros.",
            )
        if "wordprocessingml" not in kind:
            raise no_docx(self.source, "another Office file")
        self.left_out.update(one.kind for one in relations.values() if one.kind != "officeDocument")
        self._reach(mains[0])
        main = self.parts[mains[0].target]
        if main.tree.tag != f"{W}document":
            raise damaged(self.source)
        return main

    def _reach(self, relation: Relation) -> None:
        waiting = [relation]
        while waiting:
            one = waiting.pop(0)
            if one.target in self.parts:
                continue
            kind = self._types.of(one.target)
            part = Part(one.target, one.kind, TYPES_OF_PARTS.get(one.kind, kind))
            self.parts[part.name] = part
            if one.kind != "image":
                part.tree = self._root(part.name)
            for key, to in self._relations(part.name).items():
                if not self._followed(to):
                    self.left_out[to.kind] += 1
                    continue
                part.relations[key] = to
                if not to.external:
                    waiting.append(to)

    def _followed(self, relation: Relation) -> bool:
        if relation.external:
            return relation.kind == "hyperlink"
        return relation.kind in FOLLOWED and relation.target.casefold() in self._names

    def _relations(self, owner: str) -> dict[str, Relation]:
        folder, name = posixpath.split(owner)
        entry = posixpath.join(folder, "_rels", f"{name}.rels")
        if entry.casefold() not in self._names:
            return {}
        found = {}
        for one in self._root(entry).iter(f"{RELATIONSHIPS}Relationship"):
            external = one.get("TargetMode") == "External"
            target = one.get("Target", "")
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target)))[1:]
                target = self._names.get(target.casefold(), target)
            kind = one.get("Type", "").rpartition("/")[2]
            found[one.get("Id", "")] = Relation(kind, target, external)
        return found

    def _root(self, entry: str) -> Element:
        name = self._names.get(entry.casefold())
        if name is None:
            raise no_docx(self.source, "another zip file")
        return parsed(read_entry(self.archive, name, most=LARGEST_XML), self.source)


class _Types:
    def __init__(self, root: Element) -> None:
        self._by_name = {
            one.get("PartName", "").casefold().lstrip("/"): one.get("ContentType", "")
            for one in root.iter(f"{TYPES}Override")
        }
        self._by_end = {
            one.get("Extension", "").casefold(): one.get("ContentType", "")
            for one in root.iter(f"{TYPES}Default")
        }

    def of(self, name: str) -> str:
        by_end: str = self._by_end.get(name.casefold().rpartition(".")[2], "application/octet-stream")
        return str(self._by_name.get(name.casefold(), by_end))


def parsed(data: bytes, source: str) -> Element:
    """The root element of an XML part, without notes and instructions; a document type is refused."""
    try:
        from lxml import etree
    except ImportError:
        raise MissingPackage.of_extra("lxml", "documents") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = _DECLARATION.sub("", data.decode("utf-16", "replace")).encode()
    if b"purl.oclc.org" in data:
        for strict in sorted(STRICT, key=len, reverse=True):
            for quote in (b'"', b"'"):
                data = data.replace(quote + strict + quote, quote + STRICT[strict][1:-1].encode() + quote)
    settings = {"resolve_entities": False, "no_network": True, "remove_comments": True, "remove_pis": True}
    try:
        root = etree.fromstring(data, etree.XMLParser(**settings, load_dtd=False, huge_tree=False))
    except (etree.XMLSyntaxError, ValueError):
        raise damaged(source) from None
    if root.getroottree().docinfo.doctype:
        raise UnreadableFile(f"{source} declares a document type.", hint="Save it anew in Word.")
    return root


@contextmanager
def opened_package(path: str | Path) -> Iterator[Package]:
    """The document of a path."""
    with opened_zip(path) as archive:
        yield Package(archive)
