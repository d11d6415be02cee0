from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binomtest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.observed_limit import SampleDesign
from reidrisk.stats.paired_difference import paired_difference

LEVEL = 0.975


def difference(pairs: list[tuple[float, float]], *, top: float = 1.0) -> tuple[float, float, float]:
    first, second = np.array(pairs).T
    return paired_difference(first, second, SampleDesign(), top=top, level=LEVEL)


@pytest.mark.parametrize("only_first", range(4, 10))
def test_the_sign_of_the_limits_is_that_of_the_sign_test(only_first: int) -> None:
    """McNemar 1947: documents that leak under both tools or under none do not count."""
    pairs = [(1.0, 0.0)] * only_first + [(0.0, 1.0)] + [(1.0, 1.0)] * 3 + [(0.0, 0.0)] * 30
    value, low, high = difference(pairs)
    assert value == pytest.approx((only_first - 1) / len(pairs))
    significant = binomtest(only_first, only_first + 1, alternative="greater").pvalue <= 1 - LEVEL
    assert (low > 0) == significant
    assert low <= value <= high
    other = difference([(two, one) for one, two in pairs])
    assert other == pytest.approx((-value, -high, -low))


def test_one_document_says_almost_nothing() -> None:
    """The gap, between -top and top, has the upper limit of one unit of the size 2 top."""
    value, low, high = difference([(0.4, 0.0)], top=0.4)
    assert (value, high) == pytest.approx((0.4, 0.4))
    assert low == pytest.approx(0.8 * beta.ppf(1 - LEVEL, 1, 1) - 0.4)


def test_equal_risks_do_not_differ() -> None:
    value, low, high = difference([(0.3, 0.3 + 1e-14), (0.1, 0.1)])
    assert value == 0.0
    assert low == pytest.approx(-high)
    assert low < 0 < high
    assert difference([(0.3, 0.3 - 1e-9), (0.1, 0.1)])[0] == pytest.approx(0.5e-9)
    assert difference([(0.0, 0.0), (0.0, 0.0)], top=0.0) == (0.0, 0.0, 0.0)


def test_documents_of_one_cluster_are_one_unit() -> None:
    first, second = np.array([1.0, 1.0, 0.0, 0.0]), np.zeros(4)
    cluster = SampleDesign(np.array([0, 0, 1, 1]))
    found = paired_difference(first, second, cluster, top=1.0, level=LEVEL)
    assert found == pytest.approx(difference([(1.0, 0.0), (0.0, 0.0)]))


def test_risks_of_other_documents_are_refused() -> None:
    for first, second in ((np.zeros(2), np.zeros(3)), (np.zeros(0), np.zeros(0))):
        with pytest.raises(InvalidSetting, match="same documents"):
            paired_difference(first, second, SampleDesign(), top=1.0, level=LEVEL)
