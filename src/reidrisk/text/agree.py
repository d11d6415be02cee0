"""Compare annotators: measure agreement, list the conflicts, and merge one gold standard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.shown_ids import shown_document
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import BadData, InvalidSetting, MisalignedOffsets, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.agreement import ALL, AgreementTally, PairAgreement, TextAgreement, TypeAgreement
from reidrisk.text.conflicts import (
    Conflict,
    MarkedPlace,
    Marks,
    Rule,
    agreed_marks,
    apply_decision,
    marked_places,
    read_decisions,
    resolve_conflict,
)
from reidrisk.text.corpus import Annotation, Corpus, Document, Misaligned
from reidrisk.text.evaluate import Source, TextFiles, documents_of, source_names
from reidrisk.text.input_settings import ANNOTATORS_UNMATCHED, RULE
from reidrisk.text.pairing import TextKey, in_text, same_text
from reidrisk.text.settings import TextSettings, Unmatched


def agree_annotators(
    annotators: Mapping[str, Source] | Sequence[Source],
    *,
    rule: Rule = RULE.default,
    decisions: str | Path | None = None,
    unmatched: Unmatched = ANNOTATORS_UNMATCHED.default,
    misaligned: Misaligned = "refuse",
    seed: int = 7,
) -> TextAgreement:
    """Measure how far annotators agree, list their conflicts, and merge one gold standard.

    `decisions` resolves single conflicts, `rule` all others. The seed is for the agreement that spans would
    have by chance.
    """
    RULE.check(rule)
    ANNOTATORS_UNMATCHED.check(unmatched)
    sources = named_annotators(annotators)
    work = _Merge(tuple(sources), rule, {} if decisions is None else read_decisions(decisions))
    for document in match_documents(sources, unmatched=unmatched, misaligned=misaligned):
        work.add(document)
    work.check(decisions)
    inputs: dict[str, Any] = {"rule": rule, "unmatched": unmatched}
    formats = {str(one.format) for one in sources.values() if isinstance(one, TextFiles) and one.format}
    if formats:
        inputs["formats"] = sorted(formats)
    if decisions is not None:
        inputs["decisions"] = path_text(decisions)
    return work.finish(inputs, seed=seed)


class _Merge:
    """The documents merged so far."""

    def __init__(
        self, names: tuple[str, ...], rule: Rule, decisions: dict[tuple[str, int, int], str]
    ) -> None:
        self._names, self._rule = names, rule
        self._decisions = decisions
        self._used: set[tuple[str, int, int]] = set()
        self._tally = AgreementTally(len(names))
        self._conflicts: list[Conflict] = []
        self._by_type: Counter[str] = Counter()
        self._gold: list[Document] = []
        self._marked = Counter[str]()
        self._complete = self._agreed = 0
        self._misaligned = [0, 0]

    def add(self, document: SharedDocument) -> None:
        """Merge a document, and measure agreement on it if everybody annotated it."""
        self._misaligned[0] += document.skipped
        self._misaligned[1] += document.moved
        for name, own in zip(self._names, document.marks, strict=True):
            self._marked[name] += len(own or ())
        if document.complete:
            self._complete += 1
            self._tally.add(document.text, [own or () for own in document.marks])
        present = [
            (name, own) for name, own in zip(self._names, document.marks, strict=True) if own is not None
        ]
        marks: list[Annotation] = []
        for place in marked_places([own for _, own in present]):
            kind = place.conflict
            if kind is None:
                self._agreed += 1
                marks += agreed_marks(place)
                continue
            gold, resolution = self._resolve(document, [name for name, _ in present], place)
            shown = document.text[place.start : place.end]
            whole = place if len(present) == len(self._names) else _with_absent(place, document)
            self._conflicts.append(Conflict(document.id, whole, kind, resolution, gold, shown))
            self._by_type.update({mark.type for own in place.marks for mark in own})
            marks += gold
        ordered = tuple(sorted(marks, key=lambda mark: (mark.start, mark.end, mark.type)))
        self._gold.append(
            Document(document.id, ordered, document.text, document.source, about=document.about)
        )

    def _resolve(self, document: SharedDocument, names: list[str], place: MarkedPlace) -> tuple[Marks, str]:
        key = (document.id, place.start, place.end)
        if key not in self._decisions:
            return resolve_conflict(place, self._rule, document.text)
        self._used.add(key)
        where = f"The decision on {shown_document(document.id)}, {place.start} to {place.end}"
        return apply_decision(self._decisions[key], place, names, document.text, where=where), "decision"

    def check(self, source: str | Path | None) -> None:
        """Refuse decisions that match no conflict, and input without anything to compare."""
        unknown = [key for key in self._decisions if key not in self._used]
        if unknown:
            name, start, end = unknown[0]
            raise BadData(
                f"{source} decides on {shown_document(name)}, {start} to {end}, where there is no conflict.",
                hint="Create the list of conflicts again, and fill in its column of decisions.",
            )
        if not self._complete:
            raise NothingToMeasure(
                "No document was annotated by everybody.", hint="Check that ids are the same in all files."
            )
        if not self._tally.types:
            raise NothingToMeasure("Nobody marked anything.", hint="Check the files and their formats.")

    def finish(self, inputs: dict[str, str], *, seed: int) -> TextAgreement:
        """The result."""
        tally, names = self._tally, self._names
        places_of = range(len(names))
        pairs = [(one, two) for one in places_of for two in places_of if one < two]
        return TextAgreement(
            annotators=tuple((name, self._marked[name]) for name in names),
            documents=self._complete,
            all_documents=len(self._gold),
            words=tally.words,
            overall=tally.of_all(ALL, seed=seed),
            pairs=tuple(
                PairAgreement(names[one], names[two], tally.of_pair(one, two, ALL, seed=seed))
                for one, two in pairs
            ),
            by_type=tuple(
                TypeAgreement(kind, tally.of_all(kind, seed=seed), self._by_type[kind])
                for kind in tally.types
            ),
            agreed=self._agreed,
            conflicts=tuple(self._conflicts),
            gold=Corpus(tuple(self._gold)),
            inputs=tuple(inputs.items()),
            seed=seed,
            misaligned=(self._misaligned[0], self._misaligned[1]),
        )


def _with_absent(place: MarkedPlace, document: SharedDocument) -> MarkedPlace:
    """The place with an empty entry for each annotator who does not have the document."""
    own = iter(place.marks)
    return MarkedPlace(tuple(() if marks is None else next(own) for marks in document.marks))


@dataclass(frozen=True, slots=True)
class SharedDocument:
    """One document with the marks of each annotator; None for those who did not annotate it."""

    id: str
    text: str = field(repr=False)
    source: str
    marks: tuple[tuple[Annotation, ...] | None, ...]
    about: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    skipped: int = 0
    """Annotations that do not fit the text and were skipped."""
    moved: int = 0

    @property
    def complete(self) -> bool:
        """Whether every annotator has the document."""
        return all(own is not None for own in self.marks)


def named_annotators(sources: Mapping[str, Source] | Sequence[Source]) -> dict[str, Source]:
    """A unique name for each annotator: yours, or the last part of the path."""
    if isinstance(sources, Mapping):
        given = dict(sources)
    else:
        given = dict(zip(source_names(sources, "annotator"), sources, strict=True))
    if len(given) < 2:
        raise InvalidSetting("Agreement needs two or more annotators.", hint="Give the file of each.")
    return given


def match_documents(
    annotators: Mapping[str, Source], *, unmatched: Unmatched = "error", misaligned: Misaligned = "refuse"
) -> Iterator[SharedDocument]:
    """The documents in the order of the first annotator, then those that only others have."""
    read = {name: _by_id(name, source, misaligned) for name, source in annotators.items()}
    ids = dict.fromkeys(name for documents in read.values() for name in documents)
    for at, name in enumerate(ids, start=1):
        shown = shown_document(name, at)
        own = [documents.get(name) for documents in read.values()]
        if unmatched == "error" and None in own:
            lacking = [annotator for annotator, document in zip(read, own, strict=True) if document is None]
            raise UnmatchedDocuments(
                f"{shown.capitalize()} is missing from {plural(len(lacking), 'annotator')}: "
                f"{', '.join(lacking)}.",
                hint="A document in which somebody marked nothing needs an entry without annotations. To "
                "measure shared documents only, and take the others from whoever has them: --unmatched allow",
            )
        yield _side_by_side(name, own, misaligned, shown=shown)


def _side_by_side(
    name: str, own: list[Document | None], misaligned: Misaligned, *, shown: str
) -> SharedDocument:
    texts = [document for document in own if document is not None and document.text is not None]
    if not texts or texts[0].text is None:
        raise BadData(
            f"No annotator's file contains the text of {shown}.",
            hint="At least one file must contain the texts: words are compared, not only offsets.",
        )
    first, text = texts[0], texts[0].text
    if any(not same_text(document.text or "", text) for document in texts):
        raise MisalignedOffsets(
            f"The annotators' files have different texts for {shown}.",
            hint="All must annotate exactly the same text, including line ends and white space.",
        )
    placed = [None if document is None else _placed(document, text, misaligned) for document in own]
    marks = tuple(None if document is None else document.annotations for document in placed)
    lost = [one for document in placed if document is not None for one in document.misaligned]
    moved = sum(one.found is not None for one in lost)
    return SharedDocument(name, text, first.source, marks, first.about, len(lost) - moved, moved)


def _placed(document: Document, text: str, misaligned: Misaligned) -> Document:
    """The document with offsets in the text that all annotators share."""
    key = None if document.text is None else TextKey.of(document.text)
    document = in_text(document, key, text, misaligned)
    for number, mark in enumerate(document.annotations, start=1):
        if mark.end > len(text):
            raise MisalignedOffsets(
                f"{document.place(number)}, ends beyond the end of the text.",
                hint="Check that the offsets count characters of exactly this text.",
            )
    return document


def _by_id(annotator: str, source: Source, misaligned: Misaligned) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for document in documents_of(source, TextSettings(misaligned=misaligned)):
        if document.id in found:
            raise UnmatchedDocuments(
                f"The file of {annotator} contains {document.shown} twice.",
                hint="Give every document a unique id.",
            )
        found[document.id] = document
    return found
