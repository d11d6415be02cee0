"""Where the patients live: forward sortation areas, the first three characters of a postal code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints

LETTERS = {
    "K": 83.0,  # eastern Ontario, the hospital's own region
    "J": 12.0,  # western Quebec: Gatineau lies across the river
    "X": 2.0,  # Nunavut: children of its eastern half are flown to Ottawa
    "P": 1.6,  # northern Ontario
    "L": 0.4,
    "H": 0.25,
    "M": 0.25,
    "N": 0.15,
    "G": 0.1,
    "B": 0.05,
    "E": 0.05,
    "A": 0.04,
    "T": 0.04,
    "V": 0.04,
    "R": 0.03,
}
"""Per cent of patients by first letter. That the first four send most is known; the numbers are ours.
Names of the regions: Statistics Canada, Dictionary of the Census, forward sortation area."""

_RESIDENTS = {
    "K": """
        K1B 17 K1C 38 K1E 29 K1G 33 K1H 15 K1J 25 K1K 27 K1L 17 K1M 7 K1N 25 K1P 1 K1R 16 K1S 27 K1T 28
        K1V 45 K1W 12 K1X 3 K1Y 18 K1Z 20 K2A 16 K2B 33 K2C 33 K2E 14 K2G 47 K2H 24 K2J 47 K2K 23 K2L 23
        K2M 20 K2P 12 K2R 3 K2S 18 K2T 9 K2V 1 K2W 3 K4A 45 K4B 7 K4C 4 K4K 14 K4M 8 K4P 7 K4R 6
        K0A 62 K0B 18 K0C 49 K0E 20 K0G 22 K0J 32 K6A 11 K6H 21 K6J 18 K6K 7 K6T 2 K6V 24
        K7A 12 K7C 14 K7H 10 K7S 11 K7V 10 K8A 18 K8B 2 K8H 12
        K0H 6 K0K 5 K0L 2 K7G 1 K7K 3 K7L 4 K7M 5 K7N 1 K7P 3 K7R 2 K8N 4 K8P 2 K8R 1 K8V 3 K9A 1 K9H 1 K9J 2
    """,
    "J": """
        J8L 13 J8M 11 J8N 9 J8P 35 J8R 20 J8T 36 J8V 18 J8X 20 J8Y 25 J8Z 22 J9A 26 J9B 9 J9H 28 J9J 13
        J0X 52 J9E 5 J9L 4 J0V 5 J8H 3 J9P 3 J9T 2 J9X 3 J9Z 1 J7V 1 J6S 1 J3Y 1 J4L 1
    """,
    "X": "X0A 92 X0C 6 X0B 2",
    "P": """
        P0H 3 P1A 3 P1B 3 P1C 1 P2N 2 P3A 2 P3B 2 P3E 2 P4N 4 P0J 2 P0K 2 P0L 3 P0M 3 P5E 1 P6A 1 P6B 1 P7B 1
    """,
    "L": "L0B 1 L1C 1 L1G 1 L1J 1 L1V 1 L3P 1 L4C 1 L4N 2 L5M 2 L6Y 2 L7M 1 L8S 1",
    "H": "H1G 1 H2X 1 H3A 1 H3H 1 H3S 1 H4N 1 H7N 1 H9R 2",
    "M": "M1B 2 M1P 1 M2N 1 M4C 1 M5V 1 M6H 1 M9W 1",
    "N": "N1E 1 N2L 1 N5Y 1 N6A 1 N8Y 1 N9A 1",
    "G": "G1K 1 G1V 1 G5L 1 G7H 1 G9A 1",
    "B": "B2W 1 B3H 1 B3M 1",
    "E": "E1A 1 E2L 1 E3B 1",
    "A": "A1A 1 A1C 1 A2H 1",
    "T": "T2N 1 T5K 1 T6H 1",
    "V": "V5K 1 V6B 1 V8W 1",
    "R": "R2C 1 R3E 1 R3T 1",
}
"""Areas and weights: for K and J near the hospital about thousands of residents in 2006, less for those
that have a nearer children's ward, such as Kingston; elsewhere whatever comes (ours, from memory).
Each area is one of Canada Post's; K1A, which is government offices, has no children."""

_MOVE = 0.03
"""Chance that a family has another area at the next visit. 14 % of Canadians move in a year (Census of
2006, mobility), half of them within their area (ours), and a third of a year lies between visits."""


def homes(patients: int, *, rng: np.random.Generator) -> NDArray[np.str_]:
    """The first letter of each patient's postal code."""
    share = np.array(list(LETTERS.values()))
    return rng.choice(np.array(list(LETTERS)), size=patients, p=share / share.sum())


def areas(letters: NDArray[np.str_], patient: Ints, *, rng: np.random.Generator) -> NDArray[np.str_]:
    """The area at each visit, visits of one patient standing together; a move stays under one letter."""
    drawn = np.empty(patient.size, dtype="<U3")
    own = letters[patient]
    for letter, block in _RESIDENTS.items():
        words = block.split()
        weight = np.array(words[1::2], dtype=np.float64)
        at = np.flatnonzero(own == letter)
        drawn[at] = rng.choice(np.array(words[::2]), size=at.size, p=weight / weight.sum())
    fresh = rng.random(patient.size) < _MOVE
    fresh[0] = True
    fresh[1:] |= patient[1:] != patient[:-1]
    since = np.maximum.accumulate(np.where(fresh, np.arange(patient.size), 0))
    return drawn[since]
