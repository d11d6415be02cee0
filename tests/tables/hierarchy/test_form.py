from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.form import KIND_WORDS, HierarchyForm
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.preview import count_values, preview_hierarchies


@pytest.mark.parametrize(
    ("settings", "levels", "editable"),
    [
        (["day", "month", "year"], "day, month, year", True),
        ({"kind": "prefix", "lengths": [3, 1], "max_level": "1 character"}, "3, 1", True),
        ({"kind": "number", "levels": [5, 10], "suppress": False}, "5, 10", True),
        ({"kind": "age", "unit": "days", "levels": ["weeks", "5 years"]}, "weeks, 5 years", True),
        ({"kind": "age", "unit": "days", "levels": [{"name": "x", "years": 5}]}, "", False),
        ({"kind": "age", "unit": "years", "levels": ["years"], "top": "90 years"}, "years", False),
        ("icd10", "", True),
        ({"kind": "tree", "tree": {}}, "", False),
        (None, "", True),
    ],
)
def test_settings_become_a_form_and_settings_again(settings: Any, levels: str, editable: bool) -> None:
    form = HierarchyForm.of(settings)
    assert (form.levels, form.editable) == (levels, editable)
    if editable and settings is not None:
        again = form.settings(settings)
        values = ["2007-03-14", "2008-01-01"] if form.kind == "date" else [1, 2]
        values = ["E11.9", "K12"] if form.kind in ("icd10", "prefix") else values
        one, other = Hierarchy.of("c", settings).on(values), Hierarchy.of("c", again).on(values)
        assert one.names == other.names


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (HierarchyForm("tree"), "kind"),
        (HierarchyForm("date"), "1 to 20 levels"),
        (HierarchyForm("prefix", "a, b"), "numbers"),
        (HierarchyForm("age", "years", unit="miles"), "unit"),
        (HierarchyForm("number", ",".join(["1"] * 21)), "1 to 20"),
    ],
)
def test_what_is_refused(form: HierarchyForm, text: str) -> None:
    with pytest.raises(InvalidSetting, match=text):
        form.settings()


def test_every_kind_has_words() -> None:
    assert all(words[0].islower() or words.startswith("US") for words in KIND_WORDS.values())


def test_a_preview_from_counted_values_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"2007-0{1 + at % 3}-0{1 + at % 9},{at % 7}" for at in range(40)]
    path.write_text("\n".join(["day,score", *rows]), encoding="utf-8")
    rules = {"day": Hierarchy.dates("day", ["day", "month"]), "score": Hierarchy.numbers("score", [2, 4])}
    counted = count_values(path, rules)
    assert preview_hierarchies(counted, rules).to_dict() == preview_hierarchies(path, rules).to_dict()
    finer = {"score": Hierarchy.numbers("score", [3])}
    assert counted.serves(finer)
    assert not counted.serves({"score": Hierarchy.exact("score")})
    assert preview_hierarchies(counted, finer).to_dict()["columns"][0]["column"] == "score"
    assert "2007" not in repr(counted)
