"""From counts to the random quantities of equations 20 and 21, and the figures of the formulas, by hand."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import pytest

import reidrisk as rr
from reidrisk.stats.uncertain import Beta, Blend, Triangular
from reidrisk.text import models
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.settings import Engine, TextSettings

HIDDEN = rr.Release.public("resynthesis", recognition={"default": 0.5, "DATE": 0.2, "DOCTOR": 0.1})
ATTEMPTED = rr.Release.non_public("resynthesis", attempt=(0.1, 0.2, 0.6), recognition=0.5)


def settings(**options: Any) -> TextSettings:
    return rr.text_settings(options={"limit": "model", "gate": "observed", **options})


def evidence(**changed: Any) -> Evidence:
    """Five documents: names in four of them, of which one leaks, doctors in two; seven values in three."""
    holds = np.array([[1, 1], [1, 1], [1, 0], [1, 0], [0, 0]], dtype=bool)
    leaks = np.zeros((5, 2), dtype=bool)
    leaks[0, 0] = True
    types = (
        TypeEvidence("CITY", "quasi", 3, 2, 8, 5, 8, 6, 0, 5),
        TypeEvidence("DATE", "quasi", 1, 0, 4, 4, 4, 4, 0, 2),
        TypeEvidence("DOCTOR", "direct", 2, 0, 2, 2, 2, 2),
        TypeEvidence("NAME", "direct", 4, 1, 5, 4, 5, 4),
    )
    found = Evidence(
        types, (), (), ("NAME", "DOCTOR"), holds, leaks,
        direct_leaks=np.array([1, 0, 0, 0, 0]), values=np.array([4, 2, 1, 0, 0]),
        leaked_values=np.array([1, 1, 0, 0, 0]), instances=np.array([8, 3, 1, 0, 0]),
        caught=np.array([6, 2, 1, 0, 0]), repeats=np.array([3, 2, 2, 1, 2, 1, 1]),
        masked_words=0, masked_identifier_words=0, records=5, notes=(),
    )  # fmt: skip
    return replace(found, **changed)


def test_direct_types_with_their_weights_recalls_gates_and_recognition() -> None:
    model = models.direct_model(evidence(), HIDDEN, settings(direct_cutoff=0.8))
    assert model is not None
    name, doctor = model.types
    assert (name.weight.successes, name.weight.trials) == (4, 5)
    assert (name.recall.successes, name.recall.trials) == (3, 4)
    assert (doctor.weight.successes, doctor.recall.successes, doctor.recall.trials) == (2, 2, 2)
    assert (name.gate, doctor.gate) == (False, True)
    assert (name.recognition, doctor.recognition) == (None, Triangular.constant(0.1))
    # The name's gate is closed: 1 x 4/5 x 1/4 leaks; the doctor's recall is 1.
    assert models.direct_plug_in(model) == pytest.approx(0.2)
    drawn = models.direct_model(evidence(), HIDDEN, settings(gate="draw", direct_cutoff=0.7))
    assert drawn is not None
    assert [kind.gate for kind in drawn.types] == [None, None]
    assert models.direct_plug_in(drawn) == pytest.approx(0.5 * 0.2)


def test_direct_types_that_no_document_has() -> None:
    absent = evidence(absent=(("PHONE", "direct"), ("ZIP", "quasi")))
    without = models.direct_model(absent, HIDDEN, settings())
    model = models.direct_model(absent, HIDDEN, settings(include_absent="yes"))
    assert without is not None
    assert model is not None
    assert (len(without.types), len(model.types)) == (2, 3)
    phone = model.types[-1]
    assert (phone.weight.successes, phone.weight.trials, phone.gate) == (0, 5, False)
    assert (phone.weight.mean, phone.recall.mean) == pytest.approx((0.5 / 6, 0.5))


def test_what_the_recall_of_quasi_identifiers_is_based_on() -> None:
    found = evidence()
    assert found.quasi_recall == 9 / 12
    assert models.quasi_support(found, settings(recall_support="instances")) == 12
    assert models.quasi_support(found, settings(recall_support="documents")) == 3
    # Documents as clusters: deviations 6 - 6, 2 - 9/4 and 1 - 3/4 of five documents with 12 instances.
    spread = np.sqrt(5 / 4 * (0 + 1 / 16 + 1 / 16)) / 12
    cluster = models.quasi_support(found, settings(recall_support="cluster"))
    assert cluster == pytest.approx(0.75 * 0.25 / spread**2)
    perfect = evidence(caught=found.instances)
    assert models.quasi_support(perfect, settings(recall_support="cluster")) == 3


def test_quasi_identifiers_by_hand() -> None:
    model = models.quasi_model(evidence(), HIDDEN, settings(values="fixed", repeats="fixed"))
    assert model is not None
    assert (model.recall.successes, model.recall.trials) == (0.75 * 3, 3)
    assert (model.values.mean, model.repeats.mean) == pytest.approx((7 / 5, 12 / 7))
    assert (model.scale, model.rate_shape, model.needed, model.gate) == (1.0, None, 2, True)
    assert model.recognition == Blend(((5 / 7, Triangular.constant(0.5)), (2 / 7, Triangular.constant(0.2))))
    present = models.quasi_model(evidence(), ATTEMPTED, settings(values="fixed", denominator="present"))
    assert present is not None
    assert (present.values.mean, present.scale) == pytest.approx((7 / 3, 3 / 5))
    assert present.recognition == Triangular.constant(0.5)
    gamma = models.quasi_model(evidence(), HIDDEN, settings(values="poisson", rate_uncertainty="gamma"))
    assert gamma is not None
    assert gamma.rate_shape == 7
    closed = models.quasi_model(evidence(), HIDDEN, settings(quasi_cutoff=0.76))
    assert closed is not None
    assert (closed.gate, models.quasi_exposure(closed)) == (False, 1.0)
    drawn = models.quasi_model(evidence(), ATTEMPTED, settings(gate="draw", quasi_cutoff=0.75))
    assert drawn is not None
    assert (drawn.gate, models.quasi_exposure(drawn)) == (None, 0.5)
    none = evidence(repeats=np.zeros(0, dtype=np.int64))
    assert models.quasi_model(none, HIDDEN, settings()) is None


@pytest.mark.parametrize("catch", [0.0, 0.2])
def test_the_formula_at_the_observed_shares(catch: float) -> None:
    """Seven thirds of values, each with 12 / 7 instances: at least one leaks and is recognized."""
    chosen = settings(
        values="fixed", repeats="fixed", denominator="present", needed=1, given_catch=catch, mode="continuous"
    )
    found = evidence()
    model = models.quasi_model(found, ATTEMPTED, chosen)
    assert model is not None
    missed = 1 - 0.75 ** (12 / 7)
    risk = 0.6 * (1 - (1 - 0.5 * missed) ** (7 / 3))
    expected = 0.3 * (catch + (1 - catch) * risk)
    assert models.quasi_plug_in(found, model, chosen) == pytest.approx(expected)
    # Document by document: repeats 3 2 2 1, then 2 1, then 1, then none twice.
    kept = [1 - 0.5 * (1 - 0.75**times) for times in (3, 2, 2, 1, 2, 1, 1)]
    each = [1 - prod(kept[:4]), 1 - prod(kept[4:6]), 1 - kept[6], 0.0, 0.0]
    by_document = replace(chosen, mode="per_document")
    expected = 0.3 * (catch + (1 - catch) * sum(each) / 5)
    assert models.quasi_plug_in(found, model, by_document) == pytest.approx(expected)
    together = replace(model, independent=False)
    each = [1 - 0.875**number for number in (4, 2, 1, 0, 0)]
    expected = 0.3 * (catch + (1 - catch) * sum(each) / 5)
    assert models.quasi_plug_in_by_document(found, together) == pytest.approx(expected)


def test_risks_without_any_protection_and_their_lower_bounds() -> None:
    chosen = settings(values="fixed", repeats="fixed", given_catch=0.3, needed=1)
    direct, quasi = models.unprotected_risks(evidence(), chosen)
    assert direct == pytest.approx(0.2)
    assert quasi == pytest.approx(1 - (0.75 ** (12 / 7)) ** (7 / 5))
    both = models.direct_model(evidence(), HIDDEN, chosen), models.quasi_model(evidence(), HIDDEN, chosen)
    mean = (5 * 0.5 + 2 * 0.2) / 7
    assert models.plain_risks(*both, (0.3, 0.4)) == pytest.approx((0.3 * 0.1, 0.4 * mean))
    assert both[1] is not None
    two = replace(both[1], needed=2)
    assert models.plain_risks(None, two, (0.3, 0.4)) == pytest.approx((0.0, 0.4 * mean**2))
    attempted = models.direct_model(evidence(), ATTEMPTED, settings(direct_cutoff=0.8))
    assert models.plain_risks(attempted, None, (0.3, 0.4)) == pytest.approx((0.3 * 0.3 * 0.5, 0.0))
    nothing = evidence(repeats=np.zeros(0, dtype=np.int64))
    assert models.unprotected_risks(nothing, chosen)[1] is None


def test_random_draws_have_a_standard_error() -> None:
    """That of a quantile of n uniform numbers is the root of p (1 - p) / n; other engines have none."""
    draws = np.random.default_rng(3).uniform(size=80_000)
    for level in (0.5, 0.975):
        expected = np.sqrt(level * (1 - level) / draws.size)
        assert models._drawing_error(draws, level) == pytest.approx(expected, rel=0.4)
    chosen = settings(draws=2_000)
    direct = models.direct_model(evidence(), HIDDEN, chosen)
    quasi = models.quasi_model(evidence(), HIDDEN, chosen)
    assert direct is not None
    assert quasi is not None
    engines: tuple[Engine, ...] = ("montecarlo", "sobol", "exact")
    for engine in engines:
        both = models.quasi_limits(quasi, chosen, engine, seed=7)
        for limits in (
            models.direct_limits(direct, chosen, engine, seed=7),
            both.parameter,
            both.per_document,
        ):
            assert (limits.error is not None) is (engine == "montecarlo")
            assert limits.error is None or 0 < limits.error < 0.1 * limits.high


def test_the_benchmark_is_one_identifier_in_every_document() -> None:
    model = models.benchmark_model(HIDDEN, settings())
    (kind,) = model.types
    assert (kind.recall.successes, kind.recall.trials) == pytest.approx((209, 220))
    assert kind.weight.mean == 1
    assert models.direct_plug_in(model) == pytest.approx(0.05)
    own = models.benchmark_model(HIDDEN, settings(benchmark_recognition="same"))
    assert models.direct_plug_in(own) == pytest.approx(0.025)
    uncertain = rr.Release.public("resynthesis", recognition=Beta(3, 5))
    same = models.benchmark_model(uncertain, settings(benchmark_recognition="same"))
    assert same.recognition == Beta(3, 5)
