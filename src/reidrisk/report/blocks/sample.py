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

CALIBRATIONS = {
    "c5": "copula, 5 or more others counted as one",
    "c10": "copula, 10 or more others counted as one",
    "c_all": "copula, every number of others",
    "i10": "independent columns, 10 or more others counted as one",
    "r10": "copula, rare values taken as rarer",
}


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The sample and the estimates; empty unless the sampling is known."""
    estimate = result.get("population_estimate")
    if not estimate:
        return ()
    found = (_sample(estimate), _risk(estimate, result), _models(estimate, result))
    return (*found, *_calibrations(estimate, result), *_chances(estimate), *_fits(estimate))


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


def _risk(estimate: dict[str, Any], result: dict[str, Any]) -> Table:
    """What decides, and the estimates with their limits."""
    cell_size = result["threshold"]["cell_size"]
    rows = [
        _limits("records that are unique in the population", estimate["unique_in_both"]),
        _limits("people who are unique in the population", estimate["population_uniques"]),
        _limits(
            f"records in population classes smaller than {cell_size}", estimate["records_in_small_classes"]
        ),
    ]
    mean, journalist = estimate["average"], result["journalist"]
    if mean is not None:
        span = f"{probability(mean['low'])} to {probability(mean['high'])}"
        rows.append(("average risk of a record", probability(mean["value"]), span))
    if journalist.get("highest_limit") is not None:
        span = f"up to {probability(journalist['highest_limit'])}"
        rows.append(("highest risk of a record", probability(journalist["highest"]), span))
    chance = estimate["chance_of_small_class"]
    limit = percent(estimate["chance_limit"])
    words = "was not estimated" if chance is None else f"is {_chance(chance)}"
    return Table(
        "Risk in the population",
        (
            f"The chance that some record is in a population class smaller than {cell_size} {words}. At most "
            f"{limit} is acceptable if the most exposed record decides."
        ),
        (Column("what"), Column("estimate", is_number=True), Column("95 % interval", is_number=True)),
        tuple(rows),
        " ".join([estimate["why"], *_drawn_note(estimate), *_rare_note(estimate["rare_columns"])]),
    )


def _drawn_note(estimate: dict[str, Any]) -> tuple[str, ...]:
    """How classes were drawn, if not all were examined."""
    drawn = estimate.get("sampled")
    return () if drawn is None else (drawn["note"],)


def _rare_note(columns: list[str]) -> tuple[str, ...]:
    """A caution if values of one column make most unique records unique."""
    if not columns:
        return ()
    return (
        f"Most unique records have a value in {', '.join(columns)} that no other record has. Estimates can "
        "then be far from the truth; trust the limits. Coarser values help.",
    )


def _chance(chance: float) -> str:
    return "over 99 %" if chance > 0.99 else percent(chance)


def _limits(what: str, figure: dict[str, Any] | None) -> tuple[str, str, str]:
    if figure is None:
        return what, MISSING, MISSING
    span = f"{expected_people(figure['low'])} to {expected_people(figure['high'])}"
    return what, expected_people(figure["value"]), span


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
            Column("average risk", is_number=True),
            Column(below, is_number=True),
            Column("accuracy", is_prose=True),
        ),
        rows,
        (
            "One model decides; the others show how far estimates can differ. Accuracy was measured on "
            "samples from known populations; see The population from a sample in the documentation."
        ),
        marked,
    )


def _row(one: dict[str, Any], *, is_chosen: bool) -> tuple[str, ...]:
    share = one["share_above_threshold"]
    return (
        f"{one['name']} (decides)" if is_chosen else one["name"],
        expected_people(one["population_uniques"]),
        expected_people(one["unique_in_both"]),
        probability(one["average"]),
        MISSING if share is None else percent(share),
        one["accuracy"],
    )


def _calibrations(estimate: dict[str, Any], result: dict[str, Any]) -> tuple[Table, ...]:
    """The models whose limits are combined."""
    rows = tuple(
        (
            CALIBRATIONS[one["name"]],
            expected_people(one["unique_in_both"]),
            average(one["unique_log_sd"]),
            probability(one["average"]),
            average(one["average_log_sd"]),
            expected_people(one["small_classes"]),
            average(one["small_classes_log_sd"]),
        )
        for one in estimate["calibrations"]
    )
    table = Table(
        "Models behind the limits",
        (
            "The copula is fitted in several ways. The limits above cover all of them and Pitman's model. "
            "The chance of a small class is that of the fit with the most small classes. Spread: standard "
            "deviation of the logarithm."
        ),
        (
            Column("model"),
            Column("unique in both", is_number=True),
            Column("spread", is_number=True),
            Column("average risk", is_number=True),
            Column("spread", is_number=True),
            Column(f"classes smaller than {result['threshold']['cell_size']}", is_number=True),
            Column("spread", is_number=True),
        ),
        rows,
    )
    return (table,) if rows else ()


def _chances(estimate: dict[str, Any]) -> tuple[Table, ...]:
    """How many records have which chance of being unique in the population."""
    rows = tuple(
        (f"{percent(one['from'])} to {percent(one['to'])}", count(one["records"]))
        for one in estimate["record_chances"]
    )
    table = Table(
        "Records by their chance of being unique in the population",
        "The chance that nobody else in the population has the same values as the record.",
        (Column("chance"), Column("records", is_number=True)),
        rows,
    )
    return (table,) if rows else ()


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
    chosen = next((one for one in found["models"] if one["model"] == found["chosen"]), None)
    if chosen is None or not groups:
        return ()
    return (
        Chart(
            "population",
            "Estimates of the population by model",
            (
                "Each dot is the estimate of one model. The bold one decides, with its 95 % interval. The "
                "table below shows how accurate each model is."
            ),
            (
                f"{count(len(found['models']))} models were used. The one that decides: {chosen['name']}. "
                f"Its average risk is {probability(chosen['average'])}. The table below lists all numbers."
            ),
            effects.height(groups),
            partial(draw_effects, groups=groups, label="share of records or probability"),
        ),
    )


def _risks(found: dict[str, Any]) -> Effects:
    rows = [
        _dot(found, one, one["average"], found["average"])
        for one in found["models"]
        if one["average"] is not None
    ]
    return Effects(
        "Average risk of a record, if the adversary does not know who is in the table", tuple(rows)
    )


def _uniques(found: dict[str, Any], records: int) -> Effects:
    limits = found["unique_in_both"]
    share = None if limits is None else {name: limits[name] / records for name in ("low", "high")}
    rows = [
        _dot(found, one, min(1.0, one["unique_in_both"] / records), share)
        for one in found["models"]
        if one["unique_in_both"] is not None
    ]
    return Effects("Records that are also unique in the population", tuple(rows))


def _dot(
    found: dict[str, Any], one: dict[str, Any], value: float, limits: dict[str, float] | None
) -> Interval:
    """One model; limits are drawn for the one that decides."""
    if one["model"] != found["chosen"]:
        return Interval(one["name"], value, value, value, decides=False)
    low, high = (value, value) if limits is None else (limits["low"], limits["high"])
    return Interval(f"{one['name']} (decides)", value, low, high, decides=True)
