from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.detect.dictionaries.addresses import find_addresses
from reidrisk.detect.dictionaries.lexicon import english
from reidrisk.detect.finding import Finding


def parts(text: str) -> list[tuple[str, str]]:
    """The parts of addresses in a text, in order."""
    found: list[Finding] = sorted(find_addresses(text, english()))
    return [(one.type, text[one.start : one.end]) for one in found]


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("She lives at Lindenstrasse 14 now.", "Lindenstrasse 14"),
        ("He moved to Villanova utca 7. last year", "Villanova utca 7."),
        ("sent to ul. Brzozowa 3 today", "ul. Brzozowa 3"),
        ("the shop at 22 rue de Verneuil opens", "22 rue de Verneuil"),
        ("from Rua das Figueiras 118 in", "Rua das Figueiras 118"),
        ("Address: Via Torrebella 9", "Via Torrebella 9"),
        ("near Kastanjelaan 31 there", "Kastanjelaan 31"),
        ("at 41 Brindlemoor Meadows again", "41 Brindlemoor Meadows"),
        ("at 12 408 Brindle Street again", "12 408 Brindle Street"),
        ("moved to 7214 Korvanto 6 then", "7214 Korvanto 6"),
        ("He resides on Quintero Salas 1190.", "Quintero Salas 1190"),
        ("write to Postfach 4410 please", "Postfach 4410"),
        ("walked along Brindlemoor Avenue at night", "Brindlemoor Avenue"),
    ],
)
def test_streets_of_several_languages(text: str, street: str) -> None:
    assert ("STREET", street) in parts(text)


def test_what_follows_a_street_belongs_to_the_address() -> None:
    text = "Brindle Hoffmann\n88 Lindenweg 5\n Apt. 12\n Unterfelden\n, BE\n Austria 40711\nTel"
    assert parts(text) == [
        ("STREET", "88 Lindenweg 5"),
        ("ROOM", "Apt. 12"),
        ("CITY", "Unterfelden"),
        ("STATE", "BE"),
        ("COUNTRY", "Austria"),
        ("ZIP", "40711"),
    ]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("at 19 Tolver Street, Quimbleford, Ireland.", ["Quimbleford", "Ireland"]),
        ("at Kastanjelaan 31, 3512 AB Oudenrijn", ["3512 AB", "Oudenrijn"]),
        ("at 19 Tolver Street Suite 8 Quimbleford 20334", ["Suite 8", "Quimbleford", "20334"]),
    ],
)
def test_the_order_of_the_parts_is_free(text: str, rest: list[str]) -> None:
    assert [words for _, words in parts(text)][1:] == rest


@pytest.mark.parametrize(
    "text",
    [
        "Seen on March 12 for Type 2 diabetes.",
        "Grade 3 tumor, Stage 2, Room 12",
        "Hemoglobin 12.5, Glucose 140, Sodium 138",
        "Lisinopril 10 mg and Metformin 500 mg",
        "She walked 20 minutes on the way home.",
        "Figure 3 and Table 2 show Phase 3 of Trial 7.",
        "BP 120/80, Temp 98.6, Pulse 72",
        "Vitamin B 12 was low. The patient left.",
        "Decade 2 of life, Delegate 4, Surrogate 1",
    ],
)
def test_numbers_that_are_no_house(text: str) -> None:
    assert parts(text) == []


def test_a_sentence_after_a_street_stays() -> None:
    text = "He lives at 12 Elm Street. The patient was seen by Dr. Voss, Cardiology."
    assert [words for _, words in parts(text)] == ["12 Elm Street."]


def test_a_corner_is_one_place() -> None:
    text = "Meet me at the corner of Tolver and Lindenweg 4."
    assert ("STREET", "the corner of Tolver and Lindenweg 4") in parts(text)
    assert parts("around the corner of the room and then") == []


def test_addresses_of_the_armed_forces() -> None:
    assert parts("to PSC 1234, Box 567\nAPO AE 09021 please") == [
        ("STREET", "PSC 1234, Box 567\nAPO AE 09021")
    ]


@given(st.text(alphabet=st.sampled_from("Ab1 ,.\n-St#é"), max_size=120))
def test_parts_lie_within_the_text_and_hold_something(text: str) -> None:
    for one in find_addresses(text, english()):
        assert 0 <= one.start < one.end <= len(text)
        assert text[one.start : one.end].strip() == text[one.start : one.end]
