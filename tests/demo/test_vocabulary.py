"""No invented name is an ordinary word of the notes, and none serves two purposes."""

from __future__ import annotations

import re

from reidrisk.demo import medicine, vocabulary
from reidrisk.demo import templates as fillers
from reidrisk.demo import templates as sentences
from reidrisk.demo.notes import HEADINGS, TITLES


def ordinary_words() -> set[str]:
    blocks = [sentences.HEADER, sentences.STORY, sentences.ACTIONS, fillers.TOPICS, medicine._ILLNESSES]
    blocks += [text for items in fillers.LISTS.values() for text in items]
    blocks += [text for titles in TITLES.values() for text in titles]
    blocks += [text for headings in HEADINGS.values() for text in headings.values()]
    return {word for block in blocks for word in re.findall(r"[^\W\d_]+", block)}


def test_names_are_not_ordinary_words() -> None:
    names = (
        *vocabulary.WOMEN,
        *vocabulary.MEN,
        *vocabulary.SURNAMES,
        *vocabulary.TOWNS,
        *vocabulary.COUNTRIES,
    )
    assert not {name.lower() for name in names} & {word.lower() for word in ordinary_words()}
    assert not {short for _, short, _ in vocabulary.STATES} & ordinary_words()


def test_every_name_once() -> None:
    people = (*vocabulary.WOMEN, *vocabulary.MEN, *vocabulary.SURNAMES)
    places = (*vocabulary.TOWNS, *vocabulary.STREETS, *vocabulary.COUNTRIES, *vocabulary.ORGANIZATION_HEADS)
    states = tuple(name for name, _, _ in vocabulary.STATES)
    everything = people + places + states
    assert len(everything) == len(set(everything))
    assert len(people) > 450
