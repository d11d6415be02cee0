"""How the reference values of tables, populations, samples, contexts and documents are computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from reidrisk.context.attempt import Acquaintance, deliberate
from reidrisk.context.context import Context
from reidrisk.context.qualitative import qualitative_risk
from reidrisk.context.score import score_context
from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack_rate import AttackRate, attack_rate, residual_risk, singling_out_by_chance
from reidrisk.stats.caught import redacted_direct, redacted_quasi, replaced_quasi
from reidrisk.stats.class_risk import (
    MatchedClasses,
    discernibility,
    expected_matches,
    journalist,
    prosecutor,
)
from reidrisk.stats.distinctness import bins_of_size, distinct_people, occupied_bins
from reidrisk.stats.uniqueness.class_models import (
    Pitman,
    SampledClasses,
    fit_pitman,
    snb_expected,
)
from reidrisk.stats.uniqueness.copula import cell_table, latent_correlation
from reidrisk.stats.uniqueness.estimates import estimate_uniques
from reidrisk.stats.uniqueness.individual import individual_risk, least_sample_class
from reidrisk.stats.uniqueness.loglinear import expected_matches as loglinear_matches
from reidrisk.stats.uniqueness.margins import margin_shares
from reidrisk.stats.uniqueness.model_limits import accepts_maximum, small_class_chance
from reidrisk.stats.uniqueness.record_risk import Sampled, component_risk
from reidrisk.validate.formulas import Compute, Inputs


def _sizes(rows: Sequence[Hashable]) -> tuple[Ints, Ints]:
    """Class sizes, and how many classes have each."""
    tally = Counter(Counter(rows).values())
    return np.array(list(tally)), np.array(list(tally.values()))


def _rows(given: Sequence[Any]) -> list[Hashable]:
    return [tuple(row) if isinstance(row, list) else row for row in given]


def _matched(rows: Sequence[Hashable], population: Mapping[Any, int]) -> MatchedClasses:
    tally = Counter((number, population.get(row, 0)) for row, number in Counter(rows).items())
    f, big = np.array(list(tally)).T
    return MatchedClasses(f, big, np.array(list(tally.values())))


def _prosecutor(given: Inputs) -> dict[str, float]:
    sizes, number = _sizes(_rows(given["rows"]))
    risk = prosecutor(sizes, number, cell_size=Threshold(given["tau"], "reference").cell_size)
    records = int(sizes @ number)
    return {
        "max": risk.highest,
        "avg": risk.average,
        "share_above": risk.share_above,
        "J": int(number.sum()),
        "unique": int(number[sizes == 1].sum()) / records,
        "dm": discernibility(sizes, number),
    }


def _histogram(given: Inputs) -> tuple[Ints, Ints]:
    sizes = np.array([int(size) for size in given["hist"]])
    return sizes, np.array(list(given["hist"].values()))


def _class_sizes(given: Inputs) -> dict[str, float]:
    sizes, number = _histogram(given)
    risk = prosecutor(sizes, number, cell_size=given["cell_size"])
    unique = int(number[sizes == 1].sum()) / int(sizes @ number)
    return {"max": risk.highest, "avg": risk.average, "share_above": risk.share_above, "unique": unique}


def _journalist(given: Inputs) -> dict[str, float]:
    if "population" in given:
        rows, people = _rows(given["sample"]), dict(Counter(_rows(given["population"])))
    else:
        rows = _rows(given["rows"])
        words = (name.split(",") for name in given["population_class_sizes"])
        names = [(sex, int(age)) for sex, age in words]
        people = dict(zip(names, given["population_class_sizes"].values(), strict=True))
    pairs = _matched(rows, people)
    risk = journalist(pairs, cell_size=Threshold(given["tau"], "reference").cell_size)
    correct = expected_matches(pairs)
    return {
        "max": risk.highest,
        "avg": risk.average,
        "share_above": risk.share_above,
        "c1": float(pairs.number.sum() / (pairs.population @ pairs.number)),
        "c2": correct / pairs.records,
        "expected_correct": correct,
    }


def _record_risks(given: Inputs) -> Floats:
    """Each record's risk, from its class in the whole table."""
    from reidrisk.stats.suppress.compatible import compatible_sizes

    rows = _rows(given["rows"])
    names = sorted(set(rows), key=repr)
    codes = np.array([names.index(row) for row in rows])
    alike = compatible_sizes(np.arange(len(names), dtype=np.int32)[:, None], np.bincount(codes))
    return np.asarray(1 / alike[codes], dtype=np.float64)


def _coded(given: Inputs) -> tuple[Any, Ints]:
    rows = [("MF".index(sex), int(age)) for sex, age in given["rows"]]
    codes, counts = np.unique(np.array(rows), axis=0, return_counts=True)
    return codes.astype(np.int32), counts.astype(np.int64)


def _lattice(given: Inputs) -> tuple[Any, list[Any]]:
    """Sex exact or starred; ages exact, in two-year bands, decades, or starred."""
    from reidrisk.stats.lattice.inputs import Recoding, Tuples

    codes, counts = _coded(given)
    ages = np.unique(codes[:, 1]).astype(np.int64)
    places = np.stack([codes[:, 0], np.searchsorted(ages, codes[:, 1])], axis=1).astype(np.int32)
    age: list[Ints] = [np.arange(ages.size), (ages - 25) // 2, (ages - 21) // 10, 0 * ages]
    return Tuples(places, counts), [Recoding.of_rows([[0, 1], [0, 0]]), Recoding.of_rows(age)]


def _minimal_nodes(given: Inputs) -> dict[str, list[list[int]]]:
    from reidrisk.stats.lattice.inputs import Criterion
    from reidrisk.stats.lattice.search import evaluate, minimal

    criterion, lattice = Criterion(given["k"], limit=given["max_sup"]), _lattice(given)
    every = [evaluate(*lattice, criterion, "dm", node) for node in product(range(2), range(4))]
    allowed = criterion.may_suppress(len(given["rows"]))
    return {
        "anonymous": [list(node.levels) for node in every if node.suppressed <= allowed],
        "minimal": [list(node.levels) for node in minimal(*lattice, criterion, "dm").nodes],
    }


def _losses(given: Inputs, loss: Any, cell_size: int) -> list[float]:
    from reidrisk.stats.lattice.inputs import Criterion
    from reidrisk.stats.lattice.search import evaluate

    lattice = _lattice(given)
    return [evaluate(*lattice, Criterion(cell_size), loss, node).score for node in given["nodes"]]


def _fewest_cells(given: Inputs) -> int:
    from reidrisk.stats.suppress.result import Suppression
    from reidrisk.stats.suppress.solve import suppress_cells
    from reidrisk.stats.suppress.table import Budget, Request

    rng = np.random.default_rng(7)
    budget = Budget(ascents=60, rounds=8)
    found = suppress_cells(*_coded(given), request=Request(given["k"]), budget=budget, rng=rng)
    return found.cells if isinstance(found, Suppression) else -1


def _starred(numbers: Mapping[int, int], records: int) -> Any:
    """So many records of a table of five columns starred on each set of columns."""
    from reidrisk.stats.suppress.result import finish, tidy
    from reidrisk.stats.suppress.table import Request, make_table

    one = np.zeros((1, 5), dtype=np.int32)
    table = make_table(one, np.array([records]), Request(5))
    masks = np.array(list(numbers), dtype=np.int64)
    moves = tidy(np.zeros(len(masks), dtype=np.int64), masks, np.array(list(numbers.values())))
    return finish(moves, table, 0.0, "printed")


def _starred_records(given: Inputs) -> list[float]:
    found = _starred({0b1: given["one"], 0b11: given["two"], 0b111: given["three"]}, given["total"])
    return [found.records, found.records / given["total"]]


def _starred_cells(given: Inputs) -> list[float]:
    found = _starred({1 << column: cells for column, cells in enumerate(given["cells"])}, 10_364)
    return [found.cells, found.cells / (1544 * 5)]


def _pitman(given: Inputs) -> list[float]:
    model = fit_pitman(SampledClasses(*_histogram(given), 10**6))
    return [float("nan")] * 2 if model is None else [model.theta, model.alpha]


def _uniques(given: Inputs) -> dict[str, float]:
    people = given["population"]
    found = estimate_uniques(SampledClasses(*_histogram(given), people))
    model = found.model
    pitman = float("nan") if model is None else model.uniques(people, exact=False)
    return {"zayatz": found.zayatz / people, "pitman_asymptotic": pitman / people}


def _loglinear(given: Inputs) -> list[float]:
    unique = np.array(given["mu"])[np.array(given["f_counts"]) == 1]
    found = loglinear_matches(unique, given["pi"])
    return [found.population_uniques, found.correct_matches]


def _component(given: Inputs) -> dict[str, float]:
    sample = Sampled(given["records"], given["population"])
    sizes, chances = np.array([given["class_size"]]), np.array([given["p"]])
    found = component_risk(sizes, chances, given["shape"], sample, cell_size=given["cell_size"])
    return {
        "population_unique": float(found.unique[0]),
        "below": float(found.below[0]),
        "inverse": float(found.inverse[0]),
    }


def _maximum_rule(given: Inputs) -> dict[str, Any]:
    chance = small_class_chance(given["small_classes"], given["log_sd"])
    smallest = given["smallest_sample_class"]
    return {
        "chance": chance,
        "accepted": accepts_maximum(chance, smallest=smallest, cell_size=given["cell_size"]),
    }


def _margins(given: Inputs) -> dict[str, Any]:
    found = margin_shares(np.array(given["counts"]))
    return {"shares": found.seen.tolist(), "unseen": found.unseen}


def _cells(given: Inputs) -> dict[str, Any]:
    rows, columns = np.array(given["row_shares"]), np.array(given["column_shares"])
    return {"cells": cell_table(rows, columns, given["rho"]).tolist()}


def _rate(given: Inputs) -> list[float]:
    found = attack_rate(given["n_success"], given["n_attacks"], level=given["conf"])
    return [found.value, found.error]


def _overall(given: Inputs) -> float:
    """The context of the example has low controls and medium motives: an attempt of 0.5."""
    score = score_context(Context.of({"access": "non_public", "controls": "low", "motives": "medium"}))
    return float(given["data"] * score.context_risk)


def _largest(given: Inputs) -> float:
    """Of three risks, the second by a prevalence that gives it for one person known."""
    content = {
        "access": "non_public",
        "controls": "high",
        "motives": "medium",
        "acquaintance": {"prevalence": given["acq"], "known": 1},
        "breach": {"probability": given["breach"], "source": "reference"},
    }
    return score_context(Context.of(content)).context_risk


def _replaced(given: Inputs) -> float:
    x = given
    return replaced_quasi(x["p_catch"], x["n_q"], x["m"], x["r_q"], recognition=x["h"], combine=x["combine"])


CLASS_FORMULAS: dict[str, Compute] = {
    "prosecutor": _prosecutor,
    "class sizes": _class_sizes,
    "journalist": _journalist,
    "1/class size": lambda x: _record_risks(x).tolist(),
    "max over subjects 101,102 (age only)": lambda x: float(_record_risks(x)[x["subjects"]].max()),
    "ola minimal nodes": _minimal_nodes,
    "nonuniform_entropy": lambda x: _losses(x | {"nodes": [x["node"]]}, "entropy", 1)[0],
    "discernability(k=2)": lambda x: _losses(x, "dm", 2),
    "optimal number of starred cells": _fewest_cells,
    "678+601+228+x": _starred_records,
    "sum of table 4 / (1544*5)": _starred_cells,
    "bins_of_size": lambda x: float(bins_of_size(x["i"], x["n"], x["b"])),
    "g_distinct": lambda x: float(distinct_people(x["g"], x["n"], x["b"])),
    "total_risk": lambda x: x["j"] / x["n"] * float(occupied_bins(x["n"], x["b"])),
    "pitman_fit": _pitman,
    "pitman_uniques": lambda x: Pitman(x["theta"], x["alpha"]).uniques(x["N"], exact=x["exact"]),
    "population uniques": _uniques,
    "snb_equations": lambda x: list(snb_expected(x["alpha"], x["beta"], x["K"], x["f"])),
    "individual_risk": lambda x: float(individual_risk(np.array([x["f"]]), np.array([x["F"]]))[0]),
    "skinner_shlomo": _loglinear,
    "margin_shares": _margins,
    "cell_table": _cells,
    "latent_correlation": lambda x: {"rho": latent_correlation(np.array(x["table"], dtype=float))},
    "component_risk": _component,
    "decide_maximum": _maximum_rule,
    "kmap_min_sample_class": lambda x: least_sample_class(x["k"], x["pi"], alpha=x["alpha"]),
    "attack_rate": _rate,
    "residual_risk": lambda x: residual_risk(AttackRate(*x["attack"]), AttackRate(*x["control"])).value,
    "singling_out_by_chance": lambda x: singling_out_by_chance(x["n"], x["w"]),
    "ATTEMPT": lambda x: deliberate(x["controls"], x["motives_capacity"]),
    "acquaintance": lambda x: Acquaintance(x["p"], x["m"]).risk,
    "data risk x context risk": _overall,
    "context_risk": _largest,
    "kumar_qualitative": lambda x: qualitative_risk(**x).level,
    "kumar_redacted_direct": lambda x: redacted_direct(x["w"], x["r"]),
    "kumar_redacted_quasi": lambda x: redacted_quasi(x["n_q"], x["m"], x["r_q"]),
    "kumar_replaced_quasi": _replaced,
}
