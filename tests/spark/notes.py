"""Notes for Spark: in one file, and the same ones in a folder of several files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from reidrisk.demo.notes import clinical_notes

ODD = (
    None,
    "",
    "   ",
    "Renée Łukasiewicz-Núñez 🩺 was seen on 2019-03-14 by Dr. Nguyễn. MRN 0012345.",
    "\ufeffPatient: Zoë O'Neil, born 02/29/1964.\r\nPhone (617) 555-0199.\r\n",
    "Nothing to find here.",
)


def many_notes(number: int = 26) -> pa.Table:
    """Demo notes and odd ones, with two columns of text, a person, and types that Spark has no name for."""
    texts = [*ODD, *(note.text for note in clinical_notes(documents=number))]
    rows = len(texts)
    return pa.table(
        {
            "note id": pa.array([f"n{at}" for at in range(rows)], pa.large_string()),
            "patient.id": pa.array([None if at == 3 else at % 9 for at in range(rows)], pa.uint16()),
            "text": pa.array(texts, pa.string()),
            "Text": pa.array([text and text[::2] for text in texts], pa.string()),
            "seen": pa.array([at * 10**15 for at in range(rows)], pa.timestamp("ns")),
            "ward": pa.array(["A" if at % 2 else None for at in range(rows)]).dictionary_encode(),
        }
    )


def write_folder(table: pa.Table, folder: Path) -> Path:
    """The rows in another order: files under odd names, one of them empty, in several row groups."""
    names = ("b.parquet", "a [1]*.parquet", "year=2020/ä 50% ü.parquet", "year=2021/z.parquet")
    pieces = [table.slice(20), table.slice(9, 11), table.slice(0, 9), table.slice(0, 0)]
    for name, piece in zip(names, pieces, strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(piece, path, row_group_size=4)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden.parquet").write_bytes(b"not read")
    return folder


def read_folder(folder: Path) -> pa.Table:
    """All rows of a folder, in the order of its file names."""
    tables = [pq.ParquetFile(path).read() for path in sorted(folder.rglob("*.parquet"))]
    return pa.concat_tables(tables)


def by_id(table: pa.Table) -> list[dict[str, Any]]:
    """The rows in the order of their ids."""
    rows: list[dict[str, Any]] = table.to_pylist()
    return sorted(rows, key=lambda row: row["note id"])
