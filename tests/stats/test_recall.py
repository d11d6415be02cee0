from __future__ import annotations

from math import isnan, nan

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.caught import COMBINES, combine_risks, redacted_direct, redacted_quasi, replaced_quasi
from reidrisk.stats.recall import (
    all_or_nothing_recall,
    f_measure,
    macro_average,
    masking_recall,
    precision,
    ratio,
    recall,
)


def test_shares_of_what_was_found_and_of_what_was_marked() -> None:
    assert (recall(3, 1), precision(3, 2)) == (0.75, 0.6)
    assert (recall(0, 4), precision(0, 4), ratio(0, 3)) == (0.0, 0.0, 0.0)
    assert isnan(recall(0, 0))
    assert isnan(precision(0, 0))
    assert isnan(ratio(3, 0))


def test_the_f_measure_is_the_weighted_harmonic_mean() -> None:
    """With beta 2, recall counts four times: 5 / (1 / p + 4 / r)."""
    assert f_measure(0.6, 0.75) == pytest.approx(2 / (1 / 0.6 + 1 / 0.75))
    assert f_measure(0.6, 0.75, beta=2) == pytest.approx(5 / (1 / 0.6 + 4 / 0.75))
    assert f_measure(0.6, 0.75, beta=0.5) == pytest.approx(1.25 / (1 / 0.6 + 0.25 / 0.75))
    assert f_measure(0.0, 0.0) == 0.0
    assert f_measure(0.0, 0.5) == 0.0
    assert f_measure(0.5, 0.0) == 0.0
    for undefined in ((nan, 0.5), (0.5, nan), (nan, nan)):
        assert isnan(f_measure(*undefined))


def test_a_mean_over_what_is_defined() -> None:
    assert macro_average([0.5, nan, 1.0]) == (0.75, 1)
    assert macro_average([0.5]) == (0.5, 0)
    mean, undefined = macro_average([nan, nan])
    assert isnan(mean)
    assert undefined == 2


def test_recall_by_document_and_by_word() -> None:
    """Of four documents one has no instance; in one of the others something leaked."""
    assert all_or_nothing_recall([3, 1, 2, 0], [0, 1, 0, 0]) == pytest.approx(2 / 3)
    assert all_or_nothing_recall([1, 1], [1, 0]) == 0.5
    assert isnan(all_or_nothing_recall([0, 0], [0, 0]))
    assert masking_recall([1, 1, 0, 1], [1, 0, 1, 1]) == pytest.approx(2 / 3)
    assert isnan(masking_recall([0, 0], [1, 1]))


def test_two_ways_to_be_reidentified_combined() -> None:
    """Leak 0.3, catch 0.2, nothing missed with 0.6."""
    found = {how: float(combine_risks(0.3, 0.6, 0.2, how)) for how in COMBINES}
    assert found == pytest.approx({"eq8": 0.2 + 0.8 * 0.3, "literal": 0.2 * 0.6 + 0.3, "max": 0.3})
    assert float(combine_risks(0.9, 0.9, 0.8, "literal")) == 1.0
    assert float(combine_risks(0.1, 0.9, 0.8, "max")) == 0.8
    with pytest.raises(InvalidSetting, match="combines leak and catch"):
        combine_risks(0.3, 0.6, 0.2, "sum")  # type: ignore[arg-type]


def test_reports_that_were_redacted_or_got_other_values() -> None:
    """Two values with two places each: 1 - 0.9^2 = 0.19 leak; both with 0.19^2."""
    assert redacted_quasi(2, 2, 0.9) == pytest.approx(0.19**2)
    assert redacted_direct([0.5, 0.2], [0.9, 0.5]) == pytest.approx(1 - 0.95 * 0.9)
    leak = (0.3 * 0.19) ** 2
    assert replaced_quasi(0.1, 2, 2, 0.9, recognition=0.3) == pytest.approx(0.1 + 0.9 * leak)
    literal = replaced_quasi(0.1, 2, 2, 0.9, recognition=0.3, combine="literal")
    assert literal == pytest.approx(0.1 * 0.81 + leak)
