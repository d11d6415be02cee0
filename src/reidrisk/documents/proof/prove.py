"""Prove that removed values are gone from a file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.documents.alternatives import alternatives
from reidrisk.documents.proof.contents import encoded, objects_of
from reidrisk.documents.proof.extractors import by_pdfium, by_pdfminer, by_poppler
from reidrisk.documents.proof.needles import Needles, counted, folded
from reidrisk.errors import BadData, FailedCheck

Reader = Callable[[Path], Iterable[tuple[str, str]]]
"""Gives names of places and their texts."""
_SHORTEST = 3
"""Shorter values are looked for in the text only, as whole words."""
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


@dataclass(frozen=True, slots=True)
class Before:
    """The document as it was: a reader that counts more than was to be kept may have done so before."""

    path: Path
    gone: Mapping[str, int] = field(repr=False)
    """How many places of a value went, less those that came with new values."""

    def allowed(self, reader: Reader, values: Mapping[int, str]) -> dict[int, int]:
        """How often values may remain, by what the same reader counts in the document as it was."""
        gone = {folded(value): count for value, count in self.gone.items()}
        found: Counter[int] = Counter()
        for _, text in _read(reader, self.path):
            found.update({number: counted(text, value) for number, value in values.items()})
        return {number: found[number] - gone.get(folded(value), 0) for number, value in values.items()}


TEXT_READERS: tuple[Reader, ...] = (by_pdfium, by_pdfminer, by_poppler)
CONTENT_READERS: tuple[Reader, ...] = (objects_of,)


def prove(
    path: str | Path,
    values: Sequence[str],
    *,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    texts: Sequence[Reader] = TEXT_READERS,
    contents: Sequence[Reader] = CONTENT_READERS,
) -> Proof:
    """Search a PDF for values with other programs than those that removed them, and in its bytes.

    `kept` says how often a value may remain in the text because other places say the same; such values are
    counted, not searched. A reader that counts more is asked what it counted `before`. `texts` and `contents`
    read other kinds of documents.
    """
    file, allowed = Path(path), {folded(value): count for value, count in (kept or {}).items()}
    numbered = {number: value for number, value in enumerate(values, 1) if folded(value)}
    searched = {number: value for number, value in numbered.items() if not allowed.get(folded(value))}
    counts = {number: value for number, value in numbered.items() if number not in searched}
    long = {number: value for number, value in searched.items() if len(folded(value)) >= _SHORTEST}
    places: set[str] = set()
    hits = _in_bytes(file, long)
    everywhere, inside = Needles(searched), Needles(long)
    for reader in texts:
        left: Counter[int] = Counter()
        for where, text in _read(reader, file):
            places.add(where)
            hits |= {Hit(number, where) for number in everywhere.found(text)}
            left.update({number: counted(text, value) for number, value in counts.items()})
        more = f"more places than were to be kept ({_name(reader)})"
        beyond = {n: counts[n] for n, count in left.items() if count > allowed[folded(counts[n])]}
        if beyond and before is not None:
            usual = before.allowed(reader, beyond)
            beyond = {number: value for number, value in beyond.items() if left[number] > usual[number]}
        hits |= {Hit(number, more) for number in beyond}
    for reader in contents:
        for where, text in _read(reader, file):
            places.add(where)
            hits |= {Hit(number, where) for number in inside.found(text, plainly=True)}
    return Proof(len(values), len(places) + 1, tuple(sorted(hits)))


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
        for form in encoded(value.strip()):
            if len(form) >= _RAW:
                forms[form.decode("latin-1")].add(number)
    if not forms:
        return set()
    found = set(re.compile(alternatives(forms)).findall(path.read_bytes().decode("latin-1")))
    return {Hit(number, "the bytes of the file") for form in found for number in forms[form]}
