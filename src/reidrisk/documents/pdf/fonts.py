"""Fonts of a PDF: they split a string into codes, and know of each what it says and how far it moves."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from reidrisk.documents.pdf.cmap import CMap, built_in, encoding, parse_cmap, says, with_differences

_FORMS = re.compile("[\u2e80-\u2fdf\uf900-\ufaff\ufb00-\ufdff\ufe70-\ufeff\uff00-\uffef]")
"""Forms of letters: ligatures, radicals, Arabic letters by their place in a word, and those of full width."""
_SAYS_NOTHING = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ufffe\uffff\ud800-\uf8ff]")


_MOST_WORDS = 20_000
"""Strings come again and again; so many are remembered."""

Code = tuple[int, int, int, str | None, float]
"""First byte, end, number, what it says (None: the font does not tell), how far it moves in font sizes."""
_SUBSET = re.compile(r"/[A-Z]{6}\+")
_SYMBOLIC = 4
_TALLER, _TOO_TALL = 1.6, 2.5
"""How much taller letters are than wide, and how much more than that is not believed."""
_SAMPLE = 60
"""Drawn letters that are looked at."""
_STATED = re.compile(rb"\s*(?:[-+\d.]+\s+){3}([-+]?[\d.]+)\s+[-+\d.]+\s+([-+]?[\d.]+)\s+d1\b")
"""The bottom and the top of the box that a drawn letter states."""
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_WIDE = [(2, 0, 0xFFFF)]


@dataclass(slots=True, eq=False)
class Font:
    """What drawing text with a font needs to know."""

    cmap: CMap | None
    """How codes are split; None: every byte is a code."""
    texts: dict[int, str]
    widths: dict[int, float]
    default_width: float
    vertical: bool = False
    ascent: float = 0.78
    descent: float = -0.22
    em: float = 1.0
    """Height of its letters in font sizes; drawn fonts choose their own, and may turn letters upside down."""
    _known: dict[int, tuple[str | None, float]] = field(default_factory=dict)
    _words: dict[bytes, list[Code]] = field(default_factory=dict)

    def codes(self, data: bytes) -> list[Code]:
        """The codes of a string, in order."""
        if data in self._words:
            return self._words[data]
        found = []
        for start, end in self._places(data):
            number = int.from_bytes(data[start:end])
            found.append((start, end, number, *(self._known.get(number) or self._look_up(number))))
        if len(self._words) < _MOST_WORDS:
            self._words[data] = found
        return found

    def _places(self, data: bytes) -> list[tuple[int, int]]:
        if self.cmap is None:
            return [(at, at + 1) for at in range(len(data))]
        sizes = {size for size, _, _ in self.cmap.sizes}
        if len(sizes) == 1:
            size = sizes.pop()
            return [(at, min(at + size, len(data))) for at in range(0, len(data), size)]
        places, at = [], 0
        while at < len(data):
            end = min(at + self.cmap.length(data, at), len(data))
            places.append((at, end))
            at = end
        return places

    def _look_up(self, number: int) -> tuple[str | None, float]:
        cid = number if self.cmap is None else self.cmap.cids.get(number, 0 if self.cmap.cids else number)
        known = (readable(self.texts.get(number)), self.widths.get(cid, self.default_width))
        self._known[number] = known
        return known


def readable(text: str | None) -> str | None:
    """Text with ligatures and other forms spelled out; None for what only stands for a missing letter."""
    if not text or _SAYS_NOTHING.search(text):
        return None
    return _FORMS.sub(_spelled_out, text)


def _spelled_out(form: re.Match[str]) -> str:
    """The usual letters of a form; a sign above a letter does not bring a space of its own."""
    return unicodedata.normalize("NFKC", form[0]).strip() or form[0]


def number(value: Any, default: float = 0.0) -> float:
    """A number of a PDF, or the default where something else stands."""
    try:
        return float(value)
    except (TypeError, ValueError, ArithmeticError):
        return default


def name_text(value: Any) -> str:
    """A name, text or operator of a PDF; bytes that are not UTF-8 become surrogates, as keys have them."""
    try:
        return str(value)
    except UnicodeDecodeError:
        written = _ESCAPED.sub(lambda byte: bytes.fromhex(byte[1].decode("ascii")), value.unparse())
        return written.decode("utf-8", "surrogateescape")


def simple_font(source: Any) -> Font:
    """Read a font dictionary of the simple kinds."""
    names = _names(source)
    texts = {code: text for code, name in names.items() if (text := says(name)) is not None}
    texts |= unicode_of(source)
    scale = 0.001
    if source.get("/Subtype") == "/Type3":
        matrix = source.get("/FontMatrix")
        scale = number(matrix[0], 0.001) if matrix is not None and len(matrix) == 6 else 0.001
    font = Font(None, texts, _simple_widths(source, names, scale), _missing(source) * scale)
    if source.get("/Subtype") != "/Type3":
        font.ascent, font.descent = heights(source.get("/FontDescriptor"))
    else:
        _set_heights(font, source)
    return font


def _set_heights(font: Font, source: Any) -> None:
    """How high drawn letters are, by the boxes that they state, or else by how wide they are.

    An `em` below 0: they hang under the line, because the page turns them around.
    """
    matrix = source.get("/FontMatrix")
    scale = number(matrix[3], 0.001) if matrix is not None and len(matrix) == 6 else 0.001
    ends = [end * scale for end in _stated_ends(source)]
    wide = [abs(width) for width in font.widths.values() if width]
    usual = _TALLER * median(wide) if wide else 1.0
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    if not 0 < high - low < _TOO_TALL * usual:
        low, high = -0.22 * usual, 0.78 * usual
    turned = -1 if abs(low) > abs(high) else 1
    font.em = (high - low) * turned
    above, below = (high, low) if turned > 0 else (-low, -high)
    font.ascent, font.descent = max(0.5, above / (high - low)), min(-0.1, below / (high - low))


def _stated_ends(source: Any) -> list[float]:
    """The lowest and highest places of letters that say so, and else of the font's box."""
    import pikepdf

    procedures = source.get("/CharProcs")
    ends: list[float] = []
    for _, letter in list(procedures.items())[:_SAMPLE] if isinstance(procedures, pikepdf.Dictionary) else []:
        stated = _STATED.match(_program(letter)) if isinstance(letter, pikepdf.Stream) else None
        if stated:
            ends += [float(stated[1]), float(stated[2])]
    box = source.get("/FontBBox")
    if not ends and box is not None and len(box) == 4:
        ends = [number(box[1]), number(box[3])]
    return ends


def unicode_of(source: Any) -> dict[int, str]:
    """The texts of codes that the font itself gives."""
    import pikepdf

    stream = source.get("/ToUnicode")
    if not isinstance(stream, pikepdf.Stream):
        return {}
    try:
        return parse_cmap(stream.read_bytes()).texts
    except pikepdf.PdfError:
        return {}


def heights(descriptor: Any) -> tuple[float, float]:
    """How far letters reach above and below the line, kept to what boxes can use."""
    if descriptor is None:
        return 0.78, -0.22
    ascent, descent = number(descriptor.get("/Ascent")) / 1000, number(descriptor.get("/Descent")) / 1000
    return (ascent if 0.5 < ascent < 1.0 else 0.78), (descent if -0.4 < descent < -0.1 else -0.22)


def _names(source: Any) -> dict[int, str]:
    import pikepdf

    given = source.get("/Encoding")
    if isinstance(given, pikepdf.Name):
        return encoding(name_text(given))
    base: dict[int, str] = _own(source)
    if isinstance(given, pikepdf.Dictionary):
        if "/BaseEncoding" in given:
            base = encoding(name_text(given["/BaseEncoding"]))
        return with_differences(base, given.get("/Differences") or [])
    return base


def _own(source: Any) -> dict[int, str]:
    """The encoding of a font that names none: its program's, or the standard one."""
    descriptor = source.get("/FontDescriptor")
    if source.get("/Subtype") == "/Type3":
        return {}
    if descriptor is None:
        base = name_text(source.get("/BaseFont", ""))
        return {} if base in ("/Symbol", "/ZapfDingbats") else encoding("/StandardEncoding")
    if "/FontFile" in descriptor and (found := built_in(_program(descriptor["/FontFile"]))):
        return found
    symbolic = int(number(descriptor.get("/Flags"))) & _SYMBOLIC
    if symbolic and _SUBSET.match(name_text(source.get("/BaseFont", ""))):
        return {}
    return encoding("/StandardEncoding")


def _program(stream: Any) -> bytes:
    import pikepdf

    try:
        return bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return b""


def _simple_widths(source: Any, names: dict[int, str], scale: float) -> dict[int, float]:
    listed = source.get("/Widths")
    if listed is not None:
        first = int(number(source.get("/FirstChar")))
        return {first + at: number(width) * scale for at, width in enumerate(listed)}
    return _standard_widths(name_text(source.get("/BaseFont", "")), names)


def _standard_widths(base: str, names: dict[int, str]) -> dict[int, float]:
    """Widths of the fonts that every reader has."""
    from pdfminer.fontmetrics import FONT_METRICS

    name = base.removeprefix("/")
    _, by_letter = FONT_METRICS.get(name) or FONT_METRICS["Helvetica"]
    return {
        code: by_letter[text] / 1000 for code, glyph in names.items() if (text := says(glyph)) in by_letter
    }


def _missing(source: Any) -> float:
    descriptor = source.get("/FontDescriptor")
    return number(descriptor.get("/MissingWidth")) if descriptor is not None else 0.0


def composite_font(source: Any) -> Font:
    """Read a Type 0 font with its descendant."""
    cmap = _cmap(source.get("/Encoding"))
    below = source.get("/DescendantFonts")
    descendant = below[0] if below is not None and len(below) else {}
    widths = _composite_widths(descendant.get("/W") or [])
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
        used = cmap.uses or name_text(given.get("/UseCMap", "")).removeprefix("/")
        if used:
            below = _named(used)
            cmap.cids = below.cids | cmap.cids
            cmap.sizes = cmap.sizes or below.sizes
        cmap.sizes = cmap.sizes or list(_WIDE)
        return cmap
    return _named(name_text(given).removeprefix("/"))


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
    if system is None or name_text(system.get("/Ordering", "")) in ("Identity", "UCS", ""):
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


def _composite_widths(listed: Any) -> dict[int, float]:
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


def _usual() -> Font:
    """The font that stands in for one that is missing."""
    names = encoding("/WinAnsiEncoding")
    texts = {code: text for code, glyph in names.items() if (text := says(glyph)) is not None}
    return Font(None, texts, _standard_widths("/Helvetica", names), 0.5)


class Fonts:
    """The fonts of one document."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Font] = {}

    def of(self, source: Any) -> Font:
        """The font that a dictionary describes; what is none is read as readers do, in Helvetica."""
        import pikepdf

        if not isinstance(source, pikepdf.Dictionary):
            return _usual()
        if source.objgen not in self._known or source.objgen == (0, 0):
            composite = source.get("/Subtype") == "/Type0"
            self._known[source.objgen] = composite_font(source) if composite else simple_font(source)
        return self._known[source.objgen]

    def known(self) -> dict[tuple[int, int], Font]:
        """The fonts that were read, by the number of their object."""
        return {key: font for key, font in self._known.items() if key != (0, 0)}
