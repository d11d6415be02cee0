"""When is a sample class large enough to say that its population class has at least k people?"""

from __future__ import annotations

from reidrisk.errors import InvalidSetting


def least_sample_class(cell_size: int, fraction: float, *, alpha: float = 0.05, seen: bool = False) -> int:
    """The smallest sample class at which a population class below the cell size is rejected.

    Exact for a simple random sample: Pr(Bin(k - 1, fraction) >= x) <= alpha. In a thin sample that calls a
    single record proof enough, because few small classes are seen at all; but it is those that are seen which
    are looked at. With `seen` the chance is therefore among them: Pr(... >= x) / Pr(... >= 1).

    >>> [least_sample_class(5, 0.1), least_sample_class(5, 0.5), least_sample_class(20, 0.2)]
    [3, 5, 8]
    >>> least_sample_class(5, 0.01), least_sample_class(5, 0.01, seen=True)
    (1, 2)
    """
    from scipy.special import bdtrc

    if cell_size < 1 or not 0 < fraction <= 1 or not 0 < alpha < 1:
        raise InvalidSetting(
            f"There is no cell size {cell_size}, sampling fraction {fraction} or level {alpha}.",
            hint="The cell size is at least 1, the fraction above 0 and up to 1, the level between 0 and 1.",
        )
    most = alpha * (float(bdtrc(0, cell_size - 1, fraction)) if seen and cell_size > 1 else 1.0)
    for size in range(1, cell_size):
        if bdtrc(size - 1, cell_size - 1, fraction) <= most:
            return size
    return cell_size
