"""Where other readers see values that our own text of a page does not show.

Readers put words in other orders, join what a hyphen parts, and guess letters that a font does not name. If
one of them still reads a value in a written file, its places in the source are looked for as it sees them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reidrisk.core.matching import fold
from reidrisk.documents.pdf.glyphs import Glyph, Matrix, Point, at, inverse
from reidrisk.documents.pdf.layout import UNREAD
from reidrisk.documents.pdf.pages import Pages, ReadPage
from reidrisk.documents.pdf.rendering import PATIENCE, letters_by_pdfium, rendering, to_pixels

Spot = tuple[str, Point | None]
"""A letter, and where it stands on the page."""
_BETWEEN = r"[\s\-\u00ad\u2010\u2011\u200b-\u200f\u2060]*"
_NEAR = 1.0
_END: Spot = ("\n\x00\n", None)
"""Nothing goes on beyond it."""
_TOGETHER = 50
"""Pages that Poppler reads at once."""
_PREFIX = "{http://www.w3.org/1999/xhtml}"


def places_seen(
    pages: Pages, path: Path, values: Mapping[int, Sequence[str]]
) -> Iterator[tuple[str, int, int]]:
    """Block, start and end of what readers take for values, whatever parts their letters."""
    patterns = {number: found for number, wanted in sorted(values.items()) if (found := _pattern(wanted))}
    numbers = list(patterns)
    others = zip(_by_pdfminer(path, numbers), _by_poppler(path, numbers), strict=True)
    for (number, pattern), (pdfminer, poppler) in zip(patterns.items(), others, strict=True):
        page = pages.read(number)
        places = set(_own(page, pattern))
        drawn = [(at, glyph) for at, glyphs in enumerate(page.text.glyphs) for glyph in glyphs]
        for spots, matches in (
            (_by_string(page), _at_origin),
            (_by_line(page), _at_origin),
            (_by_pdfium(path, number), _at_origin),
            (pdfminer, _at_origin),
            (poppler, _at_middle),
        ):
            for points in _found(spots, pattern):
                places |= {at for at, glyph in drawn if any(matches(glyph, point) for point in points)}
        yield from ((page.name, *place) for place in _stretches(sorted(places), page.text.text))
        page.forget()


def _pattern(values: Sequence[str]) -> re.Pattern[str] | None:
    """Finds values with anything between their letters that readers leave out or put in."""
    spelled = []
    for value in values:
        letters = [letter for letter in fold(value) if not re.fullmatch(_BETWEEN, letter)]
        if letters:
            spelled.append(_BETWEEN.join(map(re.escape, letters)))
    return re.compile("|".join(sorted(spelled, key=len, reverse=True))) if spelled else None


def _folded(text: str) -> tuple[str, list[int]]:
    """A text as it is compared, and from which character each of its characters comes."""
    pieces = [fold(letter) or letter for letter in text]
    return "".join(pieces), [place for place, piece in enumerate(pieces) for _ in piece]


def _own(page: ReadPage, pattern: re.Pattern[str]) -> Iterator[int]:
    text, origin = _folded(page.text.text)
    for found in pattern.finditer(text):
        yield from range(origin[found.start()], origin[found.end() - 1] + 1)


def _found(spots: Sequence[Spot], pattern: re.Pattern[str]) -> Iterator[list[Point]]:
    pieces = [fold(letter) or letter for letter, _ in spots]
    origin = [place for place, piece in enumerate(pieces) for _ in piece]
    for found in pattern.finditer("".join(pieces)):
        inside = spots[origin[found.start()] : origin[found.end() - 1] + 1]
        yield [point for letter, point in inside if point is not None and not letter.isspace()]


def _at_origin(glyph: Glyph, point: Point) -> bool:
    return abs(glyph.matrix[4] - point[0]) < _NEAR and abs(glyph.matrix[5] - point[1]) < _NEAR


def _at_middle(glyph: Glyph, point: Point) -> bool:
    """Whether a point in the middle of a letter, as far as a reader tells it, lies on a glyph."""
    back = inverse(glyph.matrix)
    if back is None:
        return False
    along, upward = at(back, *point)
    margin = 0.1 * glyph.advance
    return -margin < along < glyph.advance + margin and -0.3 < upward < 0.9


def _by_string(page: ReadPage) -> list[Spot]:
    """Letters string by string as the file holds them, which a search of its streams sees."""
    spots: list[Spot] = []
    for show in page.content.shows:
        for _, glyphs in groupby(show.glyphs, key=lambda glyph: glyph.item):
            spots += [(glyph.text or UNREAD, glyph.matrix[4:]) for glyph in glyphs]
            spots.append(_END)
    return spots


def _by_line(page: ReadPage) -> list[Spot]:
    """Letters from left to right along each line, also those of texts that lie over each other."""
    lines: dict[int, list[Glyph]] = defaultdict(list)
    for glyph in page.content.glyphs:
        lines[round(glyph.matrix[5])].append(glyph)
    spots: list[Spot] = []
    for line in lines.values():
        ordered = sorted(line, key=lambda glyph: glyph.matrix[4])
        spots += [(glyph.text or UNREAD, glyph.matrix[4:]) for glyph in ordered]
        spots.append(_END)
    return spots


def _by_pdfminer(path: Path, numbers: Sequence[int]) -> Iterator[list[Spot]]:
    """Letters by page. The file is opened once, and again after a page that cannot be read."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams

    how = LAParams(boxes_flow=None, all_texts=True)
    done = 0
    while done < len(numbers):
        try:
            for page in extract_pages(
                path, page_numbers=[number - 1 for number in numbers[done:]], laparams=how
            ):
                done += 1
                yield list(_pdfminer_letters(page))
        except Exception:  # noqa: BLE001 - what it cannot read, it does not see
            done += 1
            yield []
        else:
            yield from ([] for _ in numbers[done:])
            return


def _pdfminer_letters(item: Any) -> Iterator[Spot]:
    if hasattr(item, "matrix") and hasattr(item, "get_text"):
        yield item.get_text(), item.matrix[4:]
    elif hasattr(item, "get_text") and not hasattr(item, "__iter__"):
        yield item.get_text(), None
    elif hasattr(item, "__iter__"):
        for part in item:
            yield from _pdfminer_letters(part)


def _by_pdfium(path: Path, number: int) -> list[Spot]:
    return [(letter, (x, y)) for x, y, letter in letters_by_pdfium(path, number, spaces=True) if letter]


def _by_poppler(path: Path, numbers: Sequence[int]) -> Iterator[list[Spot]]:
    """Letters by page, of Poppler's words, spread evenly over each."""
    program = shutil.which("pdftotext")
    for _, run in groupby(enumerate(numbers), key=lambda one: (one[1] - one[0], one[0] // _TOGETHER)):
        pages = [number for _, number in run]
        words = None if program is None else _poppler_words(program, path, pages[0], pages[-1])
        for place, number in enumerate(pages):
            yield [] if words is None else _poppler_letters(path, number, words[place])


def _poppler_words(program: str, path: Path, first: int, last: int) -> list[list[Any]] | None:
    """The words of each of some pages; those of a page that Poppler cannot read are missing."""
    command = [program, "-bbox", "-cropbox", "-f", str(first), "-l", str(last), str(path), "-"]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)  # noqa: S603
        found = ElementTree.fromstring(done.stdout).iter(f"{_PREFIX}page")  # noqa: S314 - made by Poppler
        words = [list(page.iter(f"{_PREFIX}word")) for page in found]
    except (subprocess.TimeoutExpired, ElementTree.ParseError):
        words = []
    if len(words) == last - first + 1:
        return words
    if first == last:
        return None
    each = [_poppler_words(program, path, number, number) for number in range(first, last + 1)]
    return [[] if one is None else one[0] for one in each]


def _poppler_letters(path: Path, number: int, words: list[Any]) -> list[Spot]:
    with rendering(path) as document:
        frame = to_pixels(document[number - 1], 1.0)
    return [spot for word in words for spot in _spread(word, frame)]


def _spread(word: Any, frame: Matrix) -> Iterable[Spot]:
    back, text = inverse(frame), word.text or ""
    left, right = float(word.get("xMin")), float(word.get("xMax"))
    middle = (float(word.get("yMin")) + float(word.get("yMax"))) / 2
    for place, letter in enumerate(text):
        x = left + (right - left) * (place + 0.5) / len(text)
        yield letter, None if back is None else at(back, x, middle)
    yield " ", None


def _stretches(places: Sequence[int], text: str) -> Iterator[tuple[int, int]]:
    """Neighbouring places as stretches; white space between two of them belongs to them."""
    if not places:
        return
    start = places[0]
    for before, after in pairwise([*places, len(text) + 2]):
        if after > before + 1 and (after > len(text) or text[before + 1 : after].strip()):
            yield start, before + 1
            start = after
