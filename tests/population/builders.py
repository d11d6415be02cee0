"""Small files in the layouts that the Census Bureau documents, with made-up counts."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LETTERS = "ABCDEFG"
CELLS = 209
COUNTIES = ("39001", "39003")


def cells(seed: int = 1, counties: int = len(COUNTIES)) -> NDArray[np.int64]:
    """Table, county, cell: ages at random, sums as they must be."""
    rng = np.random.default_rng(seed)
    made = rng.poisson(3.0, (len(LETTERS), counties, CELLS)).astype(np.int64)
    made[:, :, 1] = made[:, :, 2:105].sum(axis=2)
    made[:, :, 105] = made[:, :, 106:].sum(axis=2)
    made[:, :, 0] = made[:, :, 1] + made[:, :, 105]
    return made


def labels() -> list[str]:
    """What the cells are, in the words of data.census.gov."""
    ages = ["Under 1 year", "1 year", *(f"{age} years" for age in range(2, 100))]
    ages += ["100 to 104 years", "105 to 109 years", "110 years and over"]
    total = " !!Total:"
    return [
        total,
        *(
            f"{total}!!{sex}:{end}"
            for sex in ("Male", "Female")
            for end in ("", *(f"!!{age}" for age in ages))
        ),
    ]


def write_csv(path: Path, lines: Iterable[Sequence[object]], encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(lines)
    return path


def dhc_files(folder: Path, made: NDArray[np.int64]) -> Path:
    """2020, data.census.gov: annotations between the cells, and a comma at the end of lines."""
    for letter, table in zip(LETTERS, made, strict=True):
        codes = [name for at in range(CELLS) for name in (f"PCT12{letter}_{at + 1:03d}N",) * 2]
        codes = [f"{name}A" if at % 2 else name for at, name in enumerate(codes)]
        words = [word for label in labels() for word in (label, f"Annotation of{label}")]
        rows = [
            [
                f"0500000US{fips}",
                "Somewhere County, Ohio",
                *(cell for count in row for cell in (count, "")),
                "",
            ]
            for fips, row in zip(COUNTIES, table, strict=False)
        ]
        write_csv(
            folder / f"DECENNIALDHC2020.PCT12{letter}-Data.csv",
            [["GEO_ID", "NAME", *codes, ""], ["Geography", "Geographic Area Name", *words, ""], *rows],
        )
        (folder / f"DECENNIALDHC2020.PCT12{letter}-Column-Metadata.csv").write_text(
            '"Column Name","Label"\n"GEO_ID","Geography"\n', encoding="utf-8"
        )
    return folder


def factfinder_files(folder: Path, made: NDArray[np.int64], *, year: int) -> Path:
    """2000 and 2010, American FactFinder: Latin-1, marks behind revised counts, a line for the state."""
    for letter, table in zip(LETTERS, made, strict=True):
        start, name = (
            ("VD", f"DEC_00_SF1_PCT012{letter}") if year == 2000 else ("D", f"DEC_10_SF1_PCT12{letter}")
        )
        codes = [f"{start}{at:02d}" if year == 2000 else f"{start}{at:03d}" for at in range(1, CELLS + 1)]
        words = [label.removeprefix(" !!Total:!!").replace("!!", " - ") for label in labels()]
        rows: list[list[object]] = [
            ["0400000US39", "39", "Ohio", *table.sum(axis=0)],
            *(
                [f"0500000US{fips}", fips, "Doña Ana County", f"{row[0]}(r123)", *row[1:]]
                for fips, row in zip(COUNTIES, table, strict=False)
            ),
        ]
        header = [["GEO.id", "GEO.id2", "GEO.display-label", *codes], ["Id", "Id2", "Geography", *words]]
        write_csv(folder / f"{name}_with_ann.csv", [*header, *rows], encoding="latin-1")
        write_csv(folder / f"{name}_metadata.csv", [["GEO.id", "Id"], *zip(codes, words, strict=True)])
    return folder


def summary_files(folder: Path, made: NDArray[np.int64]) -> Path:
    """2010, data.census.gov: codes such as PCT012A001."""
    for letter, table in zip(LETTERS, made, strict=True):
        codes = [f"PCT012{letter}{at:03d}" for at in range(1, CELLS + 1)]
        words = [label.removeprefix(" !!") for label in labels()]
        rows = [[f"0500000US{fips}", "x", *row] for fips, row in zip(COUNTIES, table, strict=False)]
        write_csv(
            folder / f"DECENNIALSF12010.PCT12{letter}_data_with_overlays.csv",
            [["GEO_ID", "NAME", *codes], ["id", "Geographic Area Name", *words], *rows],
        )
    return folder


def estimates(
    path: Path, years: Sequence[int] = (1, 2, 3), groups: int = 18, counties: Sequence[int] = (1, 3)
) -> Path:
    """cc-est: total as group 0, then five-year bands; Hispanic origin left out but for its names."""
    races = ("WA", "BA", "IA", "AA", "NA", "TOM")
    columns = [f"{race}_{sex}" for race in races for sex in ("MALE", "FEMALE")]
    header = ["SUMLEV", "STATE", "COUNTY", "STNAME", "CTYNAME", "YEAR", "AGEGRP", "TOT_POP", "TOT_MALE"]
    lines: list[list[object]] = [[*header, "TOT_FEMALE", *columns]]
    rng = np.random.default_rng(5)
    for county in counties:
        for year in years:
            counts = rng.poisson(4.0 * year, (groups, len(columns)))
            for group, row in enumerate(np.vstack((counts.sum(axis=0), counts))):
                sums = [row.sum(), row[::2].sum(), row[1::2].sum()]
                lines.append(["050", "39", f"{county:03d}", "Ohio", "Doña Ana", year, group, *sums, *row])
    return write_csv(path, lines, encoding="latin-1")
