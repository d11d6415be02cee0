from __future__ import annotations

from reidrisk.detect.detector import build_detector, find_repeats
from reidrisk.detect.finding import Finding
from reidrisk.detect.settings import DetectSettings

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
