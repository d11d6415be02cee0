from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED, read_populations
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


def test_small_areas_become_000() -> None:
    levels = Hierarchy.zips("zip", digit=True).on(["02138", "02139-0001", "03601", "82101"])
    assert levels.names == ("exact", "ZIP5", "ZIP3", "1 digit", "suppressed")
    assert levels.labels[1].tolist() == ["02138", "02139", "03601", "82101"]
    assert levels.labels[2].tolist() == ["021", "021", "000", "000"]
    assert levels.labels[3].tolist() == ["0", "0", "000", "000"]


def test_numbers_get_their_zeros_back() -> None:
    assert Hierarchy.zips("zip").on([501, 2138, 99501]).labels[1].tolist() == ["00501", "02138", "99501"]
    assert Hierarchy.zips("zip").on([36, 501]).labels[1].tolist() == ["000", "501"]


def test_three_digits_are_areas_already() -> None:
    assert Hierarchy.zips("zip").on(["021", "995"]).names == ("ZIP3", "suppressed")
    assert Hierarchy.zips("zip").on(["021", "036"]).labels[1].tolist() == ["021", "000"]


def test_the_list_is_the_one_that_was_published(shared: Path) -> None:
    with (shared / "census" / "zip3_population.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert RESTRICTED["hhs-2000"] == {row["zip3"] for row in rows if row["hhs2000_restricted"] == "True"}
    assert len(RESTRICTED["hhs-2000"]) == 17


def test_populations_of_another_year(shared: Path) -> None:
    folder = shared / "census"
    people = read_populations(folder / "zip3_population.csv")
    rule = {"kind": "zip", "populations": "zip3_population.csv"}
    labels = Hierarchy.of("zip", rule, folder=folder).on([f"{prefix}01" for prefix in people]).labels[1]
    small = {prefix for prefix, label in zip(people, labels.tolist(), strict=True) if label == "000"}
    assert small == {prefix for prefix, number in people.items() if number <= POPULATION_LIMIT}
    assert "036" in small
    assert "063" not in small, "it has grown since 2000"


def test_an_area_without_a_population_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("zip3,people\n021,900000\n036,20000\n", encoding="utf-8")
    zips = Hierarchy.of("zip", {"kind": "zip", "populations": "people.csv"}, folder=tmp_path)
    assert zips.on(["02101", "03601", "99501"]).labels[1].tolist() == ["021", "000", "000"]


def test_an_own_list() -> None:
    assert Hierarchy.zips("zip", restricted=["021"]).on(["02101", "03601"]).labels[1].tolist() == [
        "000",
        "036",
    ]


@pytest.mark.parametrize("odd", ["2138", "0213a", "", "02138-1", "K1H 8L1"])
def test_what_is_no_zip_is_counted_and_not_shown(odd: str) -> None:
    with pytest.raises(BadData, match="'zip' has 1 value not in the form of a ZIP code"):
        Hierarchy.zips("zip").on([odd, "02138"])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"restricted": "hhs-2010"}, "'hhs-2000'"),
        ({"restricted": 36}, "is not a list"),
        ({"restricted": ["36"]}, r"zip.restricted\[0\] does not have three digits"),
        ({"restricted": ["036"], "populations": "x.csv"}, "both restricted and populations"),
        ({"digits": True}, "Did you mean 'digit'"),
    ],
)
def test_refusals(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.of("zip", {"kind": "zip", **settings})


def test_a_faulty_file_of_populations(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_populations(path)
    for text, said in (
        ("zip3,people\n021,many\n", "line 2"),
        ("zip3,people\n", "has no populations"),
        ("", "no pop"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadData, match=said):
            read_populations(path)
