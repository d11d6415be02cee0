"""What the judgement of a part says."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
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

    @property
    def ratio(self) -> float:
        """How much of what is accepted is used up; above 1 is too much."""
        return float("inf") if self.overall is None else self.overall / self.threshold

    def to_dict(self) -> dict[str, Any]:
        """The part `judged` of the JSON."""
        names = ("acceptable", "statistic", "risk", "low", "high", "attempt", "overall")
        return {name: getattr(self, name) for name in (*names, "threshold", "cell_size", "sentence")}
