"""Comparisons, samples and agreements of small corpora, for the tests of their views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import reidrisk as rr
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.sample import NeededDocuments, SampledDocument, Stratum, TextSample
from tests.report.tiny import HOSTILE, PLACES, TEXT

NAMES = ("ours", "<script>alert(1)</script>", "市" * 40, "R&D $x$ \x1b[31m")


def corpus(rename: dict[str, str] | None = None, *, direct: bool = True) -> list[Document]:
    names = rename or {}
    marks = tuple(
        Annotation(TEXT.index(value), TEXT.index(value) + len(value), names.get(kind, kind), role)
        for value, kind, role in PLACES
        if direct or role == "quasi"
    )
    return [Document(f"{'ab'[number % 2]}-{number}", marks, TEXT) for number in range(20)]


def leaky(gold: list[Document], number: int) -> list[Document]:
    """The first so many documents leak all but two marks."""
    return [
        replace(one, annotations=one.annotations[1:3] if place < number else one.annotations, text=None)
        for place, one in enumerate(gold)
    ]


def comparison(
    tools: int = 2, *, rename: dict[str, str] | None = None, direct: bool = True
) -> dict[str, Any]:
    gold = corpus(rename, direct=direct)
    outputs = {NAMES[place]: leaky(gold, 3 * place) for place in range(tools)}
    settings = rr.text_settings("recommended", {"resamples": 200, "crosscheck": False})
    counting = rr.Counting.choose(by="^(.)-")
    return rr.compare_tools(gold, outputs, settings=settings, counting=counting).to_dict()


def sample(*, needed: bool) -> dict[str, Any]:
    strata = (Stratum("letters", 900, 8), Stratum(NAMES[1], 98, 1), Stratum("rare", 2, 1))
    wanted = NeededDocuments(0.97, 0.08, 0.8, 94, 169) if needed else None
    drawn = tuple(SampledDocument(str(number), "letters") for number in range(10))
    return TextSample("notes", strata, "folder", 7, wanted, 0.1 if needed else None, drawn, "out").to_dict()


def agreement(people: int = 2, *, same: bool = False) -> dict[str, Any]:
    gold = corpus(HOSTILE)
    everybody = {NAMES[who]: gold if same or not who else with_errors(gold, who) for who in range(people)}
    return rr.agree_annotators(everybody).to_dict()


def with_errors(gold: list[Document], who: int) -> list[Document]:
    return [
        replace(one, annotations=one.annotations[1:] if place % 5 == who else one.annotations)
        for place, one in enumerate(gold)
    ]


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "comparison: two": comparison,
    "comparison: hostile names": lambda: comparison(4, rename=HOSTILE),
    "comparison: no direct": lambda: comparison(3, direct=False),
    "sample: drawn": lambda: sample(needed=False),
    "sample: too few": lambda: sample(needed=True),
    "agreement: two": agreement,
    "agreement: four": lambda: agreement(4),
    "agreement: perfect": lambda: agreement(same=True),
}


@cache
def result(case: str) -> dict[str, Any]:
    return CASES[case]()
