from __future__ import annotations

from pathlib import Path

import pytest

from reidrisk.detect.detector import build_detector
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import InvalidSetting, UnreadableFile

ONLY_RULES = DetectSettings(model=None)


def test_findings_come_in_order_without_overlap() -> None:
    text = "Write to b@example.org or a.smith@example.com."
    found = build_detector(ONLY_RULES).find(text)
    assert [text[finding.start : finding.end] for finding in found] == [
        "b@example.org",
        "a.smith@example.com",
    ]


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"no\.model"):
        build_detector(DetectSettings(model=Path("no.model")))


@pytest.mark.parametrize("threshold", [-0.1, 1.1])
def test_a_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(InvalidSetting, match="threshold"):
        DetectSettings(threshold=threshold)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="Choose one of"):
        DetectSettings(rules="klingon")  # type: ignore[arg-type]


def test_a_model_of_ones_own_takes_only_rules_of_any_language() -> None:
    assert DetectSettings(model=Path("own.model")).rules_used == "universal"
    assert DetectSettings().rules_used == "english"


def test_settings_name_files_without_their_folders() -> None:
    shown = DetectSettings(model=Path("secret/own.model"), terms=(Path("secret/list.txt"),)).to_dict()
    assert shown["model"] == "own.model"
    assert shown["terms"] == ["list.txt"]
