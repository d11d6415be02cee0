"""The anonymization report for EMA Policy 0070 and for Health Canada's public release (PRCI).

The form of the shared template could not be read. The headings are those that published descriptions of the
template, and of the steps in the guidance, give.
"""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Prose, ReportDocument, Signature
from reidrisk.report.documents import by_part, closing, context, opening
from reidrisk.report.documents.by_part import verdict_word
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.numbers import MISSING, one_in, probability
from reidrisk.report.parts import Column, Source, Table

LIMIT = 1 / 11
"""The cell size behind the printed 0.09."""
LITERAL = 0.09
TOLERANCE = 1e-9
TEMPLATE = (
    "shared template of EMA and Health Canada, as described in public (not verified against the form itself)"
)
STEPS = "steps of anonymisation in the EMA guidance EMA/90915/2016, as described in public"
SOURCES = (
    Source(
        "European Medicines Agency. External guidance on the implementation of the policy on the publication "
        "of clinical data for medicinal products for human use. EMA/90915/2016."
    ),
    Source(
        "Health Canada. Guidance document: Public Release of Clinical Information. Version 1.0, 12 March "
        "2019."
    ),
    Source(
        "Real Life Sciences. How the new anonymization report template impacts study sponsors "
        "(rlsciences.com/the-ema-policy-0070-and-health-canada-public-release-of-clinical-information-prci-"
        "anonymization-report). Read for the headings of the shared template."
    ),
    Source(
        "Maxer Consulting. Policy EMA/0070, part 2: anonymization of clinical reports for publication "
        "(III) "
        "(maxerconsulting.it/en/policy-ema0070-part-2-anonymization-of-clinical-reports-for-publication-iii)"
        ". Read for the steps of anonymisation."
    ),
)


def methodology(case: dict[str, Any]) -> tuple[Block, ...]:
    """What was released, and what was done to it."""
    text = (
        "Anonymity was established by an analysis of the risk of re-identification, not by showing that "
        "singling out, linking and inference are impossible. The measures for each part are described "
        "below."
    )
    return (Prose((text,)), *context.release(case), *by_part.measures(case))


def variables(case: dict[str, Any]) -> tuple[Block, ...]:
    """Direct identifiers and quasi-identifiers of every part."""
    text = (
        "Which variables identify a person directly, which can do so in combination with others, and what "
        "was done to each."
    )
    return (Prose((text,)), *by_part.chapter_by_part(case, "identifiers"))


def adversaries(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who could try to re-identify a person, and how likely that is."""
    text = (
        "Three adversaries are considered: one who knows that a person is in the data, one who knows only "
        "that the person belongs to the population, and one who tries to match as many people as possible. "
        "How likely an attempt is depends on who can get the data."
    )
    return (Prose((text,)), *context.context(case))


def utility(case: dict[str, Any]) -> tuple[Block, ...]:
    """How useful the data still are."""
    text = (
        "Every measure costs detail. The loss is described for each part, so that users of the data can "
        "judge whether the data still serve their purpose."
    )
    return (Prose((text,)), *by_part.chapter_by_part(case, "utility"))


def threshold(case: dict[str, Any]) -> tuple[Block, ...]:
    """The limit, and the limits that others use."""
    if not case["context"]:
        return (Prose((context.NO_CONTEXT,)),)
    text = (
        "For public release, both agencies state a maximum acceptable probability of 0.09. The whole "
        "number behind it is a cell size of 11; one in eleven is slightly above 0.09. This chapter states "
        "which of the two was used."
    )
    return (Prose((text,)), context.threshold(case), *context.precedents(case))


def deviations(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the guidance expects and what this release does, side by side."""
    given = case["context"] or {}
    access, limit, statistic = given.get("access"), given.get("threshold") or {}, given.get("statistic")
    number = limit.get("probability")
    strict = None if number is None else number <= max(LIMIT, LITERAL) + TOLERANCE
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
            else f"{one_in(number, limit.get('cell_size'))} ({probability(number)})",
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
    others = (
        "Give a reason for each deviation. Also state here what this program cannot see, such as "
        "information that was withheld for other reasons, or individuals other than trial participants."
    )
    return (Table("What the guidance expects", explanation, columns, rows), Prose((others,)))


def _comparison(as_expected: bool | None) -> str:  # noqa: FBT001 - None is an answer too
    return {True: "as expected", False: "DEVIATES", None: "not stated"}[as_expected]


def conclusion(case: dict[str, Any]) -> tuple[Block, ...]:
    """The verdict, and who confirms it."""
    text = (
        f"Result of this assessment: {verdict_word(case['acceptable'])}. By signing, you confirm that the "
        "report is complete and describes what was done to the published data."
    )
    return (opening.verdict(case), Prose((text,)), Signature(("For the applicant",)))


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the guidance that the headings come from."""
    return closing.references(case, more=SOURCES)


CHAPTERS = (
    opening.SUMMARY,
    OutlineEntry("methodology", "Anonymisation methodology", methodology, TEMPLATE),
    OutlineEntry("variables", "Identification of data variables", variables, TEMPLATE),
    OutlineEntry("adversaries", "Possible adversaries and plausible attacks", adversaries, STEPS),
    OutlineEntry("utility", "Data utility considerations", utility, TEMPLATE),
    OutlineEntry("threshold", "Threshold of the risk of re-identification", threshold, STEPS),
    OutlineEntry("initial", "Risk assessment: initial risk", by_part.initial, TEMPLATE),
    OutlineEntry("residual", "Risk assessment: residual risk", by_part.final, TEMPLATE),
    OutlineEntry("deviations", "Deviations from the guidance", deviations, TEMPLATE),
    OutlineEntry("conclusion", "Conclusion and confirmation", conclusion, TEMPLATE),
    OutlineEntry("references", "References", references),
)
APPENDICES = (
    closing.SENSITIVITY,
    closing.METHODS,
    closing.LIMITATIONS,
    closing.REMEDIES,
    context.CHECKLIST,
    closing.SETTINGS,
)


def document(case: dict[str, Any]) -> ReportDocument:
    """All chapters in their order."""
    return make_document("ema", "Anonymisation report", case, CHAPTERS, APPENDICES)
