from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.people import Population
from reidrisk.population.read import read_population
from tests.population.builders import (
    CELLS,
    cells,
    dhc_files,
    factfinder_files,
    labels,
    summary_files,
    write_csv,
)

Layout = Callable[[Path, NDArray[np.int64]], Path]
LAYOUTS: dict[str, Layout] = {
    "2000 FactFinder": partial(factfinder_files, year=2000),
    "2010 FactFinder": partial(factfinder_files, year=2010),
    "2010 data.census.gov": summary_files,
    "2020 data.census.gov": dhc_files,
}


def cube(people: Population) -> NDArray[np.int64]:
    """Race, county, sex, age cell."""
    assert people.ages is not None
    found = np.zeros((7, 2, 2, 103), dtype=np.int64)
    age = np.searchsorted([*range(100), 100, 105, 110], people.ages.first)
    codes = people.codes
    np.add.at(found, (codes["race"], codes["county"], codes["sex"], age), people.counts)
    return found


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packed", ["folder", "zip", "folder of zips"])
def test_seven_tables_are_one_population(tmp_path: Path, layout: str, packed: str) -> None:
    made = cells()
    folder = tmp_path / "down"
    folder.mkdir()
    source = LAYOUTS[layout](folder, made)
    if packed == "zip":
        source = tmp_path / "all.zip"
        with zipfile.ZipFile(source, "w") as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, path.name)
    elif packed == "folder of zips":
        source = tmp_path / "zips"
        source.mkdir()
        for path in sorted(folder.iterdir()):
            with zipfile.ZipFile(source / f"{path.stem}.zip", "w") as archive:
                archive.write(path, path.name)
    people = read_population(source)
    assert people.areas == ("state", "county")
    assert people.labels["state"] == ("39",)
    assert people.labels["county"] == ("39001", "39003")
    assert people.labels["sex"] == ("M", "F")
    assert people.labels["race"] == (
        "white",
        "black",
        "american_indian",
        "asian",
        "pacific_islander",
        "other",
        "two_or_more",
    )
    np.testing.assert_array_equal(cube(people)[:, :, 0], made[:, :, 2:105])
    np.testing.assert_array_equal(cube(people)[:, :, 1], made[:, :, 106:])
    assert people.people == made[:, :, 0].sum()
    assert any("110 and over is counted as 1 year" in note for note in people.notes)


def test_totals_of_the_state_are_not_counted_again(tmp_path: Path) -> None:
    people = read_population(factfinder_files(tmp_path, cells(), year=2010))
    assert "areas of 2 levels were found; the finest, 050, is counted" in people.notes


def test_the_years_of_the_open_band_are_a_setting(tmp_path: Path) -> None:
    people = read_population(dhc_files(tmp_path, cells()), open_band_years=3)
    assert people.ages is not None
    years = {first: set(people.ages.years[people.ages.first == first]) for first in (99, 100, 105, 110)}
    assert years == {99: {1}, 100: {5}, 105: {5}, 110: {3}}


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    dhc_files(tmp_path, cells())
    (tmp_path / "DECENNIALDHC2020.PCT12D-Data.csv").unlink()
    with pytest.raises(BadData, match="does not have the tables PCT12D") as error:
        read_population(tmp_path)
    assert "one folder or archive" in error.value.hint


def test_a_table_alone_is_not_everybody(tmp_path: Path) -> None:
    dhc_files(tmp_path, cells())
    with pytest.raises(BadData, match="PCT12B, PCT12C"):
        read_population(tmp_path / "DECENNIALDHC2020.PCT12A-Data.csv")


def test_the_table_of_everybody_has_no_race(tmp_path: Path) -> None:
    made = cells()[0]
    codes = [f"PCT12_{at:03d}N" for at in range(1, CELLS + 1)]
    rows = [[f"0500000US{fips}", "x", *row] for fips, row in zip(("39001", "39003"), made, strict=True)]
    path = write_csv(
        tmp_path / "d.csv", [["GEO_ID", "NAME", *codes], ["Geography", "Name", *labels()], *rows]
    )
    people = read_population(path)
    assert people.fields == ("sex",)
    assert people.people == made[:, 0].sum()


def test_tables_of_people_counted_elsewhere_are_passed_over(tmp_path: Path) -> None:
    made = cells()
    dhc_files(tmp_path, made)
    text = (tmp_path / "DECENNIALDHC2020.PCT12A-Data.csv").read_text(encoding="utf-8")
    (tmp_path / "DECENNIALDHC2020.PCT12H-Data.csv").write_text(
        text.replace("PCT12A_", "PCT12H_"), encoding="utf-8"
    )
    people = read_population(tmp_path)
    assert people.people == made[:, :, 0].sum()
    assert people.notes[0].startswith("tables H count the same people again")


@pytest.mark.parametrize(
    ("level", "codes", "areas", "coarse"),
    [
        ("8600000US", ("12345", "99922"), ("zip3", "zip5"), ("123", "999")),
        ("1400000US", ("39001000100", "39003000100"), ("state", "county", "tract"), ("39",)),
        ("0400000US", ("39", "40"), ("state",), ("39", "40")),
    ],
)
def test_other_levels(
    tmp_path: Path, level: str, codes: tuple[str, str], areas: tuple[str, ...], coarse: tuple[str, ...]
) -> None:
    dhc_files(tmp_path, cells())
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf-8")
        text = text.replace("0500000US39001", level + codes[0]).replace("0500000US39003", level + codes[1])
        path.write_text(text, encoding="utf-8")
    people = read_population(tmp_path)
    assert people.areas == areas
    assert people.labels[areas[0]] == coarse
    assert people.labels[areas[-1]] == codes


def edited(folder: Path, old: str, new: str, letter: str = "B") -> None:
    path = folder / f"DECENNIALDHC2020.PCT12{letter}-Data.csv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0500000US39003", "0500000US39005", "7 pairs of area and table missing"),
        ("0500000US39003", "0500000US39001", "an area twice"),
        ("0500000US39003", "somewhere", "no area identifier"),
        ("0500000US39003", "3300000US39003", "summary level 330"),
        ("!!Male:!!Under 1 year", "!!Male:!!5 to 9 years", "not those of table PCT12"),
        ("PCT12B_100N,", "PCT12B_x,", "208 of its 209 cells"),
    ],
)
def test_tables_that_were_changed_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    dhc_files(tmp_path, cells())
    edited(tmp_path, old, new)
    with pytest.raises(BadData, match=said):
        read_population(tmp_path)


def test_cells_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    made = cells()
    made[2, 1, 50] += 1
    dhc_files(tmp_path, made)
    with pytest.raises(BadData, match="ages do not add up to the totals in 1 area"):
        read_population(tmp_path)


def test_cells_without_a_count_are_refused(tmp_path: Path) -> None:
    dhc_files(tmp_path, cells())
    path = tmp_path / "DECENNIALDHC2020.PCT12A-Data.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = lines[2].split(",")
    parts[4:6] = ["N", ""]
    path.write_text("\n".join([*lines[:2], ",".join(parts), lines[3]]), encoding="utf-8")
    with pytest.raises(BadData, match="cells without a count: 1"):
        read_population(tmp_path)


def test_the_same_table_twice_is_refused(tmp_path: Path) -> None:
    dhc_files(tmp_path, cells())
    shutil.copy(tmp_path / "DECENNIALDHC2020.PCT12A-Data.csv", tmp_path / "again.csv")
    with pytest.raises(BadData, match="has an area twice"):
        read_population(tmp_path)


def test_settings_that_do_not_apply_are_refused(tmp_path: Path) -> None:
    dhc_files(tmp_path, cells())
    with pytest.raises(InvalidSetting, match="areas"):
        read_population(tmp_path, areas=["county"])
    with pytest.raises(InvalidSetting, match="one census"):
        read_population(tmp_path, year=2010)


def test_archives_without_tables_or_that_are_none(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.csv", "county,n\n1,2\n")
    with pytest.raises(BadData, match="no table of the Census Bureau"):
        read_population(tmp_path / "other.zip")
    (tmp_path / "broken.zip").write_bytes(b"PK no")
    with pytest.raises(BadData, match="is not an archive"):
        read_population(tmp_path / "broken.zip")
