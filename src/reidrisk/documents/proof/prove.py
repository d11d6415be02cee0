"""Prove that removed values are gone from a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.documents.document import Reader
from reidrisk.documents.pdf.proof import encoded
from reidrisk.documents.proof.needles import Before, FixedForms, Left, Needles, folded
from reidrisk.errors import BadData, FailedCheck

_SHORTEST = 3
"""Shorter values are looked for in the text only, as whole words; single letters are no values."""
_PIECE = 2**22
_LETTERS = 5
"""Shorter values are made up by chance when they are spelled in other ways, as in hexadecimal numbers."""
_RAW = 6
"""Values of this many bytes are looked for in the bare bytes; shorter ones occur by chance."""


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A value that is still there."""

    value: int
    """Its number among the values given, from 1: the value itself is never shown."""
    where: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What a search for removed values found."""

    values: int
    places: int
    """How many pages, objects and streams were searched."""
    hits: tuple[Hit, ...]

    @property
    def holds(self) -> bool:
        """Whether no value is left."""
        return not self.hits

    def require(self) -> None:
        """Refuse the file if a value is left."""
        if self.hits:
            first = self.hits[0]
            raise FailedCheck(
                f"{len({hit.value for hit in self.hits})} of {self.values} removed values are still there: "
                f"value {first.value} in {first.where}.",
                hint="Nothing was released. Report this with a document that shows it, if you can share one.",
            )

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return {
            "kind": "document_proof",
            "holds": self.holds,
            "values": self.values,
            "places": self.places,
            "hits": [{"value": hit.value, "where": hit.where} for hit in self.hits],
        }


def prove(
    path: str | Path,
    values: Sequence[str],
    *,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    texts: Sequence[Reader],
    contents: Sequence[Reader],
) -> Proof:
    """Search a file for values with other programs than those that removed them, and in its bytes.

    `kept` says how often a value may remain in the text because other places say the same; such values are
    counted, not searched. A reader that counts more is asked what it counted `before`. `texts` and `contents`
    are the readers of its format.
    """
    file = Path(path)
    wanted = _Wanted(values, {folded(value): count for value, count in (kept or {}).items()}, before)
    places: set[str] = set()
    hits = _in_bytes(file, wanted.telling)
    for reader in texts:
        hits |= _in_texts(reader, file, wanted, places)
    inside = Needles(wanted.telling)
    for reader in contents:
        for where, text in _read(reader, file):
            places.add(where)
            hits |= {Hit(number, where) for number in inside.found(text, plainly=True)}
    return Proof(len(values), len(places) + 1, tuple(sorted(hits)))


class _Wanted:
    """Values that must not be there, and values of which no more must be there than should."""

    def __init__(self, values: Sequence[str], allowed: Mapping[str, int], before: Before | None) -> None:
        loose = frozenset() if before is None else frozenset(map(folded, before.loose))
        numbered = {number: value for number, value in enumerate(values, 1) if len(folded(value)) > 1}
        self.allowed, self.before = allowed, before
        self.counted = {
            number: value
            for number, value in numbered.items()
            if allowed.get(folded(value)) or folded(value) in loose
        }
        searched = {number: value for number, value in numbered.items() if number not in self.counted}
        self.telling = {
            number: value for number, value in searched.items() if len(folded(value)) >= _SHORTEST
        }
        self.everywhere, self.tally = Needles(searched), Needles(self.counted)
        self.words = frozenset() if before is None else before.words()

    def beyond(self, left: Left) -> dict[int, str]:
        """The values of which more is left than should be."""
        return {
            number: self.counted[number]
            for number, count in left.values.items()
            if count > self.allowed.get(folded(self.counted[number]), 0)
        }


def _in_texts(reader: Reader, file: Path, wanted: _Wanted, places: set[str]) -> set[Hit]:
    """What a reader finds, and of what it counts too much."""
    hits: set[Hit] = set()
    left = Left(wanted.tally, wanted.words)
    for where, text in _read(reader, file):
        places.add(where)
        hits |= {Hit(number, where) for number in wanted.everywhere.found(text)}
        left.add(text)
    beyond = wanted.beyond(left)
    if beyond and wanted.before is not None:
        old = (text for _, text in _read(reader, wanted.before.path))
        beyond = wanted.before.unexplained(beyond, left, old)
    return hits | {Hit(number, f"more places than were to be kept ({_name(reader)})") for number in beyond}


def _name(reader: Reader) -> str:
    return getattr(reader, "__name__", "a reader").removeprefix("by_")


def _read(reader: Reader, path: Path) -> Iterator[tuple[str, str]]:
    """What a reader gives; a file that it cannot read is proof of nothing."""
    try:
        yield from reader(path)
    except (BadData, ImportError):
        raise
    except Exception as error:  # other people's programs raise what they like
        raise FailedCheck(
            f"{_name(reader)} cannot read {path.name}: nothing is proved.", hint="Is it a PDF, and whole?"
        ) from error


def _in_bytes(path: Path, values: Mapping[int, str]) -> set[Hit]:
    """Values that stand in the file as they are, in any usual encoding; bytes are searched as if letters."""
    forms: dict[str, set[int]] = defaultdict(set)
    for number, value in values.items():
        for form in encoded(value.strip()) if len(value.strip()) >= _LETTERS else ():
            if len(form) >= _RAW:
                forms[form.decode("latin-1")].add(number)
    needles = FixedForms(forms)
    found = {
        form for piece in _pieces(path, max(map(len, forms), default=1)) for _, form in needles.places(piece)
    }
    return {Hit(number, "the bytes of the file") for form in found for number in forms[form]}


def _pieces(path: Path, overlap: int) -> Iterator[str]:
    """The bytes of a file as letters, a piece at a time; pieces overlap by so many."""
    kept = ""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            text = kept + piece.decode("latin-1")
            yield text
            kept = text[-overlap:]
