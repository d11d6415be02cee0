from __future__ import annotations

from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from tests.tables.hierarchy.rules import TREE


def test_a_shallow_leaf_stays_itself_until_its_parents_begin() -> None:
    levels = Hierarchy.tree("diagnosis", TREE).on(["asthma", "flu", "stroke"])
    assert levels.names == ("0", "1", "2", "suppressed")
    assert [labels.tolist() for labels in levels.labels[1:]] == [
        ["asthma", "infection", "stroke"],
        ["respiratory", "respiratory", "circulatory"],
        ["*", "*", "*"],
    ]
    assert levels.recoding.domain == 5
    assert levels.recoding.leaves[2][levels.recoding.levels[2]].tolist() == [3, 3, 2]


def test_a_single_root_is_the_top() -> None:
    levels = Hierarchy.tree("d", {"any": {"a": ["x", "y"], "b": ["z"]}}, names=["code", "group", "all"]).on(
        ["x"]
    )
    assert levels.names == ("code", "group", "all")
    forced = Hierarchy.tree("d", {"any": ["x", "y"]}, suppress=True)
    assert forced.on(["x"]).names == ("0", "1", "suppressed")
    open_top = Hierarchy.tree("d", {"a": ["x"], "b": ["y"]}, suppress=False)
    assert open_top.on(["x"]).names == ("0", "1")


def test_lists_of_branches_and_values_that_are_no_texts() -> None:
    tree = {"low": [1, 2.0], "high": [{"very": [8, 9]}, 5]}
    levels = Hierarchy.tree("score", tree).on([1, 2, 5, 9])
    assert levels.labels[1].tolist() == ["1", "2", "5", "very"]
    assert levels.labels[2].tolist() == ["low", "low", "high", "high"]


@pytest.mark.parametrize(
    ("tree", "error", "said"),
    [
        ({"a": ["x", "x"]}, BadData, r"d.tree: d.tree.a\[0\] and d.tree.a\[1\] list the same value"),
        ({"a": {"o": ["x"]}, "b": {"o": ["y"]}}, BadData, "level 2 splits a group of level 1"),
        ({"a": []}, InvalidSetting, r"d.tree.a has nothing below it"),
        ({"a": [None]}, InvalidSetting, r"d.tree.a\[0\] has a category without a name"),
        ({}, InvalidSetting, "d.tree has no categories"),
        (None, InvalidSetting, "d needs the setting 'tree'"),
    ],
)
def test_refusals(tree: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        Hierarchy.of("d", {"kind": "tree", "tree": tree})


@pytest.mark.parametrize(
    ("names", "said"),
    [(["one"], "1 names for 2 levels"), (["one", 2], r"names\[1\] is not a name"), ([], "or it is empty")],
)
def test_names_fit_the_levels(names: list[Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        Hierarchy.tree("d", {"a": ["x"], "b": ["y"]}, names=names)
