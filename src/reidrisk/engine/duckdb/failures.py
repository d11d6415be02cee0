"""Errors of the database in our words, without a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from reidrisk.core.input_limits import LINE
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData, OverBudget, ReidRiskError, UnreadableFile

ROW_LINE = re.compile(r"\ACSV Error on Line: (\d+)$", re.MULTILINE)
"""Anchored at the start: what follows is the line itself, and may say anything."""


@contextmanager
def without_values(place: str) -> Iterator[None]:
    """Run the database; an error becomes one of ours, and the original text is not even chained."""
    duckdb = needed("duckdb", extra="tables")
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise explained(error, place) from None


def explained(error: Exception, place: str) -> ReidRiskError:
    """What went wrong, by the kind of error and the line number alone."""
    name = type(error).__name__
    text = str(error).split(": ", maxsplit=1)[-1]
    return (
        _bad_text(text, name, place) or _bad_place(text, name, place) or damaged(place, f"a table ({name})")
    )


def _bad_text(text: str, name: str, place: str) -> UnreadableFile | None:
    line = ROW_LINE.search(text)
    if "aximum line size" in text:
        return LINE.exceeded(place)
    if "not utf-8 encoded" in text or "nvalid unicode" in text or "nvalid UTF" in text:
        return _wrong_encoding(place, line)
    if line:
        return _bad_row(place, int(line[1]), conversion=name == "ConversionException")
    if text.startswith("Error when sniffing file"):
        return UnreadableFile(
            f"{place}: it cannot be detected how lines are divided into fields.",
            hint="Name the delimiter, and check that every line has as many fields as the header.",
        )
    return None


def _bad_place(text: str, name: str, place: str) -> BadData | None:
    if name == "OutOfMemoryException":
        return OverBudget(
            f"{place} needs more memory or disk than allowed.",
            hint="Allow more memory (--memory), or name a folder on a disk with room (--temp).",
        )
    if "set lock on file" in text or "already attached" in text:
        return BadData(
            f"{place} is open in another program or connection.", hint="Close it there, or copy the file."
        )
    if "No space left" in text:
        return BadData(f"{place}: the disk is full.", hint="Name a folder on a disk with room (--temp).")
    return None


def damaged(place: str, kind: str) -> UnreadableFile:
    """A file that its own package cannot parse."""
    return UnreadableFile(
        f"{place} cannot be read as {kind}.",
        hint="Check that the file is complete and opens in the program that wrote it.",
    )


def _wrong_encoding(place: str, line: re.Match[str] | None) -> UnreadableFile:
    where = f"{place}, near line {line[1]}" if line else place
    return UnreadableFile(
        f"{where}: the text is not in the encoding expected.",
        hint="Name the encoding: --encoding cp1252, which spreadsheets often use, or latin-1, or utf-16.",
    )


def _bad_row(place: str, line: int, *, conversion: bool) -> UnreadableFile:
    if conversion:
        problem, hint = "a value does not fit the type of its column", "Correct the value."
    else:
        problem = "the row has not as many fields as the header, or a quote is not closed"
        hint = "Correct the line, or name the delimiter if another one was detected."
    return UnreadableFile(f"{place}, line {line}: {problem}.", hint=hint)
