from __future__ import annotations

import pytest

from reidrisk.detect.dictionaries.lexicon import section_words
from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("MRN: 48213", "48213", "MEDICALRECORD"),
        ("MRN 12345678", "12345678", "MEDICALRECORD"),
        ("MRN: 00123456", "00123456", "MEDICALRECORD"),
        ("Pt MRN# 0012 3456", "0012 3456", "MEDICALRECORD"),
        ("Medical record number 0012345678", "0012345678", "MEDICALRECORD"),
        ("account 0011223344", "0011223344", "ACCOUNT"),
        ("medical record number 004-821", "004-821", "MEDICALRECORD"),
        ("Patient ID ABCD1234", "ABCD1234", "MEDICALRECORD"),
        ("member id is XZ-4821", "XZ-4821", "HEALTHPLAN"),
        ("policy #DB-2345678", "DB-2345678", "HEALTHPLAN"),
        ("acct no. 48-2211", "48-2211", "ACCOUNT"),
        ("licence number K4821", "K4821", "LICENSE"),
        ("serial number 7H2-991", "7H2-991", "DEVICE"),
        ("license plate 7ABC123", "7ABC123", "VEHICLE"),
        ("SSN ending in 4821", "4821", "SSN"),
        ("username jdoe42", "jdoe42", "USERNAME"),
        ("accession S21-4821", "S21-4821", "IDNUM"),
        ("moved to room 312", "312", "ROOM"),
        ("in Bed 4B", "4B", "ROOM"),
        ("ZIP code on file: 64537", "64537", "ZIP"),
    ],
)
def test_the_words_before_a_number_say_what_it_is(text: str, value: str, kind: str) -> None:
    assert found(text) == [(value, kind)]


@pytest.mark.parametrize(
    "text",
    ["group 2 of the study", "a dose of 500 mg", "case 12 of 40", "on room air 95 %", "plan 30 minutes"],
)
def test_small_numbers_after_usual_words_are_none(text: str) -> None:
    assert found(text) == []


def test_rules_of_any_language_use_no_english_words() -> None:
    assert found("MRN: 48213", universal=True) == []


def test_words_before_a_number_count_only_behind_the_last_number_and_line_end() -> None:
    assert found("Room 7\t48213") == found("Room 7\n48213") == [("7", "ROOM")]
    assert found("5\tMRN 48213") == found("5MRN 48213") == [("48213", "MEDICALRECORD")]
    kinds = (
        "medicalrecord",
        "healthplan",
        "account",
        "license",
        "device",
        "ssn",
        "zip",
        "fax",
        "phone",
        "after",
    )
    words = {word for kind in kinds for word in section_words(f"cue-{kind}")}
    assert words
    assert not any(sign.isdigit() or sign == "\n" for word in words for sign in word)
