"""Invented numbers: ids, phones, addresses of machines."""

from __future__ import annotations

import numpy as np

from english.people import LETTERS
from english.words import pick


def digits(count: int, rng: np.random.Generator) -> str:
    """So many digits."""
    return "".join(str(digit) for digit in rng.integers(0, 10, count))


def number(rng: np.random.Generator) -> str:
    """An id of any form."""
    size = int(rng.integers(5, 11))
    two = pick(LETTERS, rng) + pick(LETTERS, rng)
    only = (digits(size, rng), digits(size, rng), f"{digits(3, rng)}-{digits(2, rng)}-{digits(3, rng)}")
    spaced = (f"{digits(3, rng)} {digits(3, rng)} {digits(4, rng)}", f"{digits(3, rng)}-{digits(4, rng)}")
    mixed = (f"{two}{digits(size, rng)}", f"{two}-{digits(size, rng)}", f"{two[0]}{digits(7, rng)}")
    return pick((*only, *spaced, *mixed, f"{two}{digits(3, rng)}{two}{digits(4, rng)}"), rng)


def record_number(rng: np.random.Generator) -> str:
    """Mostly digits."""
    return digits(int(rng.integers(5, 10)), rng) if rng.random() < 0.6 else number(rng)


def phone(rng: np.random.Generator) -> str:
    """American or international."""
    area, middle, last = str(rng.integers(200, 990)), digits(3, rng), digits(4, rng)
    usual = (
        f"{area}-{middle}-{last}",
        f"({area}) {middle}-{last}",
        f"{area}.{middle}.{last}",
        f"{middle}-{last}",
    )
    longer = (
        f"+1 {area} {middle} {last}",
        f"1-{area}-{middle}-{last}",
        f"({area}){middle}-{last} ext. {middle}",
    )
    abroad = (f"+44 20 {last} {digits(4, rng)}", f"+{rng.integers(30, 99)} {digits(2, rng)} {middle} {last}")
    return pick((*usual, *usual, *longer, *abroad, f"{area}{middle}{last}", f"0{last} {digits(6, rng)}"), rng)


def social_security(rng: np.random.Generator) -> str:
    """With or without dashes."""
    return f"{digits(3, rng)}-{digits(2, rng)}-{digits(4, rng)}" if rng.random() < 0.8 else digits(9, rng)


def zip_code(rng: np.random.Generator) -> str:
    """Five digits, seldom nine."""
    return digits(5, rng) + (f"-{digits(4, rng)}" if rng.random() < 0.1 else "")


def machine(rng: np.random.Generator) -> str:
    """An address of a machine."""
    return ".".join(str(part) for part in rng.integers(1, 255, 4))
