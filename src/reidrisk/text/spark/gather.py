"""Count what a tool caught in Parquet files of annotations, on Spark.

Both sides are joined by document. Workers count part by part; only the counts reach the driver, which adds
them up in the order of the gold standard. So the evidence is the one that a single machine finds.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reidrisk.core.shown_ids import shown_document
from reidrisk.engine.packages import needed
from reidrisk.engine.spark.failures import job_errors
from reidrisk.engine.spark.parquet_parts import ParquetParts, open_parquet, part_frame, whole_frame
from reidrisk.engine.spark.session import spark_session
from reidrisk.errors import InvalidSetting, UnknownColumn, UnmatchedDocuments
from reidrisk.text.evaluate import (
    EvidenceCount,
    GroupTallies,
    Source,
    TextFiles,
    unmatched_documents,
)
from reidrisk.text.evidence import Evidence
from reidrisk.text.leaks import LeakList
from reidrisk.text.settings import TextSettings
from reidrisk.text.tally import Counting

ID, TEXT = "doc_id", "text"
MARKS = ("entities", "spans")
RELEASED = ("redacted", "surrogate")
ROWS = 1024
"""Documents of a part, which a worker counts together."""


@dataclass(frozen=True)
class SparkCount:
    """What to count, and whether to list the leaks."""

    counting: Counting
    settings: TextSettings
    leaks: bool = False
    show_text: bool = False


@dataclass(frozen=True)
class SideColumns:
    """The columns of the gold standard or of a tool."""

    names: tuple[str, ...]
    source: str
    released: str | None = None
    """How the tool's texts were changed, if it gave texts instead of annotations."""


def gather_on_spark(
    gold: Source,
    tool: Source,
    job: SparkCount,
    *,
    groups: GroupTallies,
    leaks: LeakList | None,
    engine: Any,
) -> Evidence:
    """The evidence of all documents, with the groups and leaks, which are added to those given."""
    originals, marks = _side(gold), _side(tool)
    count = EvidenceCount(job.counting, job.settings)
    with spark_session(engine) as session, job_errors():
        only_tool, first = _check_ids(session, originals[0], marks[0])
        missing = 0
        for payload in _counted(session, originals, marks, job):
            counts, own_groups, own_leaks, own_missing = pickle.loads(payload)  # noqa: S301 - our own workers
            count.add_state(counts)
            groups.add_state(own_groups)
            if leaks is not None:
                leaks.leaks += own_leaks
            missing += own_missing
    return count.finish(unmatched_documents(missing, only_tool, first, job.settings))


def _side(source: Source) -> tuple[ParquetParts, SideColumns]:
    """One side's files, and the columns that matter; other columns can be used for grouping."""
    if isinstance(source, str | Path):
        source = TextFiles(source)
    if not isinstance(source, TextFiles):
        raise InvalidSetting(
            "Documents in memory cannot be counted on Spark.",
            hint="Give Parquet files, or leave out the engine.",
        )
    if source.format not in (None, *RELEASED):
        raise InvalidSetting(
            f"Spark reads Parquet files, not the format {source.format!r}.",
            hint="Leave out --gold-format and --tool-format, or use redacted or surrogate.",
        )
    files = open_parquet(source.path, size=ROWS)
    released = source.format if source.format in RELEASED else None
    names = files.schema.names
    wanted = (ID, TEXT) if released else (ID, next((name for name in MARKS if name in names), MARKS[1]))
    for name in wanted:
        if name not in names:
            raise UnknownColumn.among(name, names, source=f"The Parquet file of {Path(source.path).name}")
    return files, SideColumns(tuple(names), str(source.path), released)


def _check_ids(session: Any, gold: ParquetParts, tool: ParquetParts) -> tuple[int, str]:
    """Every id must occur once on each side. Returns how many only the tool has, and the first of them."""
    fn = needed("pyspark.sql.functions", extra="spark")
    both = [
        whole_frame(session, side, [ID], "i").withColumn("tool", fn.lit(at))
        for at, side in enumerate((gold, tool))
    ]
    ids = (
        both[0]
        .union(both[1])
        .groupBy("i0")
        .agg(fn.count_if(fn.col("tool") == 0).alias("here"), fn.count_if(fn.col("tool") == 1).alias("there"))
    )
    only = (fn.col("here") == 0) | fn.col("i0").isNull()  # no document has no id
    counted = ids.agg(
        *(fn.min(fn.when(fn.col(side) > 1, fn.col("i0"))) for side in ("here", "there")),
        fn.coalesce(fn.sum(fn.when(only, fn.col("there"))), fn.lit(0)),
        fn.min(fn.when(only & (fn.col("there") > 0), fn.col("i0"))),
    )
    *doubled, extra, first = counted.collect()[0]
    for twice, what in zip(doubled, ("gold standard", "tool output"), strict=True):
        if twice is not None:
            raise UnmatchedDocuments(
                f"The {what} contains {shown_document(str(twice))} twice.",
                hint="Give every document a unique id.",
            )
    return int(extra), str(first)


def _counted(
    session: Any,
    gold: tuple[ParquetParts, SideColumns],
    tool: tuple[ParquetParts, SideColumns],
    job: SparkCount,
) -> Iterator[bytes]:
    """The counts of each part, in order."""
    from reidrisk.text.spark.job import ANSWER, CountJob, count_parts

    (originals, one), (marks, other) = gold, tool
    parts = list(originals.parts())
    if not parts:
        return
    beside = whole_frame(session, marks, list(other.names), "t")
    at = f"c{one.names.index(ID)}", f"t{other.names.index(ID)}"

    def join(rows: Any) -> Any:
        return rows.join(beside, rows[at[0]] == beside[at[1]], "left")

    frame = part_frame(session, originals, parts, list(one.names), join)
    places = {part.number: (originals.files[part.file].name, part.before) for part in parts}
    work = CountJob(job, one, other, places)
    found = frame.mapInArrow(partial(count_parts, work), ANSWER).collect()
    for row in sorted(found, key=lambda row: int(row["part"])):
        yield bytes(row["counts"])
