"""A de-identified table: may the threshold that was reached be used in this context?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reidrisk.assess.judge.judged import Figure, Judged
from reidrisk.assess.judge.records import HIGHEST, Decision, by_highest, decide, knowing
from reidrisk.assess.judge.table import DONE, by_chance, step_measures
from reidrisk.context.score import ContextScore
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability
from reidrisk.tables.transform.plan import BY_CHANCE

MOST = 3
"""Missing practices that a sentence names."""


def judge_deidentified(measured: Mapping[str, Any], score: ContextScore) -> Judged:
    """By the classes that are left, not by the rung that was aimed at."""
    first = measured["before"]["prosecutor"]
    if known := measured["before"].get("longitudinal"):
        first = known["by_known"][-1]
    if measured["solution"] is None:
        return _without_solution(measured, score, float(first["highest"]))
    smallest, average = left(measured)
    decided = _decided(score, smallest, average)
    before = float(first["highest" if decided.statistic == HIGHEST else "average"])
    who = knowing(known and known["known"])
    verdict = "acceptable" if decided.acceptable else "not acceptable"
    return Judged(
        acceptable=decided.acceptable,
        statistic=f"{decided.statistic}, prosecutor{who.replace(' to an adversary', '')}",
        risk=decided.risk,
        attempt=decided.attempt,
        overall=decided.overall,
        threshold=allowed(score, smallest).probability,
        cell_size=allowed(score, smallest).cell_size,
        sentence=(
            f"De-identified, the {decided.statistic}{who} is {probability(decided.risk)} (before: "
            f"{probability(before)}); {decided.why}: {verdict}.{by_chance(_changed(measured))}"
        ),
        initial=Figure(decided.statistic, before),
        final=Figure(decided.statistic, decided.risk),
        measures=_measures(measured),
        result=dict(measured),
    ).trusting(measured["settings"]["treatments"])


def _changed(measured: Mapping[str, Any]) -> list[str]:
    """Variables and columns of events whose values were changed by chance before the search."""
    changed = {
        row["column"]
        for one in measured.get("steps", ())
        if one["kind"] in BY_CHANCE
        for row in one["by_column"]
    }
    events = measured.get("events") or {"columns": ()}
    known = (*(row["column"] for row in measured["variables"]), *events["columns"])
    return [name for name in known if name in changed]


def left(measured: Mapping[str, Any]) -> tuple[int, float]:
    """The smallest class and the average risk of what is released, as suppressed cells are read."""
    after, readings = measured["after"], measured["readings"]
    if measured["settings"]["reading"] == "wildcard" and readings is not None:
        return int(readings["wildcard"]["smallest_class"]), float(readings["wildcard"]["average"])
    smallest, average = int(after["smallest_class"]), float(after["prosecutor"]["average"])
    if known := after.get("longitudinal"):
        worst = known["by_known"][-1]
        return min(smallest, round(1 / worst["highest"])), max(average, float(worst["average_high"]))
    return smallest, average


def allowed(score: ContextScore, smallest: int) -> Threshold:
    """The context's threshold, or the higher one that the table needs and the context permits."""
    if score.rule != "cell_size" or smallest >= score.threshold.cell_size:
        return score.threshold
    for rung in score.context.chosen.later:
        if smallest >= rung.threshold.cell_size and score.permits(rung.threshold).allowed:
            return rung.threshold
    return score.threshold


def _decided(score: ContextScore, smallest: int, average: float) -> Decision:
    """A class below the threshold may still be one that a higher threshold allows."""
    if score.rule != "cell_size" or smallest >= score.threshold.cell_size:
        return decide(score, smallest=smallest, average=average)
    needed, highest = Threshold.from_cell_size(smallest, "reached"), 1 / smallest
    asked = score.permits(needed)
    if asked.allowed:
        reason = allowed(score, smallest)
        why = f"the context permits 1/{reason.cell_size} ({reason.reason})"
        return by_highest(highest, why, acceptable=True)
    missing = "; ".join(text.rstrip(".") for text in asked.missing[:MOST])
    rest = len(asked.missing) - MOST
    more = f"; and {rest} more" if rest > 0 else ""
    why = (
        f"the threshold is 1/{score.threshold.cell_size} ({score.threshold.reason}), and for a higher one is "
        f"still missing: {missing}{more}"
    )
    return by_highest(highest, why, acceptable=False)


def _without_solution(measured: Mapping[str, Any], score: ContextScore, before: float) -> Judged:
    tried = ", ".join(f"1/{rung['cell_size']}" for rung in measured["threshold_ladder"])
    return Judged(
        acceptable=False,
        statistic=f"{HIGHEST}, prosecutor",
        risk=before,
        attempt=1.0 if score.rule == "cell_size" else score.context_risk,
        overall=before if score.rule == "cell_size" else before * score.context_risk,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=f"No releasable form within the limits at {tried}: not acceptable.",
        initial=Figure(HIGHEST, before),
        result=dict(measured),
    )


def _ways(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} in {100 * share:.1f} % of records" for name, share in shares.items())


def _events(done: Mapping[str, Any] | None) -> list[str]:
    """What was done to events, where the table is one of events."""
    if not done:
        return []
    levels = [f"{column} of events goes out as {level}." for column, level in done["levels"].items()]
    share = f"{100 * done['share_left_out']:.1f} %"
    gone = (
        [f"{done['rows_left_out']:,} rows with events ({share}) are left out, or stay without an event."]
        if done["rows_left_out"]
        else []
    )
    return [*levels, *gone]


def _measures(measured: Mapping[str, Any]) -> tuple[str, ...]:
    """What was done to each column, and what was suppressed."""
    solution = measured["solution"]
    done = [*step_measures(measured.get("steps", ()))]
    done += [
        f"{row['column']} is generalized to {row['level']}."
        for row in measured["variables"]
        if row["level_number"]
    ]
    done += [
        f"{row['column']} is as exact in each record as its class allows: {_ways(row['level_shares'])}."
        for row in measured["variables"]
        if row["level_number"] is None and row.get("level_shares")
    ]
    done += _events(measured.get("events"))
    treated = measured["settings"]["treatments"]
    done += [f"{column} {DONE[treatment]}." for column, treatment in treated.items()]
    made = {text.partition(":")[0] for text in measured["settings"]["derived"]}
    gone = [row["column"] for row in measured["codebook"] if row["type_after"] is None]
    done += [f"{column} is left out." for column in gone if column not in {*treated, *made}]
    if solution["suppressed_cells"]:
        done.append(
            f"{solution['suppressed_cells']:,} cells of {solution['suppressed_records']:,} records "
            f"({100 * solution['suppressed_share']:.1f} %) are suppressed."
        )
    return tuple(done)
