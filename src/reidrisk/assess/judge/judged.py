"""What the judgement of a part says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A risk and what it is the risk of."""

    statistic: str
    risk: float | None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Judged:
    """One part in one context."""

    acceptable: bool
    statistic: str
    risk: float | None
    """Of the data; of a text the upper limit, with the attempt in it, since the interval has it too."""
    attempt: float
    """What the risk is multiplied with; 1 where the rule looks at the data alone."""
    overall: float | None
    """What is held against the threshold."""
    threshold: float
    cell_size: int | None
    """None where the limit is no threshold of records, such as a benchmark."""
    sentence: str
    low: float | None = None
    high: float | None = None
    initial: Figure | None = None
    final: Figure | None = None
    measures: tuple[str, ...] = ()
    result: dict[str, Any] | None = field(default=None, repr=False)
    """The result of the job itself, in this context."""

    def exposing(self, columns: Sequence[str]) -> Judged:
        """The same where columns that seem to name people go out too: no class protects anybody then."""
        if not columns:
            return self
        names = f"{', '.join(columns)} {'seems' if len(columns) == 1 else 'seem'} to name people"
        said = self.sentence.rstrip(".").removesuffix(": acceptable").removesuffix(": not acceptable")
        sentence = f"{said}; but {names}, and nothing is said of it: not acceptable."
        return replace(self, acceptable=False, sentence=sentence)

    def trusting(self, treatments: Mapping[str, str]) -> Judged:
        """The same, saying which direct identifiers are released on somebody's word."""
        kept = [column for column, treatment in treatments.items() if treatment == "keep"]
        if not kept:
            return self
        told = f"Released as they are, on the statement that they name nobody: {', '.join(kept)}."
        return replace(self, sentence=f"{self.sentence} {told}")

    @property
    def ratio(self) -> float:
        """How much of what is accepted is used up; above 1 is too much."""
        return float("inf") if self.overall is None else self.overall / self.threshold

    def to_dict(self) -> dict[str, Any]:
        """The part `judged` of the JSON."""
        names = ("acceptable", "statistic", "risk", "low", "high", "attempt", "overall")
        return {name: getattr(self, name) for name in (*names, "threshold", "cell_size", "sentence")}
