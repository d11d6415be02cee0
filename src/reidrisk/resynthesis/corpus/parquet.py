"""Parquet files: some columns hold text, all others stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.files import placed_whole
from reidrisk.core.wording import path_text
from reidrisk.errors import MissingPackage, UnknownColumn, UnreadableFile
from reidrisk.resynthesis.corpus.delimited import check_columns
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write

SUFFIXES = (".parquet", ".pq")
ROWS = 512
"""Rows that are in memory at once."""


@dataclass(eq=False)
class _Batch:
    """Rows on their way, with the new texts of each column."""

    rows: Any
    texts: dict[str, list[str | None]] = field(default_factory=dict)
    waiting: int = 0


class ParquetTable:
    """A row is a note for each of its text columns."""

    unit = "rows"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingPackage.of_extra("pyarrow", "io") from None
        self._path, self._options = path, options
        self.warnings: list[str] = []
        try:
            self._file = pq.ParquetFile(path)
        except (OSError, ValueError):
            raise UnreadableFile(
                f"{path_text(path)} is no Parquet file.", hint="Check that it is complete."
            ) from None
        self._schema = self._file.schema_arrow
        self.total = self._file.metadata.num_rows
        needed = (*options.columns, *((options.person,) if options.person else ()))
        check_columns(path, needed, self._schema.names, texts=options.columns)
        for column in options.columns:
            self._check_text(column)

    def _check_text(self, column: str) -> None:
        kind = str(self._schema.field(column).type)
        if "string" not in kind or "list" in kind or "struct" in kind:
            raise UnknownColumn(f"Column {column!r} holds {kind}, no text.", hint="Name a column of texts.")

    def notes(self) -> Iterator[Note]:
        """Cells of the text columns, row by row; an empty cell stays empty."""
        done = 0
        for rows in self._file.iter_batches(batch_size=ROWS):
            columns = self._options.columns
            batch = _Batch(rows, {name: [] for name in columns}, rows.num_rows * len(columns))
            texts = [rows.column(name).to_pylist() for name in columns]
            people = rows.column(self._options.person).to_pylist() if self._options.person else None
            for number in range(rows.num_rows):
                done += 1
                person = "" if people is None or people[number] is None else str(people[number])
                for name, cells in zip(columns, texts, strict=True):
                    cell = cells[number]
                    yield Note(f"row {done}", person, cell or "", (batch, name, cell is None), done)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """A file that appears when all is written, with the same columns and types."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with placed_whole(out, folder=False) as part, pq.ParquetWriter(part, self._schema) as file:

            def write(note: Note, text: str) -> None:
                batch, name, missing = note.record
                batch.texts[name].append(None if missing else text)
                batch.waiting -= 1
                if not batch.waiting:
                    file.write_batch(self._filled(batch, pa))

            yield write

    def _filled(self, batch: _Batch, pa: Any) -> Any:
        rows = batch.rows
        for name, texts in batch.texts.items():
            at = self._schema.get_field_index(name)
            rows = rows.set_column(at, self._schema.field(at), pa.array(texts, self._schema.field(at).type))
        return rows
