"""The model of the package, and the notes that it was made from."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.detect.settings import SHIPPED_MODEL

TRAIN = Path(__file__).parents[3] / "train"


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The generator, which lies beside the package."""
    monkeypatch.syspath_prepend(str(TRAIN))
    return import_module("english.write")


def test_generated_notes_are_the_same_for_a_seed_and_marked_to_the_letter(writing: Any) -> None:
    for family in writing.FAMILIES:
        notes = list(writing.documents(family, 30, seed=3))
        assert notes == list(writing.documents(family, 30, seed=3))
        assert notes != list(writing.documents(family, 30, seed=4))
        for note in notes:
            assert "{" not in note.text
            for mark in note.annotations:
                surface = note.text[mark.start : mark.end]
                assert surface == surface.strip() != ""


def test_every_slot_of_every_template_is_known(writing: Any) -> None:
    known = {"NAME", "INITIALS", "INITIAL", "TITLE"}
    for family in writing.FAMILIES:
        for template in writing.templates(family):
            for slot in writing.SLOT.findall(template):
                person = slot.upper().startswith(writing.PARTS)
                assert slot in writing.SLOTS or person or slot in known or slot.islower() or slot.istitle()


def test_the_model_of_the_package_is_small_and_finds_what_is_usual() -> None:
    assert SHIPPED_MODEL.stat().st_size < 2_000_000
    model = rr.load_model(SHIPPED_MODEL)
    text = "Mr. Harlan Voss (MRN 4482913) was seen at Cedar Falls Hospital on 03/14/2019 by Dr. Okonkwo."
    found = {text[one.start : one.end]: one.type for one in model.find(text)}
    expected = {
        "Harlan Voss": "NAME",
        "4482913": "MEDICALRECORD",
        "Cedar Falls Hospital": "HOSPITAL",
        "03/14/2019": "DATE",
        "Okonkwo": "NAME",
    }
    assert found == expected


def test_usual_words_of_notes_are_no_names() -> None:
    text = "Parkinson's disease was suspected. The patient may take aspirin 81 mg daily with food. BP 120/80."
    assert not rr.load_model(SHIPPED_MODEL).find(text)
