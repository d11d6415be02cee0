"""When is a sample class large enough to say that its population class has at least k people?"""

from __future__ import annotations

from reidrisk.errors import InvalidSetting


def least_sample_class(cell_size: int, fraction: float, *, alpha: float = 0.05) -> int:
    """The smallest sample class at which a population class below the cell size is rejected.

    Exact for a simple random sample: Pr(Bin(k - 1, fraction) >= x) <= alpha.

    >>> [least_sample_class(5, 0.1), least_sample_class(5, 0.5), least_sample_class(20, 0.2)]
    [3, 5, 8]
    """
    from scipy.special import bdtrc

    if cell_size < 1 or not 0 < fraction <= 1 or not 0 < alpha < 1:
        raise InvalidSetting(
            f"There is no cell size {cell_size}, sampling fraction {fraction} or level {alpha}.",
            hint="The cell size is at least 1, the fraction above 0 and up to 1, the level between 0 and 1.",
        )
    for size in range(1, cell_size):
        if bdtrc(size - 1, cell_size - 1, fraction) <= alpha:
            return size
    return cell_size
