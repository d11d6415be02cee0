"""Direct identifiers of patients who do not exist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reidrisk.demo.vocabulary import MEN, SURNAMES, WOMEN
from reidrisk.stats.arrays import Bools, Ints


def names(boy: Bools, *, rng: np.random.Generator) -> list[str]:
    """First name and surname drawn apart; two children may have one name, as in life."""
    first = np.where(boy, rng.integers(len(MEN), size=boy.size), rng.integers(len(WOMEN), size=boy.size))
    last = rng.integers(len(SURNAMES), size=boy.size)
    return [
        f"{(MEN if one else WOMEN)[at]} {SURNAMES[surname]}"
        for one, at, surname in zip(boy.tolist(), first.tolist(), last.tolist(), strict=True)
    ]


def health_cards(patients: int, *, rng: np.random.Generator) -> list[str]:
    """Written as in Ontario, but with leading zeros, which no card has."""
    numbers = _fresh(patients, 10**6, rng=rng)
    return [f"0000-{number // 1000:03d}-{number % 1000:03d}" for number in numbers]


def record_numbers(patients: int, *, rng: np.random.Generator) -> list[str]:
    """The hospital's number of each patient."""
    return [f"M{number:07d}" for number in _fresh(patients, 10**7, rng=rng)]


def visit_numbers(admitted: Ints) -> NDArray[np.str_]:
    """Given out in order of admission."""
    rank = np.empty(admitted.size, dtype=np.int64)
    rank[np.argsort(admitted, kind="stable")] = np.arange(admitted.size)
    return np.array([f"V{number + 1:06d}" for number in rank.tolist()])


def drug_code(place: int) -> str:
    """Eight characters like Health Canada's numbers, but with a letter, which those have not."""
    return f"X{place + 1:07d}"


def _fresh(many: int, below: int, *, rng: np.random.Generator) -> list[int]:
    """Different numbers, in no order."""
    drawn: list[int] = rng.choice(below, size=many, replace=False).tolist()
    return drawn
