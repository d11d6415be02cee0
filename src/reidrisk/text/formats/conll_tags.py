"""Tags of tokens in any of the dialects: IOB1, IOB2, BIOES, BILOU, BMEWO, IO, and types alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from reidrisk.text.formats.place import unreadable

OUTSIDE = "O"
_PREFIXED = re.compile(r"([BIOESLUMW])-(\S+)")
_STARTS, _ENDS = frozenset("BSUW"), frozenset("ESLUW")


class Run(NamedTuple):
    """Tokens `first` to `last`, the latter inclusive, of one entity."""

    first: int
    last: int
    type: str


def is_tag(word: str) -> bool:
    """Whether a column looks like a tag with a prefix, or outside."""
    return word == OUTSIDE or _PREFIXED.fullmatch(word) is not None


def runs(tags: Iterable[str]) -> Iterator[Run]:
    """The entities of a sequence of tags.

    An entity begins where its tag says so, where nothing of its type came before, or after an end:
    this is right in every dialect, since they differ only in what they leave unsaid.
    """
    first, kind, number = 0, None, -1
    for number, tag in enumerate(tags):
        prefix, own = _parts(tag)
        if kind is not None and (own != kind or prefix in _STARTS):
            yield Run(first, number - 1, kind)
            kind = None
        if own is not None and kind is None:
            first, kind = number, own
        if kind is not None and prefix in _ENDS:
            yield Run(first, number, kind)
            kind = None
    if kind is not None:
        yield Run(first, number, kind)


def bare_tags(tags: set[str]) -> set[str]:
    """The tags that have no prefix although others have."""
    inside = tags - {OUTSIDE}
    bare = {tag for tag in inside if _PREFIXED.fullmatch(tag) is None}
    return bare if len(bare) < len(inside) else set()


@lru_cache(maxsize=1024)
def _parts(tag: str) -> tuple[str, str | None]:
    if tag == OUTSIDE:
        return "", None
    match = _PREFIXED.fullmatch(tag)
    if match is None:
        return "I", tag
    if match[1] == OUTSIDE:
        raise unreadable("a tag begins with O-", hint="Outside of entities the tag is O alone.")
    return match[1], match[2]
