"""The solutions that were compared, and how the best is known to be the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.content.deidentified_by_record import is_by_record
from reidrisk.report.content.table_deidentified import NONE
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.words.book import say

MOST_CANDIDATES = 20
PROOFS = {
    say("content.deidentified_solutions.monotone_tagging"): say(
        "content.deidentified_solutions.nothing_may_be"
    ),
    say("content.deidentified_solutions.branch_and_bound"): say(
        "content.deidentified_solutions.every_other_choice"
    ),
    say("content.deidentified_solutions.interrupted_best_so"): say(
        "content.deidentified_solutions.not_proved_the"
    ),
}


def named(result: dict[str, Any]) -> Table:
    """Solutions with a name, their levels, and what each needs at every threshold."""
    found = result["named_solutions"]
    sizes = sizes_of(result)
    variables = _variables(found)
    columns = (
        Column(say("content.deidentified_solutions.solution")),
        *(
            Column(say("content.deidentified_solutions.suppression_at_1", size=size), is_number=True)
            for size in sizes
        ),
        *(Column(name) for name in variables),
    )
    rows = [
        (
            title_of(row),
            *(share_at(row, size) for size in sizes),
            *_levels(row["levels"], variables),
        )
        for row in found
    ]
    return Table(
        say("content.deidentified_solutions.solutions_compared"),
        say("content.deidentified_solutions.the_share_of", none=NONE),
        columns,
        tuple(rows),
        _gaps(found, sizes),
        tuple(at for at, row in enumerate(found) if row["chosen"]),
    )


def _gaps(found: Sequence[dict[str, Any]], sizes: Sequence[str]) -> str:
    if not found:
        return say("content.deidentified_solutions.no_solution_was")
    unknown = any(row["shares"].get(size) is None for row in found for size in sizes)
    return say("content.deidentified_solutions.not_computed_or", missing=MISSING) if unknown else ""


def title_of(row: dict[str, Any]) -> str:
    """Number and name of a solution, and that it was chosen."""
    return f"{row['number']}. {row['name']}{' (chosen)' if row['chosen'] else ''}"


def sizes_of(result: dict[str, Any]) -> list[str]:
    """The cell sizes for which named solutions have a share, in the order of the ladder."""
    tried = [str(rung["cell_size"]) for rung in result["threshold_ladder"]]
    known = [size for row in result["named_solutions"] for size in row["shares"]]
    return [size for size in dict.fromkeys([*tried, *known]) if size in known]


def share_at(row: dict[str, Any], size: str) -> str:
    """Records of a named solution that need suppression, marked where that is acceptable."""
    share = row["shares"].get(size)
    if share is None:
        return MISSING
    return f"{percent(share)} ✓" if row["acceptable"].get(size) else percent(share)


def candidates(result: dict[str, Any]) -> Table:
    """Every minimal solution and the optimum, the least loss first."""
    found = result["candidates"]
    shown = _shown(found)
    rows_shown = [row for _, row in shown]
    has_layouts = any(row["layout"] for row in rows_shown)
    variables = _variables(rows_shown)
    columns = (
        Column(say("content.deidentified_solutions.rank")),
        Column(say("content.deidentified_solutions.what_it_is")),
        *((Column(say("content.deidentified_solutions.variables")),) if has_layouts else ()),
        *(Column(name) for name in variables),
        *(
            Column(name, is_number=True)
            for name in ("loss", say("content.deidentified_solutions.suppressed_records"), "share")
        ),
    )
    rows = [
        (
            str(rank),
            ", ".join(word for word in ("minimal", "optimum", "chosen") if row[word]) or NONE,
            *((row["layout"] or NONE,) if has_layouts else ()),
            *_levels(row["levels"], variables),
            *_cost(row),
        )
        for rank, row in shown
    ]
    return Table(
        say("content.deidentified_solutions.all_candidates"),
        say("content.deidentified_solutions.minimal_with_any"),
        columns,
        tuple(rows),
        how_many(len(shown), len(found)),
        tuple(at for at, row in enumerate(rows_shown) if row["chosen"]),
    )


def how_many(shown: int, found: int) -> str:
    """How much of a list is shown."""
    if not found:
        return say("content.deidentified_solutions.no_choice_of")
    if shown == found:
        return (
            say("content.deidentified_solutions.all_are_shown", found=count(found))
            if found > 1
            else say("content.deidentified_solutions.it_is_the")
        )
    return say("content.deidentified_solutions.of_are_shown", shown=count(shown), found=count(found))


def proof(result: dict[str, Any]) -> Facts:
    """What makes the answer sure."""
    solution, lattice = result["solution"], result["lattice"]
    facts = [
        Fact(
            say("content.deidentified_solutions.choices_of_levels"),
            count(lattice["nodes"]),
            say("content.deidentified_solutions.all_that_the"),
        ),
        Fact(
            say("content.deidentified_solutions.counted"),
            count(lattice["evaluated"]),
            say("content.deidentified_solutions.the_others_were"),
        ),
    ]
    if is_by_record(result) and lattice["nodes"] <= 1:
        facts = []
    if solution is not None:
        words = next((said for start, said in PROOFS.items() if solution["proof"].startswith(start)), "")
        known = "proved" if solution["optimal"] else say("content.deidentified_solutions.not_proved")
        told = say("content.deidentified_solutions.of_all_acceptable", solution_loss=solution_loss(solution))
        facts.insert(0, Fact(say("content.deidentified_solutions.least_loss"), known, told))
        facts.insert(1, Fact(say("content.deidentified_solutions.how_it_is"), solution["proof"], words))
    return Facts(
        say("content.deidentified_solutions.how_the_best"),
        say("content.deidentified_solutions.the_search_of"),
        tuple(facts),
    )


def solution_loss(solution: dict[str, Any]) -> str:
    """The name of the loss that decided."""
    return str(solution["utility"]["loss_name"])


def figure(value: float | None) -> str:
    """A loss, with its thousands apart if it is large.

    >>> [figure(number) for number in (0.4, 1234567.0, 0.0, None)]
    ['0.4000', '1,234,567', '0', 'n/a']
    """
    return f"{value:,.0f}" if value is not None and abs(value) >= 1000 else probability(value)


def _cost(row: dict[str, Any]) -> tuple[str, str, str]:
    return figure(row["loss"]), count(row["suppressed_records"]), percent(row["suppressed_share"])


def _variables(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row["levels"]))


def _levels(levels: dict[str, str | None], variables: Sequence[str]) -> tuple[str, ...]:
    return tuple(levels.get(name) or NONE for name in variables)


def _shown(found: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """The first ones with their ranks; what was chosen is never left out."""
    ranked = list(enumerate(found, start=1))
    first, rest = ranked[:MOST_CANDIDATES], ranked[MOST_CANDIDATES:]
    late = [(rank, row) for rank, row in rest if row["chosen"] or row["optimum"]]
    return [*first[: MOST_CANDIDATES - len(late)], *late]
