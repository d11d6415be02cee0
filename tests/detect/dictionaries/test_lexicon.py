from __future__ import annotations

import pytest

from reidrisk.detect.dictionaries.lexicon import WordKind, english, section_words


@pytest.mark.parametrize(
    ("word", "letter"),
    [
        ("Patricia", "f"),
        ("Nakamura", "s"),
        ("walking", "c"),
        ("planned", "c"),
        ("metformin", "m"),
        ("Rotterdam", "t"),
        ("Portugal", "n"),
        ("pescador", "j"),
        ("soldadoras", "j"),
        ("Universidad", "i"),
        ("utca", "r"),
        ("Apt", "u"),
        ("driver", "w"),
    ],
)
def test_the_letters_say_in_which_lists_a_word_is(word: str, letter: str) -> None:
    assert letter in english().lists(word)


def test_a_word_in_no_list_has_no_letters() -> None:
    assert english().lists("zhovnaq") == ""


def test_a_name_that_is_also_a_word_stays_a_name() -> None:
    kinds = english().kinds("driver")
    assert kinds & WordKind.ALSO_WORD
    assert kinds & WordKind.SURNAME
    assert not english().is_common("driver")


def test_usual_first_names_are_no_common_words() -> None:
    assert not any(english().is_common(name) for name in ("mary", "john", "emma", "michael", "patricia"))


def test_lists_hold_plain_words_in_lower_case() -> None:
    for section in (
        "street-first",
        "street-last",
        "street-joined",
        "unit-words",
        "institution",
        "profession",
    ):
        assert all(word == word.lower().strip() != "" for word in section_words(section))
