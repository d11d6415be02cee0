"""The largest acceptable risk, and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Threshold:
    """The largest acceptable probability of re-identifying one record."""

    probability: float
    """Greater than 0, at most 1. The "cell size of five" rule is 1/5."""
    reason: str
    """Who chose it and why; printed in every report."""

    def __post_init__(self) -> None:
        if not 0 < self.probability <= 1:
            raise InvalidSetting(
                f"A threshold must be a probability in (0, 1], not {self.probability}.",
                hint="Use Threshold.from_cell_size(5, ...) if you think in cell sizes.",
            )

    @classmethod
    def from_cell_size(cls, cell_size: int, reason: str) -> Threshold:
        """Use this for the 0.33 and 0.09 of the literature: they are 1/3 and 1/11, rounded."""
        if cell_size < 1:
            raise InvalidSetting(
                f"A cell size must be 1 or more, not {cell_size}.", hint="3, 5, 11 and 20 are in common use."
            )
        return cls(1 / cell_size, reason)

    @staticmethod
    def check(given: object) -> None:
        """Refuse a number in place of a threshold, because nobody would know who chose it and why."""
        if given is None or isinstance(given, Threshold):
            return
        size = given if isinstance(given, int) and given > 1 else 5
        raise InvalidSetting(
            "threshold takes a Threshold, which has a reason.",
            hint=f'Write threshold=rr.Threshold.from_cell_size({size}, "who chose it and why").',
        )

    @property
    def cell_size(self) -> int:
        """The size of the smallest equivalence class whose risk is acceptable.

        >>> Threshold(0.09, "literal").cell_size, Threshold.from_cell_size(11, "as meant").cell_size
        (12, 11)
        """
        return ceil(1 / self.probability - 1e-9)

    @property
    def rounded_from(self) -> int | None:
        """The cell size that was probably meant, if the probability is a rounded-down 1 / cell size.

        >>> [Threshold(p, "literal").rounded_from for p in (0.33, 0.09, 0.075, 0.2)]
        [3, 11, None, None]
        """
        size = self.cell_size - 1
        if size < 1 or abs(self.probability * self.cell_size - 1) < 1e-9:
            return None
        decimals = len(f"{self.probability:.15g}".partition(".")[2])
        is_rounded = floor(10**decimals / size) == round(10**decimals * self.probability)
        return size if is_rounded else None

    def accepts(self, probability: float) -> bool:
        """Whether a risk is at most the threshold; a risk equal to it passes."""
        return probability <= self.probability * (1 + 1e-12)
