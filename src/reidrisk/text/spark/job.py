"""What the workers do with each part: count its documents as a single machine would."""

from __future__ import annotations

import hmac
import json
import pickle
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from pathlib import PurePath
from typing import Any

import pyarrow as pa

from reidrisk.core.shown_ids import ids_shown, showing_ids
from reidrisk.engine.spark.failures import without_values
from reidrisk.engine.spark.parquet_parts import PART, ROW
from reidrisk.text.corpus import Document, ReleasedText
from reidrisk.text.evaluate import EvidenceCount, GroupTallies, Listener, ToolDocument, missing_document
from reidrisk.text.formats.align import settle_misfits
from reidrisk.text.formats.jsonl import document_of
from reidrisk.text.formats.location import ErrorsAt, Location, unreadable
from reidrisk.text.formats.released import released_text
from reidrisk.text.leaks import LeakList
from reidrisk.text.spark.gather import ID, MARKS, TEXT, SideColumns, SparkCount

ANSWER = "part long, counts binary"


@dataclass(frozen=True)
class CountJob:
    """Everything that a worker needs to know."""

    count: SparkCount
    gold: SideColumns
    tool: SideColumns
    parts: dict[int, tuple[str, int]] = field(repr=False)
    """The file of each part, and how many documents come before it, for messages."""
    show_ids: bool = field(default_factory=ids_shown)
    """Whether messages may name ids: the user chose it, whom a worker does not know."""
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """Values that must stay comparable between parts leave a worker as keyed hashes."""

    def hide(self, value: str) -> str:
        """A value as a number that reveals nothing."""
        return hmac.new(self.secret, value.encode("utf-8", "surrogatepass"), sha256).hexdigest()


def count_parts(job: CountJob, batches: Iterator[Any]) -> Iterator[Any]:
    """The counts of each part."""
    with showing_ids(wanted=job.show_ids), without_values():
        rows = (row for batch in batches for row in batch.to_pylist())
        for part, own in groupby(rows, key=lambda row: row[PART]):
            packed = pickle.dumps(_count(job, own, *job.parts[part]))
            yield pa.record_batch({"part": pa.array([part], pa.int64()), "counts": pa.array([packed])})


def _count(job: CountJob, rows: Iterator[dict[str, Any]], file: str, before: int) -> tuple[Any, ...]:
    counting, settings = job.count.counting, job.count.settings
    groups, leaks = GroupTallies(counting, settings), LeakList(show_text=job.count.show_text)
    others: list[Listener] = [groups.add]
    if job.count.leaks:
        others.append(lambda document, masked, _lost: leaks.add(document, masked, counting, settings))
    count, missing = EvidenceCount(counting, settings, others), 0
    for number, row in enumerate(rows, start=before + 1):
        place = Location(str(PurePath(job.gold.source) / file), row[ROW] + 1)
        gold = replace(_document(_record(row, job.gold, "c"), place, job), number=number)
        own = _tool_document(_record(row, job.tool, "t"), gold, job)
        missing += own.missing
        count.add(gold, own)
    return count.state(job.hide), groups.state(job.hide), leaks.leaks, missing


def _record(row: dict[str, Any], side: SideColumns, prefix: str) -> dict[str, Any]:
    """A row as a line of our JSON format has it; annotations may also be stored as JSON text."""
    record = {name: row[f"{prefix}{at}"] for at, name in enumerate(side.names)}
    for key in MARKS:
        if key in record:
            record[key] = _marks(record[key])
    return {name: value for name, value in record.items() if value is not None}


def _marks(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            raise unreadable("the annotations are not JSON", hint="Store a list of annotations.") from None
    if isinstance(value, list):
        return [
            {key: one for key, one in mark.items() if one is not None} if isinstance(mark, dict) else mark
            for mark in value
        ]
    return value


def _document(record: dict[str, Any], place: Location, job: CountJob) -> Document:
    return settle_misfits(document_of(record, place), job.count.settings.misaligned)


def _tool_document(record: dict[str, Any], gold: Document, job: CountJob) -> ToolDocument:
    if ID not in record:
        return missing_document(gold, job.count.settings)
    place = Location(job.tool.source, None, gold.id)
    how = job.tool.released
    if how is None:
        return ToolDocument(_document(record, place, job))
    with ErrorsAt(place):
        _, text = released_text({ID: record[ID], TEXT: record.get(TEXT)})
    released = ReleasedText(text, "redacted" if how == "redacted" else "surrogate")
    return ToolDocument(Document(gold.id, (), source=place.source, released=released))
