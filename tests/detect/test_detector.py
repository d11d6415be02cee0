from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.detect.detector import CombinedDetector, build_detector
from reidrisk.detect.finding import Finding, find_in_each
from reidrisk.detect.model.file import save_model
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import InvalidSetting, UnreadableFile
from tests.detect.model.trained import notes, small_model

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


def test_safe_harbor_leaves_ages_up_to_89_years_and_states() -> None:
    text = "A 45-year-old and a 92-year-old from Springfield, seen in 2019 and on May 3, 2019 in Ohio."
    found = build_detector(DetectSettings(model=None, scheme="hipaa")).find(text)
    assert [text[one.start : one.end] for one in found] == ["92", "Springfield", "May 3, 2019"]
    assert len(build_detector(ONLY_RULES).find(text)) == 6


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="Choose one of"):
        DetectSettings(scheme="none")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "שלום דוד", "\U0001f600 Dr. Ann Lee \U0001f600", "a\r\nDr. Lee\r\n", "\x00" * 9]
)
def test_offsets_fit_odd_texts(text: str) -> None:
    for one in build_detector(ONLY_RULES).find(text):
        assert text[one.start : one.end].strip() in ("Ann Lee", "Lee")


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


def test_a_model_of_ones_own_joins_the_rules_of_any_language(tmp_path: Path) -> None:
    save_model(small_model(), tmp_path / "own.model")
    text = notes()[19].text or ""
    alone = small_model().find(text, threshold=0.3)
    settings = DetectSettings(model=tmp_path / "own.model", threshold=0.3, consistency=False)
    masked = {place for one in build_detector(settings).find(text) for place in range(one.start, one.end)}
    assert alone
    assert all(set(range(one.start, one.end)) <= masked for one in alone)


PIECES = (
    "Dr. Ann Lee",
    "Lee",
    "MRN 12345678",
    "(212) 555-0123",
    "on 03/04/2019",
    "pain",
    "\n",
    "Boston, MA",
    "é",
)


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join), max_size=5))
def test_texts_looked_at_together_give_what_each_gives_alone(texts: list[str]) -> None:
    detector = _whole()
    assert detector.find_many(texts) == [detector.find(text) for text in texts]


def test_queries_looked_at_together_give_what_each_gives_alone(shared: Path) -> None:
    lines = (shared / "corpora" / "asq_phi_800.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines[:150]]
    differ = [
        place
        for place, (many, one) in enumerate(
            zip(_whole().find_many(texts), map(_whole().find, texts), strict=True)
        )
        if many != one
    ]
    assert differ == []


def test_a_detector_without_a_way_for_many_is_asked_text_by_text() -> None:
    class Capitals:
        def find(self, text: str) -> list[Finding]:
            return [Finding(0, 1, "NAME", 1.0, "own")] if text[:1].isupper() else []

    assert [len(found) for found in find_in_each(Capitals(), ["Ann", "", "ann"])] == [1, 0, 0]
    assert [len(found) for found in CombinedDetector((Capitals(),), 0.5).find_many(["Ann", "ann"])] == [1, 0]


@cache
def _whole() -> CombinedDetector:
    return build_detector()
