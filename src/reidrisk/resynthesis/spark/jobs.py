"""What the workers do with each part of the input: look for identifiers, then replace them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from reidrisk.core.wording import path_text
from reidrisk.detect.finding import Finding
from reidrisk.detect.settings import SHIPPED_MODEL, DetectSettings
from reidrisk.engine.spark.failures import without_values
from reidrisk.engine.spark.parquet_parts import PART, RowPart
from reidrisk.errors import BadData, SparkFailure
from reidrisk.resynthesis.corpus.note import Note, SourceOptions
from reidrisk.resynthesis.findings_file import findings_line
from reidrisk.resynthesis.replace import DeidentifiedNote
from reidrisk.resynthesis.result import ReplacementCounts
from reidrisk.resynthesis.spark.work import ABOUT, FOUND, HASHES, TEXTS, part_name, whole_part
from reidrisk.resynthesis.work_file import pack_findings, unpack_findings
from reidrisk.resynthesis.worker import Setup, Task, Worker, pieces

ANSWER = "rows long"
"""What a job returns: the rows of each part that it finished."""


@dataclass(frozen=True)
class TextJob:
    """Everything that a worker needs to know. The detector is built where it works: it cannot be sent."""

    setup: Setup
    shipped: bool
    """Whether the model is the one of the package, which may be in another folder there."""
    work: Path
    schema: Any = field(repr=False)
    """Names and types of the columns c0, c1, …"""
    source: SourceOptions
    parts: dict[int, RowPart] = field(repr=False)
    findings: bool = False
    """Whether to write the findings."""

    @classmethod
    def of(cls, setup: Setup, **given: Any) -> TextJob:
        """The job, with the model of the package marked as such, and whole paths of other files."""
        detect = setup.detect
        if not isinstance(detect, DetectSettings):
            return cls(setup=setup, shipped=False, **given)
        files = replace(
            detect,
            model=detect.model and detect.model.resolve(),
            known=detect.known and detect.known.resolve(),
            terms=tuple(path.resolve() for path in detect.terms),
        )
        shipped = detect.model == SHIPPED_MODEL
        return cls(setup=replace(setup, detect=files), shipped=shipped, **given)

    def worker(self) -> Worker:
        """The worker of this process, made for its first part."""
        if not (self.work / ABOUT).is_file():
            raise SparkFailure(
                f"A worker cannot see the folder {path_text(self.work.parent)}.",
                hint="Input and output must be in folders that every worker has under the same path and may "
                "use, such as a network file system.",
            )
        setup = self.setup
        if self.shipped and isinstance(setup.detect, DetectSettings):
            setup = replace(setup, detect=replace(setup.detect, model=SHIPPED_MODEL))
        return _worker(setup)


@lru_cache(maxsize=1)
def _worker(setup: Setup) -> Worker:
    return Worker(setup)


def look(job: TextJob, batches: Iterator[Any]) -> Iterator[Any]:
    """First job: keep the findings of each part, and its real values as numbers that reveal nothing."""
    with without_values():
        for part, rows in _by_part(job, batches, FOUND):
            _look(job, part, rows)
            yield _answer(part)


def _look(job: TextJob, part: RowPart, rows: Any) -> None:
    worker, name = job.worker(), part_name(part)
    tasks = [Task(note.text, note.scope) for note in notes_of(job, part, rows)]
    scans = [scan for piece in pieces(tasks) for scan in worker.scan(piece)]
    values = sorted({value for scan in scans for value in scan.values})
    hashes = pa.table({"number": pa.array(values, pa.int64())})
    found = pa.table({"findings": pa.array([pack_findings(scan.findings) for scan in scans], pa.string())})
    for stage, table in ((HASHES, hashes), (FOUND, found)):
        with whole_part(job.work / stage, name) as path:
            pq.write_table(table, path)


def replace_texts(job: TextJob, batches: Iterator[Any]) -> Iterator[Any]:
    """Second job: write the new texts of each part."""
    with without_values():
        for part, rows in _by_part(job, batches, TEXTS):
            _replace(job, part, rows)
            yield _answer(part)


def _replace(job: TextJob, part: RowPart, rows: Any) -> None:
    worker, texts = job.worker(), job.work / TEXTS
    notes = list(notes_of(job, part, rows))
    tasks = [
        Task(note.text, note.scope, found)
        for note, found in zip(notes, _found(job, part, len(notes)), strict=True)
    ]
    done = [one for piece in pieces(tasks) for one in worker.replace(piece)]
    _write_findings(job, part, notes, done)
    counts = ReplacementCounts()
    for note, one in zip(notes, done, strict=True):
        counts.add(note.text, one)
    with ExitStack() as files:
        path = files.enter_context(whole_part(texts, part_name(part)))
        about = files.enter_context(whole_part(texts, f"{part_name(part)}.json"))
        pq.write_table(_filled(job, rows, notes, done), path)
        about.write_text(json.dumps({"bytes": path.stat().st_size, "counts": counts.to_dict()}))


def _found(job: TextJob, part: RowPart, number: int) -> list[tuple[Finding, ...] | None]:
    """What the first job found; None where there was no first job."""
    if job.setup.settings.mode != "surrogate":
        return [None] * number
    kept = pq.read_table(job.work / FOUND / part_name(part)).column("findings").to_pylist()
    return [tuple(unpack_findings(text)) for text in kept]


def _write_findings(job: TextJob, part: RowPart, notes: list[Note], done: list[DeidentifiedNote]) -> None:
    if not job.findings:
        return
    lines = (findings_line(note, one, show_text=False) for note, one in zip(notes, done, strict=True))
    with whole_part(job.work / TEXTS, f"{part_name(part)}.findings") as path:
        path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _filled(job: TextJob, rows: Any, notes: list[Note], done: list[DeidentifiedNote]) -> Any:
    """The rows with the new texts; a cell without text stays so."""
    every = [None if note.record else one.text for note, one in zip(notes, done, strict=True)]
    columns = job.source.columns
    for at, name in enumerate(columns):
        place = job.schema.get_field_index(name)
        kind = job.schema.field(place)
        rows = rows.set_column(place, kind, pa.array(every[at :: len(columns)], kind.type))
    return rows.cast(job.schema)


def notes_of(job: TextJob, part: RowPart, rows: Any) -> Iterator[Note]:
    """The text cells of a part, row by row, as in a single Parquet file; `record` marks a missing cell."""
    texts = [rows.column(name).to_pylist() for name in job.source.columns]
    people = rows.column(job.source.person).to_pylist() if job.source.person else [None] * rows.num_rows
    for at, person in enumerate(people):
        for cells in texts:
            number = part.before + at + 1
            yield Note(
                f"row {number}", "" if person is None else str(person), cells[at] or "", cells[at] is None
            )


def _by_part(job: TextJob, batches: Iterator[Any], stage: str) -> Iterator[tuple[RowPart, Any]]:
    """The rows of each part, in order; without parts that an earlier attempt finished."""
    waiting: list[Any] = []
    for batch in batches:
        numbers = batch.column(batch.schema.get_field_index(PART)).to_pylist()
        first = 0
        for at in range(1, len(numbers) + 1):
            if at == len(numbers) or numbers[at] != numbers[first]:
                if waiting and waiting[0][0] != numbers[first]:
                    yield from _whole(job, waiting, stage)
                    waiting = []
                waiting.append((numbers[first], batch.slice(first, at - first)))
                first = at
    if waiting:
        yield from _whole(job, waiting, stage)


def _whole(job: TextJob, pieces_read: list[tuple[int, Any]], stage: str) -> Iterator[tuple[RowPart, Any]]:
    """A part with the names and types of the input."""
    part = job.parts[pieces_read[0][0]]
    rows = pa.Table.from_batches([piece for _, piece in pieces_read])
    if rows.num_rows != part.rows:
        raise BadData(
            f"Part {part.number} has {rows.num_rows} rows instead of {part.rows}.",
            hint="The input was changed while it was read. Start again without --resume.",
        )
    if (job.work / stage / part_name(part)).exists():
        return
    columns = rows.select([f"c{at}" for at in range(len(job.schema))]).rename_columns(job.schema.names)
    yield part, columns.cast(job.schema)


def _answer(part: RowPart) -> Any:
    return pa.record_batch({"rows": pa.array([part.rows], pa.int64())})
