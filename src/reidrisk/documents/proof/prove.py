"""Prove that values are gone from a file: those that were removed, and all that were given."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.documents.document import Reader
from reidrisk.documents.proof.needles import Before, Left, Needles, folded, words_of
from reidrisk.documents.proof.texts import Again, Names, Unread
from reidrisk.errors import FailedCheck

_SHORTEST = 3
"""Shorter values are looked for in the text only, as whole words."""
_NUMBER = 7
"""Numbers of fewer digits are parts of many names that programs choose."""
_ENOUGH = 2
"""So many programs must have read a page, or all that there are."""
_MOST_NAMED = 10
_TOGETHER = 2**17
"""Letters that are searched at once."""
_APART = " \0 "
"""Stands between texts, so that no value begins in one and ends in the next."""


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A value that is still there."""

    value: int
    """Its number, from 1: the value itself is never shown. Values that were given come first."""
    where: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What a search for values found."""

    values: int
    places: int
    """How many pages, objects and streams were searched."""
    hits: tuple[Hit, ...]
    given: int = 0
    """How many of the values the user gave: they have the first numbers, in the user's order."""
    notes: tuple[str, ...] = ()
    """Which programs could not read what, in words."""

    @property
    def holds(self) -> bool:
        """Whether no value is left."""
        return not self.hits

    def left(self) -> dict[int, int]:
        """In how many places each given value is left, by its number."""
        places = dict.fromkeys(range(1, self.given + 1), 0)
        for hit in self.hits:
            if hit.value in places:
                places[hit.value] += 1
        return places

    def require(self, numbers: Sequence[int] = ()) -> None:
        """Refuse the file if a value is left; `numbers` are those of the given values in the user's list."""
        if not self.hits:
            return
        listed = numbers or range(1, self.given + 1)
        asked = sorted({listed[hit.value - 1] for hit in self.hits if hit.value <= self.given})
        first = self.hits[0]
        if asked:
            named = ", ".join(map(str, asked[:_MOST_NAMED])) + (", …" if len(asked) > _MOST_NAMED else "")
            raise FailedCheck(
                f"{len(asked)} of the {self.given} given values can still be read: number {named} of the "
                f"list; number {listed[first.value - 1]} in {first.where}.",
                hint="Nothing was released. Values are numbered in the order in which you gave them, from 1.",
            )
        raise FailedCheck(
            f"{len({hit.value for hit in self.hits})} of {self.values - self.given} removed values are still "
            f"there: value {first.value - self.given} in {first.where}.",
            hint="Nothing was released. Report this with a document that shows it, if you can share one.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return {
            "kind": "document_proof",
            "holds": self.holds,
            "values": self.values,
            "given": self.given,
            "places": self.places,
            "hits": [{"value": hit.value, "where": hit.where} for hit in self.hits],
            "notes": list(self.notes),
        }


def prove(  # noqa: PLR0913 - what, of what, what may remain, by whom
    path: str | Path,
    values: Sequence[str],
    *,
    given: int | None = None,
    kept: Mapping[str, int] | None = None,
    before: Before | None = None,
    texts: Sequence[Reader],
    contents: Sequence[Reader],
) -> Proof:
    """Search a file for values with other programs than those that removed them.

    The first `given` values are those that the user asked for, all of them if it is not said: they count as
    whole words, wherever they are. `kept` says how often a value may remain in the text because other places
    say the same; such values are counted, not searched. A reader that counts more is asked what it counted
    `before`. `texts` and `contents` are the readers of its format.
    """
    file = Path(path)
    asked = len(values) if given is None else given
    allowed = {folded(value): count for value, count in (kept or {}).items()}
    wanted = _Wanted(values, asked, allowed, before)
    reading = _Reading(file)
    hits: set[Hit] = set()
    # The first reader of a format may not run beside others (PDFium); those after it wait for other programs.
    with ThreadPoolExecutor(max(len(texts), 1)) as pool:
        started = [(reader, pool.submit(_fetched, reader, file)) for reader in texts[1:]]
        for reader in texts[:1]:
            hits |= _in_texts(reader, _fetched(reader, file), reading, wanted)
        for reader in contents:
            hits |= _in_contents(reader, reading, wanted)
        for reader, fetched in started:
            hits |= _in_texts(reader, fetched.result(), reading, wanted)
    reading.require(len(texts))
    return Proof(len(values), len(reading.places), tuple(sorted(hits)), asked, tuple(reading.notes()))


class _Reading:
    """What readers read of a file, and what they could not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: set[str] = set()
        self._read: dict[str, set[str]] = defaultdict(set)
        self._failed: dict[str, set[str]] = defaultdict(set)
        """Places of each reader that failed; an empty one is the whole file."""

    def texts(self, reader: Reader, fetched: _Fetched) -> list[tuple[str, str]]:
        """What a reader gave; it is noted what it could not read."""
        name, given = name_of(reader), []
        for where, text in fetched.texts:
            place = where.rpartition(" (")[0] or where
            if isinstance(text, Unread):
                self._failed[name].add(place)
            else:
                self.places.add(where)
                self._read[place].add(name)
                given.append((where, text))
        if fetched.failed:
            self._failed[name].add("")
        return given

    def require(self, readers: int) -> None:
        """Refuse a file that too few programs could read, or a page of it."""
        enough = min(_ENOUGH, readers)
        whole = [name for name, places in self._failed.items() if "" in places]
        if not self._read and whole:
            raise FailedCheck(
                f"{whole[0]} cannot read {self.path.name}: nothing is proved.",
                hint="Is it a document of this format, and whole?",
            )
        doubtful = set(self._read) if whole else {place for one in self._failed.values() for place in one}
        doubtful |= {place for place in self._read if place.startswith("page ")}
        for place in sorted(doubtful, key=_in_order):
            if len(self._read.get(place, ())) < enough:
                failed = sorted(name for name, own in self._failed.items() if place in own or "" in own)
                failed = failed or ["a second program"]
                raise FailedCheck(
                    f"{place} of {self.path.name} cannot be read by {' and '.join(failed)}: nothing is "
                    "proved.",
                    hint="Two programs must be able to read every page. Export the document again.",
                )

    def notes(self) -> Iterator[str]:
        """Which readers failed, and where."""
        for name, places in sorted(self._failed.items()):
            if "" in places:
                yield f"{name} cannot read the file: other programs did."
            else:
                listed = sorted(places, key=_in_order)
                more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
                yield f"{name} cannot read {', '.join(listed[:_MOST_NAMED])}{more}: other programs did."


def _in_order(place: str) -> tuple[int, str]:
    number = place.rpartition(" ")[2]
    return (int(number) if number.isdecimal() else 0, place)


class _Wanted:
    """Values that must not be there, and values of which no more must be there than should."""

    def __init__(
        self, values: Sequence[str], asked: int, allowed: Mapping[str, int], before: Before | None
    ) -> None:
        loose = frozenset() if before is None else frozenset(map(folded, before.loose))
        given = range(1, asked + 1)
        plain = {number: folded(value) for number, value in enumerate(values, 1)}
        numbered = {
            number: value
            for number, value in enumerate(values, 1)
            if len(plain[number]) > 1 or (number in given and plain[number])
        }
        self.allowed, self.before = allowed, before
        self.counted = {
            number: value
            for number, value in numbered.items()
            if allowed.get(plain[number]) or (plain[number] in loose and number not in given)
        }
        searched = {number: value for number, value in numbered.items() if number not in self.counted}
        telling = {number: value for number, value in searched.items() if len(plain[number]) >= _SHORTEST}
        self.everywhere, self.tally = Needles(searched, given=given), Needles(self.counted, given=given)
        self.inside = Needles(telling, given=telling)
        self.in_names = Needles(
            {number: value for number, value in telling.items() if is_no_word(plain[number])}
        )
        self.words = frozenset() if before is None else before.words()

    def beyond(self, left: Left) -> dict[int, str]:
        """The values of which more is left than should be."""
        return {
            number: self.counted[number]
            for number, count in left.values.items()
            if count > self.allowed.get(folded(self.counted[number]), 0)
        }


def is_no_word(plain: str) -> bool:
    """Whether a folded value is more than one word, as programs name parts of files, or a long number.

    >>> [is_no_word(value) for value in ("table", "2012", "ann lee", "demo-301", "98127364")]
    [False, False, True, True, True]
    """
    if plain.isdecimal():
        return len(plain) >= _NUMBER
    return not plain.isalpha()


@dataclass(frozen=True, slots=True)
class _Fetched:
    """What a reader gave, and whether it failed before the end."""

    texts: list[tuple[str, str]]
    failed: bool = False


def _fetched(reader: Reader, path: Path) -> _Fetched:
    """All that a reader gives of a file."""
    texts: list[tuple[str, str]] = []
    try:
        texts.extend(reader(path))
    except ImportError:
        raise
    except Exception:  # noqa: BLE001 - other people's programs raise what they like
        return _Fetched(texts, failed=True)
    return _Fetched(texts)


def _in_texts(reader: Reader, fetched: _Fetched, reading: _Reading, wanted: _Wanted) -> set[Hit]:
    """What a reader finds, and of what it counts too much."""
    hits: set[Hit] = set()
    broken: Counter[tuple[Hit, tuple[str, ...]]] = Counter()
    left = Left(wanted.tally, wanted.words)
    read = reading.texts(reader, fetched)
    for where, text in read:
        for (number, parts), count in wanted.everywhere.places(text).items():
            if not parts:
                hits.add(Hit(number, where))
            elif not isinstance(text, Again):
                broken[Hit(number, where), parts] += count
        if not isinstance(text, Again):
            left.add(text)
    hits |= _really_broken(broken, [text for _, text in read if not isinstance(text, Again)])
    beyond = wanted.beyond(left)
    if beyond and wanted.before is not None:
        old = _fetched(reader, wanted.before.path).texts
        texts = (text for _, text in old if not isinstance(text, Unread | Again))
        beyond = wanted.before.unexplained(beyond, left, texts)
    return hits | {Hit(number, f"more places than were to be kept ({name_of(reader)})") for number in beyond}


def _really_broken(broken: Counter[tuple[Hit, tuple[str, ...]]], texts: Sequence[str]) -> set[Hit]:
    """Values that ends of lines cut, without those that ordinary words make up: `with` above `in`.

    Such words occur by themselves too; pieces of a value do not.
    """
    if not broken:
        return set()
    pieces: Counter[str] = Counter()
    for (_, parts), count in broken.items():
        pieces.update(dict.fromkeys(parts, count))
    words = Counter(word for text in texts for word in words_of(text) if word in pieces)
    return {hit for hit, parts in broken if any(words[part] <= pieces[part] for part in parts)}


def _in_contents(reader: Reader, reading: _Reading, wanted: _Wanted) -> set[Hit]:
    """What a reader finds in everything else; it must be able to read all."""
    hits: set[Hit] = set()
    waiting: dict[bool, list[tuple[str, str]]] = {False: [], True: []}
    sizes = {False: 0, True: 0}
    try:
        for where, text in reader(reading.path):
            named = isinstance(text, Names)
            reading.places.add(where)
            waiting[named].append((where, text))
            sizes[named] += len(text)
            if sizes[named] > _TOGETHER:
                hits |= _in_batch(waiting[named], wanted.in_names if named else wanted.inside)
                waiting[named], sizes[named] = [], 0
    except ImportError:
        raise
    except Exception:  # noqa: BLE001 - other people's programs raise what they like
        raise FailedCheck(
            f"{name_of(reader)} cannot read {reading.path.name}: nothing is proved.", hint="Is it whole?"
        ) from None
    for named, texts in waiting.items():
        hits |= _in_batch(texts, wanted.in_names if named else wanted.inside)
    return hits


def _in_batch(texts: Sequence[tuple[str, str]], needles: Needles) -> set[Hit]:
    """Many short texts are searched together, and one by one only if something is there."""
    if not needles.found(_APART.join(text for _, text in texts), plainly=True):
        return set()
    return {Hit(number, where) for where, text in texts for number in needles.found(text, plainly=True)}


def name_of(reader: Reader) -> str:
    """A reader in words."""
    name = getattr(reader, "__name__", "a reader").removeprefix("by_")
    return {"pdfium": "PDFium", "poppler": "Poppler", "office": "LibreOffice"}.get(name, name)
