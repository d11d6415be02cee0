from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.dates import BirthDates, leap_days, read_birth_dates
from reidrisk.stats.distinctness import distinct_people, distinct_people_uneven

DAYS = [(month, day) for month, last in enumerate((31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), start=1)
        for day in range(1, last + 1)]  # fmt: skip


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_an_even_spread() -> None:
    assert BirthDates(days=360).spread("date") == ((1.0, 360.0),)
    assert BirthDates().spread("month") == ((1.0, 12.0),)
    assert BirthDates().spread("year") == BirthDates().spread(None) == ((1.0, 1.0),)


def test_leap_days_are_one_in_1461() -> None:
    (rare, of_rare), (usual, of_usual) = leap_days().spread("date")
    assert (rare, of_rare) == pytest.approx((1 / 1461, 1461))
    assert (usual, of_usual) == pytest.approx((1460 / 1461, 1461 / 4))
    assert sum(share for share, _ in leap_days().spread("month")) == pytest.approx(1)
    assert {round(1461 / bins / 4, 2) for _, bins in leap_days().spread("month")} == {30, 31, 28.25}


def test_births_by_month(tmp_path: Path) -> None:
    lines = ["month,births", *(f"{month},{month * 10}" for month in range(1, 13))]
    spread = read_birth_dates(written(tmp_path / "births.csv", lines)).spread("month")
    assert sorted(share for share, _ in spread) == pytest.approx([month / 78 for month in range(1, 13)])


def test_births_of_a_month_fall_on_its_days_and_one_in_four_leap_days(tmp_path: Path) -> None:
    lines = ["month,births", *(f"{month},100" for month in range(1, 13))]
    chances = read_birth_dates(written(tmp_path / "births.csv", lines)).chances
    assert chances[0] == pytest.approx(1 / 12 / 31)
    assert chances[DAYS.index((2, 28))] == pytest.approx(1 / 12 / 28.25)
    assert chances[DAYS.index((2, 29))] == pytest.approx(1 / 12 / 28.25 / 4)


def test_births_by_day(tmp_path: Path) -> None:
    lines = ["month,day,births", *(f"{month},{day},4" for month, day in DAYS if (month, day) != (2, 29))]
    without = read_birth_dates(written(tmp_path / "births.csv", lines))
    assert np.array(without.spread("date")) == pytest.approx(np.array([[1.0, 365.0]]))
    leap = read_birth_dates(written(tmp_path / "leap.csv", [*lines, "2,29,1"]))
    assert leap.chances == pytest.approx(leap_days().chances)


@pytest.mark.parametrize("shape", ["even", "season", "wild"])
def test_few_points_tell_the_same_as_all_days(shape: str) -> None:
    """Where births differ by orders of magnitude, 48 points would be off by half a percent."""
    rng = np.random.default_rng(1)
    weights = {"even": 1 + 1e-3 * rng.random(366), "season": 1 + 0.1 * np.sin(np.arange(366) / 58),
               "wild": rng.gamma(1, size=366)}[shape]  # fmt: skip
    chances = weights / weights.sum()
    spread = BirthDates(shape, chances=tuple(chances.tolist())).spread("date")
    assert len(spread) == (366 if shape == "wild" else 48)
    for people, g in ((200, 1), (20_000, 60), (1_000_000, 2_739), (1_000_000, 3_013)):
        exact = float(distinct_people_uneven(g, people, chances)) / people
        found = sum(share * float(distinct_people(g, people, bins)) / people for share, bins in spread)
        assert found == pytest.approx(exact, abs=1e-7)


def test_many_different_days_are_condensed(tmp_path: Path) -> None:
    lines = ["month,day,births", *(f"{month},{day},{1000 + at}" for at, (month, day) in enumerate(DAYS))]
    spread = read_birth_dates(written(tmp_path / "births.csv", lines)).spread("date")
    assert len(spread) == 48
    assert sum(share for share, _ in spread) == pytest.approx(1)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["month,day", "1,1"],
        ["month,births", "1,5"],
        ["month,births", *(f"{month},-1" for month in range(1, 13))],
        ["month,births", *(f"{month},0" for month in range(1, 13))],
        ["month,births", *(f"{month},nan" for month in range(1, 13))],
        ["month,births", *(f"{month},1" for month in (*range(1, 13), 12))],
        ["month,day,births", *(f"{month},{day},1" for month, day in DAYS), "2,30,1"],
    ],
)
def test_files_that_are_no_year(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(BadData):
        read_birth_dates(written(tmp_path / "births.csv", lines))


def test_other_refusals(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        read_birth_dates(tmp_path / "nowhere.csv")
    with pytest.raises(InvalidSetting, match="evenly distributed"):
        read_birth_dates("leap", days=365)
    with pytest.raises(InvalidSetting, match="12 or more"):
        BirthDates(days=4)
    with pytest.raises(InvalidSetting, match="add up"):
        BirthDates("odd", chances=(0.5,) * 366)
    assert read_birth_dates("uniform", days=366).days == 366
