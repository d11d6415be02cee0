"""Generated data of the benchmark page: the same on every machine, by seed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ADULT = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
"""The columns of Adult; their hierarchies make a lattice of 12,960 nodes."""
TREES = {
    "sex": (2, 1),
    "race": (5, 1),
    "marital-status": (7, 2, 1),
    "education": (16, 8, 3, 1),
    "native-country": (41, 6, 1),
    "workclass": (7, 3, 1),
    "occupation": (14, 5, 1),
    "salary-class": (2, 1),
    "place": (256, 128, 64, 32, 16, 8, 4, 2, 1),
}
"""Number of values at each level, level 0 first. The tenth column has nine levels: 116,640 nodes."""
WIDE = ("sex", "age", "region", "race", "a", "b", "c", "d")


def labels(column: str) -> list[list[str]]:
    """A hierarchy in rows: the value, then its label at each level."""
    if column == "age":
        spans = (5, 10, 20)
        return [[str(at), *(f"{at // w * w}-{at // w * w + w - 1}" for w in spans), "*"] for at in range(100)]
    first, *rest = TREES[column]
    rows = []
    for value in range(first):
        row, group, size = [f"{column} {value}"], value, first
        for level, fewer in enumerate(rest[:-1], start=1):
            group, size = group * fewer // size, fewer
            row.append(f"{column} {level}.{group}")
        rows.append([*row, "*"])
    return rows


def write_adult(folder: Path, rows: int, *, columns: tuple[str, ...] = ADULT) -> tuple[Path, Path]:
    """A table like Adult, as CSV and Parquet, with its hierarchies beside it."""
    rng = np.random.default_rng(7)
    made: dict[str, Any] = {}
    for column in columns:
        hierarchy = labels(column)
        write_rows(folder / f"adult_hierarchy_{column}.csv", hierarchy)
        if column == "age":
            made[column] = np.clip(rng.normal(39, 13, rows), 17, 90).astype(np.int64)
            continue
        weights = 1 / np.arange(1, len(hierarchy) + 1) ** 1.7
        values = np.array([row[0] for row in hierarchy], dtype=object)
        made[column] = values[rng.choice(len(values), rows, p=weights / weights.sum())]
    table = pa.table(made)
    pq.write_table(table, folder / "adult.parquet")
    rows_of = zip(*(table[name].to_pylist() for name in columns), strict=True)
    write_rows(folder / "adult.csv", [list(columns), *rows_of])
    return folder / "adult.csv", folder / "adult.parquet"


def write_rows(path: Path, rows: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)


def write_wide(path: Path, rows: int, *, columns: int = 8) -> Path:
    """Patients with up to twelve quasi-identifiers, skewed: about one tuple in ten rows, fewer when many."""
    more = ", ".join(f"CAST(hash(id, {at}) % 3 AS TINYINT) AS x{at}" for at in range(9, columns + 1))
    query = f"""
        SELECT id AS visit, CASE hash(id, 1) % 2 WHEN 0 THEN 'F' ELSE 'M' END AS sex,
               CAST(hash(id, 2) % 90 AS TINYINT) AS age, 'R' || (hash(id, 3) % 50) AS region,
               CAST(hash(id, 4) % 5 AS TINYINT) AS race,
               CAST(floor(14 * pow(hash(id, 5) % 1000000 / 1000000.0, 4)) AS TINYINT) AS a,
               CAST(hash(id, 6) % 2 AS TINYINT) AS b, CAST(hash(id, 7) % 3 AS TINYINT) AS c,
               CAST(hash(id, 8) % 2 AS TINYINT) AS d, {more + "," if more else ""}
               hash(id, 20) % 1000 / 10.0 AS cost
        FROM range({rows}) AS made(id)
    """  # noqa: S608 - numbers of our own
    with duckdb.connect() as base:
        options = "(FORMAT parquet)" if path.suffix == ".parquet" else "(FORMAT csv, HEADER)"
        base.execute(f"COPY ({query}) TO '{path}' {options}")
    return path


def write_documents(folder: Path, documents: int) -> tuple[Path, Path]:
    """Short notes with five identifiers each as JSON Lines; the tool misses one mention in twenty."""
    rng = np.random.default_rng(7)
    words = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("alo", "eri", "inu", "oma", "ule")]
    kinds = (("NAME", "DIRECT"), ("ID", "DIRECT"), ("DATE", "QUASI"), ("CITY", "QUASI"), ("AGE", "QUASI"))
    made = []
    for _ in range(200):
        chosen = [words[place] for place in rng.integers(0, len(words), 60)]
        starts = np.concatenate([[0], np.cumsum([len(word) + 1 for word in chosen[:-1]])])
        entities, spans = [], []
        for turn, place in enumerate(np.sort(rng.choice(60, len(kinds), replace=False))):
            kind, role = kinds[turn]
            mark = {"start": int(starts[place]), "end": int(starts[place]) + len(chosen[place])}
            entities.append(mark | {"type": kind, "id_type": role, "entity_id": None, "text": chosen[place]})
            if rng.random() > 0.05:
                spans.append(mark | {"label": kind, "score": 0.9})
        gold = json.dumps({"text": " ".join(chosen), "entities": entities})
        made.append((gold[1:], json.dumps({"spans": spans})[1:]))
    gold_path, tool_path = folder / f"gold_{documents}.jsonl", folder / f"tool_{documents}.jsonl"
    with gold_path.open("w") as gold_file, tool_path.open("w") as tool_file:
        for number in range(documents):
            gold_rest, tool_rest = made[number % len(made)]
            gold_file.write(f'{{"doc_id": "d{number}", {gold_rest}\n')
            tool_file.write(f'{{"doc_id": "d{number}", {tool_rest}\n')
    return gold_path, tool_path


def write_population(path: Path, counties: int) -> Path:
    """Counts of people by state, county, race, sex and age band."""
    rng = np.random.default_rng(7)
    bands, races = 18, 6
    cells = counties * races * 2 * bands
    number = np.arange(cells)
    county = number // (races * 2 * bands)
    race = number // (2 * bands) % races
    people = rng.poisson(rng.lognormal(5, 1.5, counties)[county] / (1 + 4 * race))
    age = number % bands * 5
    made = {
        "state": np.char.mod("%02d", county * 50 // counties + 1),
        "county": np.char.mod("%05d", county),
        "race": np.char.mod("race %d", race),
        "sex": np.where(number // bands % 2 == 0, "F", "M"),
        "age_lo": age,
        "age_hi": age + 4,
        "n": people,
    }
    pq.write_table(pa.table(made), path)
    return path
