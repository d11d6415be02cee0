"""The anonymization report for EMA Policy 0070 and for Health Canada's public release (PRCI).

The form of the shared template could not be read. The headings are those that published descriptions of the
template, and of the steps in the guidance, give; an appendix says so.
"""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.blocks.by_variable import kept_share, techniques, variable_rows
from reidrisk.report.crosswalks import CROSSWALKS
from reidrisk.report.document import Block, Bullets, Prose, ReportDocument, Signature
from reidrisk.report.documents import agency, by_part, closing, context, opening
from reidrisk.report.documents.agency import NOT_CHECKED
from reidrisk.report.documents.by_part import measured_parts, verdict_word
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.documents.people import PEOPLE, has_people
from reidrisk.report.kind import when_shown
from reidrisk.report.numbers import MISSING, count, one_in, percent, probability
from reidrisk.report.parts import Column, Source, Table
from reidrisk.report.traced import size

LIMIT = 1 / 11
"""The cell size behind the printed 0.09."""
LITERAL = 0.09
TOLERANCE = 1e-9
ELSEWHERE = opening.Elsewhere("in the chapter on the risk assessment", "in the annex", "in the annex")
TEMPLATE = f"shared template of EMA and Health Canada, as described in public; {NOT_CHECKED}"
STEPS = f"steps of anonymisation in the EMA guidance EMA/90915/2016, as described in public; {NOT_CHECKED}"
SUBMISSION = {
    "product": "Product",
    "procedure": "Procedure number",
    "sponsor": "Sponsor",
    "studies": "Studies",
    "version": "Version of this report",
}
SOURCES = (
    Source(
        "European Medicines Agency. External guidance on the implementation of the policy on the publication "
        "of clinical data for medicinal products for human use. EMA/90915/2016."
    ),
    Source(
        "Health Canada. Guidance document: Public Release of Clinical Information. Version 1.0, 12 March "
        "2019."
    ),
)
READ = (
    "Real Life Sciences. How the new anonymization report template impacts study sponsors "
    "(rlsciences.com). Read for the headings of the shared template.",
    "Maxer Consulting. Policy EMA/0070, part 2: anonymization of clinical reports for publication "
    "(maxerconsulting.it). Read for the steps of anonymisation and the two ways to show anonymity.",
    "Health Canada. Public Release of Clinical Information: guidance document (canada.ca). Its contents and "
    "introduction were read.",
)


def summary(case: dict[str, Any]) -> tuple[Block, ...]:
    """The submission, then the verdict with the parts."""
    submission = agency.stated_facts(
        case["release"].get("submission"),
        SUBMISSION,
        title="The submission",
        explanation="As stated in the release file.",
    )
    return (*opening.summary(case, ELSEWHERE), *submission)


def methodology(case: dict[str, Any]) -> tuple[Block, ...]:
    """How anonymity was shown, and what was done to each part."""
    in_words = [part["name"] for part in measured_parts(case) if _is_qualitative(part)]
    by_figures = [part["name"] for part in measured_parts(case) if not _is_qualitative(part)]
    texts = [
        "Anonymity is judged by an analysis of the risk of re-identification, not by showing that "
        "singling out, linking and inference are impossible."
    ]
    if by_figures:
        texts.append(f"The approach is quantitative for: {', '.join(by_figures)}.")
    if in_words:
        texts.append(
            f"The approach is qualitative, with the risk described in words, for: {', '.join(in_words)}."
        )
    done = [
        Bullets(f"Measures taken: {part['name']}", tuple(part["measures"]))
        for part in measured_parts(case)
        if part["measures"]
    ]
    return (Prose((" ".join(texts),)), *context.release(case), *done)


def _is_qualitative(part: dict[str, Any]) -> bool:
    return bool(part["result"].get("scenario") == "qualitative")


def adversaries(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who could try to re-identify a person, and how likely that is."""
    text = (
        "Three adversaries are considered: one who knows that a person is in the data, one who knows only "
        "that the person belongs to the population, and one who tries to match as many people as possible. "
        "How likely an attempt is depends on who can get the data."
    )
    return (Prose((text,)), *agency.who_gets_it(case))


def variables(case: dict[str, Any]) -> tuple[Block, ...]:
    """The technique for every variable, with its justification."""
    text = (
        "Which variables identify a person directly, which can do so in combination with others, what was "
        "done to each, and why."
    )
    found = agency.part_tables(case, lambda part: techniques(variable_rows(part["result"])))
    return (Prose((text,)), *found)


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """What is left: transformed rather than redacted, and why redacted where so."""
    found = agency.still_useful(case)
    texts = [
        text
        for part in measured_parts(case)
        if (text := when_shown(lambda own=part: _transformed(own), part["result"], ""))  # type: ignore[misc]
    ]
    intro = (
        "Values are transformed rather than redacted where the released data have a value to put in their "
        "place. They are redacted where no value may be released, or where it is not certain whom they mean."
    )
    return (Prose((intro, *texts)), *found)


def _transformed(part: dict[str, Any]) -> str:
    rows = variable_rows(part["result"])
    kept, places = kept_share(rows)
    named: dict[str, list[Any]] = {}
    for row in rows:
        named.setdefault(row.technique, []).append(row.source)
    counted = ", ".join(f"{name} {size(found)}" for name, found in sorted(named.items()))
    sentence = f"{part['name']}: variables by technique: {counted}." if named else ""
    if places:
        rest = "" if kept == places else " and the others are redacted"
        sentence += (
            f" Of {count(places)} places of identifiers that were found, {count(kept)} "
            f"({percent(kept / places)}) keep a value{rest}."
        )
    return sentence.strip()


def threshold(case: dict[str, Any]) -> tuple[Block, ...]:
    """The limit and its reason, and the limits that others use."""
    if not case["context"]:
        return (Prose((context.NO_CONTEXT,)),)
    number = (case["context"].get("threshold") or {}).get("probability")
    text = (
        "For public release, both agencies state a maximum acceptable probability of 0.09. The whole "
        "number behind it is a cell size of 11; one in eleven is slightly above 0.09."
    )
    if number is not None:
        limit = one_in(number, case["context"]["threshold"].get("cell_size"))
        text += f" The limit of this release is {limit}. {agency.own_limits(case)}".rstrip()
    return (Prose((text,)), context.threshold(case), *context.precedents(case))


def risk_assessment(case: dict[str, Any]) -> tuple[Block, ...]:
    """Initial and residual risk of every part."""
    text = (
        "The initial risk is that of the data as they were collected; the residual risk is that of the data "
        "as they would be published. The annex has all figures of each part."
    )
    return (Prose((text,)), *agency.risks(case))


def deviations(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the guidance expects and what this release does, side by side."""
    given = case["context"] or {}
    access, limit, statistic = given.get("access"), given.get("threshold") or {}, given.get("statistic")
    number = limit.get("probability")
    limits = [number, *(part["judged"]["threshold"] for part in measured_parts(case))]
    largest = None if number is None else max(one for one in limits if one is not None)
    strict = None if largest is None else largest <= max(LIMIT, LITERAL) + TOLERANCE
    rows = (
        (
            "access",
            "public: an attempt is assumed to be certain",
            context.ACCESS.get(str(access), MISSING),
            _comparison(None if access is None else access == "public"),
        ),
        (
            "threshold",
            "0.09, or one in eleven",
            MISSING
            if number is None
            else f"{one_in(number, limit.get('cell_size'))} ({probability(number)}). "
            f"{agency.own_limits(case)}".rstrip(". "),
            _comparison(strict),
        ),
        (
            "statistic",
            "the highest risk of a record",
            context.STATISTICS.get(str(statistic), MISSING),
            _comparison(None if statistic is None else statistic == "highest"),
        ),
    )
    columns = (
        Column("subject", is_prose=True),
        Column("the guidance", is_prose=True),
        Column("this release", is_prose=True),
        Column("result"),
    )
    explanation = "As far as this program can determine from the release file."
    reason = f" The reason for the threshold: {limit['reason']}." if limit.get("reason") else ""
    others = (
        "Individuals other than trial participants, such as investigators and staff, are covered only where "
        f"the documents part found them.{reason}"
    )
    return (Table("What the guidance expects", explanation, columns, rows), Prose((others,)))


def _comparison(as_expected: bool | None) -> str:  # noqa: FBT001 - None is an answer too
    return {True: "as expected", False: "DEVIATES", None: "not stated"}[as_expected]


def quality(case: dict[str, Any]) -> tuple[Block, ...]:
    """How the anonymization was checked."""
    return tuple(agency.quality_checks(case))


def confidential(case: dict[str, Any]) -> tuple[Block, ...]:
    """Commercially confidential information by document and page, with its justification; never its text."""
    looked = [part for part in measured_parts(case) if (part["result"].get("confidential")) is not None]
    rows = tuple(
        (
            row["document"],
            row["page"],
            count(row["places"]),
            row.get("justification") or "not stated in the release file",
        )
        for part in looked
        for row in part["result"]["confidential"]
    )
    if not rows:
        where = ", ".join(part["name"] for part in looked)
        text = (
            f"No place is marked as commercially confidential in: {where}."
            if looked
            else "This release has no documents in which commercially confidential information was marked."
        )
        return (Prose((text,)),)
    columns = (
        Column("document"),
        Column("page"),
        Column("places", is_number=True),
        Column("justification", is_prose=True),
    )
    explanation = "Places that reviewers marked, by document and page. Their text is not shown."
    return (Table("Commercially confidential information", explanation, columns, rows),)


def conclusion(case: dict[str, Any]) -> tuple[Block, ...]:
    """The verdict, and who confirms it."""
    failed = size(case["parts"]) - size(measured_parts(case))
    missing = f" {plural(failed, 'part')} could not be measured." if failed else ""
    result = f"Result of this assessment: {verdict_word(case['acceptable'])}.{missing}"
    if case["acceptable"] is False:
        refused = "The data cannot be submitted as they are. Nothing is offered for signature."
        return (Prose((f"{result} {refused}",)),)
    signed = (
        "By signing, you confirm that the report is complete and describes what was done to the published "
        "data."
    )
    return (Prose((f"{result} {signed}",)), Signature(("For the applicant",)))


def about(case: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one signature for all chapters
    """Where the headings come from, and what could not be checked."""
    text = (
        "The forms of the agencies could not be read when this template was made. Headings and their order "
        f"follow public descriptions and are {NOT_CHECKED}. Other headings are this program's own. Compare "
        "them with the current form before you submit."
    )
    rows = [(entry.title, ORIGINS.get(entry.name, "this program")) for entry in CHAPTERS]
    return agency.headings_appendix(text, rows, READ)


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the guidance that the report follows."""
    return closing.references(case, more=SOURCES)


ORIGINS = {
    "methodology": TEMPLATE,
    "adversaries": STEPS,
    "variables": TEMPLATE,
    "utility": TEMPLATE,
    "threshold": STEPS,
    "risk": TEMPLATE,
    "deviations": TEMPLATE,
    "conclusion": TEMPLATE,
}
"""Chapters that a public description names."""
CHAPTERS = (
    OutlineEntry("summary", "Summary", summary),
    OutlineEntry("methodology", "Anonymisation methodology", methodology),
    OutlineEntry("adversaries", "Possible adversaries and plausible attacks", adversaries),
    OutlineEntry("variables", "Identification of data variables", variables),
    OutlineEntry("threshold", "Threshold of the risk of re-identification", threshold),
    OutlineEntry("risk", "Risk assessment: initial and residual risk", risk_assessment),
    OutlineEntry("utility", "Data utility considerations", utility),
    OutlineEntry("quality", "Quality checks", quality),
    OutlineEntry("confidential", "Commercially confidential information", confidential),
    OutlineEntry("deviations", "Deviations from the guidance", deviations),
    OutlineEntry("conclusion", "Conclusion and confirmation", conclusion),
    OutlineEntry("references", "References", references),
)
APPENDICES = (OutlineEntry("about", "About this report", about),)
ANNEX = (
    closing.INVENTORY,
    OutlineEntry("treatment", "Measures and identifiers", by_part.measures_and_identifiers),
    OutlineEntry("figures", "All figures of the residual risk", by_part.final),
    PEOPLE,
    closing.SENSITIVITY,
    closing.METHODS,
    closing.LIMITATIONS,
    closing.REMEDIES,
    context.AGREEMENT,
    context.CHECKLIST,
    CROSSWALKS,
    closing.SETTINGS,
)


def document(case: dict[str, Any]) -> ReportDocument:
    """All chapters in their order, and the annex."""
    annex = [entry for entry in ANNEX if entry is not PEOPLE or has_people(case)]
    return make_document("ema", "Anonymisation report", case, CHAPTERS, APPENDICES, annex)
