"""The kinds of parts that are kept, with the types that the format gives them."""

from __future__ import annotations

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_MICROSOFT = "http://schemas.microsoft.com/office/"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_DRAWING = "application/vnd.openxmlformats-officedocument.drawingml."
_NEWER = "application/vnd.ms-office."

TYPES_OF_PARTS = {
    "officeDocument": f"{_WORD}document.main+xml",
    "styles": f"{_WORD}styles+xml",
    "numbering": f"{_WORD}numbering+xml",
    "settings": f"{_WORD}settings+xml",
    "fontTable": f"{_WORD}fontTable+xml",
    "header": f"{_WORD}header+xml",
    "footer": f"{_WORD}footer+xml",
    "footnotes": f"{_WORD}footnotes+xml",
    "endnotes": f"{_WORD}endnotes+xml",
    "comments": f"{_WORD}comments+xml",
    "commentsExtended": f"{_WORD}commentsExtended+xml",
    "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
    "themeOverride": "application/vnd.openxmlformats-officedocument.themeOverride+xml",
    "chart": f"{_DRAWING}chart+xml",
    "chartUserShapes": f"{_DRAWING}chartshapes+xml",
    "chartEx": f"{_NEWER}chartex+xml",
    "chartStyle": f"{_NEWER}chartstyle+xml",
    "chartColorStyle": f"{_NEWER}chartcolorstyle+xml",
    "diagramData": f"{_DRAWING}diagramData+xml",
    "diagramLayout": f"{_DRAWING}diagramLayout+xml",
    "diagramQuickStyle": f"{_DRAWING}diagramStyle+xml",
    "diagramColors": f"{_DRAWING}diagramColors+xml",
    "diagramDrawing": f"{_NEWER}drawingml.diagramDrawing+xml",
}
"""The content type of each kind of XML part."""
FOLLOWED = frozenset((*TYPES_OF_PARTS, "image"))
"""The kinds of relationships that are followed. Whatever only another kind leads to is left out."""

_RELATIONS = {
    "commentsExtended": f"{_MICROSOFT}2011/relationships/commentsExtended",
    "chartStyle": f"{_MICROSOFT}2011/relationships/chartStyle",
    "chartColorStyle": f"{_MICROSOFT}2011/relationships/chartColorStyle",
    "chartEx": f"{_MICROSOFT}2014/relationships/chartEx",
    "diagramDrawing": f"{_MICROSOFT}2007/relationships/diagramDrawing",
}


def relation_type(kind: str) -> str:
    """The full name of a kind of relationship."""
    return _RELATIONS.get(kind, f"{OFFICE}{kind}")
