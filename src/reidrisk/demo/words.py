"""Fill the slots that are not identifiers: pronouns, findings, doses and measurements."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reidrisk.demo.entity import pick
from reidrisk.demo.fillers import LISTS, NUMBERS
from reidrisk.demo.medicine import Illness
from reidrisk.demo.templates import Slot, pieces_of


class Words:
    """The words of one note; list items come once each before any comes again."""

    def __init__(self, illness: Illness, facts: Mapping[str, str], *, rng: np.random.Generator) -> None:
        """Take the words that stay the same through the note; all others are drawn when asked for."""
        self._fixed = {
            **facts,
            "disease": illness.disease,
            "complaint": illness.complaint,
            "background": illness.background,
        }
        self._rng = rng
        self._waiting: dict[str, list[str]] = {}

    def __call__(self, name: str) -> str:
        """The word for a slot; `_cap` at the end of its name asks for a capital."""
        if name in self._fixed:
            return self._fixed[name]
        if name.endswith("_cap"):
            word = self(name.removesuffix("_cap"))
            return word[0].upper() + word[1:]
        if name == "bp":
            return f"{self('systolic')}/{self('diastolic')}"
        if name in NUMBERS:
            low, high, decimals = NUMBERS[name]
            return f"{self._rng.uniform(low, high):.{decimals}f}"
        return self._next(name)

    def _next(self, name: str) -> str:
        waiting = self._waiting.setdefault(name, [])
        if not waiting:
            waiting += LISTS[name]
        item = pick(waiting, rng=self._rng)
        waiting.remove(item)
        return "".join(self(piece.name) if isinstance(piece, Slot) else piece for piece in pieces_of(item))
