"""How each function of the reference values of text risk is computed by the library."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.stats.counts import counts, zero_truncated_rate
from reidrisk.stats.exact import exact_direct, exact_quasi, exact_quasi_mean
from reidrisk.stats.gate import gate_open
from reidrisk.stats.leak import (
    at_least,
    direct_risk,
    quasi_leak,
    quasi_leak_by_document,
    total_reidentification,
    value_leak,
)
from reidrisk.stats.models import DirectModel, DirectType, ObservedProportion, QuasiModel
from reidrisk.stats.proportion import interval, lower_bound, quantiles
from reidrisk.stats.recall import all_or_nothing_recall, f_measure, masking_recall, precision, recall
from reidrisk.stats.uncertain import Triangular

Inputs = dict[str, Any]
Compute = Callable[[Inputs], Any]
_LEVELS = (0.025, 0.5, 0.975)


def _number(value: float | None) -> float:
    return nan if value is None else value


def _direct(given: Inputs) -> float:
    weights = given["w"] if "w" in given else [s / given["n"] for s in given["s"]]
    recalls = [_number(r) for r in given["r"]]
    cutoff = given.get("cutoff")
    gates = None if cutoff is None else np.array([r >= cutoff for r in recalls])
    return direct_risk(
        weights, recalls, recognition=given["h"], gates=gates, attempt=given.get("attempt", 1.0)
    )


def _quasi(given: Inputs) -> float:
    leak = value_leak(given["r_q"], given["m"], independent=given["independent_instances"])
    cutoff = given["cutoff"]
    open_gate = cutoff is None or given["r_q"] >= cutoff
    leak = (given["h"] if open_gate else 1.0) * leak
    return float(given["attempt"]) * quasi_leak(given["n_q"], float(leak), mode=given["mode"])


def _by_document(given: Inputs) -> float:
    documents = given["instance_counts"]
    values = np.array([len(document) for document in documents])
    instances = np.array([count for document in documents for count in document])
    return quasi_leak_by_document(values, instances, given["r_q"])


def _proportion_interval(method: Any) -> Callable[[Inputs], Any]:
    def compute(given: Inputs) -> Any:
        if given["sided"] == 1:
            return lower_bound(given["k"], given["n"], method=method, level=given["conf"])
        return list(interval(given["k"], given["n"], method=method, level=given["conf"]))

    return compute


def _gate(given: Inputs) -> bool:
    return gate_open(
        given["r_obs"],
        given["s"],
        cutoff=given["cutoff"],
        rule=given["rule"],
        method=given["method"],
        level=given.get("conf", 0.95),
    )


def _direct_model(given: Inputs) -> DirectModel:
    model = given["model"].split()[0]
    n, cutoff, rule = given["n"], given.get("cutoff", 0.9), given.get("rule", "observed")
    types = tuple(
        DirectType(
            ObservedProportion(s, n, model),
            ObservedProportion(s * r, s, model),
            None if rule == "draw" else gate_open(r, s, cutoff=cutoff, rule=rule),
        )
        for s, r in zip(given["s"], given["r"], strict=True)
    )
    return DirectModel(types, Triangular.constant(given["h"]), Triangular(*given["A"]), cutoff)


def _distribution_of_direct(given: Inputs) -> Any:
    spread = exact_direct(_direct_model(given), _LEVELS)
    return spread.mean if "both W and R" in given["model"] else [spread.mean, *spread.quantiles]


def _benchmark(given: Inputs) -> list[float]:
    n, model = given["n"], given["model"]
    kind = DirectType(
        ObservedProportion(n, n, model, certain=True), ObservedProportion(given["r"] * n, n, model), gate=True
    )
    whole = DirectModel((kind,), Triangular.constant(given["h"]), Triangular.constant(given["A"]))
    spread = exact_direct(whole, (0.025, 0.975))
    return [spread.mean, *spread.quantiles]


def quasi_model(given: Inputs) -> QuasiModel:
    """The model of equation 21."""
    return QuasiModel(
        recall=ObservedProportion(
            given["r_q"] * given["s_q"], given["s_q"], given.get("model", "normal_clip")
        ),
        values=counts(given.get("nq_dist", "poisson"), mean=given["n_q"]),
        repeats=counts(given.get("m_dist", "poisson"), mean=given["m"]),
        gate=True,
        recognition=Triangular.constant(given["h"]),
        attempt=Triangular(*given["A"]),
    )


_SYNTHETIC: Inputs = {
    "n": 120,
    "s": [105, 34, 10, 118],
    "r": [97 / 105, 32 / 34, 9 / 10, 109 / 118],
    "n_q": 3.9875,
    "m": 2.0,
    "r_q": 838 / 957,
    "s_q": 120,
    "model": "normal_clip",
}


def _both_upper_limits(given: Inputs) -> list[float]:
    whole = _SYNTHETIC | given
    upper = exact_direct(_direct_model(whole), (0.975,)).quantiles[0]
    return [upper, exact_quasi(quasi_model(whole), (0.975,)).per_document[0]]


def _mass_at_zero(given: Inputs) -> float:
    numbers, repeats = counts("poisson", mean=given["n_q"]), counts("poisson", mean=given["m"])
    enough = numbers.chances[numbers.support >= 2].sum() * repeats.chances[repeats.support >= 1].sum()
    return float(1 - enough)


def _smallest_passing_corpus(given: Inputs) -> int:
    """No leaking document; the upper limit of the leaking share must not exceed the benchmark's."""
    method = given["method"]
    limit = 1 - interval(209, 220, method=method)[0]
    size = 1
    while 1 - interval(size, size, method=method)[0] > limit:
        size += 1
    return size


TEXT_FORMULAS: dict[str, Compute] = {
    "recall": lambda x: recall(x["tp"], x["fn"]),
    "precision": lambda x: precision(x["tp"], x["fp"]),
    "f_measure": lambda x: f_measure(x["p"], x["r"], beta=x["beta"]),
    "joint_reid_leak": lambda x: total_reidentification(x["p_leak"]),
    "total_reid": lambda x: total_reidentification(
        x["p_leak"], given_catch=x["p_reid_given_catch"], given_leak=x.get("p_reid_given_leak", 1.0)
    ),
    "all_or_nothing_recall": lambda x: all_or_nothing_recall(x["n_instances"], x["n_leaked"]),
    "masking_recall": lambda x: masking_recall(x["token_is_phi"], x["token_is_masked"]),
    "direct_risk": _direct,
    "p_ge2": lambda x: quasi_leak(x["n"], x["p"], mode=x.get("mode", "continuous")),
    "p_ge2 poisson = mixture": lambda x: quasi_leak(x["n"], x["p"], mode="poisson"),
    "p_ge": lambda x: float(at_least(x["t"], x["n"], x["p"])),
    "p_value_leaks": lambda x: float(value_leak(x["r"], x["m"])),
    "quasi_risk": _quasi,
    "quasi_risk_documents": _by_document,
    "0.5*p_ge2(4,p)+0.5*p_ge2(0,p)": lambda x: float(np.mean(at_least(2, [4, 0], x["p"]))),
    "wilson": _proportion_interval("wilson"),
    "jeffreys": _proportion_interval("jeffreys"),
    "clopper_pearson": _proportion_interval("clopper_pearson"),
    "agresti_coull": _proportion_interval("agresti_coull"),
    "wald": _proportion_interval("wald"),
    "gate": _gate,
    "benchmark": _benchmark,
    "sim_direct": _distribution_of_direct,
    "direct_mean_exact": lambda x: exact_direct(_direct_model(x | {"model": "normal"}), _LEVELS).mean,
    "quasi_mean_exact": lambda x: exact_quasi_mean(quasi_model(x)),
    "quasi_quantile_exact": lambda x: list(exact_quasi(quasi_model(x), tuple(x["p"])).per_document),
    "parameter-only interval (N_q, M integrated out per draw)": lambda x: list(
        exact_quasi(quasi_model(x), tuple(x["p"])).parameter
    ),
    "Pr(value = 0)": _mass_at_zero,
    "upper limit <= tau": lambda x: Threshold(x["tau"], "reference").accepts(x["upper"]),
    "1/11 <= 0.09": lambda x: Threshold(x["tau"], "reference").accepts(1 / x["k"]),
    "k_for_threshold": lambda x: Threshold(x["tau"], "reference").cell_size,
    "triangular_mean, triangular_var": lambda x: [
        Triangular(x["a"], x["b"], x["c"]).mean,
        Triangular(x["a"], x["b"], x["c"]).variance,
    ],
    "inv_triangular": lambda x: Triangular(x["a"], x["b"], x["c"]).quantiles(np.array(x["u"])).tolist(),
    "ztp_rate": lambda x: zero_truncated_rate(x["mean"]),
    "inv_proportion": lambda x: quantiles(
        np.array(x["u"]), successes=x["p_hat"] * x["n"], trials=x["n"], model=x["model"]
    ).tolist(),
    "upper limits of eq (20) and eq (21) for the synthetic corpus": _both_upper_limits,
    "smallest n with 0 leaking documents that passes the benchmark (w=1, r=0.95, n=220, h=1)": (
        _smallest_passing_corpus
    ),
}
