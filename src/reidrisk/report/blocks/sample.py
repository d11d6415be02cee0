"""The population that a table was sampled from: estimates by several models."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts import effects
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.effects import Effects, draw_effects
from reidrisk.report.charts.intervals import Interval
from reidrisk.report.numbers import MISSING, average, count, expected_people, level, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table

MODELS = {
    "all": "all unique",
    "loglinear": "log-linear",
    "pitman": "Pitman",
    "pitman_asymptotic": "Pitman, asymptotic",
    "snb": "slide negative binomial",
    "weights": "survey weights",
    "zayatz": "Zayatz",
}


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The sample and the estimates; empty unless the sampling is known."""
    estimate = result.get("population_estimate")
    if not estimate:
        return ()
    return _sample(estimate), _models(estimate, result), *_fits(estimate)


def _sample(estimate: dict[str, Any]) -> Facts:
    k_map = estimate["k_map"]
    facts = (
        Fact(
            "population",
            count(estimate["population_size"]),
            "people from whom the sample was drawn",
        ),
        Fact(
            "sampled",
            percent(estimate["fraction"]),
            "share of these people who are in the table",
        ),
        Fact(
            "unique in the table",
            count(estimate["sample_uniques"]),
            "records whose equivalence class in the table has no other record",
        ),
        Fact(
            "a unique match is correct",
            probability(estimate.get("right_unique_match")),
            (
                "probability that a person of the population who matches exactly one record is the "
                "person behind it (data intrusion simulation)"
            ),
        ),
        Fact(
            f"class size that implies {k_map['cell_size']} people",
            count(k_map["least_class_seen"]),
            (
                f"the smallest class in the table that shows, with {level(k_map['level'])} confidence, "
                "that the class in the population reaches the cell size"
            ),
        ),
        Fact(
            "records not proven safe",
            percent(k_map["share_below"]),
            "records in smaller classes",
        ),
    )
    return Facts(
        "The population",
        "What the table says about its population, treating it as a simple random sample.",
        facts,
    )


def _models(estimate: dict[str, Any], result: dict[str, Any]) -> Table:
    models = estimate["models"]
    marked = tuple(place for place, one in enumerate(models) if one["model"] == estimate["chosen"])
    rows = tuple(_row(one, is_chosen=place in marked) for place, one in enumerate(models))
    below = f"in population classes smaller than {result['threshold']['cell_size']}"
    return Table(
        "Estimates of the population",
        (
            "For each model: how many people are unique in the population, how many of them are in "
            "the table, and the resulting journalist risk."
        ),
        (
            Column("model"),
            Column("unique people", is_number=True),
            Column("unique in both", is_number=True),
            Column("highest risk", is_number=True),
            Column("average risk", is_number=True),
            Column(below, is_number=True),
            Column("accuracy", is_prose=True),
        ),
        rows,
        "",
        marked,
    )


def _row(one: dict[str, Any], *, is_chosen: bool) -> tuple[str, ...]:
    risk = one["journalist"] or {}
    name = MODELS[one["model"]]
    share = risk.get("share_above_threshold")
    return (
        f"{name} (decides)" if is_chosen else name,
        expected_people(one["population_uniques"]),
        expected_people(one["unique_in_both"]),
        probability(risk.get("highest")),
        probability(risk.get("average")),
        MISSING if share is None else percent(share),
        one["accuracy"],
    )


def terminal_blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The blocks for a terminal, without the columns of sentences."""
    return tuple(_without_prose(one) if isinstance(one, Table) else one for one in blocks(result))


def _without_prose(table: Table) -> Table:
    kept = [place for place, column in enumerate(table.columns) if not column.is_prose]
    return Table(
        table.title,
        table.explanation,
        tuple(table.columns[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in table.rows),
        table.note,
        table.marked,
    )


def _fits(estimate: dict[str, Any]) -> tuple[Table, ...]:
    found = estimate["loglinear"]
    rows = tuple(
        (
            ", ".join(" × ".join(term) for term in fit["terms"]) or "none",
            expected_people(fit["population_uniques"]),
            expected_people(fit["correct_matches"]),
            MISSING if fit["standardised_bias"] is None else average(fit["standardised_bias"]),
            _fit_word(fit),
        )
        for fit in found["models"]
    )
    table = Table(
        "Log-linear models",
        (
            "How many records that are unique in the table are also unique in the population, and "
            "how many of them would be matched correctly. Pairs are added while the model looks too "
            "simple (test statistic above 1.6)."
        ),
        (
            Column(
                "pairs of columns that depend on each other",
                short="dependent pairs",
            ),
            Column("unique in both", is_number=True),
            Column("correct matches", is_number=True),
            Column(
                "test statistic for underfitting",
                is_number=True,
                short="statistic",
            ),
            Column("fit"),
        ),
        rows,
        found["note"] or "The last model is used.",
    )
    return (table,) if rows else ()


def _fit_word(fit: dict[str, Any]) -> str:
    if fit["underfits"] is None:
        return "not checked"
    if not fit["converged"]:
        return "did not converge"
    return "too simple" if fit["underfits"] else "fits"


def sample_charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The estimate of every model; the one that decides is bold."""
    found = result.get("population_estimate")
    if not found:
        return ()
    groups = [one for one in (_risks(found), _uniques(found, result["records"])) if one.rows]
    chosen = next(one for one in found["models"] if one["model"] == found["chosen"])
    return (
        Chart(
            "population",
            "Estimates of the population by model",
            (
                "Each dot is the estimate of one model. The bold one decides. The table below shows "
                "how accurate each model is."
            ),
            (
                f"{count(len(found['models']))} models were used. {MODELS[found['chosen']]} decides: the "
                f"average risk is {probability(chosen['journalist']['average'])}. The table below lists "
                "all numbers."
            ),
            effects.height(groups),
            partial(draw_effects, groups=groups, label="share of records or probability"),
        ),
    )


def _risks(found: dict[str, Any]) -> Effects:
    rows = [
        _dot(found, one, one["journalist"]["average"])
        for one in found["models"]
        if one["journalist"] is not None
    ]
    return Effects(
        "Average risk of a record, if the adversary does not know who is in the table", tuple(rows)
    )


def _uniques(found: dict[str, Any], records: int) -> Effects:
    rows = [
        _dot(found, one, min(1.0, one["unique_in_both"] / records))
        for one in found["models"]
        if one["unique_in_both"] is not None
    ]
    return Effects("Records that are also unique in the population", tuple(rows))


def _dot(found: dict[str, Any], one: dict[str, Any], value: float) -> Interval:
    name, decides = MODELS[one["model"]], one["model"] == found["chosen"]
    title = f"{name} (decides)" if decides else name
    return Interval(title, value, value, value, decides=decides)
