"""The population that a table was drawn from, as far as the table tells: estimates side by side."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import MISSING, average, count, expected, level, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say


def blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """Nothing, unless the result says how the table was drawn."""
    estimate = result.get("population_estimate")
    if not estimate:
        return ()
    return _sample(estimate), _models(estimate, result), *_fits(estimate)


def _sample(estimate: dict[str, Any]) -> Facts:
    k_map = estimate["k_map"]
    facts = (
        Fact(
            say("content.table_population.population"),
            count(estimate["population_size"]),
            say("content.table_population.people_whom_the"),
        ),
        Fact(
            say("content.table_population.sampled"),
            percent(estimate["fraction"]),
            say("content.table_population.of_them_in"),
        ),
        Fact(
            say("content.table_population.unique_in_the"),
            count(estimate["sample_uniques"]),
            say("content.table_population.records_alone_in"),
        ),
        Fact(
            say("content.table_population.unique_match"),
            probability(estimate.get("right_unique_match")),
            say("content.table_population.the_chance_that"),
        ),
        Fact(
            say("content.table_population.class_that_shows", cell_size=k_map["cell_size"]),
            count(k_map["least_class_seen"]),
            say("content.table_population.the_smallest_class", level=level(k_map["level"])),
        ),
        Fact(
            say("content.table_population.records_not_shown"),
            percent(k_map["share_below"]),
            say("content.table_population.records_in_smaller"),
        ),
    )
    return Facts(
        say("content.table_population.the_population"), say("content.table_population.what_the_table"), facts
    )


def _models(estimate: dict[str, Any], result: dict[str, Any]) -> Table:
    models = estimate["models"]
    marked = tuple(place for place, one in enumerate(models) if one["model"] == estimate["chosen"])
    rows = tuple(_row(one, is_chosen=place in marked) for place, one in enumerate(models))
    below = say("content.table_population.in_classes_below", cell_size=result["threshold"]["cell_size"])
    return Table(
        say("content.table_population.estimates_side_by"),
        say("content.table_population.how_many_people"),
        (
            Column(say("content.table_population.model")),
            Column(say("content.table_population.unique_people"), is_number=True),
            Column(say("content.table_population.unique_in_both"), is_number=True),
            Column(say("content.table_population.highest_risk"), is_number=True),
            Column(say("content.table_population.average_risk"), is_number=True),
            Column(below, is_number=True),
            Column(say("content.table_population.accuracy"), is_prose=True),
        ),
        rows,
        "",
        marked,
    )


def _row(one: dict[str, Any], *, is_chosen: bool) -> tuple[str, ...]:
    risk = one["journalist"] or {}
    name = say(f"content.table_population.model_{one['model']}")
    share = risk.get("share_above_threshold")
    return (
        say("content.table_population.decides", name=name) if is_chosen else name,
        expected(one["population_uniques"]),
        expected(one["unique_in_both"]),
        probability(risk.get("highest")),
        probability(risk.get("average")),
        MISSING if share is None else percent(share),
        one["accuracy"],
    )


def terminal_blocks(result: dict[str, Any]) -> tuple[Table | Facts, ...]:
    """The same without sentences in cells, which a terminal has no room for."""
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
            ", ".join(" × ".join(term) for term in fit["terms"]) or say("content.table_population.none"),
            expected(fit["population_uniques"]),
            expected(fit["correct_matches"]),
            MISSING if fit["standardised_bias"] is None else average(fit["standardised_bias"]),
            _judged(fit),
        )
        for fit in found["models"]
    )
    table = Table(
        say("content.table_population.log_linear_models"),
        say("content.table_population.terms_are_added"),
        (
            Column(
                say("content.table_population.pairs_that_depend"),
                short=say("content.table_population.dependent_pairs"),
            ),
            Column(say("content.table_population.unique_in_both"), is_number=True),
            Column(say("content.table_population.right_matches"), is_number=True),
            Column(
                say("content.table_population.sign_of_a"),
                is_number=True,
                short=say("content.table_population.sign"),
            ),
            Column(say("content.table_population.fit")),
        ),
        rows,
        found["note"] or say("content.table_population.the_last_model"),
    )
    return (table,) if rows else ()


def _judged(fit: dict[str, Any]) -> str:
    if fit["underfits"] is None:
        return say("content.table_population.not_checked")
    if not fit["converged"]:
        return say("content.table_population.not_converged")
    return say("content.table_population.too_simple" if fit["underfits"] else "content.table_population.fits")
