"""Search a Word document for values in other ways than it is read: by a plain parser, by patterns, by Office.

Nothing here knows how documents are read or changed. Each reader gives names of places and their texts.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import struct
import subprocess
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from xml.parsers import expat

from reidrisk.core.scratch import scratch_folder
from reidrisk.documents.docx.standard import LOOK_WORDS, is_standard_style
from reidrisk.documents.proof.texts import Names
from reidrisk.documents.words import words
from reidrisk.errors import UnreadableFile

_FOR_PEOPLE = words(
    "descr title alt altText tooltip string author initials instr Target name tag alias userId displayText"
)
"""Attributes whose values are searched whatever they look like."""
_VALUED = words(
    "alias tag tblCaption tblDescription lvlText listEntry docVar helpText statusText default name aliases"
)
"""Elements whose `val` is searched whatever it looks like."""
_NEVER = words(
    "ascii hAnsi cs eastAsia typeface panose ContentType PartName Type Id Extension TargetMode Ignorable "
    "Requires loTypeId qsTypeId csTypeId uri uniqueId presName styleLbl minVer font characterSet"
)
_FONTS = words("font altName mathFont panose1")
_SPACE = re.compile(r"http://(?:schemas\.|www\.w3\.org/|purl\.oclc\.org/ooxml/)|urn:schemas-microsoft-com:")
"""How names of namespaces begin."""
_STYLING = words(
    "style name pStyle rStyle tblStyle basedOn next link lsdException numStyleLink styleLink bookmarkStart "
    "hyperlink theme clrScheme fontScheme fmtScheme"
)
_ENTRY = re.compile(
    r"/?(?:(?:word|docProps|_rels|media|charts|theme|diagrams|[\[\]a-zA-Z_]+Types\])[/.])*"
    r"(?:document|header|footer|footnotes|endnotes|comments|commentsExtended|styles|numbering|settings|fontTable|"
    r"theme|image|chart|chartEx|chartStyle|chartColorStyle|chartUserShapes|themeOverride|diagram[A-Z][a-zA-Z]+)?"
    r"\d*\.?(?:xml|png|jpeg|gif|bmp|tiff|emf|wmf|bin)?(?:\.rels|rels)?"
)
_DRAWING = words(
    "style path coordsize wrapcoords adj fillcolor strokecolor eqn connectlocs position colors color "
    "color2 matrix from to"
)
"""Attributes of drawings that are made of measures and words of the format."""
_FORMAL = re.compile(r"[a-z]+(?:[A-Z][a-z]*)*")
_GIVEN = re.compile(r"Object \d+|Author|place\d+|_(?:Toc|Ref|Hlk|Hlt)\d{1,6}|_GoBack")
"""Names that are given to what had others."""
_FIELD_WORDS = re.compile(
    r"\b(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES|REF|PAGEREF|NOTEREF|TOC|SEQ|STYLEREF|HYPERLINK|FORMTEXT|FORMCHECKBOX|"
    r"FORMDROPDOWN|MERGEFORMAT|CHARFORMAT|arabic|roman|Table|Figure)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"[-+]?[\d.,]+(?:pt|px|in|cm|mm|em|%)?|[0-9A-Fa-f]{3,8}|#?[0-9A-Fa-f]{6}|[a-z]{1,3}(?:-[A-Za-z]{2,8}){1,2}|rId\d+|#?_x0000_\w+"
)
_LONGEST = 600
"""Seconds after which it is no longer waited for."""
_LINE = words("p tr br cr pt v tab ptab posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset")
_ASIDE = frozenset(("txbxContent", "rt"))
_END = re.compile(r"<(?:\w+:)?(?:br|cr|tab|ptab)\b[^>]*>|</(?:\w+:)?(?:p|pt|v|tr|posOffset|align|pct\w+)>")
_CELL = re.compile(r"</(?:\w+:)?(?:p>\s*</(?:\w+:)?)?tc>")
"""Words in two cells are two words; those in two lines may be one."""
_CODE = re.compile(r"(instrText(?: xml:space=.preserve.)?>)([^<]*)")
_TAG = re.compile(r"<(?!!)[^>]*>")
_HYPHEN = re.compile(r"<(?:\w+:)?noBreakHyphen\b[^>]*>")
_LETTERS = re.compile(rb"[\x20-\x7e\x80-\xff]{10,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e\xa0-\xff]\0){6,}|(?:[\x00-\xff][\x01\x02]|[\x20-\x7e]\0){6,}")


@lru_cache(maxsize=2**16)
def says_something(element: str, attribute: str, value: str) -> bool:
    """Whether an attribute could hold a word of the document.

    >>> says_something("jc", "w:val", "center"), says_something("docPr", "descr", "Center")
    (False, True)
    """
    short = attribute.rpartition(":")[2]
    if attribute.startswith("xmlns"):
        return not _SPACE.match(value)
    if short in _NEVER or element in _FONTS or not value.strip() or _GIVEN.fullmatch(value):
        return False
    if short == "Target" and is_usual_entry(value):
        return False
    if element in _STYLING and is_standard_style(value):
        return False
    if short in _FOR_PEOPLE or element in _VALUED:
        return True
    return value not in LOOK_WORDS and not _MEASURE.fullmatch(value)


@lru_cache(maxsize=2**16)
def is_formal(element: str, attribute: str, value: str) -> bool:
    """Whether an attribute says how something looks, in a word that could be one of the document, too.

    >>> is_formal("jc", "w:val", "distribute"), is_formal("docPr", "descr", "distribute")
    (True, False)
    """
    short = attribute.rpartition(":")[2]
    if element == "compatSetting":
        return True
    if short in _FOR_PEOPLE or element in _VALUED:
        return False
    return short in _DRAWING or _FORMAL.fullmatch(value) is not None


def is_usual_entry(name: str) -> bool:
    """Whether the name of an entry says only what it is.

    >>> is_usual_entry("word/header2.xml"), is_usual_entry("word/media/Ann.png")
    (True, False)
    """
    return _ENTRY.fullmatch(name) is not None


def field_arguments(code: str) -> str:
    """The code of a field without the words of the format."""
    return _FIELD_WORDS.sub("", code)


def by_office(path: Path) -> Iterator[tuple[str, str]]:
    """The text of a document as LibreOffice shows it; nothing where it is not installed.

    What it writes on its way is in a work folder, and is removed.
    """
    if _program() is None:
        return
    with scratch_folder() as folder:
        made = _converted(path, folder, "txt:Text (encoded):UTF8")
        yield "the document (LibreOffice)", made.read_text("utf-8", "replace")


def docx_from(path: str | Path, folder: str | Path) -> Path | None:
    """A DOCX made from another document, such as RTF, in a folder; None where LibreOffice is not installed.

    It keeps the look of the document, and all that the document hides: it is for reading and writing, not for
    release.
    """
    return _converted(Path(path), Path(folder), "docx:MS Word 2007 XML") if _program() else None


def _program() -> str | None:
    return shutil.which("soffice") or shutil.which("libreoffice")


def _converted(path: Path, folder: Path, kind: str) -> Path:
    made = folder / f"{path.stem}.{kind.partition(':')[0]}"
    with scratch_folder() as profile:
        command = [
            _program() or "",
            f"-env:UserInstallation={profile.as_uri()}",
            "--headless",
        ]
        try:
            subprocess.run(  # noqa: S603 - the program is the one that the system names
                [*command, "--norestore", "--convert-to", kind, "--outdir", str(folder), str(path)],
                capture_output=True,
                check=False,
                timeout=_LONGEST,
                env=os.environ | {"TMPDIR": str(profile)},
            )
        except (OSError, subprocess.TimeoutExpired):
            raise UnreadableFile(
                "LibreOffice did not finish.", hint="Try again, or uninstall it: it is not needed."
            ) from None
    if not made.is_file():
        raise UnreadableFile(
            f"LibreOffice cannot open {path.name}.", hint="Open it by hand to see what is wrong with it."
        )
    return made


def by_parser(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each XML entry as a plain parser finds it."""
    for name, data in _entries(path):
        if _is_xml(data):
            yield f"{name} (parser)", _heard(data, path, _Texts()).said


def attributes_of(path: Path) -> Iterator[tuple[str, str]]:
    """What the attributes of each XML entry say, without the words of the format itself."""
    for name, data in _entries(path):
        if _is_xml(data):
            attributes = _Attributes()
            yield f"attributes of {name}", _heard(data, path, attributes).said
            yield f"words of the format in {name}", Names("\n".join(attributes.formal))


def by_patterns(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each XML entry with its tags simply cut away, as small tools do it."""
    for name, data in _entries(path):
        if _is_xml(data):
            text = _CODE.sub(lambda found: found[1] + field_arguments(found[2]), _decoded(data))
            lines = _HYPHEN.sub("-", _END.sub("\n", _CELL.sub("\t", text)))
            yield f"{name} (patterns)", html.unescape(_TAG.sub("", lines))


def raw_entries(path: Path) -> Iterator[tuple[str, str]]:
    """The letters in entries that are no XML, such as pictures; names of entries; notes of the zip file."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not is_usual_entry(name)]
        yield "the table of contents", Names("\n".join(names))
        told = [info.comment + b"\n" + info.extra for info in archive.infolist()]
        yield "notes of the zip file", b"\n".join([archive.comment, *told]).decode("latin-1")
        yield "bytes between the parts", _between(path, archive).decode("latin-1")
    for name, data in _entries(path):
        if not _is_xml(data):
            yield name, b"\n".join(_LETTERS.findall(data)).decode("utf-8", "replace")
            yield name, b"\n".join(_LETTERS.findall(data)).decode("latin-1")
            yield name, "\n".join(word.decode("utf-16-le", "replace") for word in _WIDE.findall(data))


def enclosed_in_docx(path: Path) -> Iterator[tuple[str, bytes]]:
    """Pictures and files in a document."""
    for name, data in _entries(path):
        if not _is_xml(data):
            yield name, data


def _between(path: Path, archive: zipfile.ZipFile) -> bytes:
    """Bytes of a zip file that belong to no entry: before the first, between two, and after the end."""
    data = path.read_bytes()
    parts, last = [], 0
    for info in sorted(archive.infolist(), key=lambda one: one.header_offset):
        parts.append(data[last : info.header_offset])
        name, extra = struct.unpack("<HH", data[info.header_offset + 26 : info.header_offset + 30])
        last = info.header_offset + 30 + name + extra + info.compress_size
    end = data.rfind(b"PK\x05\x06")
    table = archive.start_dir if last <= archive.start_dir <= end else end
    after = end + 22 + len(archive.comment)
    return b"\n".join([*parts, data[last:table], data[after:]])


DOCX_TEXTS = (by_parser, by_patterns)
"""Readers of all texts, by which values are searched and counted."""
DOCX_CONTENTS = (attributes_of, raw_entries)
"""Readers of everything else."""


def _heard(data: bytes, path: Path, listener: _Listener) -> _Listener:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = listener.start
    if isinstance(listener, _Texts):
        parser.EndElementHandler = listener.end
        parser.CharacterDataHandler = listener.characters
        parser.CommentHandler = listener.aside
        parser.ProcessingInstructionHandler = lambda target, text: listener.aside(f"{target} {text}")
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError:
        raise _unreadable(path) from None
    return listener


class _Listener(ABC):
    """Hears a file being parsed."""

    @property
    @abstractmethod
    def said(self) -> str:
        """What was heard."""

    @abstractmethod
    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""


class _Attributes(_Listener):
    """What attributes say, without the words of the format."""

    def __init__(self) -> None:
        self._values: list[str] = []
        self.formal: set[str] = set()
        self._quiet: set[tuple[str, str, str]] = set()
        """Elements, attributes and values that say nothing; most of a file are the same few."""

    @property
    def said(self) -> str:
        return "\n".join(self._values)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not attributes:
            return
        for key, value in attributes.items():
            if (name, key, value) not in self._quiet:
                self._hear(name, key, value)

    def _hear(self, name: str, key: str, value: str) -> None:
        short = name.rpartition(":")[2]
        if not says_something(short, key, value):
            self._quiet.add((name, key, value))
        elif is_formal(short, key, value):
            self.formal.add(value)
            self._quiet.add((name, key, value))
        else:
            self._values.append(value)


class _Texts(_Listener):
    """All texts. A text box inside a line is put after the text of the file."""

    def __init__(self) -> None:
        self._lines: list[list[str]] = [[]]
        self._done: list[str] = []
        self._in_code = False
        self._quiet: set[str] = set()
        """Names of elements that neither begin nor end anything."""

    @property
    def said(self) -> str:
        return "".join(["".join(line) for line in self._lines] + self._done)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in self._quiet:
            return
        short = name.rpartition(":")[2]
        if short in _ASIDE:
            self._lines.append([])
        elif short == "instrText":
            self._in_code = True
        elif short in ("br", "cr", "tab", "ptab"):
            self._lines[-1].append("\n")
        elif short == "noBreakHyphen":
            self._lines[-1].append("-")
        elif short == "sym":
            self._symbol([value for key, value in attributes.items() if key.endswith("char")])
        elif short not in _LINE and short != "tc":
            self._quiet.add(name)

    def _symbol(self, codes: list[str]) -> None:
        for code in codes:
            if re.fullmatch("[0-9A-Fa-f]{1,4}", code):
                number = int(code, 16)
                self._lines[-1].append(chr(number - 0xF000 if 0xF020 <= number <= 0xF0FF else number))

    def end(self, name: str) -> None:
        """An element ends."""
        if name in self._quiet:
            return
        short = name.rpartition(":")[2]
        line = self._lines[-1]
        if short in _ASIDE and len(self._lines) > 1:
            self._done.append("".join(self._lines.pop()) + "\n")
        elif short == "instrText":
            self._in_code = False
        elif short == "tc":
            while line and line[-1].isspace():
                line.pop()
            line.append("\t")
        elif short in _LINE:
            line.append("\n")

    def characters(self, data: str) -> None:
        """A piece of text."""
        self._lines[-1].append(field_arguments(data) if self._in_code else data)

    def aside(self, data: str) -> None:
        """A comment or an instruction."""
        self._done.append(data + "\n")


def _entries(path: Path) -> Iterator[tuple[str, bytes]]:
    """All entries; one whose name could tell a value is called by its number."""
    try:
        with zipfile.ZipFile(path) as archive:
            for number, info in enumerate(archive.infolist(), 1):
                name = info.filename if is_usual_entry(info.filename) else f"part {number} of the package"
                yield name, archive.read(info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise _unreadable(path) from None


def _is_xml(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"


def _decoded(data: bytes) -> str:
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")


def _unreadable(path: Path) -> UnreadableFile:
    return UnreadableFile(f"{path} cannot be read: nothing is proved.", hint="Is it a DOCX, and whole?")
