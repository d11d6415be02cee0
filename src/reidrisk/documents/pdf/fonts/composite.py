"""Fonts with several bytes a code: Type 0 over glyphs that are numbered."""

from __future__ import annotations

from typing import Any

from reidrisk.documents.pdf.fonts.cmap import CMap, parse_cmap
from reidrisk.documents.pdf.fonts.font import Font, number
from reidrisk.documents.pdf.fonts.simple import heights, unicode_of

_WIDE = [(2, 0, 0xFFFF)]


def composite_font(source: Any) -> Font:
    """Read a Type 0 font with its descendant."""
    cmap = _cmap(source.get("/Encoding"))
    below = source.get("/DescendantFonts")
    descendant = below[0] if below is not None and len(below) else {}
    widths = _widths(descendant.get("/W") or [])
    default = number(descendant.get("/DW"), 1000.0) / 1000
    font = Font(cmap, unicode_of(source) or _by_collection(cmap, descendant), widths, default)
    font.ascent, font.descent = heights(descendant.get("/FontDescriptor"))
    if cmap.vertical:
        _stand_upright(font, descendant)
    return font


def _cmap(given: Any) -> CMap:
    import pikepdf

    if isinstance(given, pikepdf.Stream):
        try:
            cmap = parse_cmap(given.read_bytes())
        except pikepdf.PdfError:
            cmap = CMap()
        cmap.vertical = cmap.vertical or number(given.get("/WMode")) == 1
        used = cmap.uses or str(given.get("/UseCMap", "")).removeprefix("/")
        if used:
            below = _named(used)
            cmap.cids = below.cids | cmap.cids
            cmap.sizes = cmap.sizes or below.sizes
        cmap.sizes = cmap.sizes or list(_WIDE)
        return cmap
    return _named(str(given).removeprefix("/"))


def _named(name: str) -> CMap:
    """A character map that readers know by name."""
    from pdfminer.cmapdb import CMapDB

    vertical = name.endswith("V")
    if name.startswith("Identity"):
        return CMap(sizes=list(_WIDE), vertical=vertical)
    cmap = CMap(vertical=vertical)
    try:
        tree: dict[int, Any] = vars(CMapDB.get_cmap(name)).get("code2cid", {})
    except (CMapDB.CMapNotFound, KeyError):
        return CMap(sizes=list(_WIDE), vertical=vertical)
    _flatten(cmap, tree, b"")
    cmap.sizes.sort()
    return cmap


def _flatten(cmap: CMap, tree: dict[int, Any], before: bytes) -> None:
    leaves = sorted(byte for byte, below in tree.items() if isinstance(below, int))
    for byte, below in tree.items():
        if isinstance(below, int):
            cmap.cids[int.from_bytes(before + bytes([byte]))] = below
        else:
            _flatten(cmap, below, before + bytes([byte]))
    head, first = int.from_bytes(before) << 8, 0
    for at, byte in enumerate(leaves):
        if at + 1 == len(leaves) or leaves[at + 1] != byte + 1:
            cmap.sizes.append((len(before) + 1, head + leaves[first], head + byte))
            first = at + 1


def _by_collection(cmap: CMap, descendant: Any) -> dict[int, str]:
    """Texts by the public character collection of the glyph numbers, if it is one."""
    from pdfminer.cmapdb import CMapDB

    system = descendant.get("/CIDSystemInfo")
    if system is None or str(system.get("/Ordering", "")) in ("Identity", "UCS", ""):
        return {}
    try:
        texts = CMapDB.get_unicode_map(
            f"{system.get('/Registry', '')}-{system['/Ordering']}", cmap.vertical
        ).cid2unichr
    except (CMapDB.CMapNotFound, KeyError):
        return {}
    if not cmap.cids:
        return dict(texts)
    return {code: texts[cid] for code, cid in cmap.cids.items() if cid in texts}


def _widths(listed: Any) -> dict[int, float]:
    widths: dict[int, float] = {}
    items, at = list(listed), 0
    while at + 1 < len(items):
        first, second = int(number(items[at])), items[at + 1]
        if _is_list(second):
            widths |= {first + step: number(width) / 1000 for step, width in enumerate(second)}
            at += 2
        elif at + 2 < len(items):
            last = min(int(number(second)), first + 70_000)
            widths |= dict.fromkeys(range(first, last + 1), number(items[at + 2]) / 1000)
            at += 3
        else:
            break
    return widths


def _is_list(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Array)


def _stand_upright(font: Font, descendant: Any) -> None:
    """Vertical writing: glyphs move down, by steps of their own."""
    given = descendant.get("/DW2")
    usual = number(given[1], -1000.0) / 1000 if given is not None and len(given) == 2 else -1.0
    font.widths = _steps(list(descendant.get("/W2") or []))
    font.default_width, font.vertical = usual, True


def _steps(items: list[Any]) -> dict[int, float]:
    """Steps by glyph: each is the first of three numbers, listed one by one or once for a range."""
    steps: dict[int, float] = {}
    at = 0
    while at + 1 < len(items):
        first, second = int(number(items[at])), items[at + 1]
        if _is_list(second):
            steps |= {first + place: number(step) / 1000 for place, step in enumerate(list(second)[::3])}
            at += 2
        else:
            last = min(int(number(second)), first + 70_000)
            step = number(items[at + 2]) / 1000 if at + 2 < len(items) else -1.0
            steps |= dict.fromkeys(range(first, last + 1), step)
            at += 5
    return steps
