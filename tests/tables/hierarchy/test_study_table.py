"""The hierarchies of Table 2 of the hospital prescription study (El Emam et al. 2009)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reidrisk.tables.hierarchy.hierarchy import Hierarchy, read_hierarchies

TABLE_2 = """
sex: exact
age:
  kind: age
  unit: days
  levels:
    - days
    - weeks
    - name: weeks up to one year
      steps: [{below: 1 year, by: 1 week}, {by: 1 year}]
    - name: months up to one year
      steps: [{below: 1 year, by: 1 month}, {by: 1 year}]
    - years
  max_level: weeks up to one year
postal_code: {kind: prefix, lengths: [3, 2, 1], max_level: 1 character}
admitted: {kind: date, levels: [day, month, quarter, year], max_level: quarter}
length_of_stay: {kind: duration, unit: days, levels: [days, weeks], max_level: days}
"""


@pytest.fixture
def table_2(tmp_path: Path) -> dict[str, Hierarchy]:
    path = tmp_path / "table2.yaml"
    path.write_text(TABLE_2, encoding="utf-8")
    return read_hierarchies(path)


@pytest.mark.parametrize(
    ("column", "values", "names", "highest"),
    [
        ("sex", ["F", "M"], ("exact",), None),
        (
            "age",
            [3, 200, 3000],
            ("days", "weeks", "weeks up to one year", "months up to one year", "years", "suppressed"),
            2,
        ),
        ("postal_code", ["K1H", "K2A"], ("3 characters", "2 characters", "1 character", "suppressed"), 2),
        ("admitted", [date(2007, 3, 14)], ("day", "month", "quarter", "year", "suppressed"), 2),
        ("length_of_stay", [1, 9], ("days", "weeks", "suppressed"), 0),
    ],
)
def test_levels_and_maximum_acceptable_generalization(
    table_2: dict[str, Hierarchy], column: str, values: list[Any], names: tuple[str, ...], highest: int | None
) -> None:
    levels = table_2[column].on(values)
    assert levels.names == names
    assert levels.recoding.highest == highest


def test_ages_of_the_young_are_told_in_weeks_and_of_the_old_in_years(table_2: dict[str, Hierarchy]) -> None:
    levels = table_2["age"].on([3, 200, 3000])
    assert levels.labels[2].tolist() == ["0 weeks", "28 weeks", "8 years"]
    assert levels.labels[3].tolist() == ["0 months", "6 months", "8 years"]
    assert levels.labels[4].tolist() == [0, 0, 8]
