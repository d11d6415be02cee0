"""An attack: values with accents, in texts whose surrogates come from a list without any."""

from __future__ import annotations

from reidrisk.resynthesis.attack.instances import AttackedTexts


def accents(attacked: AttackedTexts) -> list[float]:
    """One score for each value, in order: the higher, the more it looks like a leaked original."""
    return [float(sum(letter > "\x7f" for letter in one.text)) for one in attacked.instances]
