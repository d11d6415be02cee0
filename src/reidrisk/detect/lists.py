"""The lists of words that rules use; they lie beside the dictionaries, where anybody can read them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _sections() -> dict[str, frozenset[str]]:
    content = files("reidrisk.detect").joinpath("data/english.lists.txt").read_text(encoding="utf-8")
    found: dict[str, frozenset[str]] = {}
    for block in content.split("\n[")[1:]:
        name, _, words = block.partition("]")
        listed = words.partition("\n")[2].split()
        found[name] = frozenset(word.replace("_", " ") for word in listed)
    return found


def listed(section: str) -> frozenset[str]:
    """The words and phrases of one section, in lower case."""
    return _sections()[section]
