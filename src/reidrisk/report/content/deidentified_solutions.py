"""The solutions that were compared, and how the best is known to be the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.content.deidentified_by_record import is_by_record
from reidrisk.report.content.table_deidentified import NONE
from reidrisk.report.numbers import MISSING, count, percent, probability
from reidrisk.report.parts import Column, Fact, Facts, Table

MOST_CANDIDATES = 20
PROOFS = {
    "monotone tagging": (
        "Nothing may be suppressed, so that every coarser choice loses more. All "
        "acceptable choices below which nothing is acceptable were found; the best is one "
        "of them."
    ),
    "branch and bound exhausted": (
        "Every other choice of levels was either counted, or cannot lose less than this "
        "one even in the best case."
    ),
    "interrupted: best so far": (
        "NOT PROVED. The search was stopped before its end; a better choice may exist."
    ),
}


def named(result: dict[str, Any]) -> Table:
    """Solutions with a name, their levels, and what each needs at every threshold."""
    found = result["named_solutions"]
    sizes = sizes_of(result)
    variables = _variables(found)
    columns = (
        Column("solution"),
        *(Column(f"suppression at 1/{size}", is_number=True) for size in sizes),
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
        "Solutions compared",
        (
            "The share of records that need suppressed cells at each threshold (✓ means within "
            f"all limits), and how exact each variable is ({NONE} means not released)."
        ),
        columns,
        tuple(rows),
        _gaps(found, sizes),
        tuple(at for at, row in enumerate(found) if row["chosen"]),
    )


def _gaps(found: Sequence[dict[str, Any]], sizes: Sequence[str]) -> str:
    if not found:
        return "No solution was compared by name."
    unknown = any(row["shares"].get(size) is None for row in found for size in sizes)
    return f"{MISSING}: not computed, or no solution at that threshold." if unknown else ""


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
        Column("rank"),
        Column("what it is"),
        *((Column("variables"),) if has_layouts else ()),
        *(Column(name) for name in variables),
        *(Column(name, is_number=True) for name in ("loss", "suppressed records", "share")),
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
        "All candidates",
        (
            "Minimal: with any variable more exact it would not be acceptable. The optimum has "
            "the least loss of all and need not be minimal. The least loss comes first."
        ),
        columns,
        tuple(rows),
        how_many(len(shown), len(found)),
        tuple(at for at, row in enumerate(rows_shown) if row["chosen"]),
    )


def how_many(shown: int, found: int) -> str:
    """How much of a list is shown."""
    if not found:
        return "No choice of levels is acceptable."
    if shown == found:
        return f"All {count(found)} are shown." if found > 1 else "It is the only one."
    return f"{count(shown)} of {count(found)} are shown; all are in the result file."


def proof(result: dict[str, Any]) -> Facts:
    """What makes the answer sure."""
    solution, lattice = result["solution"], result["lattice"]
    facts = [
        Fact(
            "choices of levels",
            count(lattice["nodes"]),
            "all that the hierarchies and limits leave open",
        ),
        Fact(
            "counted",
            count(lattice["evaluated"]),
            "the others were ruled out without counting",
        ),
    ]
    if is_by_record(result) and lattice["nodes"] <= 1:
        facts = []
    if solution is not None:
        words = next((said for start, said in PROOFS.items() if solution["proof"].startswith(start)), "")
        known = "proved" if solution["optimal"] else "NOT PROVED"
        told = f"of all acceptable choices of levels, by {solution_loss(solution)}"
        facts.insert(0, Fact("least loss", known, told))
        facts.insert(1, Fact("how it is known", solution["proof"], words))
    return Facts(
        "How the best is known",
        "The search of all combinations of levels.",
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
