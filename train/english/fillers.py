"""Words and numbers of medicine that identify nobody: they must not be taken for somebody's."""

from __future__ import annotations

import numpy as np

from english.words import names, pick, sections

DOSES = (2.5, 5, 10, 20, 25, 40, 50, 81, 100, 250, 325, 500, 1000)


def filler(slot: str, rng: np.random.Generator) -> str | None:
    """The text of a slot that identifies nobody; None if it is no such slot."""
    low = slot.lower()
    if low in sections() and slot in (low, low.capitalize()):
        text = pick(sections()[low], rng)
        return text if slot == low else text[:1].upper() + text[1:]
    if low in ("word", "job"):
        text = pick(names()[low], rng)
        return text if slot == low else text.capitalize()
    return measure(slot, rng)


def measure(slot: str, rng: np.random.Generator) -> str | None:
    """A number of medicine."""
    if slot == "num":
        return f"{rng.uniform(0.1, 20):.1f}" if rng.random() < 0.5 else str(rng.integers(1, 400))
    if slot == "dose":
        return f"{DOSES[int(rng.integers(len(DOSES)))]:g} {pick(sections()['unit'], rng)}"
    if slot == "bp":
        return f"{rng.integers(90, 200)}/{rng.integers(50, 110)}"
    if slot == "time":
        hour, minute = int(rng.integers(0, 24)), int(rng.integers(0, 60))
        half = pick(("AM", "PM", "am", "pm"), rng)
        return f"{hour:02}:{minute:02}" if rng.random() < 0.6 else f"{hour % 12 + 1}:{minute:02} {half}"
    most = {"age": 99, "room": 40}.get(slot)
    return None if most is None else str(rng.integers(1, most))
