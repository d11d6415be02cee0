"""Adult with ARX's hierarchies, as codes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from reidrisk.stats.lattice.inputs import Recoding, Tuples

COLUMNS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def adult(folder: Path, columns: Sequence[str]) -> tuple[Tuples, list[Recoding]]:
    tuples, recodings = _adult(folder, tuple(columns))
    return tuples, list(recodings)


@cache
def _adult(folder: Path, columns: tuple[str, ...]) -> tuple[Tuples, list[Recoding]]:
    head, *rows = read(folder / "adult.csv")
    coded, recodings = [], []
    for column in columns:
        hierarchy = read(folder / f"adult_hierarchy_{column}.csv")
        levels = []
        for texts in zip(*hierarchy, strict=True):
            numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
            levels.append([numbers[text] for text in texts])
        recodings.append(Recoding.of_rows(levels))
        code = {row[0]: number for number, row in enumerate(hierarchy)}
        place = head.index(column)
        coded.append([code[row[place]] for row in rows])
    codes, counts = np.unique(np.array(coded, dtype=np.int32).T, axis=0, return_counts=True)
    return Tuples(codes, counts.astype(np.int64)), recodings
