"""The deterministic engine, Sobol points, random draws and resampling must tell the same story."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.bootstrap import DocumentCounts, bootstrap
from reidrisk.stats.counts import counts
from reidrisk.stats.exact import exact_direct, exact_direct_mean, exact_quasi, exact_quasi_mean
from reidrisk.stats.leak import direct_risk
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.proportion import Bound
from reidrisk.stats.simulate import (
    affordable_draws,
    direct_dimensions,
    draw_direct,
    draw_mean_quasi,
    draw_quasi,
    quasi_dimensions,
    uniforms,
)
from reidrisk.stats.uncertain import Beta, Blend, Triangular, Uncertain

LEVELS = (0.025, 0.5, 0.975)
SOME = Triangular(0.3, 0.4, 0.5)
SURE = Triangular.constant(1.0)
TENTH = Triangular.constant(0.1)
PARROT = Beta(211.5, 99.5)
COUNTED = ((105, 8), (34, 2), (10, 1), (118, 9))


def direct(
    model: Any = "jeffreys",
    *,
    gate: bool | None = True,
    recognition: Uncertain = TENTH,
    attempt: Triangular = SOME,
    catch: float = 0.0,
    own: Uncertain | None = None,
    counted: tuple[tuple[int, int], ...] = COUNTED,
) -> DirectModel:
    types = tuple(
        DirectType(ObservedProportion(s, 120, model), ObservedProportion(s - leaking, s, model), gate, own)
        for s, leaking in counted
    )
    return DirectModel(types, recognition, attempt, given_catch=catch)


def quasi(number: Any = "poisson", times: Any = "poisson", **changes: Any) -> QuasiModel:
    rng = np.random.default_rng(3)
    usual: dict[str, Any] = {
        "recall": ObservedProportion(105.0, 120, "jeffreys"),
        "values": counts(number, mean=4.0, observed=rng.poisson(4, 120)),
        "repeats": counts(times, mean=2.0, observed=1 + rng.poisson(1, 480)),
        "gate": True,
        "recognition": TENTH,
        "attempt": SOME,
    }
    return QuasiModel(**(usual | changes))


MANY = counts("empirical", mean=0, observed=[*range(60), *[100] * 3, 3000])
DIRECT = {
    "places on other pages too": DirectModel(
        (
            DirectType(
                ObservedProportion(40, 50, "jeffreys_modified"),
                ObservedProportion(37, 40, "jeffreys_modified", power=2.5),
                gate=False,
            ),
            DirectType(
                ObservedProportion(30, 50, "normal_clip"),
                ObservedProportion(29, 30, "normal_clip", power=7.0),
                gate=True,
            ),
        ),
        Triangular.constant(0.3),
        Triangular.constant(1.0),
    ),
    "normal_clip": direct("normal_clip"),
    "truncnorm": direct("truncnorm"),
    "jeffreys": direct(),
    "laplace": direct("laplace"),
    "wilson": direct("wilson"),
    "clopper_pearson": direct("clopper_pearson"),
    "certain attempt": direct(attempt=SURE),
    "gate closed": direct(gate=False, attempt=SURE),
    "gate drawn": direct(gate=None),
    "uncertain recognition": direct(recognition=PARROT),
    "very uncertain recognition": direct(recognition=Triangular(0.05, 0.1, 0.6)),
    "uncertain recognition by type": direct(own=Triangular(0.1, 0.2, 0.6)),
    "caught values re-identify": direct(catch=0.05),
    "in few documents": direct(counted=((1, 1),) * 5, gate=False, attempt=SURE),
    "in one document": direct(counted=((1, 1),), gate=False, attempt=SURE),
    "nothing leaked": direct("jeffreys_modified", counted=((105, 0), (3, 0), (1, 0))),
    "few documents and a posterior": direct(counted=((118, 2), (1, 1)), recognition=PARROT, attempt=SURE),
}
QUASI = {
    "literal": quasi(),
    "shifted": quasi(times="shifted_poisson"),
    "truncated": quasi(times="zero_truncated"),
    "fixed": quasi("fixed", "fixed"),
    "empirical": quasi("empirical", "empirical"),
    "negative binomial": quasi("negative_binomial", "empirical"),
    "certain attempt": quasi("empirical", "empirical", attempt=SURE),
    "gate drawn": quasi(gate=None, cutoff=0.87),
    "uncertain recognition": quasi(recognition=Triangular(0.05, 0.1, 0.3)),
    "types of different recognition": quasi(
        recognition=Blend(((0.4, TENTH), (0.6, Triangular(0, 0.1, 0.6))))
    ),
    "one is enough": quasi(needed=1),
    "three are needed": quasi("empirical", "empirical", needed=3),
    "one fate": quasi(independent=False),
    "uncertain rate": quasi(rate_shape=480.0),
    "uncertain rate, three needed": quasi(rate_shape=480.0, needed=3),
    "unclipped": quasi(recall=ObservedProportion(0.12, 6, "normal"), gate=False),
    "many different counts": quasi(
        values=MANY, repeats=MANY, recall=ObservedProportion(995.0, 1000, "jeffreys")
    ),
    "caught values re-identify": quasi(given_catch=0.05),
    "caught values re-identify, roughly": quasi(times="fixed", given_catch=Triangular(0.02, 0.05, 0.09)),
    "leak and catch, both rough": quasi(
        given_catch=Triangular(0.02, 0.05, 0.09), recognition=Triangular(0.05, 0.1, 0.3)
    ),
    "leak and catch as printed": quasi(given_catch=0.09, combine="literal"),
    "printed sum above 1": quasi(given_catch=0.9, combine="literal", gate=False),
    "the larger of leak and catch": quasi(given_catch=0.002, combine="max"),
    "the larger, roughly": quasi(given_catch=Triangular(0.001, 0.002, 0.01), combine="max"),
    "part of the documents": quasi(scale=0.8),
}


def sobol(dimensions: int, draws: int = 2**16) -> Any:
    return uniforms("sobol", draws=draws, dimensions=dimensions, rng=np.random.default_rng(11))


@pytest.mark.parametrize("name", DIRECT)
def test_exact_and_sobol_agree_on_direct_identifiers(name: str) -> None:
    model = DIRECT[name]
    cube = sobol(direct_dimensions(model), 2**17)
    assert exact_direct_mean(model) == pytest.approx(
        draw_direct(model, cube, bound="centre").mean(), rel=2e-3
    )
    bounds: tuple[Bound, ...] = ("low", "centre", "high")
    for bound in bounds:
        found = exact_direct(model, LEVELS, bound=bound)
        drawn = draw_direct(model, cube, bound=bound)
        assert found.quantiles == pytest.approx(np.quantile(drawn, LEVELS), rel=0.01)


@pytest.mark.parametrize("name", QUASI)
def test_exact_and_sobol_agree_on_quasi_identifiers(name: str) -> None:
    model = QUASI[name]
    found = exact_quasi(model, LEVELS)
    cube = sobol(quasi_dimensions(model))
    documents = draw_quasi(model, cube)
    means = draw_mean_quasi(model, cube[: affordable_draws(model, len(cube))])
    if model.rate_shape is None:  # the literal reading knows no uncertain rate
        assert found.mean == pytest.approx(documents.mean(), rel=0.01)
        assert found.per_document == pytest.approx(np.quantile(documents, LEVELS), rel=0.01, abs=1e-9)
    assert found.mean == pytest.approx(means.mean(), rel=5e-3)
    assert found.parameter == pytest.approx(np.quantile(means, LEVELS), rel=0.01)


def test_random_draws_stay_within_three_standard_errors() -> None:
    model = direct()
    exact = exact_direct(model, LEVELS)
    cube = uniforms(
        "montecarlo", draws=80_000, dimensions=direct_dimensions(model), rng=np.random.default_rng(5)
    )
    drawn = draw_direct(model, cube)
    limits = [np.quantile(part, 0.975) for part in np.split(drawn, 16)]
    assert abs(np.quantile(drawn, 0.975) - exact.quantiles[2]) < 3 * np.std(limits, ddof=1) / 4
    assert abs(drawn.mean() - exact.mean) < 3 * drawn.std() / np.sqrt(drawn.size)


def test_the_mean_of_the_unclipped_normal_is_the_plug_in() -> None:
    weights = [s / 120 for s, _ in COUNTED]
    recalls = [1 - leaking / s for s, leaking in COUNTED]
    plug_in = direct_risk(weights, recalls, recognition=0.1, attempt=0.4)
    assert exact_direct(direct("normal"), LEVELS).mean == pytest.approx(plug_in, rel=1e-12)


def test_clopper_pearson_of_one_type_is_the_interval_of_its_share() -> None:
    """The two beta distributions multiply to the one of leaking documents out of all documents."""
    kind = DirectType(
        ObservedProportion(40, 100, "clopper_pearson"),
        ObservedProportion(37, 40, "clopper_pearson"),
        gate=True,
    )
    model = DirectModel((kind,), SURE, SURE)
    from scipy.stats import beta

    assert exact_direct(model, (0.975,)).quantiles[0] == pytest.approx(beta.ppf(0.975, 4, 97), rel=2e-3)


@given(st.integers(0, 9), st.integers(0, 30))
@settings(max_examples=25)
def test_one_more_leaking_document_raises_the_limit(leaking: int, more: int) -> None:
    def limit(number: int) -> float:
        kind = DirectType(
            ObservedProportion(40, 50, "jeffreys"),
            ObservedProportion(40 - number, 40, "jeffreys"),
            gate=False,
        )
        return exact_direct(DirectModel((kind, kind), SURE, SOME), (0.975,)).quantiles[0]

    assert limit(leaking) < limit(leaking + 1 + more)


@given(st.floats(0.5, 0.99), st.floats(1.2, 8), st.floats(1, 4))
@settings(max_examples=12)
def test_quasi_risk_rises_with_values_and_instances_and_falls_with_recall(
    r: float, n: float, m: float
) -> None:
    def mean(recall: float, values: float, repeats: float) -> float:
        recall_seen = ObservedProportion(recall * 100, 100, "jeffreys")
        model = quasi(
            recall=recall_seen,
            values=counts("poisson", mean=values),
            repeats=counts("shifted_poisson", mean=repeats),
        )
        return exact_quasi_mean(model)

    assert mean(r, n, m) <= mean(r, n * 1.5, m)
    assert mean(r, n, m) <= mean(r, n, m * 1.5)
    assert mean(r, n, m) >= mean(r + (1 - r) / 2, n, m)


def test_the_same_seed_gives_the_same_bytes() -> None:
    for points in ("sobol", "montecarlo"):
        one, two = (
            uniforms(points, draws=1024, dimensions=5, rng=np.random.default_rng(9)) for _ in range(2)
        )
        assert one.tobytes() == two.tobytes()
    assert exact_direct(direct(), LEVELS) == exact_direct(direct(), LEVELS)


def test_perfect_recall_leaves_no_doubt_under_the_normal_model_only() -> None:
    def limit(model: Any) -> float:
        kind = DirectType(ObservedProportion(1, 1, model), ObservedProportion(1, 1, model), gate=True)
        return exact_direct(DirectModel((kind,), SURE, SURE), (0.975,)).quantiles[0]

    assert limit("normal_clip") == 0
    assert limit("jeffreys_modified") > 0.6


def test_an_uncertain_rate_needs_a_poisson_number_of_values() -> None:
    with pytest.raises(InvalidSetting, match="Poisson"):
        quasi("fixed", "fixed", rate_shape=12.0)


def test_resampling_agrees_with_the_models_where_much_leaks() -> None:
    """Independent documents, constant counts: the plug-in of resamples spreads as the parameters do."""
    rng = np.random.default_rng(2)
    n = 1500
    leaks = rng.random((n, 1)) < 0.08
    instances = np.full(n, 8, dtype=np.int64)
    caught = rng.binomial(8, 0.9, n)
    data = DocumentCounts(
        np.ones((n, 1), dtype=bool), leaks, np.full(n, 4, dtype=np.int64), instances, caught
    )
    leaking = int(leaks.sum())
    kind = DirectType(
        ObservedProportion(n, n, "jeffreys", certain=True),
        ObservedProportion(n - leaking, n, "jeffreys"),
        gate=False,
    )
    one = DirectModel((kind,), SURE, SURE)
    pooled = float(caught.sum() / instances.sum())
    two = quasi(
        "fixed",
        "fixed",
        recall=ObservedProportion(pooled * n * 8, n * 8, "jeffreys"),
        recognition=SURE,
        attempt=SURE,
    )
    drawn = bootstrap(data, one, two, resamples=3000, rng=rng)
    assert drawn.direct is not None
    assert drawn.quasi is not None
    assert np.quantile(drawn.direct, 0.975) == pytest.approx(
        exact_direct(one, (0.975,)).quantiles[0], rel=0.03
    )
    assert np.quantile(drawn.quasi, 0.975) == pytest.approx(exact_quasi(two, (0.975,)).parameter[0], rel=0.03)
