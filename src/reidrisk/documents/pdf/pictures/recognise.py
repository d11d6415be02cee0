"""Text of scanned pages, recognised by Tesseract where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

from reidrisk.documents.pdf.affine import IDENTITY, Matrix, at, inverse, lengths
from reidrisk.documents.pdf.fonts.font import Font
from reidrisk.documents.pdf.glyph import Drawn, Glyph, Show
from reidrisk.documents.pdf.pictures.frame import rendering, to_pixels

RECOGNISED = (-1,)
"""The path of text that no operator draws."""
_SCALE = 300 / 72
_WORD = "5"
"""Tesseract's level of words in its table."""


def tesseract() -> str | None:
    """The program, if it is installed."""
    return shutil.which("tesseract")


def recognised(path: Path, number: int) -> list[Show]:
    """The words of a page, counted from 1, each as one glyph; none where Tesseract is not installed."""
    program = tesseract()
    if program is None:
        return []
    with rendering(path) as document:
        page = document[number - 1]
        picture = page.render(scale=_SCALE, grayscale=True).to_pil()
        back = inverse(to_pixels(page, _SCALE))
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


def _show(row: list[str], back: Matrix, line: tuple[int, int]) -> Show:
    left, width = int(row[6]), int(row[8])
    top, bottom = line
    height = (bottom - top) / (0.78 + 0.22)
    base = bottom - 0.22 * height
    x, y = at(back, left, base)
    unit = lengths(back)[0]
    a, b, c, d, _, _ = back
    matrix: Matrix = (a * height, b * height, -c * height, -d * height, x, y)
    show = Show(
        Drawn(RECOGNISED, None, []), 0, IDENTITY, IDENTITY, Font(None, {}, {}, 0.5), height * unit,
        0.0, 0.0, 1.0, 0.0, 3, inside=False,
    )  # fmt: skip
    show.glyphs.append(Glyph(show, 0, 0, 0, 0, row[11].strip(), matrix, width / height, 0.0))
    return show


def beside(words: list[Show], glyphs: list[Glyph]) -> list[Show]:
    """The words that are not drawn as text as well."""
    middles = [at(glyph.matrix, glyph.advance / 2, 0.25) for glyph in glyphs]
    return [show for show in words if not any(_covers(show.glyphs[0], x, y) for x, y in middles)]


def _covers(word: Glyph, x: float, y: float) -> bool:
    back = inverse(word.matrix)
    along, upward = at(back, x, y) if back is not None else (-1.0, -1.0)
    return 0 < along < word.advance and -0.22 < upward < 0.78


def is_recognised(glyph: Any) -> bool:
    """Whether a glyph was seen on a scan rather than drawn."""
    return bool(glyph.show.drawn.path == RECOGNISED)
