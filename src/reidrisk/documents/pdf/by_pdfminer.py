"""The pages of a PDF as pdfminer reads them, many at a time in processes of their own.

Nothing here shares code with the removal. Glyphs are put into lines here, as letters are drawn and as they
stand: pdfminer's own analysis of the layout takes twice as long and says no more about what can be read.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise
from math import hypot
from pathlib import Path
from typing import Any

from reidrisk.errors import FailedCheck, MissingPackage

_ALONE = 80
"""Pages that one process reads sooner than another has started."""
_SPACE, _BACK, _LINE = 0.15, 0.6, 0.4
"""Shares of the size of letters: a gap between words, a step back, and a step up or down to another line."""
_UNKNOWN = "\ufffd"
DrawnGlyph = tuple[float, float, float, float, str]
"""Where a letter begins and on which line, where the next one would, its size, and what it says."""


def read_pages(path: Path, pages: int) -> Iterator[tuple[int, list[str] | None]]:
    """Number from 1 and text of each page, in one or two orders; None where it cannot be read."""
    processes = min(os.cpu_count() or 1, 4, pages // _ALONE)
    if processes < 2:
        yield from _read(path, range(pages))
        return
    bounds = [pages * part // processes for part in range(processes + 1)]
    command = [sys.executable, "-m", __name__, str(path)]
    children = [
        subprocess.Popen(  # noqa: S603 - its complaints may quote the document
            [*command, str(first), str(last)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for first, last in pairwise(bounds)
    ]
    try:
        # All are listened to at once: who is not would wait until its words are taken.
        with ThreadPoolExecutor(processes) as listeners:
            missing = set(range(1, pages + 1))
            for written in listeners.map(_said, children):
                for line in written.splitlines():
                    number, texts = json.loads(line)
                    missing.discard(number)
                    yield number, texts
            yield from ((number, None) for number in sorted(missing))
    finally:
        for child in children:
            child.kill()
            child.wait()


def _said(child: subprocess.Popen[bytes]) -> bytes:
    written, _ = child.communicate()
    if child.returncode:
        raise FailedCheck("pdfminer cannot read the file: nothing is proved.", hint="Is it whole?")
    return written


def _read(path: Path, numbers: range) -> Iterator[tuple[int, list[str] | None]]:
    """Pages by their numbers from 0, each by itself: one that fails does not stop the others."""
    try:
        from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
        from pdfminer.pdfpage import PDFPage
    except ImportError:
        raise MissingPackage.of_extra("pdfminer.six", "documents") from None
    resources = PDFResourceManager()
    with path.open("rb") as file:
        done = numbers.start
        for number, page in zip(numbers, PDFPage.get_pages(file, pagenos=set(numbers)), strict=False):
            done = number + 1
            device = _device(resources)
            try:
                PDFPageInterpreter(resources, device).process_page(page)
                yield number + 1, texts_of(device.glyphs)
            except Exception:  # noqa: BLE001 - other people's programs raise what they like
                yield number + 1, None
        for missing in range(done, numbers.stop):
            yield missing + 1, None


def _device(resources: Any) -> Any:
    """Collects the letters that a page draws."""
    from pdfminer.pdfdevice import PDFTextDevice
    from pdfminer.pdffont import PDFUnicodeNotDefined

    class Glyphs(PDFTextDevice):
        glyphs: list[DrawnGlyph]

        def render_char(self, matrix: Any, font: Any, size: float, scaling: float, *rest: Any) -> float:
            cid = rest[1]
            try:
                text = font.to_unichr(cid)
            except PDFUnicodeNotDefined:
                text = _UNKNOWN
            width: float = font.char_width(cid) * size * scaling
            a, b, c, d, x, y = matrix
            along, height = hypot(a, b), abs(hypot(c, d) * size)
            if b and along:  # lines that are turned are turned back
                x, y = (a * x + b * y) / along, (a * y - b * x) / along
            elif a < 0:
                x, y = -x, -y
            self.glyphs.append((x, y, x + along * width, height, text))
            return width

    device = Glyphs(resources)
    device.glyphs = []
    return device


def texts_of(glyphs: Sequence[DrawnGlyph]) -> list[str]:
    """The text of a page in the order in which it was drawn, and by lines if that differs.

    >>> texts_of([(9, 0, 12, 5, "b"), (5, 0, 8, 5, "a"), (5, 9, 8, 5, "c")])
    ['b\\na\\nc', 'c\\na b']
    """
    drawn = _joined(glyphs)
    ordered = sorted(glyphs, key=lambda glyph: -glyph[1])
    lines = [glyph for _, line in groupby(ordered, key=_Lines()) for glyph in sorted(line)]
    placed = drawn if lines == list(glyphs) else _joined(lines)
    return [drawn] if placed == drawn else [drawn, placed]


class _Lines:
    """The line of each glyph, from the top."""

    def __init__(self) -> None:
        self._line, self._height = 0, float("inf")

    def __call__(self, glyph: DrawnGlyph) -> int:
        if self._height - glyph[1] > _LINE * glyph[3]:
            self._line, self._height = self._line + 1, glyph[1]
        return self._line


def _joined(glyphs: Sequence[DrawnGlyph]) -> str:
    parts: list[str] = []
    end, base = 0.0, 0.0
    for x, y, after, size, text in glyphs:
        if parts:
            if abs(y - base) > _LINE * size or x - end < -_BACK * size:
                parts.append("\n")
            elif x - end > _SPACE * size:
                parts.append(" ")
        parts.append(text)
        end, base = after, y
    return "".join(parts)


def main() -> None:
    """Write the pages of a file, from one number to another, to the standard output."""
    path, first, last = sys.argv[1:4]
    logging.disable(logging.CRITICAL)
    for number, texts in _read(Path(path), range(int(first), int(last))):
        sys.stdout.write(json.dumps([number, texts]) + "\n")


if __name__ == "__main__":
    main()
