"""How the reference values of the limits that decide are computed by the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reidrisk.stats.decision import decide, passes, units_needed
from reidrisk.stats.nodes import density_nodes
from reidrisk.stats.observed_limit import ObservedRisk, SampleDesign, direct_risks, quasi_risks
from reidrisk.stats.sample_size import documents_for_chance, most_leaking
from reidrisk.stats.uncertain import Triangular
from reidrisk.validate.formulas import Compute, Inputs

LEVEL = 0.975
_LEAK = np.array([[0.0, 1.0]])


def _of_values(given: Inputs) -> ObservedRisk:
    values, counts = np.array(given["y_counts"], dtype=float).T
    risk = ObservedRisk.of_values(values, counts, top=given["b"])
    return replace(risk, attempt=Triangular(*given["attempt"])) if "attempt" in given else risk


def _of_types(given: Inputs) -> ObservedRisk:
    types, stated = list(given["recognition"]), given["recognition"]
    uncertain = [kind for kind in types if isinstance(stated[kind], dict)]
    nodes, weights = np.ones(1), np.ones(1)
    if uncertain:
        nodes, weights = density_nodes(Triangular(*stated[uncertain[0]]["triangular"]))
    rows = [nodes if kind in uncertain else np.full(nodes.size, stated[kind]) for kind in types]
    open_ = [given["gate"][kind] for kind in types]
    exposure = np.stack([row if gate else np.ones(nodes.size) for row, gate in zip(rows, open_, strict=True)])
    leaking = [[kind in found for kind in types] for found, _ in given["leaked_types"]]
    counts = [number for _, number in given["leaked_types"]]
    leaks = np.array([[False] * len(types), *leaking])
    return ObservedRisk(
        np.ones(len(leaks)),
        direct_risks(leaks, exposure.T),
        np.array([given["documents"] - sum(counts), *counts], dtype=float),
        1.0,
        tops=1 - np.prod(1 - exposure.T, axis=1),
        weights=weights,
    )


def _of_leaked_values(given: Inputs) -> ObservedRisk:
    leaked, counts = np.array(given["leaked_values"]).T
    risks = quasi_risks(leaked, np.array([given["g"]]), needed=given["needed"])
    catch = given.get("given_catch", 0.0)
    return ObservedRisk(np.ones(leaked.size), risks, counts.astype(float), 1.0, given_catch=catch)


def _of_clusters(given: Inputs) -> ObservedRisk:
    cluster: list[int] = []
    leaks: list[int] = []
    for size, leaking, number in given["clusters"]:
        for _ in range(number):
            cluster += [max(cluster, default=-1) + 1] * size
            leaks += [1] * leaking + [0] * (size - leaking)
    equal, largest = given.get("cluster_weight") == "equal", given.get("cluster_max", 0)
    design = SampleDesign(np.array(cluster), equal=equal, cluster_max=largest)
    return ObservedRisk(*design.units(np.array(leaks), np.ones(2), _LEAK))


def _of_strata(given: Inputs) -> ObservedRisk:
    whole = sum(stratum["documents"] for stratum in given["strata"])
    weights: list[float] = []
    leaks: list[int] = []
    for stratum in given["strata"]:
        size, leaking = stratum["documents"], stratum["leaking"]
        weights += [stratum["share"] * whole / size] * size
        leaks += [1] * leaking + [0] * (size - leaking)
    design = SampleDesign(weight=np.array(weights))
    return ObservedRisk(*design.units(np.array(leaks), np.ones(2), _LEAK))


def _of_counts(given: Inputs) -> ObservedRisk:
    leaking = min(given["documents"], sum(given["leaking_by_type"]))
    return ObservedRisk.of_share(leaking, given["documents"])


def _figures(risk: ObservedRisk) -> dict[str, Any]:
    low, high = risk.limits(LEVEL)
    return {"low": low, "high": high, "estimate": risk.estimate}


def _gate(given: Inputs) -> dict[str, Any]:
    if "leaking" in given:
        risk = ObservedRisk.of_share(given["leaking"], given["documents"])
    else:
        size, leaked, number = np.array(given["documents"]).T
        pattern = np.repeat(np.arange(size.size), number)
        units = SampleDesign().units(pattern, size.astype(float), leaked[None, :].astype(float))
        risk = ObservedRisk(*units)
    level, cutoff = given["level"], given["cutoff"]
    return {"upper_leak": risk.upper(level), "open": passes(risk, 1 - cutoff, level)}


def _decision(given: Inputs) -> dict[str, Any]:
    risk = ObservedRisk.of_share(given["leaking"], given["documents"])
    low, high = risk.limits(LEVEL)
    verdict = decide(low, high, given["threshold"])
    found: dict[str, Any] = {"low": low, "high": high, "estimate": risk.estimate, "verdict": verdict}
    if verdict == "undecided":
        needed = units_needed(risk, given["threshold"], LEVEL)
        found |= {
            "if_nothing_more_leaks": needed.if_nothing_more_leaks,
            "if_share_stays": needed.if_share_stays,
            "with_chance_0.9": needed.with_chance,
        }
    return found


def _most_leaking(given: Inputs) -> dict[str, Any]:
    return {"most": [most_leaking(number, upper=given["threshold"]) for number in given["documents"]]}


def _planning(given: Inputs) -> dict[str, Any]:
    upper, chance = given["threshold"], given["chance"]
    shares = given["true_risk"]
    return {"documents": [documents_for_chance(share, upper=upper, chance=chance) for share in shares]}


LIMIT_FORMULAS: dict[str, Compute] = {
    "limit: limits": lambda given: _figures(_of_values(given)),
    "limit: direct": lambda given: _figures(_of_types(given)),
    "limit: quasi": lambda given: _figures(_of_leaked_values(given)),
    "limit: clusters": lambda given: _figures(_of_clusters(given)),
    "limit: strata": lambda given: _figures(_of_strata(given)),
    "limit: direct_counts": lambda given: _figures(_of_counts(given)),
    "limit: gate": _gate,
    "limit: gate_quasi": _gate,
    "limit: decision": _decision,
    "limit: most_leaking": _most_leaking,
    "limit: planning": _planning,
}
