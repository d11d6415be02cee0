"""The package of a Word document: its parts, their relations and its properties; always the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from reidrisk.report.word.markup import clean, element, full_name, w, xml_bytes

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
LANGUAGE = "en-US"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP file can state; the time of writing is not stated."""
FIXED = {
    "styles": ("styles.xml", f"{TYPE}.styles+xml"),
    "numbering": ("numbering.xml", f"{TYPE}.numbering+xml"),
    "settings": ("settings.xml", f"{TYPE}.settings+xml"),
    "header": ("header1.xml", f"{TYPE}.header+xml"),
    "footer": ("footer1.xml", f"{TYPE}.footer+xml"),
    "first": ("footer2.xml", f"{TYPE}.footer+xml"),
}
"""The parts that every document has, with their files and types."""


@dataclass(frozen=True, slots=True)
class Properties:
    """What a word processor shows as the properties of a file."""

    title: str
    author: str
    program: str
    date: str | None
    """YYYY-MM-DD; None where nobody stated one."""


@dataclass(slots=True)
class Relations:
    """Pictures and addresses that the text names, numbered in the order of their first mention."""

    pictures: dict[str, bytes] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)

    def picture(self, content: bytes) -> str:
        """The id of a new picture."""
        name = f"picture{len(self.pictures) + 1}"
        self.pictures[name] = content
        return name

    def address(self, url: str) -> str:
        """The id of an address outside the document."""
        return self.addresses.setdefault(url, f"link{len(self.addresses) + 1}")


def packed(
    body: ET.Element, parts: Mapping[str, ET.Element], relations: Relations, properties: Properties
) -> bytes:
    """The file: `parts` has an element for every name in FIXED."""
    files = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relationships(
            (
                ("document", f"{OFFICE}/officeDocument", "word/document.xml", False),
                ("core", f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml", False),
                ("app", f"{OFFICE}/extended-properties", "docProps/app.xml", False),
            )
        ),
        "docProps/core.xml": _core(properties),
        "docProps/app.xml": _app(properties),
        "word/document.xml": xml_bytes(body),
        "word/_rels/document.xml.rels": _relationships(_related(relations)),
        **{f"word/{file}": xml_bytes(parts[name]) for name, (file, _) in FIXED.items()},
        **{f"word/media/{name}.png": content for name, content in relations.pictures.items()},
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as package:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            info.create_system = 3  # the same on every operating system
            package.writestr(info, content)
    return held.getvalue()


def _related(relations: Relations) -> list[tuple[str, str, str, bool]]:
    kinds = {"first": "footer"}
    return [
        *((name, f"{OFFICE}/{kinds.get(name, name)}", file, False) for name, (file, _) in FIXED.items()),
        *((name, f"{OFFICE}/image", f"media/{name}.png", False) for name in relations.pictures),
        *((name, f"{OFFICE}/hyperlink", url, True) for url, name in relations.addresses.items()),
    ]


def _relationships(rows: Sequence[tuple[str, str, str, bool]]) -> bytes:
    root = ET.Element("Relationships", {"xmlns": f"{PACKAGE}/relationships"})
    for name, kind, target, is_outside in rows:
        mode = {"TargetMode": "External"} if is_outside else {}
        ET.SubElement(root, "Relationship", {"Id": name, "Type": kind, "Target": target, **mode})
    return xml_bytes(root)


def _content_types() -> bytes:
    root = ET.Element("Types", {"xmlns": f"{PACKAGE}/content-types"})
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml",
        "png": "image/png",
    }
    for extension, kind in defaults.items():
        ET.SubElement(root, "Default", {"Extension": extension, "ContentType": kind})
    parts = {
        "/word/document.xml": f"{TYPE}.document.main+xml",
        **{f"/word/{file}": kind for file, kind in FIXED.values()},
        "/docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "/docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    }
    for name, kind in parts.items():
        ET.SubElement(root, "Override", {"PartName": name, "ContentType": kind})
    return xml_bytes(root)


def _core(given: Properties) -> bytes:
    """Title, author, language, and the date if one was stated."""
    root = element(
        "cp:coreProperties",
        element("dc:title", text=clean(given.title)),
        element("dc:creator", text=clean(given.author)),
        element("cp:lastModifiedBy", text=given.program),
        element("dc:language", text=LANGUAGE),
    )
    if given.date:
        for name in ("dcterms:created", "dcterms:modified"):
            time = element(name, text=f"{given.date}T00:00:00Z")
            time.set(full_name("xsi:type"), "dcterms:W3CDTF")
            root.append(time)
    return xml_bytes(root)


def _app(given: Properties) -> bytes:
    address = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    root = ET.Element("Properties", {"xmlns": address})
    ET.SubElement(root, "Application").text = given.program
    return xml_bytes(root)


def document_settings() -> ET.Element:
    """Settings that new files of a word processor have."""
    mode = w(
        "compatSetting", name="compatibilityMode", uri="http://schemas.microsoft.com/office/word", val=15
    )
    return w(
        "settings",
        w("zoom", percent=100),
        w("defaultTabStop", val=720),
        w("characterSpacingControl", val="doNotCompress"),
        w("compat", mode),
        w("themeFontLang", val=LANGUAGE),
    )
