"""Draw documents to annotate: at random in every stratum, the same ones for the same seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.files import new_folder, placed_whole, write_text
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.sample_size import BENCHMARK_UPPER, chance_to_pass, documents_assured, documents_needed
from reidrisk.text.grouping import Grouping
from reidrisk.text.sample import Drawn, NeededDocuments, Stratum, TextSample
from reidrisk.text.sources import TextSource, each_once, open_texts

ASSURANCE = 0.8
WHOLE = "all documents"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The upper limit that the annotated documents should show, and the recall that is expected."""

    recall: float
    """All-or-nothing recall that the tool is expected to have, for all direct identifiers together."""
    upper: float = BENCHMARK_UPPER
    """Largest upper limit of the share of leaking documents; the benchmark's unless said."""
    assurance: float = ASSURANCE
    """Chance that the limit is reached, if the recall is as expected."""

    def documents(self) -> NeededDocuments:
        """How many documents that takes."""
        expected = documents_needed(recall=self.recall, upper=self.upper)
        assured = documents_assured(recall=self.recall, upper=self.upper, assurance=self.assurance)
        return NeededDocuments(self.recall, self.upper, self.assurance, expected, assured)


def sample_documents(  # noqa: PLR0913 - what, how many, how, where to
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

    Every stratum gives documents in proportion to its size, and at least one. Without a number of
    documents as many are drawn as `wanted` takes; without `out` nothing is written.
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
        Drawn(name, stratum)
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
    )
    if out is not None:
        _write(result, source, out)
    return result


def allocate(sizes: dict[str, int], documents: int) -> dict[str, int]:
    """Documents for each stratum: in proportion to its size, at least one, the largest remainders first.

    >>> allocate({"notes": 900, "letters": 98, "rare": 2}, 10)
    {'notes': 8, 'letters': 1, 'rare': 1}
    """
    whole = sum(sizes.values())
    if not len(sizes) <= documents <= whole:
        raise InvalidSetting(
            f"{documents:,} documents cannot be drawn from {whole:,} in {len(sizes):,} strata.",
            hint="Draw at least one document a stratum, and no more than there are.",
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
            "Nobody said how many documents to draw.", hint="Give a number, or the recall that you expect."
        )
    if needed.assured is None:
        raise InvalidSetting(
            f"At a recall of {needed.recall:g} no number of documents shows an upper limit of "
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
    """The ids with the smallest hashes: whatever their order, and more of them hold the fewer."""
    return sorted(sorted(ids, key=lambda name: _rank(name, seed))[:number])


def _rank(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\x00{name}".encode("utf-8", "backslashreplace")).digest()


def _write(result: TextSample, source: TextSource, out: str | Path) -> None:
    with placed_whole(out, folder=True) as folder:
        files = source.copy({one.id for one in result.drawn}, folder)
        weights = {stratum.name: stratum.weight for stratum in result.strata}
        listed = [
            {"id": one.id, "stratum": one.stratum, "weight": weights[one.stratum], "file": files[one.id]}
            for one in result.drawn
        ]
        content = result.to_dict() | {"drawn": listed}
        write_text(folder / "sample.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
