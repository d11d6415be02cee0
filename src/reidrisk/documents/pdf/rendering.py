"""Pages as other programs show and read them: PDFium, Poppler, and Tesseract where they are scans."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import Any

from reidrisk.documents.pdf.fonts import Font
from reidrisk.documents.pdf.glyphs import IDENTITY, Drawn, Glyph, Matrix, TextShow, at, inverse, lengths
from reidrisk.errors import MissingPackage, UnreadableFile

RECOGNISED = (-1,)
"""The path of text that no operator draws."""
_READ_SCALE = 300 / 72
PATIENCE = 120
"""Seconds that another program may take."""
_WORD = "5"
"""Tesseract's level of words in its table."""


PDFIUM = RLock()
"""PDFium must never be used by two threads at a time, not even on two documents."""


@contextmanager
def rendering(path: str | Path) -> Iterator[Any]:
    """The document in the program that renders it; other threads wait until the block ends."""
    with PDFIUM, opened_by_pdfium(path) as document:
        yield document


@contextmanager
def opened_by_pdfium(path: str | Path) -> Iterator[Any]:
    """The same for those who hold the lock whenever they use it."""
    try:
        import pypdfium2
    except ImportError:
        raise MissingPackage.of_extra("pypdfium2", "documents") from None
    try:
        document = pypdfium2.PdfDocument(path)
        try:
            document.init_forms()  # or fields would be drawn empty
            yield document
        finally:
            document.close()
    except pypdfium2.PdfiumError:
        raise UnreadableFile(
            f"{path} is damaged: its pages cannot be shown.", hint="Repair it with qpdf, or export it again."
        ) from None


def saved_by_pdfium(path: Path) -> bytes | None:
    """A damaged document as PDFium writes it again; None where it cannot open it."""
    data = BytesIO()
    try:
        with rendering(path) as document:
            if not len(document):
                return None
            document.save(data)
    except UnreadableFile:
        return None
    return data.getvalue()


def drawn_by_poppler(path: Path) -> bytes | None:
    """A damaged document drawn again by Poppler, with its text; None where that fails or is not installed."""
    program = shutil.which("pdftocairo")
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603
            [program, "-pdf", str(path), "-"], capture_output=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 and done.stdout else None


def decoded_by_pdfium(image: Any) -> Any:
    """The pixels of an image of a PDF, without its mask."""
    import pikepdf
    import pypdfium2

    data = BytesIO()
    with pikepdf.new() as alone:
        page = alone.add_blank_page()
        copy = alone.copy_foreign(image)
        for name in ("/SMask", "/Mask"):
            if name in copy:
                del copy[name]
        page.obj["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=copy))
        page.obj["/Contents"] = alone.make_stream(b"100 0 0 100 0 0 cm /Im Do")
        alone.save(data)
    with pypdfium2.PdfDocument(data.getvalue()) as document:
        return next(document[0].get_objects()).get_bitmap().to_pil().copy()


def letters_by_pdfium(path: Path, number: int, *, spaces: bool = False) -> list[tuple[float, float, str]]:
    """Where PDFium finds the letters of a page, counted from 1, and what they say; also `spaces` it adds."""
    import ctypes

    from pypdfium2 import raw

    found: list[tuple[float, float, str]] = []
    with suppress(UnreadableFile), rendering(path) as document:
        text = document[number - 1].get_textpage()
        x, y = ctypes.c_double(), ctypes.c_double()
        for index in range(text.count_chars()):
            drawn = spaces or not raw.FPDFText_IsGenerated(text, index)
            if drawn and raw.FPDFText_GetCharOrigin(text, index, x, y):
                code = raw.FPDFText_GetUnicode(text, index)
                found.append((x.value, y.value, chr(code) if 0 < code < 0x110000 else ""))
    return found


def to_pixels(page: Any, scale: float) -> Matrix:
    """From the space of a page to the pixels of its picture, the first row on top."""
    left, bottom, right, top = page.get_bbox()
    s = scale
    matrices: dict[int, Matrix] = {
        0: (s, 0.0, 0.0, -s, -left * s, top * s),
        90: (0.0, s, s, 0.0, -bottom * s, -left * s),
        180: (-s, 0.0, 0.0, s, right * s, -bottom * s),
        270: (0.0, -s, -s, 0.0, top * s, right * s),
    }
    return matrices[page.get_rotation() % 360]


def tesseract() -> str | None:
    """The program, if it is installed."""
    return shutil.which("tesseract")


def recognised(path: Path, number: int) -> list[TextShow]:
    """The words of a page, counted from 1, each as one glyph; none where Tesseract is not installed."""
    program = tesseract()
    if program is None:
        return []
    with rendering(path) as document:
        page = document[number - 1]
        picture = page.render(scale=_READ_SCALE, grayscale=True).to_pil()
        back = inverse(to_pixels(page, _READ_SCALE))
    data = BytesIO()
    picture.save(data, "PNG")
    done = subprocess.run(  # noqa: S603
        [program, "stdin", "stdout", "--dpi", "300", "--psm", "3", "tsv"],
        input=data.getvalue(),
        capture_output=True,
        check=False,
    )
    rows = [row.split("\t") for row in done.stdout.decode("utf-8", "replace").splitlines()[1:]]
    words = [row for row in rows if len(row) == 12 and row[0] == _WORD and row[11].strip()]
    return [_show(row, back, _line_box(row, words)) for row in words] if back is not None else []


def _line_box(word: list[str], words: list[list[str]]) -> tuple[int, int]:
    """Top and bottom of the line of a word: all its words stand on one base line."""
    line = [row for row in words if row[1:5] == word[1:5]]
    return min(int(row[7]) for row in line), max(int(row[7]) + int(row[9]) for row in line)


def _show(row: list[str], back: Matrix, line: tuple[int, int]) -> TextShow:
    left, width = int(row[6]), int(row[8])
    top, bottom = line
    height = (bottom - top) / (0.78 + 0.22)
    base = bottom - 0.22 * height
    x, y = at(back, left, base)
    unit = lengths(back)[0]
    a, b, c, d, _, _ = back
    matrix: Matrix = (a * height, b * height, -c * height, -d * height, x, y)
    show = TextShow(
        Drawn(RECOGNISED, None, []), 0, IDENTITY, IDENTITY, Font(None, {}, {}, 0.5), height * unit,
        0.0, 0.0, 1.0, 0.0, 3, inside=False,
    )  # fmt: skip
    show.glyphs.append(Glyph(show, 0, 0, 0, 0, row[11].strip(), matrix, width / height, 0.0))
    return show


def beside(words: list[TextShow], glyphs: list[Glyph]) -> list[TextShow]:
    """The words that are not drawn as text as well."""
    return [show for show in words if not any(covers(show.glyphs[0], glyph) for glyph in glyphs)]


def covers(word: Glyph, glyph: Glyph) -> bool:
    """Whether a word that was recognised stands where a glyph does."""
    back = inverse(word.matrix)
    along, upward = at(back, *at(glyph.matrix, glyph.advance / 2, 0.25)) if back is not None else (-1.0, -1.0)
    return 0 < along < word.advance and -0.22 < upward < 0.78


def is_recognised(glyph: Any) -> bool:
    """Whether a glyph was seen on a scan rather than drawn."""
    return bool(glyph.show.drawn.path == RECOGNISED)
