from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Criterion, Tuples
from reidrisk.stats.lattice.search import minimal
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.tables.hierarchy.rules import KINDS, column


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=40)
def test_every_kind_nests_and_codes_are_labels(kind: str, data: st.DataObject) -> None:
    hierarchy, values = KINDS[kind]
    drawn = data.draw(column(values))
    levels = hierarchy.on(drawn)
    recoding = levels.recoding
    assert list(levels.labels[0]) == drawn
    assert levels.names[-1] == "suppressed"
    assert set(levels.labels[-1]) == {"*"}
    for number in range(len(levels.names)):
        labels, codes = levels.labels[number].tolist(), recoding.levels[number].tolist()
        assert len(set(labels)) == len(set(codes)) == len(set(zip(labels, codes, strict=True)))
        if number:
            above = set(zip(recoding.levels[number - 1].tolist(), codes, strict=True))
            assert len(above) == len({before for before, _ in above})
            assert len({type(label) for label in labels if label is not None}) <= 1
            assert all(isinstance(label, str | int) for label in labels if label is not None)
    inner = range(1, len(levels.names) - 1)
    if drawn[-1] is None:
        assert all(levels.labels[number][-1] is None for number in inner)
        assert all(recoding.leaves[number][recoding.levels[number][-1]] == 1 for number in inner)
    else:
        assert all(None not in levels.labels[number].tolist() for number in inner)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tree"])
@given(data=st.data())
@settings(max_examples=20)
def test_rules_count_the_values_of_the_data_as_leaves(kind: str, data: st.DataObject) -> None:
    hierarchy, values = KINDS[kind]
    drawn = data.draw(column(values))
    recoding = hierarchy.on(drawn).recoding
    assert recoding.domain == len(drawn)
    for codes, leaves in zip(recoding.levels, recoding.leaves, strict=True):
        assert leaves[np.unique(codes)].sum() == len(drawn)


def test_a_first_level_that_changes_nothing_is_level_0() -> None:
    assert Hierarchy.prefixes("fsa", [3, 2, 1]).on(["K1H", "K2A"]).names == (
        "3 characters",
        "2 characters",
        "1 character",
        "suppressed",
    )
    assert Hierarchy.prefixes("fsa", [3, 2]).on(["K1H8L1"]).names[0] == "exact"


def test_alike_groups_are_not_alike_values() -> None:
    """One day a month: the level must not take the name of level 0, which would release the days."""
    levels = Hierarchy.dates("admitted", ["month"]).on(["2007-03-14", "2007-04-01"])
    assert levels.names == ("day", "month", "suppressed")
    assert levels.labels[1].tolist() == ["2007-03", "2007-04"]


def test_levels_by_name_and_by_number() -> None:
    levels = Hierarchy.dates("admitted", ["day", "month", "year"]).on(["2007-03-14"])
    assert [levels.number(name) for name in ("day", "exact", "month", "2", 3, "suppressed")] == [
        0,
        0,
        1,
        2,
        3,
        3,
    ]
    with pytest.raises(InvalidSetting, match=r"'monht'(.|\n)*Did you mean 'month'"):
        levels.number("monht")
    with pytest.raises(InvalidSetting, match="'4'"):
        levels.number(4)


def test_limits_of_generalization() -> None:
    dates = Hierarchy.dates("admitted", ["day", "month", "quarter", "year"])
    levels = dates.limited("quarter", min_level="month", reason="seasons").on(["2007-03-14"])
    assert (levels.recoding.lowest, levels.recoding.highest, levels.reason) == (1, 2, "seasons")
    assert dates.on(["2007-03-14"]).recoding.highest is None
    with pytest.raises(InvalidSetting, match="min_level of 'admitted', year, is above its max_level, month"):
        dates.limited("month", min_level="year").on(["2007-03-14"])
    with pytest.raises(InvalidSetting, match="Choose one of: day, month"):
        dates.limited("season").on(["2007-03-14"])


def test_exact_has_level_0_only_unless_it_may_be_suppressed() -> None:
    assert Hierarchy.exact("sex").on(["F", "M"]).names == ("exact",)
    assert Hierarchy.exact("sex", suppress=True).on(["F", "M"]).names == ("exact", "suppressed")


def test_without_the_suppressed_top() -> None:
    levels = Hierarchy.dates("admitted", ["day", "year"], suppress=False).on(["2007-03-14", None])
    assert levels.names == ("day", "year")
    assert levels.labels[1].tolist() == ["2007", None]


def test_two_levels_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="Two levels of 'x' are named 'a'"):
        Hierarchy.numbers("x", [{"name": "a", "width": 5}, {"name": "a", "width": 10}]).on([1])


@pytest.mark.parametrize("values", [[], [None]])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tree"])
def test_a_column_without_values_has_levels(kind: str, values: list[Any]) -> None:
    levels = KINDS[kind][0].on(values)
    assert levels.names[-1] == "suppressed"
    assert levels.recoding.domain == len(values)


def test_no_representation_shows_a_value() -> None:
    hierarchy = Hierarchy.tree("drug", {"group": ["secret"]})
    assert "secret" not in repr(hierarchy) + repr(hierarchy.on(["secret"]))


@pytest.mark.parametrize(("limit", "node"), [(0.0, (0, 2)), (0.1, (0, 1))])
def test_the_published_study_population_has_its_minimal_nodes(limit: float, node: tuple[int, int]) -> None:
    """Ten people by sex and age, two-year bands from 25, decades from 21, cell size 2."""
    sexes, ages = "MFFMFMMFMF", (26, 28, 31, 29, 28, 30, 29, 32, 29, 31)
    bands = [{"width": 2, "origin": 25}, {"width": 10, "origin": 21}]
    columns = [Hierarchy.exact("sex", suppress=True), Hierarchy.numbers("age", bands)]
    distinct: list[list[Any]] = [sorted(set(sexes)), sorted(set(ages))]
    rows = [(distinct[0].index(sex), distinct[1].index(age)) for sex, age in zip(sexes, ages, strict=True)]
    codes, counts = np.unique(np.array(rows, dtype=np.int32), axis=0, return_counts=True)
    recodings = [hierarchy.on(values).recoding for hierarchy, values in zip(columns, distinct, strict=True)]
    found = minimal(Tuples(codes, counts), recodings, Criterion(2, limit=limit), "loss_gm")
    assert [solution.levels for solution in found.nodes] == [node]
