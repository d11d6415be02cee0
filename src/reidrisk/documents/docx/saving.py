"""Write the parts of a document into a new zip file that remembers nothing of the old one."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from pathlib import Path

from reidrisk.documents.docx.kinds import relation_type
from reidrisk.documents.docx.names import RELATIONSHIPS, TYPES
from reidrisk.documents.docx.package import Package, Part

_FOLDERS = {"theme": "word/theme/", "image": "word/media/", "chart": "word/charts/"}
_SINGLE = frozenset(
    ["styles", "numbering", "settings", "fontTable", "footnotes", "endnotes", "comments", "commentsExtended"]
)
_DATE = (1980, 1, 1, 0, 0, 0)


def save(package: Package, out: Path) -> None:
    """Write the document; parts get names that say only what they are."""
    names = _names(package)
    with zipfile.ZipFile(out, "w") as archive:
        _entry(archive, "[Content_Types].xml", _types(package, names))
        _entry(archive, "_rels/.rels", _start(names[package.main.name]))
        for part in package.parts.values():
            if part.relations:
                folder, name = posixpath.split(names[part.name])
                _entry(archive, f"{folder}/_rels/{name}.rels", _relations(part, names))
            if part.tree is not None:
                _entry(archive, names[part.name], _serialised(part.tree))
            elif part.data is not None:
                _entry(archive, names[part.name], part.data)
            else:
                _entry(archive, names[part.name], package.content(part))


def _names(package: Package) -> dict[str, str]:
    numbers: Counter[str] = Counter()
    names = {}
    for part in package.parts.values():
        if part is package.main:
            names[part.name] = "word/document.xml"
            continue
        numbers[part.kind] += 1
        number = "" if part.kind in _SINGLE and numbers[part.kind] == 1 else str(numbers[part.kind])
        end = "xml" if part.tree is not None else _end(part)
        names[part.name] = f"{_FOLDERS.get(part.kind, 'word/')}{part.kind}{number}.{end}"
    return names


def _end(part: Part) -> str:
    found = re.fullmatch(r"image/(?:x-)?([a-z]{3,4})(?:\+xml)?", part.type)
    return found[1] if found else "bin"


def _types(package: Package, names: dict[str, str]) -> bytes:
    from lxml import etree

    root = etree.Element(f"{TYPES}Types", nsmap={None: TYPES[1:-1]})
    usual = {"rels": "application/vnd.openxmlformats-package.relationships+xml", "xml": "application/xml"}
    for end, kind in usual.items():
        etree.SubElement(root, f"{TYPES}Default", Extension=end, ContentType=kind)
    for part in package.parts.values():
        etree.SubElement(root, f"{TYPES}Override", PartName=f"/{names[part.name]}", ContentType=part.type)
    return _serialised(root)


def _start(main: str) -> bytes:
    from lxml import etree

    root = etree.Element(f"{RELATIONSHIPS}Relationships", nsmap={None: RELATIONSHIPS[1:-1]})
    tag = f"{RELATIONSHIPS}Relationship"
    etree.SubElement(root, tag, Id="rId1", Type=relation_type("officeDocument"), Target=main)
    return _serialised(root)


def _relations(part: Part, names: dict[str, str]) -> bytes:
    from lxml import etree

    root = etree.Element(f"{RELATIONSHIPS}Relationships", nsmap={None: RELATIONSHIPS[1:-1]})
    for key, relation in part.relations.items():
        target = relation.target if relation.external else f"/{names[relation.target]}"
        one = etree.SubElement(
            root, f"{RELATIONSHIPS}Relationship", Id=key, Type=relation_type(relation.kind), Target=target
        )
        if relation.external:
            one.set("TargetMode", "External")
    return _serialised(root)


def _serialised(root: object) -> bytes:
    from lxml import etree

    data: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True)
    return data


def _entry(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
