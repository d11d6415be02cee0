from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.read import read_population
from reidrisk.population.readers.estimates import INTERCENSAL_2000, vintage_of
from tests.population.builders import estimates


@pytest.fixture(scope="module")
def wyoming(shared: Path) -> Path:
    return shared / "census" / "co-est00int-alldata-56.csv"


@pytest.mark.parametrize(
    ("year", "people", "said"),
    [
        ("2000-base", 493_786, "estimates base of April 1, 2000"),
        (2000, 494_300, "estimates of July 1, 2000"),
        ("2010-census", 563_626, "census of April 1, 2010"),
        (2010, 564_460, "estimates of July 1, 2010"),
    ],
)
def test_years_of_wyoming(wyoming: Path, year: int | str, people: int, said: str) -> None:
    """493,786 is the estimates base of April 1, 2000; 563,626 the census of 2010."""
    found = read_population(wyoming, open_band_years=15, year=year)
    assert found.people == people
    assert len(found.labels["county"]) == 23
    assert found.notes[0] == said


def test_wyoming_by_sex_race_and_age(wyoming: Path) -> None:
    found = read_population(wyoming, open_band_years=15, year="2000-base")
    albany = found.of("county", ["56001"])
    assert albany.people == 32_029
    assert albany.ages is not None
    babies = albany.ages.first == 0
    assert set(albany.ages.years[babies]) == {1}
    assert albany.counts[babies].sum() == 343
    assert set(albany.ages.years[albany.ages.first == 1]) == {4}
    assert set(albany.ages.years[albany.ages.first == 85]) == {15}
    white_males = (albany.codes["race"] == 0) & (albany.codes["sex"] == 0)
    assert albany.counts[white_males & babies].sum() == 161
    assert albany.counts[white_males].sum() == 15_634


def test_the_last_year_unless_said(wyoming: Path) -> None:
    assert read_population(wyoming, open_band_years=15).people == 564_460


@pytest.mark.parametrize("fields", [("sex",), ("race",), ("hispanic",), ("race", "hispanic", "sex"), ()])
def test_fields_may_be_chosen(wyoming: Path, fields: tuple[str, ...]) -> None:
    found = read_population(wyoming, open_band_years=15, fields=fields)
    assert found.people == 564_460
    assert set(found.fields) == set(fields)
    assert not any("added" in note for note in found.notes)


def test_the_open_band_needs_a_number_of_years(wyoming: Path) -> None:
    with pytest.raises(InvalidSetting, match="85 and over is open") as error:
        read_population(wyoming)
    assert "open_band_years" in error.value.hint


@pytest.mark.parametrize("year", [1999, "2000-census"])
def test_a_year_that_the_file_lacks(wyoming: Path, year: int | str) -> None:
    with pytest.raises(InvalidSetting, match="The year of these estimates") as error:
        read_population(wyoming, open_band_years=15, year=year)
    assert "2000-base" in error.value.hint


def test_a_field_that_is_not_there(wyoming: Path) -> None:
    with pytest.raises(InvalidSetting, match="is not a field of these estimates"):
        read_population(wyoming, open_band_years=15, fields=["county"])


def test_later_files_have_five_year_bands_from_0(tmp_path: Path) -> None:
    path = estimates(tmp_path / "cc-est2019-alldata-39.csv")
    found = read_population(path, open_band_years=20, year=2010)
    assert found.notes[0] == "estimates of July 1, 2010"
    assert found.ages is not None
    bands = sorted(set(zip(found.ages.first.tolist(), found.ages.years.tolist(), strict=True)))
    assert bands == [*((age, 5) for age in range(0, 85, 5)), (85, 20)]
    assert found.labels["county"] == ("39001", "39003")


def test_files_of_several_states_are_one(tmp_path: Path) -> None:
    estimates(tmp_path / "cc-est2022-alldata-39.csv")
    estimates(tmp_path / "cc-est2022-alldata-40.csv", counties=(5,))
    found = read_population(tmp_path, open_band_years=20, year=2021)
    assert found.labels["county"] == ("39001", "39003", "39005")


@pytest.mark.parametrize(
    ("name", "year", "code"),
    [
        ("cc-est2009-alldata-39.csv", "2000-census", 1),
        ("cc-est2009-alldata-39.csv", "2000-base", 2),
        ("cc-est2009-alldata-39.csv", 2009, 12),
        ("CC-EST2019-ALLDATA.csv", "2010-census", 1),
        ("cc-est2019-alldata.csv", 2010, 3),
        ("cc-est2019-alldata.csv", 2019, 12),
        ("cc-est2020-alldata.csv", "2020-april", 13),
        ("cc-est2020-alldata.csv", 2020, 14),
        ("cc-est2020int-alldata.csv", 2010, 2),
        ("cc-est2020int-alldata.csv", "2020-census", 12),
        ("cc-est2024-alldata.csv", "2020-base", 1),
        ("cc-est2024-alldata.csv", 2024, 6),
    ],
)
def test_codes_of_years_by_file(name: str, year: int | str, code: int) -> None:
    assert vintage_of(name, name, has_99=False).code(year) == code


def test_codes_of_the_2000s() -> None:
    assert (INTERCENSAL_2000.code(2000), INTERCENSAL_2000.code(2009)) == (2, 11)
    assert INTERCENSAL_2000.ages[18] == (85, None)
    assert INTERCENSAL_2000.ages[2] == (5, 9)


def test_a_renamed_file_cannot_be_understood(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="own file name"):
        read_population(estimates(tmp_path / "mine.csv"), open_band_years=15)


def test_vintages_are_not_mixed(tmp_path: Path) -> None:
    estimates(tmp_path / "cc-est2019-alldata-39.csv")
    estimates(tmp_path / "cc-est2022-alldata-40.csv")
    with pytest.raises(BadData, match="more than one vintage"):
        read_population(tmp_path, open_band_years=15)


@pytest.mark.parametrize(
    ("row", "column", "new", "said"),
    [
        (3, 12, "999", "do not add up to the totals"),
        (3, 12, "X", "cells without a count: 1"),
        (3, 6, "40", "do not add up to the totals"),
    ],
)
def test_changed_files_are_refused(tmp_path: Path, row: int, column: int, new: str, said: str) -> None:
    path = estimates(tmp_path / "cc-est2019-alldata-39.csv", years=(3,))
    lines = path.read_text(encoding="latin-1").splitlines()
    cells = lines[row].split(",")
    cells[column] = new
    lines[row] = ",".join(cells)
    path.write_text("\n".join(lines), encoding="latin-1")
    with pytest.raises(BadData, match=said):
        read_population(path, open_band_years=15)
