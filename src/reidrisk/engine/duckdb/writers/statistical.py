"""Files of SAS (transport), SPSS and Stata, through pyreadstat, which takes Polars frames."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.scan import NAME, Form
from reidrisk.engine.duckdb.writers.delimited import plain
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


@dataclass(frozen=True, slots=True)
class FormatLimits:
    """What a format allows."""

    name: re.Pattern[str]
    rule: str
    longest: int | None
    """Bytes of a text."""


WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
WORD_RULE = "letters, digits and underscores, at most 32, no digit first"
SPSS_NAME = re.compile(r"[^\W\d_][\w.$#@]{0,63}")
LIMITS = {
    ".xpt": FormatLimits(WORD, WORD_RULE, 32_767),
    ".dta": FormatLimits(WORD, f"{WORD_RULE}, no word of Stata's own", None),
    ".sav": FormatLimits(SPSS_NAME, "letters, digits and underscores, at most 64, a letter first", 32_767),
}
LIMITS[".zsav"] = LIMITS[".sav"]
KINDS = {"VARCHAR": "text", "DATE": "date", "TIMESTAMP": "timestamp", "TIME": "time"}
"""Kinds of values, by the type in the database; all others are numbers."""
TEXT_FORMAT = re.compile(r"\$[A-Z_]*?(\d+)\.?")
LONGEST_LABEL = 40
NUMBER = 8
"""Bytes of a number in a SAS transport file."""
SHORT_NAME, SHORT_TEXT = 8, 200
"""Of version 5 of SAS transport files, which is what regulators ask for."""


def write_statistical(relation: DuckDBPyRelation, part: Path, form: Form, suffix: str) -> None:
    """The labels of variables are kept; those of values are not, as values have changed.

    From one SAS file to another, formats and lengths are kept, too, where they fit the new values. The
    whole table has to fit in memory.
    """
    needed("polars")
    package = needed("pyreadstat")
    simple = plain(relation)
    widths = _widths(simple)
    _refuse_misfits(simple, max(widths.values(), default=0), LIMITS[suffix])
    labels = {name: text for name, text in form.labels.items() if name in simple.columns}
    frame = simple.pl()
    try:
        if suffix == ".xpt":
            kept = {"column_labels": labels, "variable_format": _formats(simple, form, widths)}
            lengths = {name: max(size, _length(form, name)) for name, size in widths.items()}
            _write_transport(package, _padded(frame, lengths), part, {**kept, **_named(form)}, lengths)
        elif suffix == ".dta":
            package.write_dta(frame, str(part), column_labels=labels)
        else:
            package.write_sav(frame, str(part), column_labels=labels, compress=suffix == ".zsav")
    except (package.ReadstatError, package.PyreadstatError) as error:
        raise _explained(error, LIMITS[suffix]) from None


def _write_transport(
    package: Any, frame: Any, part: Path, given: Mapping[str, Any], widths: Mapping[str, int]
) -> None:
    """The package does not notice that a disk is full: what is too short was not written completely."""
    short = max(widths.values(), default=0) <= SHORT_TEXT and max(map(len, frame.columns)) <= SHORT_NAME
    options = {**given, "file_format_version": 5 if short else 8}
    package.write_xport(frame.clear(), str(part), **options)
    header = part.stat().st_size
    package.write_xport(frame, str(part), **options)
    row = sum(widths.get(name, NUMBER) for name in frame.columns)
    if part.stat().st_size < header + row * frame.height:
        raise OSError(errno.ENOSPC, "the disk is full")


def _named(form: Form) -> dict[str, str]:
    """The name and the label of the dataset, if the source has some that fit."""
    fits = form.name != NAME and WORD.fullmatch(form.name) and len(form.name) <= SHORT_NAME
    labelled = {"file_label": form.label} if form.label and len(form.label) <= LONGEST_LABEL else {}
    return {"table_name": form.name, **labelled} if fits else labelled


def _formats(relation: DuckDBPyRelation, form: Form, widths: Mapping[str, int]) -> dict[str, str]:
    """The formats of variables that still have the same kind of value, and room for it."""
    found = {}
    for name, kind in zip(relation.columns, relation.types, strict=True):
        own = form.sas.get(name)
        if own is None or own.format is None or own.kind != KINDS.get(str(kind), "number"):
            continue
        room = TEXT_FORMAT.fullmatch(own.format)
        if room is None or widths[name] <= int(room[1]):
            found[name] = own.format
    return found


def _length(form: Form, name: str) -> int:
    """The length of a text variable in the source; 0 if it was none."""
    own = form.sas.get(name)
    return own.width if own is not None and own.kind == "text" else 0


def _padded(frame: Any, lengths: Mapping[str, int]) -> Any:
    """The frame with spaces after the first text of each column: the longest text decides the length.

    These files fill up every text with spaces, so the texts themselves stay the same.
    """
    if not frame.height:
        return frame
    import polars

    columns = []
    for name, length in lengths.items():
        first = frame[name][0] or ""
        padded = first + " " * (length - len(first.encode()))
        columns.append(polars.concat([polars.Series(name, [padded]), frame[name][1:]]))
    return frame.with_columns(columns)


def _widths(relation: DuckDBPyRelation) -> dict[str, int]:
    """Bytes that every text of a column takes."""
    kinds = zip(relation.columns, relation.types, strict=True)
    names = [name for name, kind in kinds if str(kind) == "VARCHAR"]
    if not names:
        return {}
    found = relation.aggregate(", ".join(f"max(strlen({quoted(name)}))" for name in names)).fetchone()
    return {name: max(size or 0, 1) for name, size in zip(names, found or (), strict=True)}


def _refuse_misfits(relation: DuckDBPyRelation, longest: int, limits: FormatLimits) -> None:
    odd = next((name for name in relation.columns if not limits.name.fullmatch(name)), None)
    if odd is not None:
        raise BadData(f"A column cannot be named {odd!r} in this format.", hint=f"Rename it: {limits.rule}.")
    if limits.longest is not None and longest > limits.longest:
        raise BadData(
            f"A text is longer than the {limits.longest:,} bytes that this format takes.",
            hint="Write a Parquet, DuckDB or CSV file instead.",
        )


def _explained(error: Any, limits: FormatLimits) -> Exception:
    if "write" in str(error).lower():
        return OSError(errno.ENOSPC, "the disk is full")
    return BadData(
        "The table does not fit into this format, most likely because of the name of a column.",
        hint=f"Names are {limits.rule}.",
    )
