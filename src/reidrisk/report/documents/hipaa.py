"""Expert determination under HIPAA, 45 CFR 164.514(b)(1)."""

from __future__ import annotations

from typing import Any

from reidrisk.report.blocks.by_variable import VariableRow, variable_rows, without_empty_columns
from reidrisk.report.crosswalks import CROSSWALKS
from reidrisk.report.document import Block, Bullets, Prose, ReportDocument, Signature
from reidrisk.report.documents import agency, by_part, closing, context, opening
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.documents.people import PEOPLE, has_people
from reidrisk.report.numbers import MISSING, count, percent
from reidrisk.report.parts import Column, Source, Table

RULE = "45 CFR 164.514(b)(1)"
GUIDANCE = f"HHS, Guidance on De-identification (26 November 2012); {agency.NOT_CHECKED}"
SOURCES = (
    Source(
        "45 CFR 164.514(b)(1). Requirements for de-identification of protected health information: expert "
        "determination."
    ),
    Source(
        "US Department of Health and Human Services, Office for Civil Rights. Guidance Regarding Methods for "
        "De-identification of Protected Health Information in Accordance with the HIPAA Privacy Rule. "
        "26 November 2012."
    ),
)
READ = (
    "45 CFR 164.514(b)(1), as quoted in public.",
    "Descriptions of the guidance of the Department of Health and Human Services, for its principles: "
    "replicability, data source availability, distinguishability, and assessment of the risk.",
)
EXPERT = {"name": "Name", "qualification": "Knowledge and experience"}
DATES = {"date": "Date of the determination", "due": "Date of the next review"}
KNOWN = ("quasi-identifier", "derived quasi-identifier", "date", "event")
"""Roles whose variables the method takes to be known to the recipient."""
GONE = ("redaction", "recoding")
ELSEWHERE = opening.Elsewhere(
    "in the chapter on the results", "in the chapter on conditions and time limit", "in the annex"
)
MEASURED = (
    "Values are different values of the variable; unique is the share of records or participants that "
    "nobody else shares the value with, by this variable alone."
)
NOT_MEASURED = (
    "How distinguishable each variable is alone was not measured here; the risk of the part counts all of "
    "them together."
)
BY_DESIGN = "A pseudonym or a shifted date is unique by design; no outside source has it."
STATEMENT = (
    "Applying the principles and methods described in this report, I have determined that the risk is very "
    "small that the information could be used, alone or together with other reasonably available "
    "information, by an anticipated recipient to identify an individual who is a subject of the "
    "information."
)


def summary(case: dict[str, Any]) -> tuple[Block, ...]:
    """The first page; the chapters that it names are those of this template."""
    return opening.summary(case, ELSEWHERE)


def expert(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who makes the determination."""
    intro = (
        "This report is evidence for an expert. It is not a determination in itself: the expert must be "
        "satisfied that the methods fit the data and the recipient. The rule requires knowledge of and "
        "experience with generally accepted statistical and scientific methods."
    )
    facts = agency.stated_facts(
        case["release"].get("expert"),
        EXPERT,
        title="The expert",
        explanation="As stated in the release file.",
    )
    return (Prose((intro,)), *facts)


def recipient(case: dict[str, Any]) -> tuple[Block, ...]:
    """Which data are shared, with whom, under which controls."""
    return (*context.release(case), *agency.who_gets_it(case))


def principles(case: dict[str, Any]) -> tuple[Block, ...]:
    """Each variable by the principles of the guidance, with the figures that were measured."""
    text = (
        "The guidance asks of each variable whether it is replicable (the same when somebody looks for it "
        "again), available (outside sources give it together with names) and distinguishable (it tells "
        "people apart). Unless the expert judged otherwise in the release file, every quasi-identifier is "
        "taken to be replicable and available to the recipient, and everything else to be unknown outside. "
        "Distinguishability is measured."
    )
    judged = (case["release"].get("expert") or {}).get("principles") or {}
    found = agency.part_tables(case, lambda part: _principles(variable_rows(part["result"]), judged))
    classes = _class_sizes(case)
    return (Prose((text,)), *([classes] if classes else []), *found)


def _principles(rows: list[VariableRow], judged: dict[str, Any]) -> Table | None:
    if not rows:
        return None
    columns = (
        Column("variable", is_prose=True),
        Column("replicable", is_prose=True),
        Column("available", is_prose=True),
        Column("values before", is_number=True),
        Column("values after", is_number=True),
        Column("unique before", is_number=True),
        Column("unique after", is_number=True),
        Column("treatment", is_prose=True),
    )
    is_measured = any(row.values_before is not None for row in rows)
    table = Table(
        "Principles applied to each variable",
        f"{MEASURED if is_measured else NOT_MEASURED} Variables with the same entries share a row.",
        columns,
        _shared_rows(tuple(_principle_row(row, judged.get(row.name) or {}) for row in rows)),
        BY_DESIGN
        if any(row.technique in ("recoding", "offset") and row.unique_after for row in rows)
        else "",
    )
    return without_empty_columns(table)


def _shared_rows(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """One row for variables whose entries are the same, under all their names."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, *entries in rows:
        alike.setdefault(tuple(entries), []).append(name)
    return tuple((", ".join(names), *entries) for entries, names in alike.items())


def _principle_row(row: VariableRow, judged: dict[str, Any]) -> tuple[str, ...]:
    return (
        row.name,
        *(_grade(row, judged, name) for name in ("replicable", "available")),
        count(row.values_before),
        count(row.values_after),
        percent(row.unique_before),
        percent(row.unique_after),
        row.treatment,
    )


def _grade(row: VariableRow, judged: dict[str, Any], name: str) -> str:
    if judged.get(name):
        reason = f" ({judged['reason']})" if judged.get("reason") else ""
        return f"{judged[name]}, judged by the expert{reason}"
    if row.role in KNOWN:
        return "high, assumed"
    if row.technique in GONE:
        return "not released where found" if (row.places or {}).get("kept") else "not released"
    return "low, assumed"


def _class_sizes(case: dict[str, Any]) -> Table | None:
    """How people are alike on all quasi-identifiers of a part together."""
    rows = []
    for part in by_part.measured_parts(case):
        result = part["result"]
        before, after = result.get("before"), result.get("after")
        if result["kind"] == "table_deidentified" and before and after:
            rows.append((part["name"], before, after))
        elif result["kind"] == "table_risk":
            rows.append((part["name"], None, result))
    if not rows:
        return None
    return Table(
        "Distinguishability of all variables together",
        "The smallest equivalence class and the share of unique records, on all quasi-identifiers.",
        (
            Column("part"),
            Column("smallest class before", is_number=True),
            Column("smallest class after", is_number=True),
            Column("unique before", is_number=True),
            Column("unique after", is_number=True),
        ),
        tuple(
            (
                name,
                MISSING if before is None else count(before.get("smallest_class")),
                count(after.get("smallest_class")),
                MISSING if before is None else percent(before.get("unique_share")),
                percent(after.get("unique_share")),
            )
            for name, before, after in rows
        ),
    )


def method(case: dict[str, Any]) -> tuple[Block, ...]:
    """How the risk was measured, in short, and what was done to the data."""
    limit = agency.threshold_text(case)
    text = (
        "The risk is the probability that a record or a document is linked to the right person. It was "
        "measured on the data themselves, for the person who is most exposed, before and after the measures "
        "below. The annex has the equations, their sources and all settings."
    )
    against = (
        f"It is compared with {limit}." if limit else "It is compared with the threshold of each result."
    )
    done = [
        Bullets(f"Measures taken: {part['name']}", tuple(part["measures"]))
        for part in by_part.measured_parts(case)
        if part["measures"]
    ]
    return (Prose((f"{text} {against} {agency.own_limits(case)}".rstrip(),)), *done)


def results(case: dict[str, Any]) -> tuple[Block, ...]:
    """Initial and remaining risk, and the checks that were made."""
    return (*agency.risks(case), *agency.quality_checks(case))


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """What a researcher can still do."""
    return tuple(agency.still_useful(case))


def very_small(case: dict[str, Any]) -> tuple[Block, ...]:
    """Why this threshold is considered very small."""
    text = (
        "The rule requires a very small risk and states no number. The number used here was chosen for the "
        "stated reason. Precedents show that others have called similar numbers small; none of them binds "
        "the expert."
    )
    if not case["context"]:
        return (Prose((text,)), Prose((context.NO_CONTEXT,)))
    return (Prose((text,)), context.threshold(case), *context.precedents(case))


def conditions(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the determination depends on, its date and until when it is valid."""
    release = case["release"]
    stated = {"date": release.get("date"), "due": (release.get("review") or {}).get("due")}
    dates = agency.stated_facts(stated, DATES, title="Dates", explanation="As stated in the release file.")
    text = "Renew the determination earlier if the data, the recipient or publicly known information change."
    return (*context.agreement(case), *dates, Prose((text,)))


def determination(case: dict[str, Any]) -> tuple[Block, ...]:
    """The statement to sign; only offered if the verdict supports it."""
    if not case["acceptable"]:
        text = (
            "The figures do not support a determination that the risk is very small. No statement is "
            "offered for signature."
        )
        return (opening.verdict(case), Prose((text,)))
    given = case["release"].get("expert") or {}
    role = f"The expert: {given['name']}" if given.get("name") else "The expert"
    return (opening.verdict(case), Prose((STATEMENT,)), Signature((role,)))


def about(case: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one signature for all chapters
    """Where the headings come from, and what could not be checked."""
    text = (
        "The rule asks for an expert, methods, results and a determination, and prescribes no form. The "
        "headings are this program's own; the table says what each answers."
    )
    rows = [(entry.title, ORIGINS.get(entry.name, "this program")) for entry in CHAPTERS]
    return agency.headings_appendix(text, rows, READ)


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the rule and its guidance."""
    return closing.references(case, more=SOURCES)


ORIGINS = {
    "expert": f"{RULE}: a person with appropriate knowledge and experience",
    "recipient": f"{RULE}(i): the anticipated recipient, other reasonably available information",
    "principles": f"{GUIDANCE}, principles for determining the risk",
    "method": f"{RULE}(ii): the methods of the analysis are documented",
    "results": f"{RULE}(ii): the results of the analysis are documented",
    "very_small": f"{RULE}(i): the risk is very small",
    "conditions": f"{GUIDANCE}, on data use agreements and on time limits",
    "determination": f"{RULE}(i): the expert determines",
}
"""What the rule or its guidance asks for under each heading."""
CHAPTERS = (
    OutlineEntry("summary", "Summary", summary),
    OutlineEntry("expert", "The expert", expert),
    OutlineEntry("recipient", "The data and the anticipated recipient", recipient),
    OutlineEntry("principles", "Principles applied to each variable", principles),
    OutlineEntry("method", "Method", method),
    OutlineEntry("results", "Results: initial and remaining risk", results),
    OutlineEntry("utility", "What a researcher can still do", utility),
    OutlineEntry("very_small", "Whether the risk is very small", very_small),
    OutlineEntry("conditions", "Conditions and time limit", conditions),
    closing.LIMITATIONS,
    OutlineEntry("determination", "Determination", determination),
    OutlineEntry("references", "References", references),
)
APPENDICES = (OutlineEntry("about", "About this report", about),)
ANNEX = (
    closing.INVENTORY,
    OutlineEntry("treatment", "Measures and identifiers", by_part.measures_and_identifiers),
    OutlineEntry("figures", "All figures of the remaining risk", by_part.final),
    PEOPLE,
    closing.SENSITIVITY,
    closing.METHODS,
    closing.REMEDIES,
    context.CHECKLIST,
    CROSSWALKS,
    closing.SETTINGS,
)


def document(case: dict[str, Any]) -> ReportDocument:
    """All chapters in their order, and the annex."""
    title = "Expert determination under the HIPAA Privacy Rule"
    annex = [entry for entry in ANNEX if entry is not PEOPLE or has_people(case)]
    return make_document("hipaa", title, case, CHAPTERS, APPENDICES, annex)
