"""Anonymize one document: plan, write, prove."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from reidrisk.detect.known.listed import ListedValues
from reidrisk.documents.anonymize.plan import (
    Planned,
    Rules,
    certain_values,
    lines_left_out,
    plan,
    same_values,
    without_left_out,
)
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.detection.given import ValueCount, count_given
from reidrisk.documents.document import ANYWHERE, Block, Change, OpenDocument, PagedDocument, Written
from reidrisk.documents.findings.finding import DocumentFindings
from reidrisk.documents.formats import format_of, prove_document
from reidrisk.documents.proof.needles import Before, Needles, folded, words_of
from reidrisk.documents.proof.prove import Proof
from reidrisk.documents.review.opinions import Place
from reidrisk.errors import FailedCheck, FailedPages, UnreadableFile

_PAGE = re.compile(r"page (\d+)\b")
_LETTERS = 2
"""Values of so few letters are parts of others wherever a reader cuts words in another way."""


@dataclass(frozen=True, slots=True)
class Removed:
    """Values that went; nothing here is ever shown."""

    values: tuple[str, ...] = field(repr=False)
    """First those that were given, whether they were found or not, then what else went, each once."""
    given: int
    """How many of them were given."""
    kept: dict[str, int] = field(repr=False)
    """How often a value is to remain, because other places or new values say the same."""
    gone: dict[str, int] = field(repr=False)
    """How many places of a value went, less those that new values brought."""
    loose: frozenset[str] = field(repr=False)
    """Values that words which stay make up where a reader puts them side by side."""
    words_gone: Mapping[str, int] = field(repr=False)
    """How many places of each word went, less those that new values brought."""


def removed_by(  # noqa: PLR0913 - what goes, and what stays nevertheless
    changes: Iterable[Change],
    blocks: Sequence[Block],
    *,
    given: Sequence[str] = (),
    certain: Collection[str] = (),
    besides: Iterable[Place] = (),
    stay: Iterable[Place] = (),
    gone: Collection[str] = (),
) -> Removed:
    """What changes take out of the blocks of a document, and what stands `besides` in longer stretches.

    Values that are `certain` must not be anywhere afterwards, nor those that were `given`, but for places
    that are to `stay`. Of blocks that are `gone` nothing remains.
    """
    by_block = {
        name: list(own) for name, own in groupby(sorted(changes, key=_place), key=lambda one: one.block)
    }
    asked = set(map(folded, given))
    values = [value for plain, value in _values(by_block, blocks, besides).items() if plain not in asked]
    numbered = dict(enumerate((*given, *values), 1))
    tally = _Tally(Needles(numbered, given=range(1, len(given) + 1)))
    for block in blocks:
        after = "" if block.name in gone else _after(block.text, by_block.get(block.name, []))
        tally.add(block.text, after)
    sure = frozenset(map(folded, certain))
    kept = {numbered[number]: max(tally.new[number], 1) for number in tally.remain if number > len(given)}
    return Removed(
        tuple(numbered.values()),
        len(given),
        kept | _staying(given, by_block, blocks, stay),
        {value: tally.old[number] - tally.new[number] for number, value in numbered.items()},
        frozenset(value for value in numbered.values() if tally.makes_up(value, sure)),
        {word: count - tally.new_words[word] for word, count in tally.old_words.items()},
    )


def _values(
    by_block: Mapping[str, Sequence[Change]], blocks: Sequence[Block], besides: Iterable[Place]
) -> dict[str, str]:
    """What goes, each value once, by the form in which it is compared."""
    texts = {block.name: block.text for block in blocks}
    places = [(one.block, one.start, one.end) for own in by_block.values() for one in own]
    found: dict[str, str] = {}
    for name, start, end in (*places, *besides):
        value = texts[name][start:end] if name in texts else ""
        found.setdefault(folded(value), value)
    found.pop("", None)
    return found


def _staying(
    given: Sequence[str],
    by_block: Mapping[str, Sequence[Change]],
    blocks: Sequence[Block],
    stay: Iterable[Place],
) -> dict[str, int]:
    """How often given values remain on purpose: in places that stay, and in new values."""
    if not given:
        return {}
    texts = {block.name: block.text for block in blocks}
    needles = Needles(dict(enumerate(given)), given=range(len(given)))
    counts: Counter[int] = Counter()
    for name, start, end in stay:
        counts.update(needles.counts(texts[name][start:end]))
    for new in (one.new for own in by_block.values() for one in own if one.new is not None):
        counts.update(needles.counts(new))
    return {given[number]: count for number, count in counts.items()}


class _Tally:
    """What stands in a document before and after."""

    def __init__(self, needles: Needles) -> None:
        self._needles = needles
        self.remain: set[int] = set()
        self.old: Counter[int] = Counter()
        self.new: Counter[int] = Counter()
        self.old_words: Counter[str] = Counter()
        self.new_words: Counter[str] = Counter()

    def add(self, before: str, after: str) -> None:
        """One block."""
        self.remain |= self._needles.found(after)
        self.new.update(self._needles.counts(after))
        self.old.update(self._needles.counts(before))
        self.old_words.update(words_of(before))
        self.new_words.update(words_of(after))

    def makes_up(self, value: str, certain: Collection[str]) -> bool:
        """Whether words that stay can be read as a value."""
        plain = folded(value)
        return len(plain) <= _LETTERS or (
            plain not in certain and all(self.new_words[word] for word in words_of(value))
        )


def _place(change: Change) -> tuple[str, int]:
    return change.block, change.start


def _after(text: str, changes: Sequence[Change]) -> str:
    """A text as it is to be; a box cuts it, whatever its label."""
    parts, last = [], 0
    for one in changes:
        parts += [text[last : one.start], one.new if one.new is not None else f" {one.label} "]
        last = one.end
    return "".join([*parts, text[last:]])


@dataclass(frozen=True, slots=True)
class Anonymized:
    """What was done to one document."""

    planned: tuple[Planned, ...] = field(repr=False)
    outcome: Written
    proof: Proof
    kept: int
    """Values of which other places, or new values, say the same."""
    lines: int = 0
    """Lines of sections that were left out."""
    values: tuple[ValueCount, ...] = ()
    """What became of each value that was given."""


def anonymize_one(  # noqa: PLR0913 - what, where to, whose, how
    document: OpenDocument,
    out: Path,
    found: DocumentFindings,
    rules: Rules,
    *,
    leave: Sequence[Place] = (),
    values: ListedValues | None = None,
    numbers: Sequence[int] = (),
    without: Mapping[str, str] | None = None,
    seen: Sequence[Place] = (),
) -> Anonymized:
    """Write a document without its findings; it gets its name only if the proof holds.

    `leave` are places that reviewers said are no identifiers. `values` were given, and are counted: the proof
    looks for all of them, found or not. `numbers` are those that a message gives them. `without` are pages
    that are left out, and why, by the names of their blocks; `seen` are places where other readers see a
    value that our own text does not show.
    """
    source, blocks = document.path, document.blocks
    gone = _left_out(document, rules.settings, without or {})
    is_wrapped = format_of(source).is_wrapped
    lines = lines_left_out(blocks, rules, is_wrapped=is_wrapped)
    planned = without_left_out(plan(found.findings, blocks, rules), lines)
    if rules.settings.same_values:
        planned += without_left_out(same_values(planned, blocks, leave=leave), lines)
    changes = [*lines, *(one.change for one in planned if one.change is not None)]
    changes += _uncovered(seen, changes)
    going = [one for one in planned if one.change is not None or one.fate == "left_out"]
    removed = removed_by(
        changes,
        blocks,
        given=() if values is None else values.texts,
        certain=certain_values(going, blocks),
        besides=[one.finding.place for one in going if one.change is None],
        gone=gone,
        stay=[one.finding.place for one in planned if one.fate in ("kept", "unchanged")],
    )
    proofs: list[Proof] = []
    outcome = document.write(
        out,
        [change for change in changes if change.block not in gone],
        look=rules.settings.look,
        check=lambda part: proofs.append(_proved(part, source, removed, rules.settings, numbers)),
    )
    counted = () if values is None else count_given(blocks, values, changes, is_wrapped=is_wrapped)
    return Anonymized(tuple(planned), outcome, proofs[-1], len(removed.kept), len(lines), counted)


def _uncovered(seen: Sequence[Place], changes: Sequence[Change]) -> list[Change]:
    """What places have beyond those that change already."""
    taken: dict[str, set[int]] = {}
    for one in changes:
        taken.setdefault(one.block, set()).update(range(one.start, one.end))
    found: list[Change] = []
    for block, start, end in seen:
        free = [at for at in range(start, end) if at not in taken.get(block, ())]
        for _, run in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0]):
            own = [at for _, at in run]
            found.append(Change(block, own[0], own[-1] + 1))
    return found


def _proved(
    part: Path, source: Path, removed: Removed, settings: AnonymizeSettings, numbers: Sequence[int]
) -> Proof:
    before = Before(source, removed.gone, removed.loose, removed.words_gone)
    proof = prove_document(
        part,
        removed.values,
        given=removed.given,
        kept=removed.kept,
        before=before,
        office=settings.office,
    )
    try:
        proof.require(numbers)
    except FailedCheck as error:
        why = "A value could still be read on it."
        left = _left(proof, removed)
        pages = () if ANYWHERE in left else sorted(left)
        raise FailedPages(error.problem, hint=error.hint, pages=pages, why=why, left=left) from None
    return proof


def _left(proof: Proof, removed: Removed) -> dict[int, tuple[str, ...]]:
    """Values that are left, by the number of the page."""
    found: dict[int, set[str]] = {}
    for hit in proof.hits:
        page = _PAGE.match(hit.where)
        found.setdefault(int(page[1]) if page else ANYWHERE, set()).add(removed.values[hit.value - 1])
    return {page: tuple(sorted(values)) for page, values in found.items()}


def _left_out(
    document: OpenDocument, settings: AnonymizeSettings, without: Mapping[str, str]
) -> Mapping[str, str]:
    """Pages that are left out; those on which nothing can be found are refused if none may be."""
    gone = dict(without)
    for concern, setting, what in (
        ("scanned", settings.scanned, "is a picture without text"),
        ("unreadable", settings.unreadable, "has fonts that do not tell what they say"),
    ):
        wrong = [block.name for block in document.blocks if getattr(block, "concern", "") == concern]
        if wrong and setting == "refuse" and not settings.per_page:
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            raise UnreadableFile(
                f"{wrong[0]} {what}{more}: identifiers there cannot be found.",
                hint="Scans need Tesseract. Use --per-page to leave such pages out, or look at them "
                f"yourself and say --set {concern}=allow.",
            )
        if setting == "refuse":
            gone |= dict.fromkeys(wrong, f"It {what}: identifiers on it cannot be found.")
    if not gone or not isinstance(document, PagedDocument):
        return {}
    if all(block.name in gone for block in document.blocks if _PAGE.match(block.name)):
        raise UnreadableFile(
            "Every page would be left out.", hint="Export the document again as a PDF with text."
        )
    document.leave_out(gone)
    return gone
