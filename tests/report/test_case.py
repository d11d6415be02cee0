"""What can be reported, and what is said where it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.report.case import case_of
from tests.report.assessed import assessment, compared, context, table, text
from tests.report.deidentified import no_solution
from tests.report.deidentified_study import second_rung


def test_an_assessment_is_taken_as_it_is_wherever_it_lies(tmp_path: Path) -> None:
    given = assessment()
    (tmp_path / "assessment.json").write_text(json.dumps(given), encoding="utf-8")
    assert case_of(given) == case_of(tmp_path) == case_of([str(tmp_path / "assessment.json")])
    assert case_of(given)["parts"] == given["parts"]


def test_what_an_assessment_leaves_out_is_empty() -> None:
    bare = {"kind": "assessment", "version": "1", "acceptable": None, "verdict": {"sentence": ""}}
    found = case_of(bare)
    assert found["parts"] == found["remedies"] == found["agreement"] == []
    assert found["context"] is None


@pytest.mark.parametrize(
    ("result", "risk", "threshold", "acceptable"),
    [
        (table, 0.5, 0.2, False),
        (second_rung, 1 / 3, 1 / 3, True),
        (no_solution, 1.0, 1 / 3, False),
        (compared, None, None, None),
    ],
    ids=["table", "deidentified", "no solution", "policies"],
)
def test_a_result_alone_is_judged_by_itself(
    result: Callable[[], dict[str, Any]],
    risk: float | None,
    threshold: float | None,
    acceptable: bool | None,
) -> None:
    check_case(result(), risk, threshold, acceptable)


def test_texts_alone_are_judged_by_their_direct_identifiers() -> None:
    direct = text()["direct"]
    check_case(text(), direct["high"], direct["threshold"], acceptable=False)


def check_case(
    result: dict[str, Any], risk: float | None, threshold: float | None, acceptable: bool | None
) -> None:
    found = case_of(result)
    (part,) = found["parts"]
    assert part["judged"]["risk"] == (risk if risk is None else pytest.approx(risk))
    assert part["judged"]["threshold"] == (threshold if threshold is None else pytest.approx(threshold))
    assert found["acceptable"] is part["judged"]["acceptable"] is acceptable
    assert found["context"] is None


def test_results_are_acceptable_together_only_if_all_that_decide_are() -> None:
    assert case_of([second_rung(), compared()])["acceptable"] is True
    assert case_of([second_rung(), table()])["acceptable"] is False
    assert case_of([compared(), compared()])["acceptable"] is None


def test_a_context_beside_results_is_their_context() -> None:
    found = case_of([context(), table()])
    assert found["context"]["access"] == "non_public"
    assert len(found["parts"]) == 1
    with pytest.raises(InvalidSetting, match="at most one context"):
        case_of([context(), context()])


def test_the_reasons_of_each_result_are_kept_apart() -> None:
    said = case_of(text())["reasons"]
    assert [reason["holds"] for reason in said] == [False, True]


def test_two_assessments_and_none_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="one assessment"):
        case_of([assessment(), table()])
    with pytest.raises(InvalidSetting, match="at least one"):
        case_of([])


def test_other_dictionaries_are_refused() -> None:
    with pytest.raises(BadData, match="'invoice' cannot be reported"):
        case_of({"kind": "invoice"})


@pytest.mark.parametrize("content", ["", "{", "[1]", "\ud800".encode("utf-8", "surrogatepass").hex()])
def test_other_files_are_refused_without_their_content(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(UnreadableFile, match=r"x\.json (is not a result file|contains no result)"):
        case_of(path)


def test_a_folder_without_an_assessment_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="reidrisk assess") as caught:
        case_of(tmp_path)
    assert "does not exist" in caught.value.problem
