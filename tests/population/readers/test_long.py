from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reidrisk.engine.settings import CsvDialect, ScanSettings
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, ReidRiskError, UnknownColumn
from reidrisk.population.people import Population
from reidrisk.population.read import read_population

SMALL = "State,county,sex,age_lo,age_hi,n\n01,01001,F,0,4,7\n01,01001,M,0,4,9\n01,01003,F,5,9,2\n"


def written(folder: Path, text: str, name: str = "pop.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def counted(people: Population, *names: str) -> dict[tuple[str, ...], int]:
    """People by labels."""
    found: dict[tuple[str, ...], int] = {}
    for at, count in enumerate(people.counts.tolist()):
        key = tuple(people.labels[name][people.codes[name][at]] for name in names)
        found[key] = found.get(key, 0) + count
    return found


def test_areas_are_recognised_and_codes_keep_their_zeros(tmp_path: Path) -> None:
    people = read_population(written(tmp_path, SMALL))
    assert (people.areas, people.fields) == (("state", "county"), ("sex",))
    assert people.labels["state"] == ("01",)
    assert counted(people, "county", "sex") == {("01001", "F"): 7, ("01001", "M"): 9, ("01003", "F"): 2}
    assert people.ages is not None
    assert sorted(set(zip(people.ages.first.tolist(), people.ages.years.tolist(), strict=True))) == [
        (0, 5),
        (5, 5),
    ]
    assert people.notes == ()


def test_the_coarsest_area_is_first_wherever_it_stands(tmp_path: Path) -> None:
    text = "tract,province,n\na1,a,1\na2,a,2\nb1,b,3\n"
    assert read_population(written(tmp_path, text)).areas == ("province", "tract")


def test_a_state_is_above_its_counties_even_if_these_are_numbered_anew_in_each(tmp_path: Path) -> None:
    """Three states with counties 001 and 003: fewer names of counties than of states."""
    lines = [f"{county},{state},30,30,4\n" for state in ("01", "39", "72") for county in ("001", "003")]
    people = read_population(written(tmp_path, "county,state,age_lo,age_hi,n\n" + "".join(lines)))
    assert people.areas == ("state", "county")


def test_areas_and_fields_may_be_named(tmp_path: Path) -> None:
    text = "parish,ward,job,n\np,w,x,1\np,w,y,2\nq,w,x,4\n"
    people = read_population(written(tmp_path, text), areas=["parish"], fields=["job"])
    assert (people.areas, people.fields) == (("parish",), ("job",))
    alone = read_population(written(tmp_path, text), areas=["parish"], fields=[])
    assert counted(alone, "parish") == {("p",): 3, ("q",): 4}
    assert alone.notes == ()


def test_equal_rows_are_added_up_with_a_note(tmp_path: Path) -> None:
    people = read_population(written(tmp_path, SMALL + "01,01001,F,0,4,3\n"))
    assert counted(people, "county", "sex")["01001", "F"] == 10
    assert people.notes == ("rows of the same group and age were added up: 1",)


def test_single_years_in_one_column(tmp_path: Path) -> None:
    people = read_population(written(tmp_path, "county,age,n\n1,0,5\n1,1,6\n"))
    assert people.ages is not None
    assert people.ages.years.tolist() == [1, 1]


def test_ages_may_be_unknown(tmp_path: Path) -> None:
    assert read_population(written(tmp_path, "county,sex,n\n1,F,5\n1,M,6\n")).ages is None


def test_an_open_band_needs_a_number_of_years(tmp_path: Path) -> None:
    path = written(tmp_path, "county,age_lo,age_hi,n\n1,0,84,5\n1,85,,6\n")
    with pytest.raises(InvalidSetting, match="empty in 1 row") as error:
        read_population(path)
    assert "open_band_years" in error.value.hint
    people = read_population(path, open_band_years=15)
    assert people.ages is not None
    assert people.ages.years.tolist() == [85, 15]
    with pytest.raises(InvalidSetting, match="whole number of years"):
        read_population(path, open_band_years=0)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("a,F,0,4,-3\n", "'n' is negative in 1 row"),
        ("a,F,0,4,2.5\n", "'n' is not a whole number in 1 row"),
        ("a,F,0,4,\n", "'n' is empty in 1 row"),
        ("a,F,0,4,many\n", "1 value of column 'n' cannot be read as a number"),
        (",F,0,4,3\n", "'county' is empty in 1 row"),
        ("a,,0,4,3\n", "'sex' is empty in 1 row"),
        ("a,F,9,4,3\n", "'age_hi' is below 'age_lo' in 1 row"),
        ("a,F,-1,4,3\n", "'age_lo' is negative in 1 row"),
        ("a,F,0,400,3\n", "'age_hi' is above 150 in 1 row"),
        ("a,F,0,4,3\na,F,4,9,3\n", "1 pair of age bands"),
        ("a,F,0,99,3\na,F,5,9,3\n", "1 pair of age bands"),
        ("a,F,0,4,0\n", "has no people"),
    ],
)
def test_what_is_wrong_is_said_with_rows_and_columns(tmp_path: Path, rows: str, said: str) -> None:
    good = "b,F,0,4,0\nb,M,0,4,0\n"
    with pytest.raises(BadData, match=said):
        read_population(written(tmp_path, f"county,sex,age_lo,age_hi,n\n{good}{rows}"))


def test_an_open_band_overlaps_with_everything_above(tmp_path: Path) -> None:
    path = written(tmp_path, "county,age_lo,age_hi,n\n1,0,64,5\n1,65,,5\n1,85,90,6\n")
    with pytest.raises(BadData, match="share an age"):
        read_population(path, open_band_years=1)


def test_the_same_bands_in_other_groups_do_not_overlap(tmp_path: Path) -> None:
    text = "county,age_lo,age_hi,n\n1,0,64,5\n1,65,99,5\n2,0,17,5\n2,18,99,6\n"
    assert read_population(written(tmp_path, text)).people == 21


def test_no_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "county,n\n")
    with pytest.raises(NothingToMeasure, match="no rows"):
        read_population(path, scan=ScanSettings(csv=CsvDialect(header=True)))


@pytest.mark.parametrize(
    ("text", "options", "kind", "said"),
    [
        ("county,people\n1,5\n2,5\n", {}, UnknownColumn, "no column 'n'"),
        ("county,n\n1,5\n2,5\n", {"areas": ["tracts"]}, UnknownColumn, "no column 'tracts'"),
        (
            "county,n\n1,5\n2,5\n",
            {"areas": ["county"], "fields": ["county"]},
            InvalidSetting,
            "has two roles",
        ),
        ("county,n\n1,5\n2,5\n", {"fields": ["n"]}, InvalidSetting, "has two roles"),
        ("county,age_lo,n\n1,5,2\n2,5,2\n", {}, BadData, "age columns age_lo"),
        ("county,n\n1,5\n2,5\n", {"year": 2005}, InvalidSetting, "is not a file of the Bureau"),
    ],
)
def test_refusals(
    tmp_path: Path, text: str, options: dict[str, list[str]], kind: type[ReidRiskError], said: str
) -> None:
    with pytest.raises(kind, match=said):
        read_population(written(tmp_path, text), **options)  # type: ignore[arg-type]


def test_other_encodings_go_through_the_engine(tmp_path: Path) -> None:
    path = tmp_path / "pop.csv"
    path.write_text("province,n\nÎle,5\nAîné,6\n", encoding="utf-16")
    assert read_population(path).labels["province"] == ("Aîné", "Île")


def test_a_folder_of_parts_is_one_population(tmp_path: Path) -> None:
    written(tmp_path, "county,sex,n\n1,F,5\n1,M,6\n", "a.csv")
    written(tmp_path, "county,sex,n\n2,F,5\n2,M,6\n", "b.csv")
    assert read_population(tmp_path).people == 22


def test_the_nation_of_2000(shared: Path) -> None:
    people = read_population(shared / "census" / "us2000_county_race_sex_age.parquet")
    assert people.people == 281_421_906
    assert len(people.counts) == 2_424_907
    assert (people.areas, people.fields) == (("state", "county"), ("race", "sex"))
    assert len(people.labels["county"]) == 3141
    assert people.labels["state"][0] == "01"
    assert people.ages is not None
    tops = {100: 5, 105: 5, 110: 1}
    assert all(set(people.ages.years[people.ages.first == age]) == {years} for age, years in tops.items())
    order = people.codes["county"].astype(np.int64)
    assert np.all(order[1:] >= order[:-1])


def test_an_open_band_is_told_and_ends_before_the_age_of_150(tmp_path: Path) -> None:
    path = written(tmp_path, "county,age_lo,age_hi,n\na,0,84,3\na,85,,2\n")
    people = read_population(path, open_band_years=15)
    assert "the open age band is counted as 15 years of birth" in people.notes
    with pytest.raises(InvalidSetting, match="above age 150") as error:
        read_population(path, open_band_years=67)
    assert "at most 66" in error.value.hint
