"""Read a Word document, and write it with nothing left beside the text that could tell what was taken out."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from reidrisk.core.collector import pause_collector
from reidrisk.documents.document import Change, Check, DocumentFormat, Look, Written, new_file
from reidrisk.documents.docx.clean import clean, repeat_choices
from reidrisk.documents.docx.fields import unlink_emptied
from reidrisk.documents.docx.names import RELATIONSHIPS, TYPES, Element, W, named, relation_type
from reidrisk.documents.docx.package import Package, Part, opened_package
from reidrisk.documents.docx.places import blank, letters_of
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS, by_office, enclosed_in_docx
from reidrisk.documents.docx.reading import DESCRIBING, texts_of
from reidrisk.documents.docx.standard import is_standard_style
from reidrisk.documents.places import apply_changes

_SHORTEST = 4
"""Shorter values are parts of too many texts to be looked for by themselves."""
_LONG = 6
"""Values of this length are looked for in every attribute and drawing."""
_RARE = 8
"""Values of this many bytes are not found in a packed picture by chance."""
_FORMAL = re.compile(r"[a-z][A-Za-z0-9]*|[-\d.]+|[0-9A-F]{6,8}|rId\d+")
"""How words and measures of the format look."""
_STYLES = named(W, "style name lsdException pStyle rStyle tblStyle basedOn next link")
_FOLDERS = {"theme": "word/theme/", "image": "word/media/", "chart": "word/charts/"}
_SINGLE = frozenset(
    ["styles", "numbering", "settings", "fontTable", "footnotes", "endnotes", "comments", "commentsExtended"]
)
_DATE = (1980, 1, 1, 0, 0, 0)


def remove_values(package: Package, values: Iterable[str]) -> int:
    """Empty descriptions, links and pictures that hold a removed value; gives how many pictures.

    Plain words such as `female` are left alone: whoever reads the descriptions decides about them.
    """
    told = {value for value in values if _is_telling(value.strip())}
    words = {_plain(value) for value in told}
    if not words:
        return 0
    short, long = _Values(words), _Values({word for word in words if len(word) >= _LONG})
    for part in package.parts.values():
        for relation in part.relations.values():
            if relation.external and short.stand_in(unquote(relation.target)):
                relation.target = "about:blank"
        if part.tree is not None:
            _descriptions(part.tree, short, long)
    pictures = [part for part in package.of_kind("image") if _tells(package, part, words, long)]
    for part in pictures:
        blank(part)
    return len(pictures)


class _Values:
    """Values that are searched together, each as words of their own."""

    def __init__(self, words: set[str]) -> None:
        either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if words else None
        self.stand_in = lru_cache(maxsize=4096)(self._stand_in)

    def _stand_in(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(_plain(text)) is not None


def _is_telling(value: str) -> bool:
    """Whether a value is a name or a number, not a word of any text."""
    return len(value) >= _SHORTEST and (value != value.lower() or any(sign.isdigit() for sign in value))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _descriptions(root: Element, short: _Values, long: _Values) -> None:
    for element in root.iter() if _any_says(root, short) else ():
        for name, value in element.items():
            told = name in DESCRIBING or (name == f"{W}val" and element.tag in (f"{W}name", f"{W}lvlText"))
            if told and short.stand_in(value):
                if not _is_standard(element, value):
                    element.set(name, _instead(element))
            elif _says(value, long) and not _is_standard(element, value):
                del element.attrib[name]
    for code in root.iter(f"{W}instrText"):
        if short.stand_in(code.text or ""):
            code.text = ""


def _any_says(root: Element, words: _Values) -> bool:
    """Whether a value is in any attribute of a part; few of them differ."""
    return any(words.stand_in(value) for value in set(root.xpath("//@*", smart_strings=False)))


def _says(value: str, words: _Values) -> bool:
    """Whether an attribute that need not be for people holds a value."""
    return len(value) >= _LONG and not _FORMAL.fullmatch(value) and words.stand_in(value)


def _is_standard(element: Element, name: str) -> bool:
    """Whether it is the name or the id of a style that programs have by themselves."""
    return element.tag in _STYLES and is_standard_style(name)


def _instead(element: Element) -> str:
    """The number of a style instead of its name; nothing instead of other texts."""
    is_style = element.tag == f"{W}name" and element.getparent().tag == f"{W}style"
    return str(element.getparent().get(f"{W}styleId", "")) if is_style else ""


def _tells(package: Package, part: Part, words: set[str], long: _Values) -> bool:
    """Whether letters in a picture spell a value."""
    if any(long.stand_in(letters) for letters in letters_of(package, part)):
        return True
    spelled = {word.encode(code, "ignore") for word in words for code in ("utf-8", "utf-16-le", "latin-1")}
    data = (part.data or package.content(part)).lower()
    return any(word in data for word in spelled if len(word) >= _RARE)


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


class OpenDocx:
    """A Word document that is open, with every text that the written one will have.

    These are body, headers, notes, comments, links and so on. Tracked changes are read as accepted. What
    writing leaves out in any case (properties, custom XML, deleted text) is not read.
    """

    @pause_collector()
    def __init__(self, path: Path, package: Package) -> None:
        self.path, self._package = path, package
        self._notes = clean(package)
        self._texts = list(texts_of(package))
        self.blocks = tuple(mapped.block for mapped in self._texts)

    @pause_collector()
    def write(
        self, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check | None
    ) -> Written:
        """Write a copy with the changes."""
        removed = apply_changes(self._texts, changes, look or Look())
        blanked = remove_values(self._package, removed)
        trees = [part.tree for part in self._package.parts.values() if part.tree is not None]
        unlink_emptied(trees)
        for tree in trees:
            repeat_choices(tree)
        notes = self._notes
        if blanked:
            notes += (f"pictures left out because letters in them spelled a removed value: {blanked}",)
        with new_file(self.path, out, check) as part:
            save(self._package, part)
        return Written(len(self._texts), len(removed), notes)


@contextmanager
def _opened(path: Path) -> Iterator[OpenDocx]:
    with opened_package(path) as package:
        yield OpenDocx(path, package)


FORMAT = DocumentFormat(
    suffixes=(".docx",),
    opened=_opened,
    texts=DOCX_TEXTS,
    contents=DOCX_CONTENTS,
    readers=lambda: ("paragraphs by lxml", "all parts of the package", "bytes of the file"),
    office=by_office,
    enclosed=enclosed_in_docx,
)
read_docx, write_docx = FORMAT.read, FORMAT.write
