from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.population.options import PopulationOptions
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.results import Exposure, PopulationRisk
from reidrisk.population.risk import population_risk
from reidrisk.population.voters import voter_lists
from reidrisk.stats.distinctness import occupied_bins
from tests.population.tiny import figure_1, population, two_states

RELEASED = list(zip("FMFMM", (1953, 1953, 1953, 1955, 1955), strict=True))


def exposure(result: PopulationRisk) -> Exposure:
    assert result.exposure is not None
    return result.exposure


def records(path: Path, header: str, rows: Sequence[Sequence[object]]) -> Path:
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("header", "born"),
    [
        ("sex,age", lambda year: 2000 - year),
        ("gender,age", lambda year: 2000 - year),
        ("sex,year_of_birth", lambda year: year),
        ("sex,date_of_birth", lambda year: f"{year}-03-15"),
    ],
)
def test_the_released_data_of_figure_1(tmp_path: Path, header: str, born: object) -> None:
    """Three of five are expected to be matched, one is unique, all are like at most one other."""
    assert callable(born)
    data = records(tmp_path / "released.csv", header, [(sex, born(year)) for sex, year in RELEASED])
    options = PopulationOptions(g=(1, 2), counted_in=2000)
    result = population_risk(figure_1(), Policy.of("year_of_birth,sex"), dataset=data, options=options)
    assert result.people == 5
    assert (exposure(result).number("1"), exposure(result).number("2")) == (1, 5)
    assert exposure(result).number("total") == pytest.approx(3)
    assert exposure(result).share("total") == pytest.approx(0.6)
    assert result.to_dict()["settings"]["dataset"] == str(data)


def test_three_of_two_hundred(tmp_path: Path) -> None:
    """The paper: 2.999 of three are 5-distinct."""
    people = population([("X", "asian", "M", 24, 1, 200)], areas=["county"], fields=["race", "sex"])
    data = records(tmp_path / "three.csv", "county,race,sex,age", [("X", "asian", "M", 24)] * 3)
    result = exposure(population_risk(people, LIMITED_DATASET, dataset=data))
    assert result.number("5") == pytest.approx(3 / 200 * 199.95087148835003, rel=1e-9)
    assert result.number("total") == pytest.approx(2.3120817870726196, rel=1e-9)


def test_the_whole_population_as_a_data_set(tmp_path: Path) -> None:
    people = two_states()
    assert people.ages is not None
    rows = [
        (
            *(people.labels[name][people.codes[name][row]] for name in people.codes),
            int(people.ages.first[row]),
        )
        for row, count in enumerate(people.counts.tolist())
        for _ in range(count)
    ]
    data = records(tmp_path / "all.csv", ",".join([*people.codes, "age"]), rows)
    for by in (None, "state", "county"):
        for policy in (SAFE_HARBOR, LIMITED_DATASET):
            whole = population_risk(people, policy, by=by).to_dict()
            same = population_risk(people, policy, by=by, dataset=data).to_dict()
            for name in ("g_distinct", "total_risk", "people"):
                assert same[name] == pytest.approx(whole[name])
            assert same["unique"] == pytest.approx(whole["unique"])
            assert [area["total_risk"]["share"] for area in same["by_area"]] == pytest.approx(
                [area["total_risk"]["share"] for area in whole["by_area"]]
            )


def test_voter_lists_and_a_data_set(tmp_path: Path) -> None:
    people = two_states()
    rows = [
        ("10", "10001", "F", "white", 24),
        ("39", "39001", "F", "white", 24),
        ("39", "39001", "M", "white", 24),
    ]
    data = records(tmp_path / "some.csv", "state,county,sex,race,age", rows)
    result = population_risk(people, LIMITED_DATASET, voter_lists(), by="state", dataset=data)
    delaware, ohio = (area.exposure for area in result.areas)
    assert delaware is not None
    assert ohio is not None
    assert (delaware.people, ohio.people) == (1, 2)
    size = {
        county: sum(int(count) for count, code, age in
                    zip(people.counts, people.codes["county"], people.ages.first, strict=True)
                    if people.labels["county"][code] == county and age == 24)
        for county in ("10001", "39001")
    } if people.ages else {}  # fmt: skip
    assert delaware.matched == pytest.approx(float(occupied_bins(size["10001"], 365)) / size["10001"])
    assert ohio.matched == pytest.approx(2 / size["39001"])


def test_one_state_needs_no_column_of_it(tmp_path: Path) -> None:
    people = two_states().of("state", ["39"])
    data = records(tmp_path / "some.csv", "sex,race,age", [("F", "white", 24), ("F", "white", 103)])
    assert population_risk(people, SAFE_HARBOR, dataset=data).people == 2
    with pytest.raises(UnknownColumn, match="no column 'state'"):
        population_risk(two_states(), SAFE_HARBOR, dataset=data)


def test_numbers_that_lost_their_zeros(tmp_path: Path) -> None:
    people = population([("01", 30, 1, 3), ("39", 30, 1, 2)], areas=["state"])
    data = records(tmp_path / "some.csv", "state,age", [(1, 30), (39, 30)])
    assert exposure(population_risk(people, Policy.of("year_of_birth"), dataset=data)).number("total") == (
        pytest.approx(1 / 3 + 1 / 2)
    )


def test_zip_codes_of_a_data_set(tmp_path: Path) -> None:
    rows = [
        ("10", code, 30, 1, size) for code, size in (("03601", 2), ("05901", 3), ("10001", 5), ("10002", 5))
    ]
    people = population(rows, areas=["state", "zip5"])
    data = records(tmp_path / "some.csv", "zip5,age", [("03601", 30), ("05901", 30), ("10002", 30)])
    result = exposure(population_risk(people, Policy.of("zip3,year_of_birth"), dataset=data))
    assert result.number("total") == pytest.approx(2 / 5 + 1 / 10)
    three = records(tmp_path / "three.csv", "zip3,age", [("000", 30), ("100", 30)])
    assert exposure(population_risk(people, Policy.of("zip3,year_of_birth"), dataset=three)).number(
        "total"
    ) == (pytest.approx(1 / 5 + 1 / 10))
    numbers = records(tmp_path / "numbers.csv", "zip5,age", [("3601.0", 30), ("10002.0", 30)])
    assert exposure(population_risk(people, Policy.of("zip3,year_of_birth"), dataset=numbers)).number(
        "total"
    ) == pytest.approx(1 / 5 + 1 / 10)
    short = records(tmp_path / "short.csv", "zip5,age", [("36019999", 30), ("10002-1234", 30)])
    with pytest.raises(
        BadData, match=r"1 record without a matching group in tiny \(empty or unknown there: zip 1\)"
    ):
        population_risk(people, Policy.of("zip3,year_of_birth"), dataset=short)
    stranger = records(tmp_path / "stranger.csv", "zip5,age", [("99901", 30)])
    with pytest.raises(BadData, match="1 record without a matching group"):
        population_risk(people, Policy.of("zip3,year_of_birth"), dataset=stranger)


@pytest.mark.parametrize(
    ("rows", "number"),
    [
        ([("F", 47), ("F", 12)], "1 record"),
        ([("F", 47), ("X", 47), ("", 47)], "2 records"),
        ([("M", 47), ("M", -4), ("M", "")], "2 records"),
        ([("M", 47), ("M", 99)], "1 record"),
    ],
)
def test_records_of_nobody_are_refused_by_number(
    tmp_path: Path, rows: list[tuple[str, object]], number: str
) -> None:
    people = population([("F", 47, 1, 2), ("M", 47, 1, 1), ("F", 80, 1, 1)], fields=["sex"])
    data = records(tmp_path / "released.csv", "sex,age", rows)
    with pytest.raises(BadData, match=f"{number} without a matching group in tiny"):
        population_risk(people, Policy.of("year_of_birth,sex"), dataset=data)


def test_the_oldest_band_takes_in_everybody_older(tmp_path: Path) -> None:
    people = population([("F", 30, 1, 2), ("F", 85, 15, 4)], fields=["sex"])
    data = records(tmp_path / "old.csv", "sex,age", [("F", 120)])
    found = exposure(population_risk(people, Policy.of("sex,year_of_birth"), dataset=data)).number("total")
    assert found == pytest.approx(float(occupied_bins(4, 15)) / 4)

    assert (
        "1 record above the last age band, counted in that band."
        in population_risk(people, Policy.of("sex,year_of_birth"), dataset=data).notes
    )
    sexes = population_risk(people, Policy.of("sex"), dataset=data)
    assert not any("age band" in note for note in sexes.notes)


@pytest.mark.parametrize(
    ("header", "value"),
    [("age", 151), ("age", 999), ("year_of_birth", 53), ("date_of_birth", "15.0/53"), ("age", "inf")],
)
def test_what_is_no_age_is_not_an_old_age(tmp_path: Path, header: str, value: object) -> None:
    """999 for unknown, or a year of two digits, would be counted among the oldest."""
    people = population([("F", 30, 1, 2), ("F", 85, 15, 4)], fields=["sex"])
    data = records(tmp_path / "odd.csv", f"sex,{header}", [("F", value)])
    options = PopulationOptions(counted_in=2000)
    with pytest.raises(
        BadData, match=r"1 record without a matching group in tiny \(empty or unknown there: age 1\)"
    ):
        population_risk(people, Policy.of("sex,year_of_birth"), dataset=data, options=options)


def test_adults_are_no_children(tmp_path: Path) -> None:
    """A register of children has a last band that is not open."""
    people = population([("F", 0, 10, 2), ("F", 10, 8, 4)], fields=["sex"])
    data = records(tmp_path / "grown.csv", "sex,age", [("F", 40), ("F", 12)])
    with pytest.raises(BadData, match="1 record without a matching group"):
        population_risk(people, Policy.of("sex,year_of_birth"), dataset=data)


def test_no_records_are_no_small_risk(tmp_path: Path) -> None:
    data = records(tmp_path / "none.csv", "sex,age", [])
    with pytest.raises(NothingToMeasure, match="has no records"):
        population_risk(figure_1(), Policy.of("year_of_birth,sex"), dataset=data)


def test_columns_of_a_data_set_are_found_whatever_their_case(tmp_path: Path) -> None:
    data = records(tmp_path / "upper.csv", "SEX,Age", [("F", 47)])
    assert population_risk(figure_1(), Policy.of("year_of_birth,sex"), dataset=data).people == 1


def test_how_a_file_is_written_is_no_note_of_a_risk(tmp_path: Path) -> None:
    data = records(tmp_path / "semi.csv", "sex;age;ward", [["F;47;a"]])
    result = population_risk(figure_1(), Policy.of("year_of_birth,sex"), dataset=data)
    assert result.notes == ()


def test_states_of_a_data_set_by_any_name(tmp_path: Path) -> None:
    people = population([("01", 30, 1, 3), ("39", 30, 1, 2)], areas=["state"])
    data = records(tmp_path / "some.csv", "state,age", [("AL", 30), ("Ohio", 30)])
    found = exposure(population_risk(people, Policy.of("year_of_birth"), dataset=data))
    assert found.number("total") == pytest.approx(1 / 3 + 1 / 2)


def test_more_records_than_people_are_noted(tmp_path: Path) -> None:
    data = records(tmp_path / "released.csv", "sex,age", [("M", 47)] * 3)
    result = population_risk(figure_1(), Policy.of("year_of_birth,sex"), dataset=data)
    assert "1 group with more records than people in the population." in result.notes


def test_other_refusals(tmp_path: Path) -> None:
    policy = Policy.of("year_of_birth,sex")
    born = records(tmp_path / "born.csv", "sex,year_of_birth", RELEASED)
    with pytest.raises(InvalidSetting, match="the year of the population counts is missing"):
        population_risk(figure_1(), policy, dataset=born)
    ageless = records(tmp_path / "ageless.csv", "sex,ward", [("F", "a")])
    with pytest.raises(UnknownColumn, match="has no age"):
        population_risk(figure_1(), policy, dataset=ageless)
    mixed = population([("F", 30, 5, 2), ("M", 30, 1, 3)], fields=["sex"])
    aged = records(tmp_path / "aged.csv", "sex,age", [("F", 31)])
    with pytest.raises(BadData, match="age bands of tiny differ between groups"):
        population_risk(mixed, policy, dataset=aged)
