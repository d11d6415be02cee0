"""A de-identified table: what it took to keep to the threshold, and what is released."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from reidrisk.report.blocks import deidentified_cost as cost
from reidrisk.report.blocks import deidentified_release as release
from reidrisk.report.blocks import deidentified_search as search
from reidrisk.report.blocks import events, sensitive, steps
from reidrisk.report.blocks.settings import setting_text, versions
from reidrisk.report.blocks.utility import beside_risk, block_lines, charts_beside
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
)
from reidrisk.report.kinds import table_risk
from reidrisk.report.names import ends_of, short_path
from reidrisk.report.numbers import MISSING, count, loss, one_in, percent
from reidrisk.report.parts import Column, Fact, Facts, Guide, Source, Table, Verdict
from reidrisk.report.plain_text import listed_lines, wrapped

INTERRUPTED = (
    "The search was interrupted. What follows is the best found so far: it keeps to "
    "the threshold, but is not proved to lose the least. Let the search run to its end "
    "before you settle for it."
)
UNPROVED = "What follows keeps to the threshold, but is not proved to lose the least."
INTERRUPTED_WITHOUT = (
    "The search was interrupted before everything was tried. That no solution was "
    "found so far does not mean that there is none: let the search run to its end."
)
BY_LEVEL = (
    "The share of records with each value at the level released, before cells were suppressed and after. "
    "Rare values are joined, so that this page singles nobody out."
)
BY_RECORD = (
    "The share of records with each value that is released: before, of those that had exactly this value; "
    "after, of those that have it now. Values that no longer occur are joined."
)
MEANINGS = {
    "table": "the table as it was",
    "read_as": "how the file was understood",
    "out": "the table as released",
    "quasi": "columns that an intruder may know",
    "unit": "the column that says which rows belong to one person or visit",
    "reduce": "what a variable that varies within a unit becomes",
    "method": ("whether all records have the same level in a variable, or each what its class needs"),
    "suppress": "single cells, or all quasi-identifiers of a record",
    "reading": "what a suppressed cell counts as",
    "loss": "the loss that decides between solutions",
    "weights": "how much a variable matters; more means less loss there",
    "max_suppression": "largest share of records with suppressed cells",
    "max_cell_suppression": "largest share of records in which one variable is suppressed",
    "ladder": "cell sizes, in the order in which they are tried",
    "max_level": "the most generalization that is acceptable, where not that of the hierarchy",
    "average": "largest average risk, beside the threshold",
    "treatments": "what is done to columns that name people or units",
    "steps": "transformations before the search",
    "derived": "variables that are computed, and from what",
    "layouts": "choices of variables, in order of preference",
    "sensitive": "columns that are secret",
    "secrets": "limits on what classes may tell of them",
    "events": "events of a person that an adversary knows",
    "max_event_suppression": "largest share of rows with an event that may be left out",
}
SEED = "seed"
MOST_NOTES = 5
"""Notes in the terminal; the page shows all."""
IN_THE_TERMINAL = (
    "method",
    "suppress",
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
                "A value is replaced by a coarser one everywhere: a day by its quarter, a postal "
                "code by its first letter. The steps are the levels of a generalization hierarchy."
            ),
        ),
        Fact(
            "Maximum acceptable generalization",
            (
                "The coarsest level at which a variable still serves those who asked for it. "
                "Nothing coarser is tried."
            ),
        ),
        Fact(
            "Cell suppression",
            (
                "Single cells are blanked in records that still look like too few others. The "
                "other cells of the record stay."
            ),
        ),
        Fact(
            "Loss",
            (
                "How much detail a solution costs. Of all solutions within the limits the one with "
                "the least loss is taken."
            ),
        ),
        Fact(
            "Solution",
            (
                "A choice of one level for each variable with which no record is above the "
                "threshold, and no more is suppressed than the limits allow."
            ),
        ),
        Fact(
            "Conditions",
            (
                "A higher threshold is acceptable only with stronger controls on the recipient. "
                "They belong in the data sharing agreement."
            ),
        ),
    ),
    limits=(
        *RISK.limits[:2],
        "The figures hold for this table. If the patients change over time, measure again.",
        ("Hierarchies, limits, weights and thresholds are choices. They stand under the settings."),
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
    """What was de-identified, and against what."""
    files = [path for path in (result["files"].get("out"), result["files"].get("codebook")) if path]
    written = f" Written: {', '.join(files)}." if files else " No file was written."
    known = [row["column"] for row in result["variables"]] or result["settings"]["quasi"]
    quasi = ", ".join(ends_of(name, 24) for name in known)
    return f"{count(result['before']['records'])} records. Known to an intruder: {quasi}.{written}"


def threshold(result: ResultDict) -> str:
    """The threshold that was reached, or the last that was tried."""
    return one_in(result["threshold"]["probability"], result["threshold"]["cell_size"])


def verdict(result: ResultDict) -> Verdict:
    """Acceptable at which threshold, or that there is no solution."""
    word = ""
    if result["acceptable"]:
        conditions = ", on conditions" if result["conditions"] else ""
        proved = "" if not alarms(result) else "; not proved the best"
        word = f"Acceptable at a threshold of {threshold(result)}{conditions}{proved}"
    elif result["solution"] is None:
        word = "No solution"
    return Verdict(result["acceptable"], reasons_of(result), word)


def alarms(result: ResultDict) -> tuple[str, ...]:
    """That the search did not come to its end, if so."""
    solution = result["solution"]
    if solution is None:
        texts = [*result["reasons"], *result["notes"]]
        return (INTERRUPTED_WITHOUT,) if any("interrupted" in text.lower() for text in texts) else ()
    if "interrupted" in solution["proof"].lower():
        return (INTERRUPTED,)
    return () if solution["optimal"] or release.is_by_record(result) else (UNPROVED,)


def _of_solution(result: ResultDict) -> tuple[Shown, ...]:
    """What there is to say only of a solution."""
    if result["solution"] is None:
        return ()
    return (
        cost.suppression(result),
        cost.per_record(result),
        *(() if release.is_by_record(result) else (cost.readings(result),)),
        cost.utility(result),
        *_values(result),
        cost.associations(result),
        *beside_risk(result.get("usefulness")),
        *(() if release.is_by_record(result) else (search.candidates(result),)),
        release.codebook(result),
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
    return block_lines(beside_risk(result.get("usefulness")))


def settings(result: ResultDict) -> Facts:
    """Every setting, as the result file names it."""
    facts = [
        Fact(
            "threshold",
            f"{threshold(result)}: {result['threshold']['reason']}",
            "largest acceptable risk",
        ),
        *(
            Fact(name, setting_text(value), MEANINGS.get(name, ""))
            for name, value in result["settings"].items()
            if name != release.SUPPRESSED_AS
        ),
        Fact(
            "seed",
            setting_text(result["seed"]),
            "start of the random numbers",
        ),
    ]
    return Facts(
        "Settings",
        "With these, the same table gives the same answer.",
        tuple(facts),
    )


def _note_lines(result: ResultDict) -> list[str]:
    notes = result["notes"]
    if not notes:
        return []
    left = len(notes) - MOST_NOTES
    more = wrapped(f"{count(left)} more are on the page.") if left > 0 else []
    return ["", "PLEASE NOTE", *listed_lines(notes[:MOST_NOTES], "  ! "), *more]


def _setting_lines(result: ResultDict) -> list[str]:
    chosen = result["settings"]
    parts = [
        f"threshold {threshold(result)} ({result['threshold']['reason']})",
        *(
            f"{name.replace('_', ' ')} {setting_text(chosen[name])}"
            for name in IN_THE_TERMINAL
            if name in chosen
        ),
        f"seed {setting_text(result['seed'])}",
    ]
    lines = ["", "SETTINGS", *wrapped("; ".join(parts) + ".")]
    files = "; ".join(f"{name} {path}" for name, path in result["files"].items() if path)
    return lines + (wrapped(f"Written: {files}.") if files else [])


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
            "No record was measured.",
            "No record was measured.",
            1.0,
            None,
        )
    found = _limits(result)
    words = " ".join(_in_words(curve, result) for curve in curves)
    if max(curve.highest for curve in curves) > axis_end(curves, found):
        words += " " + "Records with a higher risk than is drawn are in the last bar."
    return Chart(
        "risk",
        title,
        (
            "Share of records whose risk is at most the value below; along the top, how many "
            f"records have each risk. Shaded: above the threshold. {words}"
        ),
        words,
        HEIGHT,
        partial(draw_curves, curves=curves, limits=found),
    )


def _curve(risk: ResultDict, name: str, *, is_strong: bool) -> Curve:
    return Curve(name, tuple((row["size"], row["classes"]) for row in risk["class_sizes"]), is_strong)


def _limits(result: ResultDict) -> tuple[Limit, ...]:
    """The threshold of the verdict, and the first of the ladder where that is another."""
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
    """The risk that is left, what is suppressed, and what was asked for besides."""
    suppressed = () if result["solution"] is None else (cost.suppression_chart(result),)
    return (
        risk_chart(result),
        *suppressed,
        *events.charts_before_and_after(result),
        *steps.step_charts(result),
        *charts_beside(result.get("usefulness")),
    )


def _initial(result: ResultDict) -> Iterable[Block]:
    before = result["before"]
    return (
        Prose(
            (
                "The table as it was asked for, after direct identifiers were taken out and before "
                "anything was generalized or suppressed.",
            )
        ),
        table_risk.attacks(before),
        Pictures((table_risk.size_chart(before),)),
    )


def _measures(result: ResultDict) -> Iterable[Block]:
    drawn = steps.step_charts(result)
    found: list[Block] = [
        *steps.blocks(result),
        *((Pictures(drawn),) if drawn else ()),
        search.loop(result),
        release.layout(result),
        *release.by_record(result),
    ]
    if result["solution"] is not None:
        found += [cost.suppression(result), Pictures((cost.suppression_chart(result),))]
    return found


def _final(result: ResultDict) -> Iterable[Block]:
    conditions = (Conditions(tuple(result["conditions"])),) if result["conditions"] else ()
    return (
        *(Notice(text) for text in alarms(result)),
        *conditions,
        cost.risks(result),
        *events.deidentified_blocks(result),
        *_sensitive(result),
        Pictures((risk_chart(result), *events.charts_before_and_after(result))),
        *((cost.readings(result),) if _is_searched(result) else ()),
    )


def _is_searched(result: ResultDict) -> bool:
    """Whether there is a solution that was chosen among others."""
    return result["solution"] is not None and not release.is_by_record(result)


def _sensitivity(result: ResultDict) -> Iterable[Block]:
    named = (search.named(result),) if result["named_solutions"] else ()
    return (*named, *((search.candidates(result),) if _is_searched(result) else ()))


def _utility(result: ResultDict) -> Iterable[Block]:
    if result["solution"] is None:
        return (Prose(("No solution was found, so nothing was changed and nothing lost.",)),)
    drawn = (*charts_beside(result.get("usefulness")), *cost.distributions(result))
    return (
        cost.utility(result),
        cost.associations(result),
        *beside_risk(result.get("usefulness")),
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
        f"De-identification of {name_of(result)} ({count(result['before']['records'])} records)"
    ),
    verdict=verdict,
    warnings=lambda result: result["notes"],
    # In the terminal the notes come last.
    notes=lambda _: (),
    alarms=alarms,
    conditions=lambda result: result["conditions"],
    charts=charts,
    shows=(
        Show(search.loop, lines=search.loop_lines),
        Show(release.layout, lines=release.layout_lines),
        Show(release.by_record, lines=release.by_record_lines),
        Show(steps.blocks, lines=steps.step_lines),
        Show(search.named, lines=search.named_lines),
        Show(cost.risks, lines=cost.risk_lines),
        Show(events.deidentified_blocks),
        Show(_sensitive),
        Show(_of_solution, lines=cost.loss_lines),
        only_in_terminal(_usefulness_lines),
        only_in_terminal(_note_lines),
        Show(search.proof, terminal=False),
        Show(settings, lines=_setting_lines),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "What each table loses, and whether it may be released.",
        "table",
        (
            (Column("records", is_number=True), lambda result: count(result["before"]["records"])),
            (Column("records with suppressed cells", is_number=True), partial(_of, "suppressed_share")),
            (Column("cells suppressed", is_number=True), partial(_of, "cell_share")),
            (Column("loss", is_number=True), _loss),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
    chapters=Chapters(
        initial=_initial,
        measures=_measures,
        final=_final,
        sensitivity=_sensitivity,
        identifiers=lambda result: (release.codebook(result),),
        utility=_utility,
        settings=lambda result: (search.proof(result), settings(result)),
        formulas=("highest", "average", "loss"),
    ),
)
