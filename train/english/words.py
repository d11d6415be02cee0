"""The lists of words that notes are filled with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from reidrisk.detect.dictionaries.lexicon import WordKind, english

LITTLE = frozenset(("of", "and", "the", "de", "la"))


def pick(items: Sequence[str], rng: np.random.Generator) -> str:
    """Any of some texts."""
    return items[int(rng.integers(len(items)))]


@cache
def sections() -> dict[str, tuple[str, ...]]:
    """The lists of words.txt by their names."""
    text = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8")
    found = {}
    for block in text.split("\n[")[1:]:
        name, _, content = block.partition("]\n")
        found[name] = tuple(word.strip() for word in content.replace("\n", " ").split(";"))
    return found


@cache
def names() -> dict[str, tuple[str, ...]]:
    """First names, surnames, towns and countries of the dictionaries, with capitals."""
    known = english()
    kinds = {"woman": WordKind.WOMAN, "man": WordKind.MAN, "surname": WordKind.SURNAME}
    found = {
        name: tuple(
            sorted(capital(word) for word, own in known.words.items() if own & kind and len(word) > 2)
        )
        for name, kind in kinds.items()
    }
    found |= {"job": tuple(sorted(job for job in known.jobs if len(job) > 3 and known.kinds(job)))}
    common = tuple(sorted(w for w, own in known.words.items() if own == WordKind.COMMON and len(w) > 2))
    found |= {"word": common}
    countries = tuple(sorted(capital(country) for country in known.countries if "(" not in country))
    return found | {"town": tuple(sorted(capital(town) for town in known.towns)), "country": countries}


def capital(words: str) -> str:
    """Every word with a capital but for the little ones."""
    return " ".join(word if word in LITTLE else word[:1].upper() + word[1:] for word in words.split())
