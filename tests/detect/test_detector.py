"""The complete detector: its parts, your own terms, and how findings are combined."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.detect.detector import (
    SILENCE,
    CombinedDetector,
    TermList,
    build_detector,
    combine,
    find_repeats,
    lower_unsupported,
)
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


FINDINGS = st.lists(
    st.builds(
        lambda start, size, kind, confidence: Finding(start, start + size, kind, confidence, "model"),
        st.integers(0, 40),
        st.integers(1, 9),
        st.sampled_from(["NAME", "DATE"]),
        st.floats(0, 1),
    )
)


@given(FINDINGS, st.floats(0, 1))
def test_the_union_is_kept_in_order_and_without_overlap(findings: list[Finding], threshold: float) -> None:
    combined = combine(findings, threshold=threshold)
    for before, after in pairwise(combined):
        assert before.end <= after.start
    masked = {place for finding in combined for place in range(finding.start, finding.end)}
    wanted = {place for one in findings if one.confidence >= threshold for place in range(one.start, one.end)}
    assert masked == wanted


@given(FINDINGS, st.floats(0, 1), st.floats(0, 1))
def test_a_lower_threshold_never_finds_less(findings: list[Finding], one: float, other: float) -> None:
    low, high = sorted((one, other))
    more, less = (
        {
            place
            for finding in combine(findings, threshold=limit)
            for place in range(finding.start, finding.end)
        }
        for limit in (low, high)
    )
    assert less <= more


def test_the_surest_finding_says_the_type() -> None:
    one, two = (
        Finding(0, 8, "IDNUM", 0.7, "pattern:long-number"),
        Finding(2, 8, "PHONE", 0.9, "pattern:phone"),
    )
    assert combine([one, two], threshold=0.5) == [Finding(0, 8, "PHONE", 0.9, "pattern:phone")]


TEXT = "Dr. Ann Tillman came. TILLMAN wrote; tillman's note says Ann may till. Tillmans Farm."


def others(text: str, *findings: Finding) -> list[str]:
    return [text[one.start : one.end] for one in find_repeats(text, findings, is_common=str.islower)]


def test_a_name_is_found_in_all_places_and_in_parts() -> None:
    name = Finding(4, 15, "NAME", 0.97, "dictionary:title")
    assert others(TEXT, name) == ["Ann", "Tillman", "TILLMAN", "Ann"]


def test_an_unsure_name_does_not_spread() -> None:
    assert others(TEXT, Finding(4, 15, "NAME", 0.6, "dictionary:name")) == []


def test_a_common_word_does_not_spread() -> None:
    text = "Mr. May came. May I?"
    spread = find_repeats(text, [Finding(4, 7, "NAME", 0.97, "x")], is_common=lambda word: word == "May")
    assert list(spread) == []


def test_without_a_dictionary_words_in_lower_case_are_common() -> None:
    text = "Dr. Paz came. Paz slept in paz. Dr. Ruiz came. Ruiz slept."
    names = [Finding(4, 7, "NOMBRE", 0.97, "model"), Finding(36, 40, "NOMBRE", 0.97, "model")]
    assert [text[one.start : one.end] for one in find_repeats(text, names)] == ["Ruiz", "Ruiz"]


def test_a_number_is_found_again_without_its_cue() -> None:
    text = "MRN: 48213. Label 48213 was printed, not 48214."
    found = build_detector(DetectSettings(model=None)).find(text)
    assert [(one.start, one.type) for one in found] == [(5, "MEDICALRECORD"), (18, "MEDICALRECORD")]
    assert found[1].source == "consistency:pattern"


def test_consistency_can_be_left_out() -> None:
    text = "Dr. Pemberton came. Later Pemberton left."
    with_it = build_detector(DetectSettings(model=None, threshold=0.5)).find(text)
    without = build_detector(DetectSettings(model=None, threshold=0.5, consistency=False)).find(text)
    assert [one.start for one in with_it] == [4, 26]
    assert [one.start for one in without] == [4]


SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6)), max_size=8)


@given(SPANS, SPANS)
def test_only_what_no_rule_touches_becomes_less_sure(
    model: list[tuple[int, int]], rules: list[tuple[int, int]]
) -> None:
    found = [Finding(start, start + size, "NAME", 0.8, "model") for start, size in model]
    ruled = [Finding(start, start + size, "NAME", 0.1, "dictionary:name") for start, size in rules]
    masked = {place for one in ruled for place in range(one.start, one.end)}
    for one in lower_unsupported(found, ruled):
        touched = bool(masked & set(range(one.start, one.end)))
        assert (one.confidence == 0.8) == touched
        assert touched or one.confidence == pytest.approx(SILENCE * 4 / (SILENCE * 4 + 1))


@given(st.floats(0, 1))
def test_a_confidence_stays_one(sure: float) -> None:
    (one,) = lower_unsupported([Finding(0, 1, "NAME", sure, "model")], [])
    assert 0 <= one.confidence <= sure


def listed(folder: Path, text: str) -> Path:
    path = folder / "terms.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_terms_are_found_in_any_case_as_whole_words(tmp_path: Path) -> None:
    terms = TermList.read([listed(tmp_path, "# ours\nHOSPITAL: blue heron\nproject zebra\nblue\n")])
    text = "At BLUE  Heron, Project Zebra; blue sky, blueish."
    assert [(text[one.start : one.end], one.type) for one in terms.find(text)] == [
        ("BLUE  Heron", "HOSPITAL"),
        ("Project Zebra", "OTHER"),
        ("blue", "OTHER"),
    ]


def test_a_term_that_never_identifies_is_left_out(tmp_path: Path) -> None:
    settings = DetectSettings(model=None, terms=(listed(tmp_path, "never: Mayo Clinic\n"),))
    text = "At Mayo Clinic and at Duke Clinic."
    assert [text[one.start : one.end] for one in build_detector(settings).find(text)] == ["Duke Clinic"]


def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        TermList.read([tmp_path / "none.txt"])
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="UTF-8"):
        TermList.read([path])
