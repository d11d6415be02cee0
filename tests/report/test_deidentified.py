"""Words and tables of a de-identified table, wherever they are shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reidrisk.report.blocks import deidentified_cost as cost
from reidrisk.report.blocks import deidentified_release as release
from reidrisk.report.blocks import deidentified_search as search
from reidrisk.report.blocks.utility import MOST_PAIRS
from reidrisk.report.kinds import table_deidentified as kind
from reidrisk.report.names import ends_of
from reidrisk.report.parts import Table
from reidrisk.report.plain_text import width_of
from reidrisk.report.views import draw
from tests.report.deidentified import CASES
from tests.report.deidentified_study import CELLS, NEAREST, rung, second_rung


@pytest.fixture(params=CASES)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    return CASES[request.param]()


def by_name(table: Table) -> dict[str, tuple[str, ...]]:
    return {row[0]: row[1:] for row in table.rows}


@pytest.mark.parametrize(
    ("case", "word"),
    [
        ("second rung", "Acceptable at a threshold of 1/3, under conditions"),
        ("first rung", "Acceptable at a threshold of 1/5"),
        ("no solution", "No solution"),
        ("interrupted", "Acceptable at a threshold of 1/3, under conditions; not proven to be the best"),
    ],
)
def test_the_verdict_names_threshold_and_conditions(case: str, word: str) -> None:
    assert kind.verdict(CASES[case]()).word == word


def test_what_leaves_is_told_as_it_was_changed() -> None:
    given = second_rung()
    exact = [row | {"level_number": 0} for row in given["variables"]]
    whole = given["solution"] | {"suppressed_cells": 0}
    told = kind.KIND.leaves
    assert told is not None
    assert told(given) == "10,364 records, with less detail and some cells blank"
    assert told(given | {"variables": exact}) == "10,364 records, with some cells blank"
    assert told(given | {"solution": whole}) == "10,364 records, with less detail"
    assert told(given | {"variables": exact, "solution": whole}) == "10,364 records, with full detail"


def test_a_solution_that_is_not_acceptable_is_not_called_missing() -> None:
    verdict = kind.verdict(second_rung() | {"acceptable": False})
    assert verdict.word == "Not acceptable"
    assert not any(reason.holds for reason in verdict.reasons)


def test_an_interrupted_search_is_loud_in_every_case() -> None:
    assert kind.alarms(CASES["interrupted"]()) == (kind.INTERRUPTED,)
    assert kind.alarms(second_rung()) == ()
    stopped = CASES["no solution"]()
    stopped["notes"] = ["The search was interrupted after 10 s."]
    assert kind.alarms(stopped) == (kind.INTERRUPTED_WITHOUT,)
    unproved = second_rung()
    unproved["solution"]["optimal"] = False
    assert kind.alarms(unproved) == (kind.UNPROVEN,)


def test_every_table_is_rectangular_and_of_texts(result: dict[str, Any]) -> None:
    tables = [search.thresholds, release.layout, search.named_solutions, search.candidates]
    tables += [cost.risks, cost.associations, cost.readings, release.codebook]
    for table in (make(result) for make in tables):
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert all(isinstance(cell, str) for row in table.rows for cell in row)
        assert all(0 <= at < len(table.rows) for at in table.marked)
        assert table.rows or table.note


def test_the_loop_marks_the_threshold_that_was_reached() -> None:
    table = search.thresholds(second_rung())
    assert [row[:3] for row in table.rows] == [("1/5", "no solution", "–"), ("1/3", "solution", "14.9 %")]
    assert NEAREST in table.rows[0][-1]
    assert table.rows[1][-1] == "Requires: controls of level high"
    assert table.marked == (1,)


def test_the_layout_has_the_published_suppression_of_each_variable() -> None:
    table = release.layout(second_rung())
    shown = {name: row[5:7] for name, row in by_name(table).items()}
    assert shown == {
        "admission_date": ("548", "5.3 %"),
        "length_of_stay": ("398", "3.8 %"),
        "postal_code": ("475", "4.6 %"),
        "age": ("1,177", "11.4 %"),
        "sex": ("117", "1.1 %"),
    }
    assert by_name(table)["age"][:3] == ("week", "1 of 3", "month")
    assert "1,544 of 10,364 records (14.9 %)" in table.note
    assert "the limit is 15 %" in table.note
    assert "2,715 cells" in table.note


def test_records_left_out_of_the_file_are_said() -> None:
    assert "2 records are removed" in release.suppression_sentence(CASES["records"]())
    assert "removed" not in release.suppression_sentence(second_rung())


def test_without_a_solution_the_limits_are_shown_instead() -> None:
    table = release.layout(CASES["no solution"]())
    assert table.title == "Limits on generalization"
    assert by_name(table)["age"][:2] == ("day → week → month → year", "month")
    assert "n/a" not in str(table.rows)


def test_named_solutions_are_those_of_the_study() -> None:
    table = search.named_solutions(second_rung())
    assert [column.name for column in table.columns][1:3] == ["suppression at 1/5", "suppression at 1/3"]
    rows = by_name(table)
    assert rows["1. Original request"][:2] == ("100 %", "100 %")
    assert rows["4. Months, region"][:2] == ("40.5 %", "29.2 %")
    assert rows["7. Length of stay (chosen)"][:2] == ("n/a", "14.9 % ✓")
    assert "–" in rows["7. Length of stay (chosen)"], "a variable that is not released"
    assert table.marked == (3,)


def test_only_twenty_candidates_are_shown_and_all_are_counted() -> None:
    table = search.candidates(second_rung())
    assert len(table.rows) == 20
    assert table.note == "20 of 27 are shown; all are in the result file."
    assert table.rows[0][:2] == ("1", "optimum, chosen")
    assert "0.3100" in table.rows[0]


def test_what_was_chosen_is_shown_however_late_it_comes() -> None:
    result = second_rung()
    for row in result["candidates"]:
        row["chosen"] = False
    result["candidates"][25]["chosen"] = True
    table = search.candidates(result)
    assert table.rows[-1][0] == "26"
    assert table.marked == (19,)
    assert len(table.rows) == 20


def test_the_proof_is_explained_and_its_absence_too() -> None:
    facts = {fact.name: fact for fact in search.proof(second_rung()).facts}
    assert facts["smallest loss"].value == "proven"
    assert facts["proof"].meaning == search.PROOFS["branch and bound exhausted"]
    assert (facts["combinations of levels"].value, facts["evaluated"].value) == ("288", "61")
    missing = {fact.name: fact for fact in search.proof(CASES["interrupted"]()).facts}
    assert missing["smallest loss"].value == "NOT PROVEN"
    assert "NOT PROVEN" in missing["proof"].meaning


def test_every_proof_of_the_search_is_explained() -> None:
    from reidrisk.stats.lattice.search import OptimalityProof

    assert set(search.PROOFS) == {str(proof) for proof in OptimalityProof}


def test_every_loss_of_the_search_is_explained() -> None:
    from reidrisk.stats.lattice.losses import LOSSES

    assert set(cost.LOSSES) == set(LOSSES)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"optimal": True, "gap": 0.0}, "the proven minimum"),
        ({"optimal": False, "gap": 0.2}, "at most 25.0 % above the minimum"),
        ({"optimal": False, "gap": 93 / 2715}, "at most 3.6 % above the minimum"),
        ({"optimal": False, "gap": 1.0}, "no bound is proven"),
        ({"optimal": False, "gap": None}, "no bound is proven"),
    ],
)
def test_the_bound_is_said_in_words_and_never_too_small(how: dict[str, Any], words: str) -> None:
    assert cost.bound_text(how) == words
    if how["gap"] and how["gap"] < 1:
        claimed = float(words.split()[2]) / 100
        assert claimed >= how["gap"] / (1 - how["gap"]) - 1e-12


def test_bounds_on_weighted_cells_are_called_so() -> None:
    result = second_rung()
    weighted = {fact.name: fact.meaning for fact in cost.suppression(result).facts}
    assert weighted["distance from the minimum"] == "at least 2,622 weighted cells must be suppressed"
    result["settings"]["weights"] = {"age": 1.0}
    plain = {fact.name: fact.meaning for fact in cost.suppression(result).facts}
    assert plain["distance from the minimum"] == "at least 2,622 cells must be suppressed"


def test_cells_per_record_are_shares_of_all_records() -> None:
    rows = by_name(cost.per_record(second_rung()))
    assert rows == {
        "1": ("678", "6.5 %"),
        "2": ("601", "5.8 %"),
        "3": ("228", "2.2 %"),
        "4": ("37", "0.4 %"),
    }


def test_risks_stand_beside_each_other() -> None:
    rows = by_name(cost.risks(second_rung()))
    assert rows["highest risk (prosecutor)"] == ("1.0000", "0.3333")
    assert rows["records"] == ("10,364", "10,364")
    assert by_name(cost.risks(CASES["no solution"]()))["smallest class"] == ("1", "n/a")


def test_the_reading_that_decides_is_marked() -> None:
    table = cost.readings(second_rung())
    assert [row[:3] for row in table.rows] == [
        ("value (decides)", "3", "0.3333"),
        ("wildcard", "4", "0.2500"),
    ]
    assert table.marked == (0,)


def test_associations_begin_with_the_largest_change_and_unknown_ones_come_last() -> None:
    assert [row[-1] for row in cost.associations(second_rung()).rows] == ["-0.020", "n/a"]
    many = cost.associations(CASES["many long names"]())
    assert len(many.rows) == MOST_PAIRS
    assert many.note.startswith("46 more pairs")


def test_every_setting_is_shown() -> None:
    facts = {fact.name: fact.value for fact in kind.settings(second_rung()).facts}
    assert set(second_rung()["settings"]) - {"suppressed_as"} <= set(facts)
    assert facts["max_suppression"] == "0.15"
    assert facts["ladder"] == "5, 3"
    assert facts["seed"] == "7"
    assert facts["threshold"] == "1/3: agreed with the privacy office"


def test_a_missing_value_and_a_suppressed_one() -> None:
    result = second_rung()
    result["variables"][0]["missing_before"] = 0
    said = dict(zip(CELLS, release.missing_or_suppressed(result), strict=True))
    assert "cannot be confused" in said["admission_date"]
    assert "CANNOT be distinguished" in said["age"]
    assert "12 missing before, 1,177 suppressed" in said["age"]
    assert "contains *" in said["sex"]
    del result["settings"]["suppressed_as"]
    assert "what was done to the column" in release.missing_or_suppressed(result)[1]


def test_a_threshold_that_is_no_cell_size_is_a_number() -> None:
    literal = rung(12, "no solution") | {"probability": 0.09}
    assert search.thresholds(second_rung() | {"threshold_ladder": [literal]}).rows[0][0] == "0.0900"


# The terminal.


def test_terminal_lines_fit_are_plain_and_few(result: dict[str, Any]) -> None:
    lines = draw(result, "terminal").splitlines()
    assert max(width_of(line) for line in lines) <= 110
    assert all(line == line.rstrip() and line.isprintable() for line in lines)
    assert len(lines) <= 62


def test_the_terminal_says_the_essentials() -> None:
    text = " ".join(draw(second_rung(), "terminal").split())
    for part in (
        "ACCEPTABLE AT A THRESHOLD OF 1/3, UNDER CONDITIONS",
        "A yearly audit.",
        f"1/5: no solution. {NEAREST}",
        "1/3: solution, length of stay, 14.9 % of records",
        "1,177 11.4 %",
        "7. Length of stay (chosen) n/a 14.9 % ok",
        "smallest class 3, highest risk 0.3333",
        "Suppressed cell as wildcard: smallest class 4",
        "at most 3.6 % above the minimum",
        "61 of 288 combinations of levels were evaluated. 27 candidates",
        "12 values of age are missing.",
        "out/rx_released.parquet",
    ):
        assert part in text


def test_the_terminal_is_loud_about_an_interrupted_search() -> None:
    lines = draw(CASES["interrupted"](), "terminal").splitlines()
    assert any(line.startswith("  !! The search was interrupted") for line in lines[:8])
    assert "NOT PROVEN to be the smallest" in " ".join(lines)


def test_the_terminal_without_a_solution_releases_nothing() -> None:
    text = draw(CASES["no solution"](), "terminal")
    assert text.splitlines()[2] == "NO SOLUTION"
    assert "RECORD LAYOUT" not in text
    assert "After:" not in text


def test_views_survive_json_and_change_nothing(result: dict[str, Any]) -> None:
    before = json.dumps(result)
    assert draw(json.loads(before), "terminal") == draw(result, "terminal")
    assert json.dumps(result) == before


def test_names_keep_their_ends() -> None:
    assert ends_of("a_rather_long_name_1", 12) != ends_of("a_rather_long_name_2", 12)
    assert width_of(ends_of("市" * 40, 12)) <= 12
