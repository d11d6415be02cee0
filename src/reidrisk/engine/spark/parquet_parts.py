"""A folder of Parquet files, cut into parts that Spark works on one by one.

A part is a fixed number of rows of one file. The parts do not depend on the cluster, so that another run, on
other machines, can go on where one was stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from reidrisk.core.wording import path_text
from reidrisk.engine.packages import needed
from reidrisk.engine.spark.jobs import sent
from reidrisk.errors import BadData, FailedCheck, UnreadableFile

SUFFIXES = (".parquet", ".pq")
PART, ROW = "part", "row"
"""Names of two columns of a frame of parts; the others are c0, c1, …"""
MOST_PARTITIONS = 1000
_GLOB = re.compile(r"([\\{}\[\]*?^])")
_TAIL = 8
"""Bytes at the end of a file: length of the footer, and PAR1."""


@dataclass(frozen=True, slots=True)
class ParquetFile:
    """One file of the input."""

    path: Path
    name: str
    """Relative to the folder."""
    rows: int
    digest: str
    """Another digest means that the file was changed."""


@dataclass(frozen=True, slots=True)
class RowPart:
    """Some rows of one file."""

    number: int
    file: int
    """Position of its file."""
    piece: int
    """Position in its file."""
    first: int
    """Its first row, in the file."""
    rows: int
    before: int
    """Rows of all files before it."""


@dataclass(frozen=True, slots=True)
class ParquetParts:
    """The files of a folder, and the parts into which they are cut."""

    root: Path
    files: tuple[ParquetFile, ...]
    schema: Any = field(repr=False)
    """The columns and their types, as in every file."""
    size: int = 2048
    """Rows of a part."""

    @property
    def rows(self) -> int:
        """Rows of all files."""
        return sum(file.rows for file in self.files)

    @property
    def digest(self) -> str:
        """Another digest means that the input was changed."""
        named = "\n".join(f"{file.name}\t{file.digest}" for file in self.files)
        return sha256(f"{self.size}\n{named}".encode("utf-8", "surrogatepass")).hexdigest()

    def parts(self) -> Iterator[RowPart]:
        """The parts in order."""
        number = before = 0
        for at, file in enumerate(self.files):
            for piece, first in enumerate(range(0, file.rows, self.size)):
                yield RowPart(number, at, piece, first, min(self.size, file.rows - first), before + first)
                number += 1
            before += file.rows


def open_parquet(path: str | Path, *, size: int = 2048) -> ParquetParts:
    """The Parquet files of a folder and its subfolders, or a single file; all must have the same columns."""
    parquet = needed("pyarrow.parquet", extra="spark")
    root = Path(path).resolve()
    found = [root] if root.is_file() else sorted(one for one in root.rglob("*") if _counts(one, root))
    if not found or (root.is_file() and root.suffix.lower() not in SUFFIXES):
        raise UnreadableFile(
            f"{path_text(path)} contains no Parquet files.",
            hint="Spark works on Parquet: a file or a folder of files that end in .parquet. "
            "Leave out --master for other files.",
        )
    files, schema = [], None
    for one in found:
        try:
            footer = parquet.read_metadata(one)
            own = footer.schema.to_arrow_schema()
            files.append(ParquetFile(one, _name(one, root), footer.num_rows, _digest(one)))
        except (OSError, ValueError):
            raise UnreadableFile(
                f"{path_text(one)} is not a Parquet file.", hint="Check that it is complete."
            ) from None
        schema = schema or own
        if not own.equals(schema):
            raise BadData(
                f"{path_text(one.name)} has other columns or types than {path_text(found[0].name)}.",
                hint="Write all files with the same columns, in the same order, of the same types.",
            )
    return ParquetParts(root if root.is_dir() else root.parent, tuple(files), schema, size)


def part_frame(
    session: Any,
    source: ParquetParts,
    wanted: Collection[RowPart],
    columns: list[str],
    beside: Callable[[Any], Any] | None = None,
) -> Any:
    """A data frame with the rows of the wanted parts: the columns as c0, c1, …, the part, and the row.

    Each part is in one partition, in the order of its rows. Only files with wanted parts are read. `beside`
    adds columns to the rows.
    """
    functions = needed("pyspark.sql.functions", extra="spark")
    if "_metadata" in source.schema.names:
        raise BadData("A column is named _metadata.", hint="Rename it: Spark uses this name itself.")
    used = sorted({part.file for part in wanted})
    paths = [spark_path(source.files[at].path) for at in used]
    read = session.read.parquet(*paths).select(
        *(quoted(name) for name in columns),
        functions.col("_metadata.file_path"),
        functions.col("_metadata.row_index"),
    )
    names = [f"c{at}" for at in range(len(columns))]
    rows = read.toDF(*names, "place", ROW)
    piece = functions.floor(functions.col(ROW) / source.size).cast("long")
    number = max(1, min(len(wanted), MOST_PARTITIONS))
    spread = {part.number: at % number for at, part in enumerate(wanted)}
    places = [(*place, spread[place[2]]) for place in _places(read, source, wanted)]
    joined = rows.withColumn("piece", piece).join(_listed(session, places), ["place", "piece"])
    whole = joined.drop("place", "piece") if beside is None else beside(joined.drop("place", "piece"))
    return _spread(whole, number).drop("spread").sortWithinPartitions(PART, ROW)


def _listed(session: Any, places: list[tuple[str, int, int, int]]) -> Any:
    """A small frame of the wanted parts."""
    arrow, types = needed("pyarrow", extra="spark"), needed("pyspark.sql.types", extra="spark")
    kinds = (types.StringType(), types.LongType(), types.LongType(), types.IntegerType())
    stored = (arrow.string(), arrow.int64(), arrow.int64(), arrow.int32())
    cells = [[place[at] for place in places] for at in range(len(kinds))]
    names = ("place", "piece", PART, "spread")
    return sent(
        session,
        {
            name: (arrow.array(own, form), kind)
            for name, own, form, kind in zip(names, cells, stored, kinds, strict=True)
        },
    )


def whole_frame(session: Any, source: ParquetParts, columns: list[str], prefix: str) -> Any:
    """A data frame with all rows; the columns are named by the prefix and a number."""
    paths = [spark_path(file.path) for file in source.files]
    read = session.read.parquet(*paths).select(*(quoted(name) for name in columns))
    return read.toDF(*(f"{prefix}{at}" for at in range(len(columns))))


def spark_path(path: Path) -> str:
    """A path as Spark reads it, without any meaning of its signs."""
    return "file:" + _GLOB.sub(r"\\\1", str(path))


def quoted(name: str) -> str:
    """A column as Spark reads it: a dot in its name does not mean a nested field."""
    return "`" + name.replace("`", "``") + "`"


def _places(read: Any, source: ParquetParts, wanted: Collection[RowPart]) -> list[tuple[str, int, int]]:
    """Each wanted part under both names that Spark has for its file: file:/ and file:///."""
    spelled = {Path(unquote(urlparse(one).path)): urlparse(one).path for one in read.inputFiles()}
    try:
        paths = [spelled[source.files[one.file].path] for one in wanted]
    except KeyError:
        raise FailedCheck(
            "Spark names an input file in another way than the operating system.",
            hint="Use plain letters in the names of the files.",
        ) from None
    return [
        (f"file:{slashes}{path}", one.piece, one.number)
        for slashes in ("", "//")
        for path, one in zip(paths, wanted, strict=True)
    ]


def _spread(rows: Any, number: int) -> Any:
    """Spread parts evenly; older versions of Spark may put several into one partition."""
    if hasattr(rows, "repartitionById"):
        return rows.repartitionById(number, "spread")
    return rows.repartition(number, "spread")


def _counts(path: Path, root: Path) -> bool:
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(root).parts)
    return not hidden and path.suffix.lower() in SUFFIXES and path.is_file()


def _name(path: Path, root: Path) -> str:
    return path.name if path == root else path.relative_to(root).as_posix()


def _digest(path: Path) -> str:
    """Size, time of change and footer, which has the place and size of every column: no data are read."""
    state = path.stat()
    with path.open("rb") as file:
        file.seek(-_TAIL, 2)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-_TAIL - min(length, state.st_size - _TAIL), 2)
        return sha256(b"%d %d " % (state.st_size, state.st_mtime_ns) + file.read()).hexdigest()
