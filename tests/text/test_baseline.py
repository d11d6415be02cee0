from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import reidrisk as rr
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnreadableFile
from reidrisk.stats.observed_limit import SampleDesign
from reidrisk.stats.paired_difference import paired_difference
from reidrisk.text.baseline import compare_with_baseline
from reidrisk.text.compare import compare_risks
from reidrisk.text.result import TextRisk
from reidrisk.text.tally import Counting
from tests.cli.running import runner
from tests.text.test_scenario import FIRST, SECOND, TEXT, corpus, evaluated

SETTINGS = rr.text_settings("recommended", {"crosscheck": False})


def baseline(names: int, dates: tuple[int, ...] = ()) -> dict[str, Any]:
    return deepcopy(_measured(names, dates))


@cache
def _measured(names: int, dates: tuple[int, ...]) -> dict[str, Any]:
    return json.loads(evaluated(names, dates).keeping_documents().to_json())  # type: ignore[no-any-return]


def test_the_same_tool_is_neither_worse_nor_better() -> None:
    found = compare_with_baseline(evaluated(20), baseline(20))
    direct = found.roles["direct"]
    assert (direct.difference.value, direct.is_worse, direct.is_better) == (0, False, False)
    assert not found.is_worse


def test_a_tool_that_leaks_more_is_worse_and_one_that_leaks_less_is_better() -> None:
    worse = compare_with_baseline(evaluated(40), baseline(10))
    assert worse.is_worse
    assert worse.roles["direct"].difference.value == pytest.approx(30 / 200)
    assert "WORSE" in worse.findings[0].text
    better = compare_with_baseline(evaluated(10), baseline(40))
    assert not better.is_worse
    assert better.roles["direct"].is_better


def test_one_leak_more_may_be_chance() -> None:
    found = compare_with_baseline(evaluated(21), baseline(20))
    assert found.roles["direct"].high > found.roles["direct"].baseline_high
    assert not found.is_worse
    assert "chance" in found.findings[0].text


@pytest.mark.parametrize(("now", "before"), [(40, 10), (10, 40), (3, 1)])
def test_the_difference_is_that_of_a_comparison_of_both_tools(now: int, before: int) -> None:
    one, two = evaluated(now), evaluated(before)
    other = compare_risks([one, two], names=["now", "before"]).differences[0].direct
    assert other is not None
    found = compare_with_baseline(one, baseline(before)).roles["direct"].difference
    assert found == other.estimate
    assert found.value == pytest.approx((now - before) / 200)


def leaking(places: Sequence[int]) -> TextRisk:
    """The name leaks in these documents."""
    gold, tool = corpus(0, ())
    tool = [rr.Document(one.id, (FIRST, SECOND)) if at in places else one for at, one in enumerate(tool)]
    return rr.evaluate_text(gold, tool, settings=SETTINGS)


@pytest.mark.parametrize(
    ("now", "before", "worse"),
    [
        (range(7), range(1), True),  # 6 documents more, and the same one
        (range(6), range(1), False),  # 5 documents more: one chance in 32
        (range(20, 33), range(5), False),  # 13 others against 5
        (range(2, 15), range(5), True),  # 10 against 2
    ],
)
def test_documents_are_paired_and_the_interval_agrees_with_the_sign_test(
    now: range, before: range, worse: bool
) -> None:
    found = leaking(now).compared_with(leaking(before)).baseline
    assert found is not None
    more, fewer = len(set(now) - set(before)), len(set(before) - set(now))
    chance = binomtest(more, more + fewer, alternative="greater").pvalue
    assert found.is_worse == worse == (chance <= 0.025)
    assert found.roles["direct"].difference.value == pytest.approx((more - fewer) / 200)


def test_the_limits_agree_with_a_simulation_of_their_definition() -> None:
    release = rr.Release.public("resynthesis", recognition=0.27)
    leaked = ((2,) * 30 + (1,) * 20, (1,) * 10 + (2,) * 14)
    risks = [rr.evaluate_text(*corpus(4, dates), release=release, settings=SETTINGS) for dates in leaked]
    found = risks[0].compared_with(risks[1]).baseline
    assert found is not None
    one, two = ((risk.evidence.leaked_values >= 2).astype(float) for risk in risks)
    open_gates = [bool(risk.gates[-1].applied) for risk in risks]  # surrogates hide leaks if a gate is open
    one, two = (
        values * 0.27 ** (2 * is_open) for values, is_open in zip((one, two), open_gates, strict=True)
    )
    part = found.roles["quasi"].difference
    assert part.value == pytest.approx(float((one - two).mean()))
    draws = np.random.default_rng(5).standard_exponential((20_000, 201))
    for imagined, limit, level in ((-1.0, part.low, 0.025), (1.0, part.high, 0.975)):
        means = draws @ np.append(one - two, imagined) / draws.sum(axis=1)
        assert limit == pytest.approx(float(np.quantile(means, level)), abs=0.002)


def test_the_limits_agree_for_risks_between_0_and_1() -> None:
    """Surrogates hide leaks: a document that leaks one of two names has half the risk."""
    one, two = np.repeat([0.5, 1.0, 0.0], [30, 4, 166]), np.repeat([0.0, 0.5, 0.0], [20, 10, 170])
    value, low, high = paired_difference(one, two, SampleDesign(), top=1.0, level=0.975)
    assert value == pytest.approx((15 + 4 - 5) / 200)
    draws = np.random.default_rng(5).standard_exponential((20_000, 201))
    for imagined, limit, level in ((-1.0, low, 0.025), (1.0, high, 0.975)):
        means = draws @ np.append(one - two, imagined) / draws.sum(axis=1)
        assert limit == pytest.approx(float(np.quantile(means, level)), abs=0.002)


def test_small_risks_in_many_documents_do_not_outweigh_a_large_one_that_was_not_seen() -> None:
    """Resampling these documents would show no difference but 0.2, and call it real."""
    one, two = np.repeat([0.2, 0.0], [12, 288]), np.zeros(300)
    draws = np.random.default_rng(5).multinomial(300, [0.04, 0.96], size=2000)[:, 0] * 0.2 / 300
    assert np.quantile(draws, 0.025) > 0.003
    assert paired_difference(one, two, SampleDesign(), top=1.0, level=0.975)[1] < 0
    assert paired_difference(one, two, SampleDesign(), top=0.2, level=0.975)[1] > 0


def test_clusters_that_leak_alike_count_once() -> None:
    """Ten documents of each of three authors leak: thirty documents, but only three authors."""
    gold, tool = corpus(0, ())
    named = [replace(one, id=f"{at // 10:02}-{at % 10}") for at, one in enumerate(gold)]
    other = [replace(one, id=named[at].id) for at, one in enumerate(tool)]
    worse = [
        replace(one, annotations=one.annotations[1:]) if at < 30 else one for at, one in enumerate(other)
    ]
    counting = Counting.choose(cluster="^([0-9]+)-")
    old, new = (
        rr.evaluate_text(named, tool, settings=SETTINGS, counting=counting) for tool in (other, worse)
    )
    found = new.compared_with(old).baseline
    assert found is not None
    assert found.roles["direct"].difference.value == pytest.approx(0.15)
    assert not found.is_worse
    alone = [rr.evaluate_text(named, tool, settings=SETTINGS) for tool in (other, worse)]
    assert alone[1].compared_with(alone[0]).baseline.is_worse  # type: ignore[union-attr]


def test_quasi_identifiers_are_compared_too() -> None:
    found = compare_with_baseline(evaluated(0, (2,) * 60), baseline(0, (2,) * 10))
    assert found.roles["quasi"].is_worse
    assert found.is_worse


def test_another_gold_standard_is_refused_even_if_all_its_counts_are_equal() -> None:
    gold, tool = corpus(10, ())
    others = {
        "fewer": (gold[:-1], tool[:-1]),
        "order": (gold[::-1], tool),
        "ids": (
            [replace(one, id=f"x{one.id}") for one in gold],
            [replace(one, id=f"x{one.id}") for one in tool],
        ),
        "texts": ([replace(one, text=TEXT.replace("May", "Mai")) for one in gold], tool),
    }
    old = baseline(10)
    for name, (one, two) in others.items():
        with pytest.raises(BadData, match="another gold standard"):
            compare_with_baseline(rr.evaluate_text(one, two, settings=SETTINGS), old)
        assert name in others


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"seed": 8}, "measured with the seed 8, and this is 7"),
        ({"version": "0.1.9"}, r"measured with reidrisk 0\.1\.9"),
        ({"version": None}, "measured with reidrisk None"),
        ({"settings": {"level": 0.9}}, "other settings: .*level"),
        ({"settings": None}, "damaged"),
        ({"by_document": None}, "does not say which documents leak"),
        ({"kind": "text_comparison"}, "not the result of the evaluation of one tool"),
        ({"direct": {"high": float("nan")}}, "damaged"),
        ({"direct": {"high": "0.1"}}, "damaged"),
        ({"direct": None}, "damaged"),
    ],
)
def test_what_cannot_be_compared_is_refused(change: dict[str, Any], match: str) -> None:
    old = baseline(10)
    for name, value in change.items():
        inner = old[name]
        old[name] = {**inner, **value} if isinstance(inner, dict) and isinstance(value, dict) else value
    with pytest.raises(ReidRiskError, match=match):
        compare_with_baseline(evaluated(10), old)


def test_other_ways_of_counting_are_other_settings() -> None:
    with pytest.raises(InvalidSetting, match="level"):
        compare_with_baseline(evaluated(10, level=0.9), baseline(10))
    released = evaluated(10, recognition=0.27)
    with pytest.raises(InvalidSetting, match="other settings: release"):
        compare_with_baseline(released, baseline(10))
    ignoring = rr.evaluate_text(
        *corpus(10, ()), settings=SETTINGS, counting=Counting.choose(ignore_words="none")
    )
    with pytest.raises(InvalidSetting, match="other settings: ignore_words"):
        compare_with_baseline(ignoring, baseline(10))


def test_a_shared_result_tells_no_documents_and_is_no_baseline() -> None:
    shared = replace(evaluated(20), keeps_documents=True).shared()
    assert not {"by_document", "baseline"} & set(shared)
    with pytest.raises(BadData, match="shared results"):
        compare_with_baseline(evaluated(10), shared)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"kind": "text_risk", "seed": NaN}', '{"kind": "text_risk"}', "[" * 9999]
)
def test_a_file_that_is_not_a_baseline_is_an_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(content)
    with pytest.raises(ReidRiskError, match=r"old\.json"):
        compare_with_baseline(evaluated(10), path)


def stripped(leaks: list[Any]) -> list[Any]:
    return leaks[:-1]


@pytest.mark.parametrize(
    "damage",
    [
        stripped,
        lambda leaks: [*stripped(leaks), [999, 1.0]],
        lambda leaks: [*stripped(leaks), [-1, 1.0]],
        lambda leaks: [*stripped(leaks), [0, 1.0]],
        lambda leaks: [*stripped(leaks), [9, 1.5]],
        lambda leaks: [*stripped(leaks), [9, None]],
        lambda leaks: [*stripped(leaks), 9],
        lambda _: None,
    ],
)
def test_damaged_documents_are_an_error(damage: Callable[[list[Any]], Any]) -> None:
    old = baseline(10)
    old["by_document"]["direct"]["leaks"] = damage(old["by_document"]["direct"]["leaks"])
    with pytest.raises(UnreadableFile, match="damaged"):
        compare_with_baseline(evaluated(10), old)


def test_by_document_has_numbers_only_and_the_shares_follow_from_it() -> None:
    kept = baseline(20)["by_document"]
    assert isinstance(kept, dict)
    assert kept["documents"] == 200
    assert kept["direct"]["leaking"] == 20
    assert kept["direct"]["leaks"] == [[place, 1.0] for place in range(20)]
    assert "Ann" not in json.dumps(kept)


def written(folder: Path, name: str, leaking: int) -> Path:
    gold, tool = corpus(leaking, ())
    for side, documents in (("gold", gold), (name, tool)):
        lines = [
            json.dumps(
                {
                    "doc_id": one.id,
                    "text": one.text or TEXT,
                    "entities": [
                        {
                            "start": mark.start,
                            "end": mark.end,
                            "type": mark.type,
                            "id_type": (mark.role or "none").upper(),
                        }
                        for mark in one.annotations
                    ],
                }
            )
            for one in documents
        ]
        (folder / f"{side}.jsonl").write_text("\n".join(lines) + "\n")
    return folder / f"{name}.jsonl"


def test_the_command_fails_only_if_the_tool_is_worse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = runner(capsys)
    written(tmp_path, "v1", 20)
    written(tmp_path, "v2", 60)
    code, _, error = run("text", "evaluate", "gold.jsonl", "v1.jsonl", "--json", "old.json")
    assert (code, error) == (3, "")
    same = run("text", "evaluate", "gold.jsonl", "v1.jsonl", "--baseline", "old.json", "--fail-if-worse")
    assert same[0] == 0
    code, shown, _ = run(
        *("text", "evaluate", "gold.jsonl", "v2.jsonl", "--baseline", "old.json", "--fail-if-worse"),
        *("--junit", "junit.xml", "--sarif", "out.sarif"),
    )
    assert code == 3
    assert "WORSE than the baseline" in " ".join(shown.split())
    assert 'failures="1"' in (tmp_path / "junit.xml").read_text()
    assert (
        json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"][0]["ruleId"]
        == "risk-above-limit"
    )
    assert run("text", "evaluate", "gold.jsonl", "v1.jsonl", "--fail-if-worse")[0] == 2
