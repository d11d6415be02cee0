"""The result of drawing documents: how many from which stratum, and whether they are enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import plural, probability


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the corpus that is drawn from on its own."""

    name: str
    documents: int
    sampled: int

    @property
    def weight(self) -> float:
        """How many documents of the stratum each drawn one stands for."""
        return self.documents / self.sampled


@dataclass(frozen=True, slots=True)
class NeededDocuments:
    """How many documents show a wanted upper limit, if the recall is as expected."""

    recall: float
    upper: float
    assurance: float
    expected: int | None
    """If as many documents leak as the recall lets expect; None if no number suffices."""
    assured: int | None
    """With the chance `assurance`, whatever leaks happen to be seen."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A document of the sample."""

    id: str = field(repr=False)
    stratum: str


@dataclass(frozen=True)
class TextSample(Result):
    """A stratified random sample of a corpus."""

    corpus: str
    strata: tuple[Stratum, ...]
    by: str | None
    seed: int
    needed: NeededDocuments | None
    chance: float | None
    """Chance that the sample shows the wanted limit, if the recall is as expected."""
    drawn: tuple[Drawn, ...] = field(repr=False)
    out: str | None = None

    @property
    def acceptable(self) -> bool:
        """Whether the sample is as large as the wanted limit takes; no statement about any risk."""
        if self.needed is None:
            return True
        return self.needed.assured is not None and self.sampled >= self.needed.assured

    @property
    def documents(self) -> int:
        """Documents of the corpus."""
        return sum(stratum.documents for stratum in self.strata)

    @property
    def sampled(self) -> int:
        """Documents drawn."""
        return sum(stratum.sampled for stratum in self.strata)

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; ids stand in the sample's own file only."""
        return {
            "kind": "text_sample",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {"corpus": self.corpus, "strata": self.by, "out": self.out},
            "seed": self.seed,
            "versions": versions(),
            "reasons": self._reasons(),
            "warnings": self._warnings(),
            "documents": self.documents,
            "sampled": self.sampled,
            "strata": [asdict(stratum) | {"weight": stratum.weight} for stratum in self.strata],
            "needed": None if self.needed is None else asdict(self.needed),
            "chance_to_show_upper_limit": self.chance,
        }

    def _reasons(self) -> list[str]:
        drawn = f"{self.sampled:,} of {plural(self.documents, 'document')} were drawn"
        from_strata = f" from {len(self.strata):,} strata" if len(self.strata) > 1 else ""
        return [f"{drawn}{from_strata}.", *([] if self.needed is None else [self._needed(self.needed)])]

    def _needed(self, needed: NeededDocuments) -> str:
        wish = (
            f"an upper limit of {probability(needed.upper)} at a recall of {needed.recall:g}, all direct "
            "identifiers of a document together"
        )
        if needed.assured is None or needed.expected is None:
            return f"No number of documents shows {wish}: the expected share of leaks is itself too high."
        chance = (
            "" if self.chance is None else f" For these {self.sampled:,} it is {100 * self.chance:.0f} %."
        )
        return (
            f"For {wish}, {plural(needed.expected, 'document')} suffice if exactly as many leak as expected, "
            f"and {needed.assured:,} with a chance of {100 * needed.assurance:.0f} %.{chance}"
        )

    def _warnings(self) -> list[str]:
        alone = [stratum for stratum in self.strata if stratum.sampled == 1 and stratum.documents > 1]
        uneven = {round(stratum.weight, 1) for stratum in self.strata}
        found = []
        if alone:
            found.append(
                f"{plural(len(alone), 'stratum').replace('stratums', 'strata')} gave one document only: "
                "nothing can be said about them on their own."
            )
        if len(uneven) > 1 and max(uneven) > 1.5 * min(uneven):
            found.append("Small strata are over-represented, so that each has a document: see the weights.")
        return found
