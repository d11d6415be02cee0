from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes, simulate_tool
from reidrisk.errors import InvalidSetting
from reidrisk.text.compare import TextComparison, tool_names
from reidrisk.text.corpus import Annotation, Corpus, Document

ONE_ENGINE = rr.text_settings(options={"crosscheck": False})
BY_MODEL = rr.text_settings(options={"crosscheck": False, "limit": "model"})


@pytest.fixture(scope="module")
def notes() -> Corpus:
    return clinical_notes(seed=7)


@pytest.fixture(scope="module")
def compared(notes: Corpus) -> TextComparison:
    tools = {
        "ours": case_study_tool(notes, seed=7),
        "older": simulate_tool(notes, recall=0.8, seed=2),
        "newer": simulate_tool(notes, recall=0.995, seed=3),
    }
    return rr.compare_tools(notes, tools)


def test_the_tools_are_judged_as_they_are_alone(notes: Corpus, compared: TextComparison) -> None:
    alone = rr.evaluate_text(notes, case_study_tool(notes, seed=7)).to_dict()
    result = compared.to_dict()
    assert result["kind"] == "text_comparison"
    assert result["tools"][0] == alone | {"name": "ours"}
    assert result["ranking"] == ["newer", "ours", "older"]
    assert result["acceptable"] is all(tool["acceptable"] for tool in result["tools"])
    json.dumps(result, allow_nan=False)


def test_every_two_tools_are_compared_once(compared: TextComparison) -> None:
    pairs = [(one.a, one.b) for one in compared.differences]
    assert pairs == [("ours", "older"), ("ours", "newer"), ("older", "newer")]
    for one in compared.differences:
        for part in (one.direct, one.quasi):
            assert part is not None
            assert part.estimate.low <= part.estimate.value <= part.estimate.high
    plug_ins = [risk.direct.plug_in for risk in compared.risks if risk.direct]
    first = compared.differences[0].direct
    assert first is not None
    assert first.estimate.value == pytest.approx(plug_ins[0] - plug_ins[1])
    assert first.lower == "a"


def test_a_tool_does_not_differ_from_itself(notes: Corpus) -> None:
    tool = case_study_tool(notes, seed=7)
    one = rr.compare_tools(notes, {"a": tool, "b": tool}, settings=ONE_ENGINE).differences[0]
    for part in (one.direct, one.quasi):
        assert part is not None
        assert part.method == "paired limits"
        assert part.estimate.value == 0
        assert part.estimate.low == pytest.approx(-part.estimate.high)
        assert (part.lower, part.only_a, part.only_b) == (None, 0, 0)


def test_pairing_is_narrower_than_two_separate_intervals(notes: Corpus) -> None:
    """Tools that leak in nearly the same documents: the difference is known far better than each risk."""
    first = list(case_study_tool(notes, seed=7))
    second = [Document(one.id, one.annotations if place % 10 else ()) for place, one in enumerate(first)]
    compared = rr.compare_tools(notes, {"first": first, "second": second}, settings=ONE_ENGINE)
    part = compared.differences[0].direct
    assert part is not None
    widths = [risk.direct.estimate.high - risk.direct.estimate.low for risk in compared.risks if risk.direct]
    assert part.estimate.high - part.estimate.low < sum(widths)
    assert part.lower == "a"


def few(leaking: set[int]) -> list[Document]:
    mark, other = Annotation(0, 3, "NAME", "direct"), Annotation(4, 8, "DATE", "quasi")
    return [Document(str(n), (other,) if n in leaking else (mark, other)) for n in range(100)]


def test_few_leaking_documents_are_compared_by_their_plain_shares() -> None:
    marks = (Annotation(0, 3, "NAME", "direct"), Annotation(4, 8, "DATE", "quasi"))
    gold = [Document(str(n), marks, "Ann 2019") for n in range(100)]
    compared = rr.compare_tools(gold, {"one": few({1, 2}), "two": few({2, 3, 4})}, settings=BY_MODEL)
    part = compared.differences[0].direct
    assert part is not None
    assert part.method == "shares of leaking documents"
    assert (part.only_a, part.only_b) == (1, 2)
    assert part.estimate.value == pytest.approx(-0.01)
    assert part.estimate.low < 0 < part.estimate.high
    assert "Too few documents" in compared.to_dict()["warnings"][0]


def test_the_seed_decides_and_is_recorded(notes: Corpus) -> None:
    tools = {"a": case_study_tool(notes, seed=7), "b": simulate_tool(notes, recall=0.9, seed=2)}
    results = [rr.compare_tools(notes, tools, seed=seed, settings=BY_MODEL).to_dict() for seed in (3, 3, 4)]
    assert results[0] == results[1]
    assert results[0]["differences"] != results[2]["differences"]
    assert results[0]["seed"] == 3


def test_a_role_that_nobody_marked_has_no_difference() -> None:
    gold = [Document(str(n), (Annotation(0, 3, "NAME", "direct"),), "Ann") for n in range(9)]
    one = rr.compare_tools(gold, [[Document(one.id, ()) for one in gold]] * 2)
    assert one.names == ("tool 1", "tool 2")
    assert one.to_dict()["differences"][0]["quasi"] is None


def test_only_results_on_the_same_ground_are_compared(notes: Corpus) -> None:
    tool = case_study_tool(notes, seed=7)
    risk = rr.evaluate_text(notes, tool, settings=ONE_ENGINE)
    other_seed = rr.evaluate_text(notes, tool, seed=8, settings=ONE_ENGINE)
    part = rr.evaluate_text(list(notes)[:60], list(tool)[:60], settings=ONE_ENGINE)
    for other in (other_seed, part):
        with pytest.raises(InvalidSetting, match="differ in gold standard"):
            rr.compare_risks([risk, other], names=["a", "b"])
    with pytest.raises(InvalidSetting, match="each with a unique name"):
        rr.compare_risks([risk, risk], names=["a", "a"])
    with pytest.raises(InvalidSetting, match="two or more tools"):
        rr.compare_risks([risk], names=["a"])


def test_tools_are_named_by_their_files() -> None:
    paths: list[str | Path | rr.TextFiles] = [
        "x/presidio.jsonl",
        Path("y/presidio.jsonl"),
        rr.TextFiles("philter/", "brat"),
    ]
    assert tool_names(paths) == ["presidio (1)", "presidio (2)", "philter"]


def test_the_difference_of_real_tools(shared: Path) -> None:
    """Philter-lite leaves less direct risk on the court decisions than Presidio, by far; the texts decide."""
    gold = shared / "corpora" / "tab144.jsonl"
    tools = [shared / "predictions" / "tab144" / f"{name}.jsonl" for name in ("presidio_md", "philter_lite")]
    part = rr.compare_tools(gold, tools, settings=ONE_ENGINE).differences[0].direct
    assert part is not None
    assert (part.only_a, part.only_b, part.lower) == (68, 10, "b")
    assert np.isclose(part.estimate.value, 58 / 144)
    model = rr.compare_tools(gold, tools, settings=BY_MODEL)
    assert model.differences[0].direct is not None
    assert np.isclose(model.differences[0].direct.estimate.value, 0.3969, atol=1e-4)
