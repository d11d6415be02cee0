"""The parts of a DOCX, and how they refer to each other. Only parts that are needed to show it are kept."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from reidrisk.documents.docx.kinds import FOLLOWED, TYPES_OF_PARTS
from reidrisk.documents.docx.names import RELATIONSHIPS, STRICT, TYPES, Element, W
from reidrisk.documents.docx.opening import LARGEST_XML, damaged, no_docx, opened_zip, read_entry
from reidrisk.errors import MissingPackage, UnreadableFile

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


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
    except ImportError as error:
        raise MissingPackage.of_extra("lxml", "documents") from error
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
