from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.detect.finding import Finding
from reidrisk.errors import InvalidSetting, MisalignedOffsets
from reidrisk.resynthesis.replace import OffsetMap, TextChange, merge_overlaps, replace_findings
from reidrisk.resynthesis.settings import ResynthesisSettings, resynthesis_settings
from reidrisk.resynthesis.single import deidentify_note
from tests.resynthesis.tiny import ANN, WordDetector

KEY = b"a key of thirty-two bytes, for us"


def test_offsets_lead_to_the_old_text_and_back() -> None:
    done = deidentify_note(ANN, key=KEY, detect=WordDetector())
    at = done.text.index("was seen on")
    old = done.offsets.to_old(at, at + len("was seen on"))
    assert ANN[slice(*old)] == "was seen on"
    assert done.offsets.to_new(*old) == (at, at + len("was seen on"))
    for one, change in zip(done.findings, done.offsets.changes, strict=True):
        assert done.offsets.to_new(one.start, one.end) == change[2:]
        assert done.offsets.to_old(*change[2:]) == (one.start, one.end)


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, list[Finding]]:
    text = draw(st.text(min_size=1, max_size=40))
    edges = draw(st.lists(st.tuples(st.integers(0, 39), st.integers(1, 12)), max_size=5))
    found = [(start % len(text), length) for start, length in edges]
    return text, [Finding(start, min(start + length, len(text)), "X", 0.5, "test") for start, length in found]


@settings(max_examples=100, deadline=None)
@given(spans(), st.text(max_size=5))
def test_what_is_not_found_stays_and_is_found_again(given: tuple[str, list[Finding]], new: str) -> None:
    text, findings = given
    done = replace_findings(text, findings, lambda _: new)
    masked = {at for one in findings for at in range(one.start, one.end)}
    kept = [at for at in range(len(text)) if at not in masked]
    assert len(done.text) == len(kept) + len(done.findings) * len(new)
    for at in kept:
        start, end = done.offsets.to_new(at, at + 1)
        assert done.text[start:end] == text[at]
        assert done.offsets.to_old(start, end) == (at, at + 1)


def test_overlapping_findings_become_one_of_the_surest_type() -> None:
    found = [
        Finding(0, 5, "NAME", 0.6, "a"),
        Finding(3, 9, "CITY", 0.9, "b"),
        Finding(9, 10, "AGE", 0.5, "c"),
    ]
    assert [(one.start, one.end, one.type) for one in merge_overlaps(found, 10)] == [
        (0, 9, "CITY"),
        (9, 10, "AGE"),
    ]
    with pytest.raises(MisalignedOffsets, match="ends at 10"):
        merge_overlaps(found, 9)


def test_changes_out_of_order_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="out of order"):
        OffsetMap((TextChange(5, 6, 5, 6), TextChange(1, 2, 1, 2)))


def test_settings_from_texts() -> None:
    read = resynthesis_settings("surrogate", {"date_days": "90", "keep_weekday": "yes", "names": "person"})
    assert read == ResynthesisSettings(date_days=90, keep_weekday=True, names="person")
    for name, text, problem in (
        ("date_days", "many", "whole number"),
        ("date_days", "1", "Give a whole number, 14 to 3650"),
        ("keep_weekday", "maybe", "yes or no"),
        ("places", "moon", "places cannot be 'moon'"),
        ("date_day", "3", "replacement option"),
        ("mode", "mask", "replacement option"),
    ):
        with pytest.raises(InvalidSetting, match=problem):
            resynthesis_settings("surrogate", {name: text})
