"""Word documents made part by part, so that a test can hide something anywhere."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    f'xmlns:r="{OFFICE}" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'
)
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
DOCUMENT = f"{_WORD}.document.main+xml"


@dataclass
class Made:
    """A document in the making: parts and their relationships."""

    body: str
    main_type: str = DOCUMENT
    parts: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Name -> content type and bytes."""
    relations: dict[str, list[tuple[str, str, str, bool]]] = field(default_factory=dict)
    """Owner -> id, type, target, whether it is outside."""

    def part(
        self,
        kind: str,
        name: str,
        content: str | bytes,
        *,
        content_type: str = "",
        owner: str = "word/document.xml",
    ) -> str:
        """Add a part to which the owner (the root if empty) refers; gives the id of the relationship."""
        data = content if isinstance(content, bytes) else content.encode()
        self.parts[name] = (content_type or f"{_WORD}.{kind}+xml", data)
        return self.refer(kind, f"/{name}", owner=owner)

    def refer(
        self, kind: str, target: str, *, owner: str = "word/document.xml", outside: bool = False
    ) -> str:
        """Add a relationship."""
        own = self.relations.setdefault(owner, [])
        key = f"rId{len(own) + 1}"
        own.append((key, kind if "/" in kind else f"{OFFICE}/{kind}", target, outside))
        return key

    def save(self, path: Path) -> Path:
        """Write it."""
        main = f"<w:document {SPACES}><w:body>{self.body}<w:sectPr/></w:body></w:document>"
        parts = {"word/document.xml": (self.main_type, main.encode())} | self.parts
        overrides = "".join(
            f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, (kind, _) in parts.items()
        )
        types = (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f"{overrides}</Types>"
        )
        start = [("rId0", f"{OFFICE}/officeDocument", "word/document.xml", False)]
        relations = {"": start + self.relations.get("", [])}
        relations |= {owner: own for owner, own in self.relations.items() if owner}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", types)
            for owner, own in relations.items():
                folder, _, name = owner.rpartition("/")
                archive.writestr(f"{folder}/_rels/{name}.rels".lstrip("/"), _relations(own))
            for name, (_, data) in parts.items():
                archive.writestr(name, data)
        return path


def _relations(own: list[tuple[str, str, str, bool]]) -> str:
    lines = "".join(
        f'<Relationship Id="{key}" Type="{kind}" Target="{escape(target)}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if outside else ''}/>"
        for key, kind, target, outside in own
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'


def run(text: str, look: str = "") -> str:
    """A run with a text."""
    look = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str) -> str:
    """A paragraph of runs; a plain text becomes one run."""
    return f"<w:p>{''.join(one if one.startswith('<') else run(one) for one in runs)}</w:p>"


def whole(tag: str, content: str) -> str:
    """A part with a root element of its own."""
    return f'<?xml version="1.0" encoding="UTF-8"?><{tag} {SPACES}>{content}</{tag}>'
