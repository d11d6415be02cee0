"""Classes of participants, and the three criteria, against a plain count."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.documents.risk.classes import Leaked, criteria, with_leaks
from reidrisk.documents.risk.participants import Seen, Shown, coded
from reidrisk.documents.study.study import section_rule
from reidrisk.errors import InvalidSetting
from tests.papers.tables import KUMAR

ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, "a", "b"])), min_size=1, max_size=20)


@given(ROWS)
def test_class_sizes_are_those_of_a_plain_count(rows: list[tuple[int, str | None]]) -> None:
    people = coded(["x", "y"], rows)
    both, one = Counter(rows), Counter(y for _, y in rows)
    assert people.class_sizes(["x", "y"]).tolist() == [both[row] for row in rows]
    assert people.class_sizes(["y"]).tolist() == [one[y] for _, y in rows]
    assert people.class_sizes([]).tolist() == [len(rows)] * len(rows)


@given(ROWS)
def test_coarser_values_never_make_classes_smaller(rows: list[tuple[int, str | None]]) -> None:
    people = coded(["x", "y"], rows, [(x // 2, y) for x, y in rows], is_deidentified=True)
    assert (people.class_sizes(["x", "y"]) >= people.class_sizes([], ["x", "y"])).all()


def test_unknown_variables_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="quasi-identifier of the study"):
        coded(["SEX"], [("F",)]).class_sizes(["AGE"])


def test_sections_take_the_nearest_rule() -> None:
    rules = {"16": "redact", "16.2": "leave_out"}
    assert section_rule(rules, "16.2.1.1", otherwise="replace") == "leave_out"
    assert section_rule(rules, "16.20", otherwise="replace") == "redact"
    assert section_rule(rules, "160", otherwise="replace") == "replace"
    assert section_rule(rules, None, otherwise="replace") == "replace"


def seen(mentioned: dict[int, set[str]], released: dict[int, set[str]]) -> Shown:
    frozen = [{key: frozenset(names) for key, names in one.items()} for one in (mentioned, released)]
    return Shown(frozen[0], frozen[1], {}, Seen(1, len(mentioned), 0, 0, 0, 0, ()))


def test_criteria_of_a_report_that_shows_sex_and_age() -> None:
    people = coded(["SEX", "AGE"], KUMAR)
    both = {number: {"SEX", "AGE"} for number in (1, 8)}
    single, link, infer = criteria(people, seen(both, both))
    assert (single.is_met, single.figures["unique"]) == (False, 1)
    assert (link.is_met, link.figures["with_one_row_only"]) == (False, 1)
    assert (infer.is_met, infer.figures["variables"]) == (True, [])


def test_a_masked_age_is_guessed_from_the_sex() -> None:
    people = coded(["SEX", "AGE"], KUMAR)
    everybody = range(1, 11)
    shown = seen({number: {"SEX", "AGE"} for number in everybody}, {number: {"SEX"} for number in everybody})
    single, link, infer = criteria(people, shown)
    assert single.is_met
    assert link.is_met
    row = infer.figures["variables"][0]
    # All three men are 26, and two women each are 26, 28 and 29; of all ten five are 26.
    assert (row["variable"], row["guesses"], row["right"]) == ("AGE", 10, 3 + 6 / 3)
    assert row["right_without_the_document"] == 5


def test_what_leaked_on_reviewed_pages_counts() -> None:
    people = coded(["SEX", "AGE"], KUMAR)
    shown = seen({1: {"SEX"}}, {})
    found = criteria(people, shown)
    assert all(one.is_met for one in with_leaks(found, Leaked(0, 0)))
    assert [one.is_met for one in with_leaks(found, Leaked(1, 1))] == [False, False, True]
