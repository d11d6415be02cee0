"""A de-identified table: the threshold that it meets, what is released, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from reidrisk.report.blocks import deidentified_cost as cost
from reidrisk.report.blocks import deidentified_release as release
from reidrisk.report.blocks import deidentified_search as search
from reidrisk.report.blocks import events, inventory, sensitive, steps
from reidrisk.report.blocks.settings import meanings, setting_text, versions
from reidrisk.report.blocks.utility import block_lines, utility_blocks, utility_charts
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.risk_curve import HEIGHT, Curve, Limit, axis_end, draw_curves
from reidrisk.report.document import Block, Conditions, Notice, Pictures, Prose
from reidrisk.report.kind import (
    Chapters,
    ChartGroup,
    Comparison,
    Kind,
    ResultDict,
    Show,
    Shown,
    only_in_terminal,
    reasons_of,
    shown_of,
)
from reidrisk.report.kinds import table_risk
from reidrisk.report.names import ends_of, short_path
from reidrisk.report.numbers import MISSING, count, counted, loss, one_in, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import listed_lines, wrap
from reidrisk.tables.deidentify.settings import ALL_SETTINGS, FILE_SETTINGS

INTERRUPTED = (
    "The search was interrupted. This is the best solution found so far: it meets the threshold, but it "
    "is not proven to have the smallest loss. Let the search finish before you use it."
)
UNPROVEN = "This solution meets the threshold, but it is not proven to have the smallest loss."
INTERRUPTED_WITHOUT = (
    "The search was interrupted before it finished. There may be a solution that was not found yet. Let "
    "the search finish."
)
BY_LEVEL = (
    "The share of records with each value at the released level, before and after cells were suppressed. "
    "Rare values are combined, so that this page does not single out anyone."
)
BY_RECORD = (
    "The share of records with each released value. Before: records that had exactly this value. After: "
    "records that have it now. Values that no longer occur are combined."
)
MEANINGS = {
    **meanings((*ALL_SETTINGS, *FILE_SETTINGS)),
    "table": "the original table",
    "read_as": "how the file was read",
    "out": "the released table",
    "treatments": "what is done to direct identifiers and units",
    "secrets": "limits on what classes may reveal about sensitive columns",
}
LABELS = {"secrets": "limits on sensitive columns"}
"""Settings whose name in the result file is not the word of the field."""
MOST_NOTES = 5
"""Notes in the terminal; the page shows all."""
IN_THE_TERMINAL = (
    "method",
    "suppress",
    "records",
    "reading",
    "loss",
    "max_suppression",
    "max_cell_suppression",
    "ladder",
    "unit",
)
"""Settings in the terminal; the page shows all."""
RISK = table_risk.RISK_GUIDE
GUIDE = Guide(
    terms=(
        *RISK.terms,
        Fact(
            "Generalization",
            (
                "Values are replaced with more general ones: a day with its quarter, a postal code with "
                "its first letter. The steps are the levels of a generalization hierarchy."
            ),
        ),
        Fact(
            "Maximum acceptable generalization",
            (
                "The most general level at which a variable is still useful to the recipients. Levels "
                "above it are not tried."
            ),
        ),
        Fact(
            "Cell suppression",
            (
                "Single cells are suppressed in records whose equivalence class is still too small. The "
                "other cells of the record stay."
            ),
        ),
        Fact(
            "Loss",
            (
                "How much detail a solution loses. Of all solutions within the limits, the one with the "
                "smallest loss is chosen."
            ),
        ),
        Fact(
            "Solution",
            (
                "One level for each variable such that no record is above the threshold and suppression "
                "stays within the limits."
            ),
        ),
        Fact(
            "Conditions",
            (
                "A higher threshold is acceptable only with stronger controls on the recipient. Put them "
                "in the data sharing agreement."
            ),
        ),
    ),
    limits=(
        *RISK.limits[:2],
        "The figures apply to this table. If the patients change over time, measure again.",
        "Hierarchies, limits, weights and thresholds are choices. They are listed in the settings.",
        RISK.limits[2],
    ),
    sources=(
        *RISK.sources,
        Source(
            "El Emam K. et al. A globally optimal k-anonymity method for the de-identification of health "
            "data. Journal of the American Medical Informatics Association 16(5) (2009) 670–682.",
        ),
    ),
)


def name_of(result: ResultDict) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table") or "table"))


def about(result: ResultDict) -> str:
    """The number of records, what an intruder is assumed to know, and the files written."""
    files = [path for path in (result["files"].get("out"), result["files"].get("codebook")) if path]
    written = f" Written: {', '.join(files)}." if files else " No file was written."
    known = [row["column"] for row in result["variables"]] or result["settings"]["quasi"]
    quasi = ", ".join(ends_of(name, 24) for name in known)
    return f"{count(result['before']['records'])} records. An intruder is assumed to know: {quasi}.{written}"


def threshold(result: ResultDict) -> str:
    """The threshold that was met, or the last one that was tried."""
    return one_in(result["threshold"]["probability"], result["threshold"]["cell_size"])


def verdict(result: ResultDict) -> Verdict:
    """The threshold at which the table is acceptable, or that there is no solution."""
    word = ""
    if result["acceptable"]:
        conditions = ", under conditions" if result["conditions"] else ""
        proof = "" if not unproven(result) else "; not proven to be the best"
        word = f"Acceptable at a threshold of {threshold(result)}{conditions}{proof}"
    elif result["solution"] is None:
        word = "No solution"
    return Verdict(result["acceptable"], reasons_of(result), word)


def alarms(result: ResultDict) -> tuple[str, ...]:
    """What to know besides the verdict: whether it is unproven, and which columns lost all detail."""
    return (*unproven(result), *fully_suppressed(result))


def fully_suppressed(result: ResultDict) -> tuple[str, ...]:
    """The columns of which nothing is left, each with the choice that would keep it unless it is shared."""
    return tuple(
        f"No detail left in {row['column']}: {row['reason'] or 'nothing is left'}."
        + (f" To keep it, {row['choice']}." if row.get("choice") else "")
        for row in result.get("fully_suppressed") or ()
    )


def unproven(result: ResultDict) -> tuple[str, ...]:
    """Whether the search did not finish, or the solution is not proven to be the best."""
    solution = result["solution"]
    if solution is None:
        texts = [*result["reasons"], *result["notes"]]
        return (INTERRUPTED_WITHOUT,) if any("interrupted" in text.lower() for text in texts) else ()
    if "interrupted" in solution["proof"].lower():
        return (INTERRUPTED,)
    return () if solution["optimal"] or release.is_by_record(result) else (UNPROVEN,)


def _of_solution(result: ResultDict) -> tuple[Shown, ...]:
    """The blocks that only a solution has."""
    if result["solution"] is None:
        return ()
    searched = () if release.is_by_record(result) else (search.candidates,)
    return tuple(
        shown_of(
            result,
            cost.suppression,
            cost.per_record,
            *(() if release.is_by_record(result) else (cost.readings,)),
            cost.utility,
            _values,
            cost.associations,
            lambda shown: utility_blocks(shown.get("usefulness")),
            *searched,
            release.codebook,
        )
    )


def _values(result: ResultDict) -> tuple[ChartGroup, ...]:
    charts = cost.distributions(result)
    if not charts:
        return ()
    explanation = BY_RECORD if release.is_by_record(result) else BY_LEVEL
    return (ChartGroup("Values before and after", explanation, charts),)


def _sensitive(result: ResultDict) -> tuple[Table, ...]:
    return sensitive.blocks(result["after"] or result["before"])


def _usefulness_lines(result: ResultDict) -> list[str]:
    return block_lines(utility_blocks(result.get("usefulness")))


def settings(result: ResultDict) -> Facts:
    """Every setting, by its name in the result file."""
    facts = [
        Fact(
            "threshold",
            f"{threshold(result)}: {result['threshold']['reason']}",
            "largest acceptable risk",
        ),
        *(
            Fact(LABELS.get(name, name), setting_text(value), MEANINGS.get(name, ""))
            for name, value in result["settings"].items()
            if name != release.SUPPRESSED_AS
        ),
    ]
    if "seed" in result:
        facts.append(Fact("seed", setting_text(result["seed"]), "seed of the random numbers"))
    return Facts(
        "Settings",
        "With these settings, the same table gives the same result.",
        tuple(facts),
    )


def _note_lines(result: ResultDict) -> list[str]:
    notes = result["notes"]
    if not notes:
        return []
    left = len(notes) - MOST_NOTES
    more = wrap(f"{count(left)} more notes are on the page.") if left > 0 else []
    return ["", "PLEASE NOTE", *listed_lines(notes[:MOST_NOTES], "  ! "), *more]


def _setting_lines(result: ResultDict) -> list[str]:
    chosen = result["settings"]
    parts = [
        f"threshold {threshold(result)} ({result['threshold']['reason']})",
        *(
            f"{name.replace('_', ' ')} {setting_text(chosen[name])}"
            for name in IN_THE_TERMINAL
            if name in chosen and (name != "records" or chosen[name])
        ),
        *([f"seed {setting_text(result['seed'])}"] if "seed" in result else []),
    ]
    lines = ["", "SETTINGS", *wrap("; ".join(parts) + ".")]
    files = "; ".join(f"{name} {path}" for name, path in result["files"].items() if path)
    return lines + (wrap(f"Written: {files}.") if files else [])


def risk_chart(result: ResultDict) -> Chart:
    """The risk of the records before and after."""
    curves = tuple(
        curve
        for name, is_strong in (("before", False), ("after", True))
        if result[name] is not None and (curve := _curve(result[name], name, is_strong=is_strong)).sizes
    )
    title = "Risk of the records"
    if not curves:
        return Chart(
            "risk",
            title,
            "No records were measured.",
            "No records were measured.",
            1.0,
            None,
        )
    found = _limits(result)
    words = " ".join(_in_words(curve, result) for curve in curves)
    if max(curve.highest for curve in curves) > axis_end(curves, found):
        words += " " + "The last bar includes records with higher risks."
    return Chart(
        "risk",
        title,
        (
            "Share of records whose risk is at most the value on the horizontal axis. The bars at the top "
            f"show how many records have each risk. Shaded: above the threshold. {words}"
        ),
        words,
        HEIGHT,
        partial(draw_curves, curves=curves, limits=found),
    )


def _curve(risk: ResultDict, name: str, *, is_strong: bool) -> Curve:
    return Curve(name, tuple((row["size"], row["classes"]) for row in risk["class_sizes"]), is_strong)


def _limits(result: ResultDict) -> tuple[Limit, ...]:
    """The threshold of the verdict, and the first one that was tried if it is another."""
    chosen = result["threshold"]
    found = [Limit(f"threshold {threshold(result)}", chosen["probability"], decides=True)]
    for rung in result["threshold_ladder"][:1]:
        if abs(rung["probability"] - chosen["probability"]) > 1e-9:
            label = f"first threshold {one_in(rung['probability'], rung['cell_size'])}"
            found.append(Limit(label, rung["probability"], decides=False))
    return tuple(found)


def _in_words(curve: Curve, result: ResultDict) -> str:
    tried = [(rung["probability"], rung["cell_size"]) for rung in result["threshold_ladder"]]
    own = (result["threshold"]["probability"], result["threshold"]["cell_size"])
    parts = [
        f"{percent(curve.share_within(size))} at or below {one_in(chance, size)}"
        for chance, size in dict.fromkeys([*tried, own])
    ]
    return f"{curve.name.capitalize()}: {', '.join(parts)}."


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The remaining risk, suppression, events, transformations and requested measures."""
    suppressed = () if result["solution"] is None else (cost.suppression_chart(result),)
    return (
        risk_chart(result),
        *suppressed,
        *events.charts_before_and_after(result),
        *steps.step_charts(result),
        *utility_charts(result.get("usefulness")),
    )


def _leaves(result: ResultDict) -> str:
    if result["solution"] is None:
        return f"nothing: no acceptable form of {count(result['before']['records'])} records was found"
    number = count((result["after"] or result["before"])["records"])
    done = [
        text
        for is_done, text in (
            (any(row["level_number"] != 0 for row in result["variables"]), "less detail"),
            (result["solution"]["suppressed_cells"], "some cells blank"),
        )
        if is_done
    ]
    return f"{number} records, with {' and '.join(done)}" if done else f"{number} records, with full detail"


def _key(result: ResultDict) -> Iterable[Block]:
    found = (cost.risks, release.layout, lambda shown: Pictures((risk_chart(shown),)))
    conditions = (Conditions(tuple(result["conditions"])),) if result["conditions"] else ()
    return (*(Notice(text) for text in alarms(result)), *conditions, *shown_of(result, *found))


def _initial(result: ResultDict) -> Iterable[Block]:
    before = result["before"]
    text = (
        "The requested table, after direct identifiers were removed and before anything was generalized or "
        "suppressed."
    )
    return (
        Prose((text,)),
        *shown_of(before, table_risk.attacks, lambda shown: Pictures((table_risk.size_chart(shown),))),
    )


def _measures(result: ResultDict) -> Iterable[Block]:
    suppressed = (cost.suppression, lambda shown: Pictures((cost.suppression_chart(shown),)))
    return shown_of(
        result,
        steps.blocks,
        lambda shown: Pictures(drawn) if (drawn := steps.step_charts(shown)) else None,
        search.thresholds,
        release.layout,
        release.by_record,
        *(() if result["solution"] is None else suppressed),
    )


def _final(result: ResultDict) -> Iterable[Block]:
    conditions = (Conditions(tuple(result["conditions"])),) if result["conditions"] else ()
    return (
        *(Notice(text) for text in alarms(result)),
        *conditions,
        *shown_of(
            result,
            cost.risks,
            events.blocks_before_and_after,
            _sensitive,
            lambda shown: Pictures((risk_chart(shown), *events.charts_before_and_after(shown))),
            *((cost.readings,) if _is_searched(result) else ()),
        ),
    )


def _is_searched(result: ResultDict) -> bool:
    """Whether the solution was chosen among several candidates."""
    return result["solution"] is not None and not release.is_by_record(result)


def _sensitivity(result: ResultDict) -> Iterable[Block]:
    named = (search.named_solutions(result),) if result["named_solutions"] else ()
    return (*named, *((search.candidates(result),) if _is_searched(result) else ()))


def _utility(result: ResultDict) -> Iterable[Block]:
    if result["solution"] is None:
        return (Prose(("No solution was found, so nothing was changed and no information was lost.",)),)
    drawn = (*utility_charts(result.get("usefulness")), *cost.distributions(result))
    return (
        cost.utility(result),
        cost.associations(result),
        *utility_blocks(result.get("usefulness")),
        *((Pictures(drawn),) if drawn else ()),
    )


def _of(name: str, result: ResultDict) -> str:
    solution = result["solution"]
    return MISSING if solution is None else percent(solution[name])


def _loss(result: ResultDict) -> str:
    if result["solution"] is None:
        return MISSING
    measures = result["solution"]["utility"]
    return f"{loss(measures['loss'])} ({measures['loss_name']})"


KIND = Kind(
    title="De-identification of a table",
    name_of=name_of,
    about=about,
    headline=lambda result: (
        f"De-identification of {name_of(result)} ({counted(result['before']['records'], 'record')})"
    ),
    verdict=verdict,
    warnings=lambda result: result["notes"],
    # In the terminal the notes come last.
    notes=lambda _: (),
    alarms=alarms,
    conditions=lambda result: result["conditions"],
    charts=charts,
    shows=(
        Show(inventory.unmeasured, lines=inventory.unmeasured_lines),
        Show(search.thresholds, lines=search.threshold_lines),
        Show(release.layout, lines=release.layout_lines),
        Show(release.by_record, lines=release.by_record_lines),
        Show(steps.blocks, lines=steps.step_lines),
        Show(search.named_solutions, lines=search.named_lines),
        Show(cost.risks, lines=cost.risk_lines),
        Show(events.blocks_before_and_after),
        Show(_sensitive),
        Show(_of_solution, lines=cost.loss_lines),
        only_in_terminal(_usefulness_lines),
        only_in_terminal(_note_lines),
        Show(search.proof, terminal=False),
        Show(inventory.inventory, terminal=False),
        Show(settings, lines=_setting_lines),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What each table loses, and whether it can be released.",
        "table",
        (
            (Column("records", is_number=True), lambda result: count(result["before"]["records"])),
            (Column("records with suppressed cells", is_number=True), partial(_of, "suppressed_share")),
            (Column("suppressed cells", is_number=True), partial(_of, "cell_share")),
            (Column("loss", is_number=True), _loss),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    leaves=_leaves,
    chapters=Chapters(
        key=_key,
        initial=_initial,
        measures=_measures,
        final=_final,
        sensitivity=_sensitivity,
        identifiers=lambda result: (release.codebook(result),),
        utility=_utility,
        settings=lambda result: shown_of(result, search.proof, settings),
        formulas=("highest", "average", "loss"),
    ),
)
