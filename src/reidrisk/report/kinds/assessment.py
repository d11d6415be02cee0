"""The assessment of a release: its parts, each against its limit, and what would make it acceptable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from reidrisk.core.shell import shell_word
from reidrisk.core.wording import undecided_words
from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts import against_limits
from reidrisk.report.charts.against_limits import LimitRow
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.kind import Comparison, Kind, ResultDict, Show, only_in_terminal
from reidrisk.report.kinds.context_score import ACCESS, CONTEXT_GUIDE, limit, short
from reidrisk.report.numbers import MISSING, more, percent, probability, ratio
from reidrisk.report.parts import Column, Fact, Facts, Guide, Reason, Table, Verdict
from reidrisk.report.plain_text import heading, table_lines, wrap

PART_NAMES = {
    ("text", "risk"): "texts, tool evaluated",
    ("table", "risk"): "table, unchanged",
    ("table", "deidentify"): "table, de-identified",
    ("documents", "risk"): "trial documents",
    ("relational", "risk"): "linked tables",
    ("joint", "risk"): "parts together",
    ("table", "attack"): "table, attacked",
    ("table", "transform"): "table, transformed",
    ("table", "utility"): "table, compared with its original",
    ("population", "risk"): "population, one policy",
    ("population", "compare"): "population, policies compared",
}
"""By kind and task."""
VERDICTS = {True: "acceptable", False: "NOT acceptable", None: "could not be judged"}
MOST_REMEDIES, MOST_CHOICES = 8, 12
"""Rows of these lists in the terminal; the page and the JSON file have all."""
GUIDE = Guide(
    terms=(
        Fact("part", "One thing that is released: texts, a table, or facts that a sharing policy reveals."),
        Fact("risk", "The probability that a person is re-identified if someone tries."),
        Fact("with attempt", "The risk times the chance that someone tries, where the rule requires it."),
        Fact(
            "limit",
            "The largest acceptable risk: the threshold, or a benchmark for direct identifiers in texts.",
        ),
        Fact(
            "remedy",
            "A change that lowers a risk or accepts a higher one, computed on its own.",
        ),
    ),
    limits=(
        "What an intruder learns by joining parts is counted where the release file says which parts hold "
        "the same people.",
        "The context is used as stated. Nothing here checks whether a practice is followed.",
        "A population is judged by the expected share of people re-identified. This comparison is ours.",
        "If nothing was found, that does not prove that nothing is there.",
    ),
    sources=CONTEXT_GUIDE.sources,
)


def name_of(result: ResultDict) -> str:
    """The release."""
    return str(result["release"]["name"])


def about(result: ResultDict) -> str:
    """Who releases what to whom, in a sentence."""
    release, context = result["release"], result["context"]
    words = [f"A {ACCESS[context['access']]} release"]
    words += [f"by {release['custodian']}"] if release["custodian"] else []
    words += [f"to {release['recipient']}"] if release["recipient"] else []
    purpose = f" Purpose: {release['purpose']}" if release["purpose"] else ""
    return f"{' '.join(words)}.{purpose}"


def verdict(result: ResultDict) -> Verdict:
    """Whether the release is acceptable, and why; a part that could not be judged makes it unacceptable."""
    reasons = tuple(Reason(reason_text(one), one["holds"]) for one in result["reasons"])
    return Verdict(result["acceptable"], reasons, undecided_headline(result, failed="Could not be judged"))


def undecided_headline(result: ResultDict, *, failed: str = "") -> str:
    """The headline if nothing but a lack of documents stands against a release; otherwise empty.

    `failed` is the headline if a part could not be measured.
    """
    if any(part["status"] == "failed" for part in result["parts"]):
        return failed
    refused = [part["judged"] for part in result["parts"] if part["judged"]["acceptable"] is False]
    undecided = all(judged.get("decision") == "undecided" for judged in refused)
    if not refused or not undecided or result.get("unmeasured"):
        return ""
    return undecided_words(refused[0].get("documents_needed") if len(refused) == 1 else None)


def reason_text(reason: ResultDict) -> str:
    """The sentence, below the name of its part where it is about one."""
    return f"{reason['part']}: {reason['text']}" if reason["part"] else str(reason["text"])


def failures(result: ResultDict) -> tuple[str, ...]:
    """What to do about parts that could not be measured; why they could not is among the reasons."""
    return tuple(
        f"To have {part['name']} measured: {part['error']['hint']}"
        for part in result["parts"]
        if part["error"]
    )


def parts(result: ResultDict) -> Table:
    """Each part against its limit."""
    return Table(
        "Parts",
        "Each part is compared with its own limit. The release is acceptable only if all parts are.",
        (
            Column("part"),
            Column("type"),
            Column("risk before", is_number=True),
            Column("risk", is_number=True),
            Column("with attempt", is_number=True),
            Column("limit", is_number=True),
            Column("verdict"),
            Column("evidence"),
        ),
        tuple(_part_row(part) for part in result["parts"]),
    )


def _part_row(part: ResultDict) -> tuple[str, ...]:
    judged, before = part["judged"], part["initial"]
    return (
        part["name"],
        PART_NAMES[part["kind"], part["task"]],
        "" if before is None else probability(before["risk"]),
        probability(judged["risk"]),
        probability(judged["overall"]),
        probability(judged["threshold"]),
        verdict_word(judged),
        judged.get("weakest_grade") or "",
    )


def verdict_word(judged: ResultDict) -> str:
    """The verdict on a part."""
    return "undecided" if judged.get("decision") == "undecided" else VERDICTS[judged["acceptable"]]


def remedies(result: ResultDict, *, with_options: bool = False) -> Table | None:
    """Changes that would help, the best first; with the options to try them on the command line."""
    if not result["remedies"]:
        return None
    rows = tuple(
        (
            str(one["rank"]),
            one["text"],
            remedy_effect(one),
            *([_options(one.get("trial", one["change"]))] if with_options else []),
        )
        for one in result["remedies"]
    )
    return Table(
        "What would make it acceptable",
        "Computed from the measurements, without reading the data again. The best change comes first.",
        (
            Column("rank"),
            Column("change", is_prose=True),
            Column("effect", is_prose=True),
            *((Column("to try it", is_prose=True),) if with_options else ()),
        ),
        rows,
        "The ranking is ours: first changes that make all parts acceptable, then those that make one part "
        "acceptable, then the smaller change.",
    )


def remedy_effect(one: ResultDict) -> str:
    """What a remedy achieves, in a few words."""
    if one["acceptable_after"]:
        is_partial = one.get("trial") and one.get("acceptable_by_change") is False
        rest = "; the settings alone are not enough" if is_partial else ""
        return f"everything is acceptable{rest}"
    if one["acceptable_after"] is None:
        return "run it again to find out"
    what = "this part" if one["part"] else "a part"
    if one["part_acceptable_after"]:
        return f"{what} is acceptable, others are not"
    return "not enough on its own"


def _options(change: dict[str, Any] | None) -> str:
    """The first options of the command line that make the change."""
    if not change:
        return ""
    pairs = [f"{key}={_option_value(value)}" for key, value in change.items() if not key.endswith(".reason")]
    options = [f"--set {shell_word(pair)}" for pair in pairs]
    more = f" and {len(options) - 2} more" if len(options) > 2 else ""
    return " ".join(options[:2]) + more


def _option_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {entry}" for key, entry in value.items()) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)


def _remedy_lines(result: ResultDict) -> list[str]:
    """Sentences, because changes do not fit a column of the terminal."""
    table = remedies(result, with_options=True)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    for rank, text, effect, options in table.rows[:MOST_REMEDIES]:
        lines += wrap(f"{text} [{effect}]", first=f"  {rank:>2}. ", rest=" " * 6)
        lines += wrap(options, first=" " * 6, rest=" " * 8) if options else []
    left = len(table.rows) - MOST_REMEDIES
    return [*lines, *(wrap(more(left, "in the report")) if left > 0 else [])]


def sensitivity(result: ResultDict) -> Table | None:
    """The verdict under other choices."""
    if not result["sensitivity"]:
        return None
    rows = tuple(
        (
            one["part"],
            one["what"],
            probability(one["risk"]),
            probability(one["overall"]),
            "acceptable" if one["acceptable"] else "not acceptable",
        )
        for one in result["sensitivity"]
    )
    return Table(
        "With other choices",
        "The same data under other thresholds, controls and assumptions, changed one at a time.",
        (
            Column("part"),
            Column("choice"),
            Column("risk", is_number=True),
            Column("with attempt", is_number=True),
            Column("verdict"),
        ),
        rows,
    )


def _choice_lines(result: ResultDict) -> list[str]:
    """Only the choices that would change the verdict on a part."""
    table = sensitivity(result)
    if table is None:
        return []
    now = {part["name"]: part["judged"]["acceptable"] for part in result["parts"]}
    turned = tuple(
        row
        for row, one in zip(table.rows, result["sensitivity"], strict=True)
        if one["acceptable"] != now[one["part"]]
    )
    if not turned:
        return heading(table.title, "None of the other choices tried would change the verdict on a part.")
    left = len(turned) - MOST_CHOICES
    shown = Table(
        table.title,
        "Each of these choices alone would change the verdict on a part. The report lists all choices tried.",
        table.columns,
        turned[:MOST_CHOICES],
        more(left, "in the report") if left > 0 else "",
    )
    return table_lines(shown)


def measures(result: ResultDict) -> Table | None:
    """What was done to protect people, one row per part."""
    rows = tuple((part["name"], " ".join(part["measures"])) for part in result["parts"] if part["measures"])
    if not rows:
        return None
    columns = (Column("part"), Column("measure", is_prose=True))
    return Table("Measures taken", "What was done to the data before release.", columns, rows)


def utility(result: ResultDict) -> Table | None:
    """How useful the data still are, one row per part for which that was measured."""
    found = [(part["name"], (part["result"] or {}).get("usefulness")) for part in result["parts"]]
    rows = tuple((name, *_utility_row(useful)) for name, useful in found if useful is not None)
    if not rows:
        return None
    return Table(
        "How useful the data still are",
        "Users' queries and models before and after. The verdict depends on the risk, not on these figures.",
        (
            Column("part"),
            Column("largest difference of a query", is_number=True),
            Column("largest loss of a model", is_number=True),
            Column("conclusions that change", is_number=True),
            Column("propensity ratio", is_number=True),
            Column("limits"),
        ),
        rows,
    )


def _utility_row(useful: ResultDict) -> tuple[str, ...]:
    loss = _largest(one["loss"] for one in useful["models"])
    compared = sum(one["compared"] for one in useful["models"])
    changed = sum(one["changed"] for one in useful["models"])
    unmet = [one["name"] for one in useful["limits"] if not one["met"]]
    met = "met" if useful["limits"] else MISSING
    return (
        percent(_largest(one["typical_relative"] for one in useful["queries"])),
        MISSING if loss is None else f"{loss:.3f}",
        f"{changed} of {compared}" if compared else MISSING,
        ratio((useful["propensity"] or {}).get("ratio")),
        f"not met: {', '.join(unmet)}" if unmet else met,
    )


def _largest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def agreement(result: ResultDict) -> Table | None:
    """Clauses that the verdict depends on."""
    if not result["agreement"]:
        return None
    return Table(
        "For the agreement with the recipient",
        "The verdict depends on these clauses. The wording is ours.",
        (Column("clause", is_prose=True), Column("counted for", is_prose=True)),
        tuple((one["clause"], one["counted_for"]) for one in result["agreement"]),
    )


def _agreement_lines(result: ResultDict) -> list[str]:
    number = len(result["agreement"])
    if not number:
        return []
    text = f"The verdict depends on {number} clause{'s' if number > 1 else ''}, listed in the report."
    return heading("For the agreement with the recipient", text)


def monitoring(result: ResultDict) -> Table | None:
    """What has changed since an earlier assessment."""
    since = result["monitoring"]
    if since is None:
        return None
    rows = tuple(
        (
            one["part"] or "all",
            str(one["what"]).replace("_", " "),
            _value_text(one["before"]),
            _value_text(one["after"]),
        )
        for one in since["changes"]
    )
    return Table(
        "Since the last assessment",
        _monitoring_text(result),
        (Column("part"), Column("figure"), Column("before"), Column("now")),
        rows or (("all", "nothing has changed", "", ""),),
        f"The next review is due on {since['review_due']}." if since["review_due"] else "",
    )


def _monitoring_text(result: ResultDict) -> str:
    since = result["monitoring"]
    verdict = "acceptable" if result["acceptable"] else "NOT acceptable"
    state = "The verdict is unchanged" if since["still_holds"] else "THE VERDICT HAS CHANGED"
    due = since["previous"]["review_due"]
    late = f" The review was due on {due} and is late." if since.get("is_late") else ""
    when = f" of {since['previous']['date']}" if since["previous"]["date"] else ""
    return f"Compared with the assessment{when}. {state}: {verdict}.{late}"


def trial(result: ResultDict) -> Table:
    """What a change that was tried would do to each part; `result` was compared with the last assessment."""
    changes = (result["monitoring"] or {}).get("changes", [])
    before: dict[tuple[str, str], Any] = {
        (one["part"], one["what"]): one["before"] for one in changes if one["part"]
    }
    rows = tuple(_trial_row(part, before) for part in result["parts"])
    verdict = "acceptable" if result["acceptable"] else "not acceptable"
    word = "is still" if result["monitoring"] and result["monitoring"]["still_holds"] else "would be"
    return Table(
        "If you make this change",
        f"The release {word} {verdict}. Nothing was written.",
        (
            Column("part"),
            Column("risk now", is_number=True),
            Column("risk then", is_number=True),
            Column("limit now", is_number=True),
            Column("limit then", is_number=True),
            Column("verdict then"),
        ),
        rows,
        marked=tuple(
            at
            for at, part in enumerate(result["parts"])
            if any(one["part"] == part["name"] for one in changes)
        ),
    )


def _trial_row(part: ResultDict, before: dict[tuple[str, str], Any]) -> tuple[str, ...]:
    judged, name = part["judged"], part["name"]
    was = before.get((name, "acceptable"), judged["acceptable"])
    changed = "" if was == judged["acceptable"] else ", as a result of this change"
    return (
        name,
        probability(before.get((name, "overall"), judged["overall"])),
        probability(judged["overall"]),
        probability(before.get((name, "threshold"), judged["threshold"])),
        probability(judged["threshold"]),
        f"{verdict_word(judged)}{changed}",
    )


def trial_text(result: ResultDict) -> str:
    """The same for the terminal."""
    return "\n".join(table_lines(trial(result))).strip("\n")


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return probability(value) if isinstance(value, float) else "none" if value is None else str(value)


def context(result: ResultDict) -> Facts:
    """The context in a few facts."""
    found = result["context"]
    review = result["release"]["review"]
    facts = (
        Fact("preset", found["preset"]["title"]),
        Fact("access", ACCESS[found["access"]]),
        Fact("controls", f"{found['controls']['level']}, {found['controls']['from']}"),
        Fact("context risk", short(found["context_risk"]), "probability that someone tries"),
        Fact("threshold", f"{limit(found)}: {found['threshold']['reason']}"),
        Fact("date", result["release"]["date"] or "not stated"),
        Fact("next review", review["due"] or "not stated"),
    )
    return Facts("Context", "Who gets the data, and which risk is accepted.", facts)


def inputs(result: ResultDict) -> Table:
    """The files that were read."""
    rows = tuple(
        (one["path"], part["name"], one["sha256"] or "a table on a server", f"{one['bytes'] or 0:,}")
        for part in result["parts"]
        for one in part["inputs"]
    )
    columns = (Column("input"), Column("part"), Column("SHA-256"), Column("bytes", is_number=True))
    return Table("Inputs", "Compare the hash to check that a file is the one that was read.", columns, rows)


def charts(result: ResultDict) -> tuple[Chart, ...]:
    """The parts with a risk against their limits; none where nothing could be judged."""
    shown = [part for part in result["parts"] if part["judged"]["overall"] is not None]
    return (limits_chart(shown),) if shown else ()


def limits_chart(parts: Sequence[ResultDict]) -> Chart:
    """The chart of parts that have a risk and a limit."""
    rows = [_limit_row(part) for part in parts]
    return Chart(
        "limits",
        "Risk against the limit",
        "The risk of each part as a multiple of its own limit, on a logarithmic scale. Filled dots are "
        "acceptable, hollow diamonds are not. The shaded area is above the limit. Lines are intervals.",
        " ".join(f"{row.name}: {row.label}." for row in rows),
        against_limits.height(rows),
        partial(against_limits.draw_against, rows=rows),
    )


def _limit_row(part: ResultDict) -> LimitRow:
    judged = part["judged"]
    risk, threshold = judged["overall"], judged["threshold"]
    risk = judged["risk"] if risk is None else risk
    scale = risk / judged["risk"] if judged["risk"] else 1.0
    low, high = (None if judged[end] is None else judged[end] * scale / threshold for end in ("low", "high"))
    label = f"{probability(risk)} of {probability(threshold)}"
    within = risk <= threshold if judged["acceptable"] is None else bool(judged["acceptable"])
    return LimitRow(part["name"], risk / threshold, low, high, label, within)


KIND = Kind(
    title="Assessment of a release",
    name_of=name_of,
    about=about,
    verdict=verdict,
    warnings=lambda result: result["context"]["notes"],
    alarms=failures,
    charts=charts,
    shows=(
        Show(parts),
        Show(inventory.unmeasured, lines=inventory.unmeasured_lines),
        Show(remedies, lines=_remedy_lines),
        Show(utility),
        Show(monitoring),
        Show(measures, terminal=False),
        Show(sensitivity, lines=_choice_lines),
        only_in_terminal(_agreement_lines),
        Show(context),
        Show(agreement, terminal=False),
        Show(inventory.inventory, terminal=False),
        Show(inputs, terminal=False),
        Show(versions, terminal=False),
    ),
    guide=GUIDE,
    comparison=Comparison(
        "The verdict on each release.",
        "release",
        (
            (Column("date"), lambda result: result["release"]["date"] or ""),
            (Column("parts", is_number=True), lambda result: str(len(result["parts"]))),
            (Column("verdict"), lambda result: verdict(result).word),
        ),
    ),
)
