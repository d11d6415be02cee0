from __future__ import annotations

from reidrisk.detect.model.layout import lay_out
from reidrisk.detect.model.lexicon import TokenIndex
from reidrisk.detect.model.spans import label_tokens
from reidrisk.text.corpus import Annotation
from reidrisk.text.roles import TypeMap

TEXT = "Seen by Dr. Ana Ruiz on 12/03 in Oslo"


def labels(*marks: Annotation, text: str = TEXT) -> list[str]:
    return label_tokens(lay_out(text, TokenIndex()), marks, TypeMap())


def test_the_first_token_begins_and_the_others_go_on() -> None:
    assert labels(Annotation(12, 20, "DOCTOR"), Annotation(24, 29, "DATE"))[4:10] == [
        "B-DOCTOR",
        "I-DOCTOR",
        "O",
        "B-DATE",
        "I-DATE",
        "I-DATE",
    ]


def test_what_is_not_to_be_masked_is_a_class_of_its_own_and_yields() -> None:
    found = labels(Annotation(8, 20, "DOCTOR", "ignored"), Annotation(16, 20, "DOCTOR"))
    assert found[2:6] == ["B-~DOCTOR", "I-~DOCTOR", "I-~DOCTOR", "B-DOCTOR"]


def test_the_longest_of_overlapping_marks_counts() -> None:
    assert labels(Annotation(12, 15, "CITY"), Annotation(12, 20, "DOCTOR"))[4:6] == ["B-DOCTOR", "I-DOCTOR"]


def test_pieces_of_a_discontinuous_mark_and_parts_of_tokens() -> None:
    mark = Annotation(0, 15, "NAME", fragments=((0, 3), (12, 15)))
    assert [place for place, label in enumerate(labels(mark)) if label == "B-NAME"] == [0, 4]
    assert labels(Annotation(35, 36, "CITY"))[-1] == "B-CITY"
