"""Draw a stratified random sample of documents to annotate; the same seed gives the same documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.files import new_folder, whole_path, write_text
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural, probability
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.sample_size import (
    BENCHMARK_UPPER,
    chance_to_pass,
    documents_for_chance,
    documents_needed,
)
from reidrisk.text.grouping import Grouping
from reidrisk.text.input_settings import ASSURANCE
from reidrisk.text.sources import TextSource, each_once, open_texts

WHOLE = "all documents"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The upper limit that the sample should demonstrate, and the expected recall."""

    recall: float
    """Expected all-or-nothing recall of the tool, for all direct identifiers together."""
    upper: float = BENCHMARK_UPPER
    """Largest upper limit of the share of leaking documents; by default that of the benchmark."""
    assurance: float = ASSURANCE.default
    """Probability of reaching the limit, if the recall is as expected."""

    def documents(self) -> NeededDocuments:
        """The number of documents that are needed."""
        expected = documents_needed(recall=self.recall, upper=self.upper)
        assured = documents_for_chance(1 - self.recall, upper=self.upper, chance=self.assurance)
        return NeededDocuments(self.recall, self.upper, self.assurance, expected, assured)


def sample_documents(  # noqa: PLR0913 - corpus, size, strata, output
    corpus: str | Path,
    *,
    documents: int | None = None,
    strata: str | Grouping | None = None,
    wanted: Wanted | None = None,
    out: str | Path | None = None,
    format: str | None = None,  # noqa: A002 - the word users know from the command line
    seed: int = 7,
    progress: Callable[[int], None] | None = None,
) -> TextSample:
    """Draw a stratified random sample of a corpus, and write it to a new folder.

    Each stratum contributes documents in proportion to its size, and at least one. Without `documents`, the
    number that `wanted` needs is drawn; without `out`, nothing is written.
    """
    grouping = Grouping.parse(strata) if isinstance(strata, str) else strata
    needed = None if wanted is None else wanted.documents()
    if out is not None:
        new_folder(out)
    source = open_texts(corpus, format=format)
    members = _members(source, grouping, progress)
    size = sum(len(ids) for ids in members.values())
    number = _number(documents, needed, size)
    shares = allocate({name: len(ids) for name, ids in members.items()}, number)
    drawn = tuple(
        SampledDocument(name, stratum)
        for stratum, ids in members.items()
        for name in _first(ids, shares[stratum], seed)
    )
    chance = None
    if wanted is not None:
        chance = chance_to_pass(number, recall=wanted.recall, upper=wanted.upper)
    result = TextSample(
        corpus=path_text(corpus),
        strata=tuple(Stratum(name, len(ids), shares[name]) for name, ids in members.items()),
        by=None if grouping is None else str(grouping),
        seed=seed,
        needed=needed,
        chance=chance,
        drawn=drawn,
        out=None if out is None else path_text(out),
        format=format,
    )
    if out is not None:
        _write(result, source, out)
    return result


def allocate(sizes: dict[str, int], documents: int) -> dict[str, int]:
    """Documents per stratum: in proportion to its size, at least one, largest remainders first.

    >>> allocate({"notes": 900, "letters": 98, "rare": 2}, 10)
    {'notes': 8, 'letters': 1, 'rare': 1}
    """
    whole = sum(sizes.values())
    if not len(sizes) <= documents <= whole:
        raise InvalidSetting(
            f"{documents:,} documents cannot be drawn from {whole:,} in {len(sizes):,} strata.",
            hint="Draw at least one document per stratum, and no more documents than there are.",
        )
    exact = {name: documents * size / whole for name, size in sizes.items()}
    given = {name: max(1, int(share)) for name, share in exact.items()}
    while (missing := documents - sum(given.values())) != 0:
        step = 1 if missing > 0 else -1
        able = [name for name in sizes if 1 <= given[name] + step <= sizes[name]]
        best = max(able, key=lambda name: (step * (exact[name] - given[name]), sizes[name], name))
        given[best] += step
    return given


def _number(documents: int | None, needed: NeededDocuments | None, size: int) -> int:
    if documents is not None:
        return documents
    if needed is None:
        raise InvalidSetting(
            "The number of documents to draw is missing.",
            hint="Give a number, or the recall that you expect.",
        )
    if needed.assured is None:
        raise InvalidSetting(
            f"At a recall of {needed.recall:g}, no number of documents can demonstrate an upper limit of "
            f"{needed.upper:g}: a share of {1 - needed.recall:g} leaks.",
            hint="Expect a higher recall, accept a higher limit, or give a number of documents.",
        )
    return min(needed.assured, size)


def _members(
    source: TextSource, grouping: Grouping | None, progress: Callable[[int], None] | None
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, document in enumerate(each_once(source.documents()), start=1):
        stratum = WHOLE if grouping is None else grouping.of(document)
        found.setdefault(stratum, []).append(document.id)
        if progress is not None:
            progress(number)
    if not found:
        raise NothingToMeasure("The corpus has no document.", hint="Check the path and the format.")
    return dict(sorted(found.items()))


def _first(ids: list[str], number: int, seed: int) -> list[str]:
    """The ids with the smallest hashes: order does not matter, and larger samples include smaller ones."""
    return sorted(sorted(ids, key=lambda name: _rank(name, seed))[:number])


def _rank(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\x00{name}".encode("utf-8", "backslashreplace")).digest()


def _write(result: TextSample, source: TextSource, out: str | Path) -> None:
    with whole_path(out, folder=True) as folder:
        files = source.copy({one.id for one in result.drawn}, folder)
        weights = {stratum.name: stratum.weight for stratum in result.strata}
        listed = [
            {"id": one.id, "stratum": one.stratum, "weight": weights[one.stratum], "file": files[one.id]}
            for one in result.drawn
        ]
        content = result.to_dict() | {"drawn": listed}
        write_text(folder / "sample.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the corpus that is sampled separately."""

    name: str
    documents: int
    sampled: int

    @property
    def weight(self) -> float:
        """How many documents of the stratum each drawn document represents."""
        return self.documents / self.sampled


@dataclass(frozen=True, slots=True)
class NeededDocuments:
    """The number of documents that demonstrate an upper limit, if the recall is as expected."""

    recall: float
    upper: float
    assurance: float
    expected: int | None
    """If exactly the expected number of documents leaks; None if no number suffices."""
    assured: int | None
    """With probability `assurance`, whatever number of leaks is observed."""


@dataclass(frozen=True, slots=True)
class SampledDocument:
    """A document of the sample."""

    id: str = field(repr=False)
    stratum: str


@dataclass(frozen=True)
class TextSample(Result):
    """A stratified random sample of a corpus."""

    _main_table = "strata"
    corpus: str
    strata: tuple[Stratum, ...]
    by: str | None
    seed: int
    needed: NeededDocuments | None
    chance: float | None
    """Probability that the sample demonstrates the limit, if the recall is as expected."""
    drawn: tuple[SampledDocument, ...] = field(repr=False)
    out: str | None = None
    format: str | None = None
    """The format, if it was named."""

    @property
    def acceptable(self) -> bool:
        """Whether the sample is large enough for the limit. This says nothing about risk."""
        if self.needed is None:
            return True
        return self.needed.assured is not None and self.sampled >= self.needed.assured

    @property
    def documents(self) -> int:
        """Number of documents in the corpus."""
        return sum(stratum.documents for stratum in self.strata)

    @property
    def sampled(self) -> int:
        """Number of documents drawn."""
        return sum(stratum.sampled for stratum in self.strata)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; ids are only in the sample's own file."""
        findings = self._findings()
        named = {"format": self.format} if self.format else {}
        return {
            "kind": "text_sample",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {"corpus": self.corpus, "strata": self.by, "out": self.out, **named},
            "seed": self.seed,
            "versions": versions(),
            "reasons": texts(findings),
            "holds": holds(findings),
            "warnings": self._warnings(),
            "documents": self.documents,
            "sampled": self.sampled,
            "strata": [asdict(stratum) | {"weight": stratum.weight} for stratum in self.strata],
            "needed": None if self.needed is None else asdict(self.needed),
            "chance_to_show_upper_limit": self.chance,
        }

    def _findings(self) -> list[Reason]:
        drawn = f"{self.sampled:,} of {plural(self.documents, 'document')} were drawn"
        from_strata = f" from {len(self.strata):,} strata" if len(self.strata) > 1 else ""
        sentences = [f"{drawn}{from_strata}.", *([] if self.needed is None else [self._needed(self.needed)])]
        enough = None if self.needed is None else self.acceptable
        return [Reason(sentence, enough) for sentence in sentences]

    def _needed(self, needed: NeededDocuments) -> str:
        goal = (
            f"an upper limit of {probability(needed.upper)} at a recall of {needed.recall:g} (all direct "
            "identifiers of a document together)"
        )
        if needed.assured is None or needed.expected is None:
            return f"No number of documents can demonstrate {goal}: the expected share of leaks is too high."
        chance = (
            "" if self.chance is None else f" With these {self.sampled:,} it is {100 * self.chance:.0f} %."
        )
        return (
            f"For {goal}, {plural(needed.expected, 'document')} suffice if exactly the expected number "
            f"leaks; {needed.assured:,} suffice with a probability of {100 * needed.assurance:.0f} %.{chance}"
        )

    def _warnings(self) -> list[str]:
        alone = [stratum for stratum in self.strata if stratum.sampled == 1 and stratum.documents > 1]
        uneven = {round(stratum.weight, 1) for stratum in self.strata}
        found = []
        if alone:
            found.append(
                f"{plural(len(alone), 'stratum').replace('stratums', 'strata')} contributed only one "
                "document: no separate results are possible for them."
            )
        if len(uneven) > 1 and max(uneven) > 1.5 * min(uneven):
            found.append(
                "Small strata are over-represented, so that each has at least one document: see the weights."
            )
        return found
