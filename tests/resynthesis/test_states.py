from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.resynthesis.places import REGIONS, is_state
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.surrogates import FoundValue
from reidrisk.resynthesis.vocabulary import words
from tests.resynthesis.builders import surrogates

PAIRS = [tuple(one.split("=")) for region in REGIONS for one in words(region)]
KEYS = st.binary(min_size=32, max_size=32)


def new(kind: str, text: str, key: bytes = b"k" * 32) -> str:
    return surrogates([FoundValue(kind, text)], key=key).of(FoundValue(kind, text))


@given(st.sampled_from(PAIRS), st.integers(0, 1), st.sampled_from(["STATE", "LOCATION_STATE"]), KEYS)
def test_a_state_becomes_another_state_as_long_or_short(
    pair: tuple[str, str], which: int, kind: str, key: bytes
) -> None:
    made = new(kind, pair[which], key)
    assert made in [row[which] for row in PAIRS]
    assert made != pair[which]


@given(st.sampled_from(PAIRS), st.integers(0, 1), st.sampled_from(["STATE", "CITY", "LOCATION"]), KEYS)
def test_a_town_and_its_state_stay_a_town_and_a_state(
    pair: tuple[str, str], which: int, kind: str, key: bytes
) -> None:
    town, comma, state = new(kind, f"Springfield, {pair[which]}", key).rpartition(", ")
    assert comma
    assert not is_state(town) or town == "Washington"
    assert state in [row[which] for row in PAIRS]
    assert "Springfield" not in town
    assert state != pair[which]


@pytest.mark.parametrize("text", ["Illinois", "ILLINOIS", "illinois", "IL", "N.Y.", "Ill.", "Bavaria"])
def test_a_state_that_is_typed_otherwise_or_not_listed_is_still_a_state(text: str) -> None:
    assert is_state(new("STATE", text))
    if is_state(text):
        assert is_state(new("CITY", text))
    assert new("STATE", "N.Y.").count(".") == 2


def test_a_postal_code_after_the_state_stays_one() -> None:
    head, _, code = new("CITY", "Springfield, IL 62704").rpartition(" ")
    assert is_state(head.rpartition(", ")[2])
    assert len(code) == 5
    assert code.isdigit()
    assert code != "62704"


def test_words_around_a_state() -> None:
    assert new("STATE", "State of Illinois").startswith("State of ")
    assert is_state(new("STATE", "Charlotte North Carolina").partition(" ")[2])


@pytest.mark.parametrize(
    ("kind", "text"), [("CITY", "New York"), ("STATE", "Kansas City"), ("CITY", "Port Washington")]
)
def test_towns_that_sound_like_states_stay_towns(kind: str, text: str) -> None:
    assert not is_state(new(kind, text))


def test_the_region_is_kept_or_not_as_asked() -> None:
    value = FoundValue("STATE", "Vermont")
    near = {surrogates([value], key=bytes([n]) * 32).of(value) for n in range(40)}
    anywhere = ResynthesisSettings(places="anywhere")
    far = {surrogates([value], key=bytes([n]) * 32, settings=anywhere).of(value) for n in range(40)}
    northeast = {one.split("=")[0] for one in words("northeast")}
    assert near <= northeast
    assert not far <= northeast
