from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reidrisk.context.context import Context, read_context
from reidrisk.context.preset import Preset, cell_size_presets
from reidrisk.context.score import score_context
from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from tests.context.builders import KNOWN, every, scored


def limit(cell_size: int) -> Threshold:
    return Threshold.from_cell_size(cell_size, "asked")


def test_hospital_begins_at_five_and_allows_three_with_every_practice() -> None:
    score = scored(**KNOWN, checklist=every(), motives="low")
    assert (score.rule, score.statistic, score.threshold.cell_size) == ("cell_size", "highest", 5)
    assert score.cap == 0.2
    found = score.permits(limit(3))
    assert found.allowed
    assert found.missing == ()
    assert len(found.requires) == 39
    assert not score.permits(limit(2)).allowed
    after = score.to_dict()["next_threshold"]
    assert (after["cell_size"], after["allowed"], after["missing_count"]) == (3, True, 0)


def test_hospital_names_what_is_missing_for_three() -> None:
    score = scored(**KNOWN, checklist=every(alarms="no", training="yes"))
    found = score.permits(limit(3))
    assert not found.allowed
    assert found.missing == (
        "The premises have an alarm system.",
        "evidence for: Everybody, including partners, gets regular training in privacy and security.",
    )
    after = score.to_dict()["next_threshold"]
    assert [(one["practice"], one["lacks"]) for one in after["missing"]] == [
        ("alarms", "practice"),
        ("training", "evidence"),
    ]


def test_a_stated_level_allows_no_higher_threshold() -> None:
    found = scored(**KNOWN, controls="high").permits(limit(3))
    assert not found.allowed
    assert found.missing == ("the checklist of practices, answered one by one",)
    assert scored(**KNOWN, controls="high").to_dict()["next_threshold"]["missing_count"] == 38


def test_a_higher_threshold_needs_a_known_recipient() -> None:
    found = scored(preset="hospital", access="public", checklist=every()).permits(limit(3))
    assert not found.allowed
    assert "non_public" in found.missing[0]


def test_stricter_thresholds_are_always_permitted() -> None:
    assert scored(**KNOWN).permits(limit(5)).allowed
    assert scored(**KNOWN).permits(limit(11)).allowed


@pytest.mark.parametrize("name", ["ema", "health_canada"])
def test_the_regulators_ask_how_their_number_is_read(name: str) -> None:
    with pytest.raises(InvalidSetting, match=r"variant: cell_size_11 is .* variant: literal_0.09 is"):
        scored(preset=name)
    by_size = scored(preset=name, variant="cell_size_11")
    assert (by_size.access, by_size.attempt.mean, by_size.context_risk) == ("public", 1.0, 1.0)
    assert (by_size.rule, by_size.statistic, by_size.threshold.cell_size) == ("cell_size", "highest", 11)
    literal = scored(preset=name, variant="literal_0.09")
    assert (literal.threshold.probability, literal.threshold.cell_size) == (0.09, 12)
    with pytest.raises(InvalidSetting, match="is for public releases"):
        scored(preset=name, variant="cell_size_11", access="non_public")
    with pytest.raises(InvalidSetting, match="Did you mean 'cell_size_11'"):
        scored(preset=name, variant="cell_size_1")


def test_hipaa_names_no_number_and_proposes_precedents() -> None:
    with pytest.raises(InvalidSetting, match=r"does not set a number(.|\n)*cell_size: 11 .*cell_size: 20"):
        scored(preset="hipaa")
    score = scored(preset="hipaa", access="non_public", threshold={"cell_size": 11, "reason": "the expert"})
    assert (score.rule, score.threshold) == ("cell_size", Threshold(1 / 11, "the expert"))
    assert any("does not set a number" in note for note in score.to_dict()["notes"])
    overall = scored(
        preset="hipaa", access="non_public", rule="overall", threshold={"probability": 0.05, "reason": "x"}
    )
    assert (overall.rule, overall.statistic, overall.cap) == ("overall", "strict_average", 1 / 3)


@pytest.mark.parametrize(
    ("invasion", "probability", "cell_size"), [("low", 0.1, 10), ("medium", 0.075, 14), ("high", 0.05, 20)]
)
def test_ontario_by_invasion_of_privacy(invasion: str, probability: float, cell_size: int) -> None:
    score = scored(preset="ipc", access="non_public", controls="medium", motives="medium", invasion=invasion)
    assert (score.rule, score.statistic, score.cap) == ("overall", "strict_average", 1 / 3)
    assert (score.threshold.probability, score.threshold.cell_size) == (probability, cell_size)
    assert score.to_dict()["invasion"]["counted"]


def test_ontario_takes_the_highest_risk_where_nobody_is_known() -> None:
    open_to_all = scored(preset="ipc", access="public", invasion="low")
    assert (open_to_all.statistic, open_to_all.context_risk, open_to_all.cap) == ("highest", 1.0, 0.1)
    terms = scored(preset="ipc", access="semi_public", invasion="low")
    assert (terms.statistic, terms.context_risk) == ("highest", 0.6)
    assert terms.cap == pytest.approx(0.1 / 0.6)


def test_a_cap_of_one_half_must_be_named() -> None:
    score = scored(preset="ipc", access="non_public", cap={"cell_size": 2, "reason": "the board"})
    assert score.cap == 0.5
    with pytest.raises(InvalidSetting, match="has no effect"):
        scored(preset="ipc", access="non_public", cap={"cell_size": 1, "reason": "none"})


@pytest.mark.parametrize("name", cell_size_presets())
def test_cell_sizes_with_their_precedents(name: str) -> None:
    score = scored(preset=name, access="non_public")
    assert score.threshold.cell_size == int(name.removeprefix("cell_size_"))
    assert score.rule == "cell_size"
    assert score.to_dict()["next_threshold"] is None
    assert "Scaiano" in score.to_dict()["threshold"]["source"]


OWN = """
version: 3
name: our_hospital
title: Our hospital, data policy of 2026
source: Data policy 2026, section 4
rules: [cell_size]
threshold: {cell_size: 8, reason: board decision of May}
ladder:
  - {cell_size: 4, reason: with the core practices, needs: medium}
"""


def test_an_institution_writes_its_own(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(OWN, encoding="utf-8")
    (tmp_path / "sheet.yaml").write_text("others: yes\n", encoding="utf-8")
    file = tmp_path / "context.yaml"
    file.write_text("preset: ours.yaml\naccess: non_public\nchecklist: sheet.yaml\n", encoding="utf-8")
    context = read_context(file)
    score = score_context(context)
    assert (score.threshold.cell_size, score.permits(limit(4)).allowed) == (8, True)
    assert context.files == (tmp_path / "ours.yaml", tmp_path / "sheet.yaml")
    found = score.to_dict()
    assert (found["preset"]["version"], found["preset"]["source"]) == (3, "Data policy 2026, section 4")
    assert found["threshold"]["source"] == "Data policy 2026, section 4"


MINIMAL: dict[str, Any] = {"version": 1, "source": "ours", "threshold": {"cell_size": 5, "reason": "x"}}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"threshold": None}, "needs exactly one of threshold, variants, by_invasion, proposals"),
        ({"proposals": [5]}, "needs exactly one of"),
        ({"source": None}, "needs the setting 'source'"),
        ({"version": "one"}, "version is not a whole number"),
        ({"rules": ["average"]}, "Choose one of: cell_size, overall"),
        ({"access": "private"}, "Choose one of: public"),
        ({"threshold": {"cell_size": 5}}, "has no reason"),
        ({"threshold": 5}, "is not a mapping"),
        ({"threshold": {"cell_size": 5, "probability": 0.2, "reason": "x"}}, "both a cell size and a prob"),
        ({"threshold": {"reason": "x"}}, "neither a cell size nor a probability"),
        ({"ladder": {"cell_size": 3}}, "is not a list"),
        (
            {"threshold": None, "by_invasion": {"low": {"cell_size": 5, "reason": "x"}}},
            "needs the setting 'medium'",
        ),
        ({"thresold": 1}, "Did you mean 'threshold'"),
    ],
)
def test_presets_that_make_no_sense(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidSetting, match=complaint):
        Preset.of({**MINIMAL, **change}, place="ours.yaml")


def test_a_ladder_only_goes_up(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text(OWN.replace("cell_size: 4", "cell_size: 9"), encoding="utf-8")
    context = Context.of({"preset": "ours.yaml", "access": "non_public"}, folder=tmp_path)
    assert score_context(context).to_dict()["next_threshold"] is None


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="Did you mean 'hospital'"):
        Context.of({"preset": "hospitl"})
    with pytest.raises(InvalidSetting, match="has no variants"):
        Context.of({"preset": "hospital", "variant": "cell_size_11"})
    with pytest.raises(InvalidSetting, match="Choose one of: cell_size"):
        Context.of({"preset": "hospital", "rule": "overall"})
