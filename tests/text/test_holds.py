"""Every reason of a text result says beside its text whether it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.text.corpus import Annotation, Document

TEXT = "Ann Lee came on 3 May and on 9 June."
NAME = Annotation(0, 7, "NAME", "direct")
DATES = (Annotation(16, 21, "DATE", "quasi"), Annotation(29, 35, "DATE", "quasi"))


def corpus(*marks: Annotation, documents: int = 60) -> list[Document]:
    return [Document(str(number), marks, TEXT) for number in range(documents)]


def check(result: dict[str, Any], *expected: bool | None) -> None:
    assert len(result["reasons"]) == len(result["holds"])
    assert result["holds"] == list(expected)
    names = list(result)
    assert names.index("holds") == names.index("reasons") + 1


@pytest.mark.parametrize(
    ("masked", "expected"),
    [((NAME, *DATES), (True, True)), (DATES, (False, True)), ((NAME,), (True, False))],
)
def test_the_reasons_of_a_risk_hold_where_its_parts_are_acceptable(
    masked: tuple[Annotation, ...], expected: tuple[bool, bool]
) -> None:
    risk = rr.evaluate_text(corpus(NAME, *DATES), corpus(*masked))
    check(risk.to_dict(), *expected)
    assert risk.reasons == tuple(risk.to_dict()["reasons"])


@pytest.mark.parametrize(("unevaluated", "holds"), [("reject", False), ("accept", True)])
def test_a_role_that_was_not_evaluated_holds_as_the_settings_decide(unevaluated: str, *, holds: bool) -> None:
    settings = rr.text_settings("recommended", {"unevaluated": unevaluated})
    risk = rr.evaluate_text(corpus(NAME), corpus(NAME), settings=settings).to_dict()
    check(risk, True, holds)
    assert risk["acceptable"] is holds


def test_the_reasons_of_a_comparison_hold_for_acceptable_tools() -> None:
    tools = {"good": corpus(NAME, *DATES), "bad": corpus(*DATES)}
    check(rr.compare_tools(corpus(NAME, *DATES), tools).to_dict(), True, False, None, None)


def test_counts_of_an_agreement_decide_nothing_and_open_conflicts_do() -> None:
    agreed = rr.agree_annotators([corpus(NAME), corpus(NAME)])
    check(agreed.to_dict(), None)
    tied = rr.agree_annotators([corpus(NAME), corpus(*DATES)])
    check(tied.to_dict(), None, False)


def test_the_reasons_of_a_sample_hold_only_where_a_limit_was_wanted(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"{number}.txt").write_text(TEXT, encoding="utf-8")
    check(rr.sample_documents(tmp_path, documents=3).to_dict(), None)
    wanted = rr.Wanted(recall=0.99)
    check(rr.sample_documents(tmp_path, documents=3, wanted=wanted).to_dict(), False, False)
