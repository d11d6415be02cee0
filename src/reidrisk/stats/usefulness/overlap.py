"""How far a conclusion drawn from released data agrees with that from the original."""

from __future__ import annotations

from typing import NamedTuple


class Ends(NamedTuple):
    """A confidence interval."""

    low: float
    high: float

    @property
    def says(self) -> int:
        """-1 or 1 if all of it is below or above 0, else 0: no conclusion."""
        return (self.low > 0) - (self.high < 0)


def overlap(before: Ends, after: Ends) -> float:
    """The mean of the shares of both intervals that they have in common, 0 if they have nothing.

    Karr, Kohnen, Oganian, Reiter and Sanil 2006 (doi:10.1198/000313006X124640).

    >>> overlap(Ends(0, 2), Ends(1, 3)), overlap(Ends(0, 1), Ends(2, 3))
    (0.5, 0.0)
    """
    common = min(before.high, after.high) - max(before.low, after.low)
    if common < 0:
        return 0.0
    widths = [one.high - one.low for one in (before, after)]
    if min(widths) <= 0:
        return 1.0 if max(widths) <= 0 else 0.5
    return sum(common / width for width in widths) / 2
