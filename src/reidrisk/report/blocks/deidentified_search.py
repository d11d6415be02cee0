"""How the solution of a de-identification was found: thresholds tried, solutions compared, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.deidentified_release import is_by_record
from reidrisk.report.numbers import DASH, MISSING, count, loss, one_in, percent
from reidrisk.report.parts import Column, Fact, Facts, Table
from reidrisk.report.plain_text import grid, heading, wrap
from reidrisk.report.traced import as_key, size

MOST_CANDIDATES = 20
MOST_NAMED = 8
"""Solutions in the terminal; the page shows all."""
PROOFS = {
    "monotone tagging": (
        "No suppression is allowed, so every more general combination of levels loses more detail. The "
        "search found all minimal acceptable combinations; the best is one of them."
    ),
    "branch and bound exhausted": (
        "Every other combination of levels was either evaluated, or cannot lose less than this one even "
        "in the best case."
    ),
    "interrupted: best so far": (
        "NOT PROVEN. The search was stopped before it finished; a better combination may exist."
    ),
    "counted exactly, but a better node may exist": (
        "NOT PROVEN. The values did not fit in memory. The combination was counted on all records and is "
        "acceptable, but not every combination that could lose less was counted."
    ),
}


def thresholds(result: dict[str, Any]) -> Table:
    """Every threshold that was tried, until there was a solution."""
    rungs = result["threshold_ladder"]
    has_layouts = any(rung["layout"] for rung in rungs)
    columns = [
        Column("threshold"),
        Column("outcome"),
        Column(
            "records with suppressed cells",
            is_number=True,
            short="with suppressed cells",
        ),
        *((Column("variables"),) if has_layouts else ()),
        Column("what it requires, or why there is no solution", is_prose=True),
    ]
    rows = [
        (
            one_in(rung["probability"], rung["cell_size"]),
            rung["outcome"],
            DASH if rung["suppressed_share"] is None else percent(rung["suppressed_share"]),
            *((rung["layout"] or DASH,) if has_layouts else ()),
            rung_detail(rung),
        )
        for rung in rungs
    ]
    return Table(
        "Thresholds tried",
        (
            "The strictest threshold is tried first. If there is no solution within the limits, the next "
            "threshold may be tried, provided that the controls on the recipient allow it."
        ),
        tuple(columns),
        tuple(rows),
        "" if rungs else "No threshold was tried.",
        tuple(at for at, rung in enumerate(rungs) if rung["outcome"] == "solution"),
    )


def rung_detail(rung: dict[str, Any]) -> str:
    """What a threshold requires, and what was closest to a solution."""
    requires = f"Requires: {rung['requires']}" if rung["requires"] else ""
    nearest = (rung["nearest"] or "").removeprefix(f"{rung['layout']}: ")
    return " ".join(part for part in (nearest, requires) if part) or DASH


def threshold_lines(result: dict[str, Any]) -> list[str]:
    """The thresholds for a terminal, one paragraph each."""
    lines = ["", "THRESHOLDS TRIED"]
    for rung in result["threshold_ladder"]:
        share = rung["suppressed_share"]
        verb = "have" if rung["outcome"] == "solution" else "would need"
        needed = "" if share is None else f", {percent(share)} of records {verb} suppressed cells"
        layout = f", {rung['layout']}" if rung["layout"] else ""
        detail = rung_detail(rung)
        more = "" if detail == DASH else f" {detail}"
        where = one_in(rung["probability"], rung["cell_size"])
        lines += wrap(f"{where}: {rung['outcome']}{layout}{needed}.{more}", rest=" " * 6)
    return lines


def named_solutions(result: dict[str, Any]) -> Table:
    """Solutions with a name, their levels, and the suppression each needs at every threshold."""
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
            "The share of records that need suppressed cells at each threshold (✓ means within all "
            f"limits), and the level of each variable ({DASH} means not released)."
        ),
        columns,
        tuple(rows),
        _gaps(found, sizes),
        tuple(at for at, row in enumerate(found) if row["chosen"]),
    )


def _gaps(found: Sequence[dict[str, Any]], sizes: Sequence[str]) -> str:
    if not found:
        return "No named solutions were compared."
    unknown = any(row["shares"].get(size) is None for row in found for size in sizes)
    return f"{MISSING}: not computed, or no solution at that threshold." if unknown else ""


def title_of(row: dict[str, Any]) -> str:
    """The number and name of a solution, and whether it was chosen."""
    return f"{row['number']}. {row['name']}{' (chosen)' if row['chosen'] else ''}"


def sizes_of(result: dict[str, Any]) -> list[str]:
    """The cell sizes at which named solutions were computed, in the order in which they were tried."""
    tried = [as_key(rung["cell_size"]) for rung in result["threshold_ladder"]]
    known = [size for row in result["named_solutions"] for size in row["shares"]]
    return [size for size in dict.fromkeys([*tried, *known]) if size in known]


def share_at(row: dict[str, Any], size: str) -> str:
    """The share of records that need suppression, marked if it is acceptable."""
    share = row["shares"].get(size)
    if share is None:
        return MISSING
    return f"{percent(share)} ✓" if row["acceptable"].get(size) else percent(share)


def named_lines(result: dict[str, Any]) -> list[str]:
    """The first named solutions for a terminal, without their levels."""
    found, sizes = result["named_solutions"], sizes_of(result)
    if not found:
        return []
    first = found[:MOST_NAMED]
    shown = first + [row for row in found[MOST_NAMED:] if row["chosen"]]
    columns = (
        Column("solution"),
        *(Column(f"at 1/{size}", is_number=True) for size in sizes),
    )
    rows = tuple(
        (
            title_of(row),
            *(share_at(row, size).replace("✓", "ok") for size in sizes),
        )
        for row in shown
    )
    left = size(found) - size(shown)
    more = wrap(f"{count(left)} more solutions are on the page.") if left else []
    explanation = "Share of records that need suppressed cells; ok means within all limits."
    return [*heading("Solutions compared", explanation), *grid(columns, rows), *more]


def candidates(result: dict[str, Any]) -> Table:
    """Every minimal solution and the optimum, the smallest loss first."""
    found = result["candidates"]
    shown = _first_candidates(found)
    rows_shown = [row for _, row in shown]
    has_layouts = any(row["layout"] for row in rows_shown)
    variables = _variables(rows_shown)
    columns = (
        Column("rank"),
        Column("type"),
        *((Column("variables"),) if has_layouts else ()),
        *(Column(name) for name in variables),
        *(Column(name, is_number=True) for name in ("loss", "suppressed records", "share")),
    )
    rows = [
        (
            str(rank),
            ", ".join(word for word in ("minimal", "optimum", "chosen") if row[word]) or DASH,
            *((row["layout"] or DASH,) if has_layouts else ()),
            *_levels(row["levels"], variables),
            *_cost(row),
        )
        for rank, row in shown
    ]
    return Table(
        "All candidates",
        (
            "Minimal: no variable can be more exact without exceeding the limits. The optimum has the "
            "smallest loss of all and is not always minimal. The smallest loss comes first."
        ),
        columns,
        tuple(rows),
        how_many(size(shown), size(found)),
        tuple(at for at, row in enumerate(rows_shown) if row["chosen"]),
    )


def how_many(shown: int, found: int) -> str:
    """How much of a list is shown."""
    if not found:
        return "No combination of levels is acceptable."
    if shown == found:
        return f"All {count(found)} are shown." if found > 1 else "It is the only candidate."
    return f"{count(shown)} of {count(found)} are shown; all are in the result file."


def proof(result: dict[str, Any]) -> Facts:
    """How far the search proves that the solution is the best."""
    solution, lattice = result["solution"], result["lattice"]
    facts = [
        Fact(
            "combinations of levels",
            count(lattice["nodes"]),
            "all that the hierarchies and limits allow",
        ),
        Fact(
            "evaluated",
            count(lattice["evaluated"]),
            "the others were ruled out without evaluation",
        ),
    ]
    if is_by_record(result) and lattice["nodes"] <= 1:
        facts = []
    if solution is not None:
        words = next((text for start, text in PROOFS.items() if solution["proof"].startswith(start)), "")
        known = "proven" if solution["optimal"] else "NOT PROVEN"
        meaning = f"among all acceptable combinations of levels, by {solution_loss(solution)}"
        facts.insert(0, Fact("smallest loss", known, meaning))
        facts.insert(1, Fact("proof", solution["proof"], words))
    return Facts(
        "Proof of the best solution",
        "The search over all combinations of levels.",
        tuple(facts),
    )


def solution_loss(solution: dict[str, Any]) -> str:
    """The name of the loss that decided."""
    return str(solution["utility"]["loss_name"])


def _cost(row: dict[str, Any]) -> tuple[str, str, str]:
    return loss(row["loss"]), count(row["suppressed_records"]), percent(row["suppressed_share"])


def _variables(rows: Sequence[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row["levels"]))


def _levels(levels: dict[str, str | None], variables: Sequence[str]) -> tuple[str, ...]:
    return tuple(levels.get(name) or DASH for name in variables)


def _first_candidates(found: list[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """The first ones with their ranks; what was chosen is never left out."""
    ranked = list(enumerate(found, start=1))
    first, rest = ranked[:MOST_CANDIDATES], ranked[MOST_CANDIDATES:]
    late = [(rank, row) for rank, row in rest if row["chosen"] or row["optimum"]]
    return [*first[: MOST_CANDIDATES - len(late)], *late]
