"""What went, and how often its values may still stand elsewhere: both for the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from reidrisk.documents.document import Block, Change
from reidrisk.documents.proof.needles import Needles, counted, folded


@dataclass(frozen=True, slots=True)
class Removed:
    """Values that went; nothing here is ever shown."""

    values: tuple[str, ...] = field(repr=False)
    """Each once."""
    kept: dict[str, int] = field(repr=False)
    """How often a value is to remain, because other places or new values say the same."""
    gone: dict[str, int] = field(repr=False)
    """How many places of such a value went, less those that new values brought."""


def removed_by(changes: Iterable[Change], blocks: Sequence[Block]) -> Removed:
    """What changes take out of the blocks of a document."""
    by_block = {
        name: list(own) for name, own in groupby(sorted(changes, key=_place), key=lambda one: one.block)
    }
    values: dict[str, str] = {}
    for block in blocks:
        for one in by_block.get(block.name, []):
            value = block.text[one.start : one.end]
            values.setdefault(folded(value), value)
    values.pop("", None)
    numbered = dict(enumerate(values.values(), 1))
    kept, gone = _counted(blocks, by_block, numbered)
    return Removed(tuple(numbered.values()), kept, gone)


def _counted(
    blocks: Sequence[Block], by_block: Mapping[str, Sequence[Change]], numbered: Mapping[int, str]
) -> tuple[dict[str, int], dict[str, int]]:
    """How often values remain, and how many fewer that is than before."""
    needles = Needles(numbered)
    remain: set[int] = set()
    old: Counter[int] = Counter()
    new: Counter[int] = Counter()
    for block in blocks:
        after = _after(block.text, by_block.get(block.name, []))
        here = needles.found(after)
        remain |= here
        new.update({number: counted(after, numbered[number]) for number in here})
        old.update({number: counted(block.text, numbered[number]) for number in needles.found(block.text)})
    kept = {numbered[number]: max(new[number], 1) for number in remain}
    return kept, {numbered[number]: old[number] - new[number] for number in remain}


def _place(change: Change) -> tuple[str, int]:
    return change.block, change.start


def _after(text: str, changes: Sequence[Change]) -> str:
    """A text as it is to be; a box cuts it, whatever its label."""
    parts, last = [], 0
    for one in changes:
        parts += [text[last : one.start], one.new if one.new is not None else f" {one.label} "]
        last = one.end
    return "".join([*parts, text[last:]])
