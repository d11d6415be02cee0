from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.demo import case_study_tool, clinical_notes
from reidrisk.errors import InvalidSetting, UnreadableFile
from reidrisk.text.changed_recall import change_recall
from reidrisk.text.evaluate import gather_evidence
from reidrisk.text.evidence import Evidence, evidence_from_dict, evidence_to_dict
from reidrisk.text.models import TextCase
from reidrisk.text.result import TextRisk
from reidrisk.text.scenario import NOT_A_VERDICT, SURROGATES, read_text_case, text_case
from tests.cli.running import Run, runner

FIGURES = ("value", "low", "high", "level", "plug_in", "interval", "threshold", "decision")
TEXT = "Ann Lee came on 3 May and on 9 June."
NAME, FIRST, SECOND = (
    rr.Annotation(0, 7, "NAME", "direct"),
    rr.Annotation(16, 21, "DATE", "quasi"),
    rr.Annotation(29, 35, "DATE", "quasi"),
)
NONE: tuple[rr.Annotation, ...] = ()


def corpus(
    names: int, dates: Sequence[int], documents: int = 200
) -> tuple[list[rr.Document], list[rr.Document]]:
    """So many names leak, from the first document on; of dates, none, one or two, from the last one on."""
    gold = [rr.Document(str(at), (NAME, FIRST, SECOND), TEXT) for at in range(documents)]
    missed = [*dates, *[0] * (documents - len(dates))][::-1]
    tool = [
        rr.Document(
            str(at),
            ((NAME,) if at >= names else NONE) + ((FIRST, SECOND), (SECOND,), NONE)[missed[at]],
        )
        for at in range(documents)
    ]
    return gold, tool


def evaluated(names: int, dates: Sequence[int] = (), recognition: Any = None, **options: Any) -> TextRisk:
    release = None if recognition is None else rr.Release.public("resynthesis", recognition=recognition)
    chosen = rr.text_settings("recommended", {"crosscheck": False} | options)
    return rr.evaluate_text(*corpus(names, dates), release=release, settings=chosen)


def same(found: dict[str, Any], risk: TextRisk) -> None:
    """The what-if has the figures of this evaluation."""
    whole = risk.summary()
    assert (found["within_limits"], found["decision"]) == (whole["acceptable"], whole["decision"])
    for role in ("direct", "quasi"):
        for name in FIGURES:
            seen, expected = found[role][name], whole[role][name]
            exact = isinstance(expected, str)
            assert seen == (expected if exact else pytest.approx(expected, rel=1e-12)), (role, name)
        assert found[role]["within_limit"] == whole[role]["acceptable"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture(scope="module")
def risk() -> TextRisk:
    notes = clinical_notes(seed=7)
    return rr.evaluate_text(notes, case_study_tool(notes, seed=7))


@pytest.mark.parametrize("options", [{}, {"limit": "model"}])
def test_without_a_change_the_figures_are_those_of_the_evaluation(options: dict[str, Any]) -> None:
    for recognition in (None, 0.27):
        now = evaluated(9, [1, 1, 2], recognition, **options)
        found = rr.text_what_if(now).to_dict()
        same(found["before"], now)
        same(found["after"], now)


@pytest.mark.parametrize(("recognition", "options"), [(0.1, {}), (0.27, {"limit": "model"}), (1.0, {})])
def test_another_recognition_is_evaluating_with_it(recognition: float, options: dict[str, Any]) -> None:
    found = rr.text_what_if(evaluated(4, [2, 2, 1], **options), recognition=recognition).to_dict()
    same(found["after"], evaluated(4, [2, 2, 1], recognition, **options))
    assert (SURROGATES in found["warnings"]) == (recognition < 1)


@pytest.mark.parametrize(
    ("before", "after", "options"),
    [(30, 12, {}), (12, 30, {"limit": "model"}), (5, 0, {}), (0, 5, {}), (200, 100, {})],
)
def test_another_recall_of_names_is_evaluating_such_a_tool(
    before: int, after: int, options: dict[str, Any]
) -> None:
    found = rr.text_what_if(
        evaluated(before, [1], 0.27, **options), recall={"NAME": (200 - after) / 200}
    ).to_dict()
    same(found["after"], evaluated(after, [1], 0.27, **options))
    row = found["recall"][0]
    assert (row["before"], row["after"]) == (1 - before / 200, pytest.approx(1 - after / 200))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([2, 2, 1], []),  # everything caught
        ([2, 2, 2, 1, 1], [2, 1, 1]),  # documents with two leaks are fixed first, and completely
        ([1, 1, 1], [2, 2, 1]),  # a second leak where there is one already
        ([], [2, 2, 2]),  # no leak so far: two in each document
    ],
)
def test_another_recall_of_dates_is_evaluating_such_a_tool(before: list[int], after: list[int]) -> None:
    recall = 1 - sum(after) / 400
    found = rr.text_what_if(evaluated(2, before), recall={"DATE": recall}).to_dict()
    same(found["after"], evaluated(2, after))
    assert found["recall"][0]["after"] == pytest.approx(recall)


def test_several_changes_at_once() -> None:
    found = rr.text_what_if(
        evaluated(20, [2, 2]), recall={"NAME": 0.99, "DATE": 1}, recognition=rr.Recognition.parse(["0.3"])
    ).to_dict()
    same(found["after"], evaluated(2, [], 0.3))
    same(found["before"], evaluated(20, [2, 2]))


def test_the_needed_recall_of_a_result_is_the_least_that_is_within_the_limit(risk: TextRisk) -> None:
    now = evaluated(30)
    assert now.improvements.direct is not None
    needed = now.improvements.direct.by_type[0].needed_recall
    assert needed is not None
    assert rr.text_what_if(now, recall={"NAME": needed}).after.acceptable
    assert not rr.text_what_if(now, recall={"NAME": needed - 1 / 200}).after.acceptable


def test_counts_without_documents_are_laid_out_anew(tmp_path: Path) -> None:
    def file(names: int, caught: int) -> Path:
        path = tmp_path / f"{names}-{caught}.csv"
        path.write_text(
            "type,role,documents,leaking_documents,instances,caught,values\n"
            f"corpus,all,120,,,,\nNAME,direct,118,{names},,,\nID,direct,105,1,,,\n"
            f"dates,quasi,120,,957,{caught},476\n"
        )
        return path

    settings = rr.text_settings(options={"crosscheck": False})
    now = rr.evaluate_counts(file(9, 930), settings=settings)
    found = rr.text_what_if(now, recall={"NAME": 116 / 118, "dates": 900 / 957})
    same(found.to_dict()["after"], rr.evaluate_counts(file(2, 900), settings=settings))
    same(found.to_dict()["before"], now)


@given(st.data())
def test_counts_stay_consistent_and_a_recall_is_never_exceeded(data: st.DataObject) -> None:
    missed = data.draw(st.lists(st.integers(0, 2), max_size=40))
    gold, tool = corpus(data.draw(st.integers(0, 40)), missed, documents=40)
    unit = data.draw(st.sampled_from(["all_tokens", "token_level"]))
    chosen = rr.text_settings("recommended", {"unit": unit})
    evidence = gather_evidence(gold, tool, settings=chosen, counting=rr.Counting())
    case = TextCase(evidence, rr.Release.public(), rr.Threshold.from_cell_size(5, "as usual"), chosen, 7)
    asked = {
        name: data.draw(st.floats(0, 1)) for name in data.draw(st.sets(st.sampled_from(["NAME", "DATE"])))
    }
    changed, changes = change_recall(case, asked)
    assert all(one.after <= max(one.asked, 0) + 1e-9 for one in changes)
    check(changed.evidence)


def check(evidence: Evidence) -> None:
    """What must hold of any counts."""
    assert np.all(evidence.leaks <= evidence.holds)
    assert np.array_equal(evidence.direct_leaks > 0, evidence.leaks.any(axis=1))
    assert np.all((evidence.caught >= 0) & (evidence.caught <= evidence.instances))
    assert np.all((evidence.leaked_values >= 0) & (evidence.leaked_values <= evidence.values))
    for kind in evidence.types:
        assert 0 <= kind.caught <= kind.instances
        assert 0 <= kind.masked_words <= kind.words
        if kind.role == "direct":
            column = evidence.direct_types.index(kind.type)
            assert kind.leaking_documents == evidence.leaks[:, column].sum()
    quasi = [kind for kind in evidence.types if kind.role == "quasi"]
    assert sum(kind.caught for kind in quasi) == evidence.caught.sum()
    counted = np.bincount(evidence.leaked.document, minlength=evidence.documents)
    assert np.array_equal(counted, evidence.leaked_values)


def test_a_stored_evaluation_gives_the_same_answer(risk: TextRisk, tmp_path: Path) -> None:
    rr.write_text_evidence(risk, tmp_path / "counts.json")
    asked: dict[str, Any] = {"recall": {"NAME": 0.99}, "recognition": 0.3}
    assert (
        rr.text_what_if(tmp_path / "counts.json", **asked).to_dict()
        == rr.text_what_if(risk, **asked).to_dict()
    )


@pytest.mark.parametrize(
    "release",
    [
        rr.Release.public(),
        rr.Release.semi_public("resynthesis", recognition=rr.Beta(211.5, 99.5)),
        rr.Release.non_public(
            "resynthesis", attempt=(0.3, 0.4, 0.5), recognition={"default": 0.3, "DATE": 0.5}
        ),
    ],
)
def test_the_case_of_a_result_is_the_one_it_was_computed_from(release: rr.Release) -> None:
    chosen = rr.text_settings("paper", {"limit": "model", "level": 0.9})
    risk = rr.evaluate_text(*corpus(3, [2]), release=release, settings=chosen, seed=11)
    stored = json.loads(json.dumps([risk.to_dict(), evidence_to_dict(risk.evidence)]))
    case = text_case(*stored)
    assert (case.release, case.threshold, case.settings, case.seed) == (release, risk.threshold, chosen, 11)
    assert evidence_to_dict(case.evidence) == evidence_to_dict(evidence_from_dict(stored[1]))


def test_the_part_of_an_assessment_is_a_source(run: Run, tmp_path: Path) -> None:
    from reidrisk.text.formats.jsonl import write_jsonl

    gold, tool = corpus(9, [2])
    write_jsonl(gold, tmp_path / "gold.jsonl")
    write_jsonl(tool, tmp_path / "tool.jsonl")
    (tmp_path / "release.yaml").write_text(
        "reidrisk: 1\nrelease: {name: A}\ncontext: {preset: ipc, access: public}\nparts:\n"
        "  - {name: notes, kind: text, gold: gold.jsonl, tool: tool.jsonl}\n"
    )
    run("assess", tmp_path / "release.yaml", "--out", tmp_path / "assessment")
    part = tmp_path / "assessment" / "parts" / "notes"
    stored = json.loads((part / "result.json").read_text())
    for place in (part, part / "result.json"):
        found = rr.text_what_if(place).to_dict()["before"]
        for role in ("direct", "quasi"):
            assert {name: found[role][name] for name in FIGURES} == {
                name: stored[role][name] for name in FIGURES
            }


def test_the_command_says_that_it_is_not_a_verdict(run: Run, risk: TextRisk, tmp_path: Path) -> None:
    rr.write_text_evidence(risk, tmp_path / "counts.json")
    words = ("text", "what-if", tmp_path / "counts.json", "--recall", "NAME=0.99", "--recognition", "0.27")
    code, shown, _ = run(*words, "--json", tmp_path / "result.json")
    assert code == 0
    assert "not a verdict" in shown
    found = json.loads((tmp_path / "result.json").read_text())
    assert found["acceptable"] is None
    assert found["warnings"][0] == NOT_A_VERDICT
    assert found["after"] == rr.text_what_if(risk, recall={"NAME": 0.99}, recognition=0.27).to_dict()["after"]
    assert run("text", "what-if", tmp_path / "counts.json", "--recall", "NAME")[0] == 2


def test_only_the_recognition_of_one_type_changes(risk: TextRisk) -> None:
    found = rr.text_what_if(evaluated(3, [2], 0.3), recognition="DATE=0.9").to_dict()
    assert found["recognition"] == {"before": 0.3, "after": {"default": 0.3, "by_type": {"DATE": 0.9}}}
    same(found["after"], evaluated(3, [2], {"default": 0.3, "DATE": 0.9}))


def test_what_cannot_be_asked(risk: TextRisk, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="NAMES"):
        rr.text_what_if(risk, recall={"NAMES": 0.9})
    with pytest.raises(InvalidSetting, match="from 0 to 1"):
        rr.text_what_if(risk, recall={"NAME": 1.1})
    with pytest.raises(InvalidSetting, match="probability"):
        rr.text_what_if(risk, recognition=[])
    (tmp_path / "result.json").write_text(json.dumps(risk.to_dict()))
    with pytest.raises(UnreadableFile, match="has no counts of a text evaluation"):
        read_text_case(tmp_path)
    for content in ("{}", "[]", "no", '{"kind": "text_evidence"}'):
        (tmp_path / "other.json").write_text(content)
        with pytest.raises(UnreadableFile) as refused:
            read_text_case(tmp_path / "other.json")
        assert "--evidence" in refused.value.hint
