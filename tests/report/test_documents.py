"""What stands in each template: nothing left out, nothing said that is not so."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import asdict, is_dataclass
from typing import Any

import pytest

from reidrisk.report.case import case_of
from reidrisk.report.document import (
    Chapter,
    Conditions,
    Formula,
    Notice,
    Pictures,
    ReportDocument,
    SectionHeading,
    Signature,
)
from reidrisk.report.documents import opening
from reidrisk.report.parts import Table, Verdict
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment, compared, context, part, table, text
from tests.report.deidentified import no_solution

LONG = ("general", "ema", "hipaa")


def texts(thing: Any) -> str:
    """All words of a block, a chapter or a document."""
    if is_dataclass(thing) and not isinstance(thing, type):
        return " ".join(texts(getattr(thing, name)) for name in type(thing).__dataclass_fields__)
    if isinstance(thing, list | tuple):
        return " ".join(map(texts, thing))
    return thing if isinstance(thing, str) else ""


def chapters(document: ReportDocument) -> list[Chapter]:
    """Those of the report, then those of its annex."""
    return [*document.chapters, *(document.annex.chapters if document.annex else ())]


def chapter(document: ReportDocument, name: str) -> Chapter:
    return next(one for one in chapters(document) if one.name == name)


def table_called(document: ReportDocument, title: str) -> Table:
    found: Table = next(block for block in blocks(document, Table) if block.title == title)
    return found


def blocks(document: ReportDocument, kind: type) -> list[Any]:
    return [block for one in chapters(document) for block in one.blocks if isinstance(block, kind)]


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_part_is_named_and_a_part_that_failed_says_so(template: str) -> None:
    document = document_of(assessment(), template=template)
    said = texts(document)
    for one in assessment()["parts"]:
        assert one["name"] in said
    first = texts(document.chapters[0])
    assert "second table could not be measured: second.csv does not exist." in first
    assert "could not be judged" in first


@pytest.mark.parametrize("template", LONG)
def test_a_part_that_failed_says_so_in_every_chapter_about_parts(template: str) -> None:
    document = document_of(assessment(), template=template)
    for one in document.chapters:
        headings = [block.text for block in one.blocks if isinstance(block, SectionHeading)]
        if any(text.startswith("second table") for text in headings):
            assert any(isinstance(block, Notice) and "Check its name." in block.text for block in one.blocks)


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_verdict_comes_first(template: str) -> None:
    for given, word in ((assessment(), "Not acceptable"), (accepted(), "Acceptable")):
        first = document_of(given, template=template).chapters[0]
        verdict = next(block for block in first.blocks if isinstance(block, Verdict))
        assert verdict.word == word


def test_what_speaks_against_the_release_stands_first() -> None:
    verdict = opening.verdict(case_of(assessment()))
    holds = [reason.holds for reason in verdict.reasons]
    assert holds[:3] == [False, False, False]
    assert True in holds[3:]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, '"notes" and "records" are above the limit and "second table" could not be measured.'),
        ({"acceptable": None}, "two parts are above their limits, one failed."),
        ({"unmeasured": [{"part": "notes", "item": "order"}]}, "1 item would leave without being measured."),
    ],
)
def test_one_sentence_says_whether_and_why(change: dict[str, Any], said: str) -> None:
    verdict = blocks(document_of(assessment(**change)), Verdict)[0]
    assert verdict.reasons[0].text.endswith(said)
    alone = blocks(document_of(accepted()), Verdict)[0]
    assert alone.reasons[0].text == (
        "These data may be released to University department of epidemiology, if the practices below are "
        "followed: its risk is within its limit."
    )
    assert alone.reasons[1].text == "released: The highest risk, 1/3, does not exceed 1/3."


def test_a_part_that_only_lacks_measured_items_is_not_called_too_risky() -> None:
    given = accepted()
    given["acceptable"] = given["parts"][0]["judged"]["acceptable"] = False
    given["unmeasured"] = [{"part": "released", "item": "remarks"}, {"part": "released", "item": "order"}]
    sentence = blocks(document_of(given), Verdict)[0].reasons[0].text
    assert sentence.endswith("as they are: 2 items would leave without being measured.")


def test_the_general_report_has_the_chapters_in_their_order() -> None:
    titles = [one.title for one in document_of(assessment()).chapters if not one.is_appendix]
    assert titles == [
        "Summary",
        "The release and its context",
        "What was done to the data",
        "The risk that is left",
        "What would change the verdict",
        "Practices for the data-sharing agreement",
        "Limitations",
    ]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_heading_names_its_source_and_no_other_is_marked(template: str) -> None:
    for one in document_of(assessment(), template=template).chapters:
        assert one.origin == (f"Heading: {one.source}" if one.source else "")


def test_the_headings_of_ema_are_marked_as_not_checked() -> None:
    document = document_of(assessment(), template="ema")
    assert "not checked against the original" in texts(chapter(document, "about"))
    assert "EMA/90915/2016" in texts(chapter(document, "references"))
    assert "Health Canada" in texts(chapter(document, "references"))


def test_numbers_and_letters_count_the_chapters() -> None:
    document = document_of(assessment())
    assert document.numbers[:2] == ("1", "2")
    assert document.annex is not None
    assert document.annex.numbers[:4] == ("A", "B", "C", "D")


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_level_of_headings_is_skipped(template: str) -> None:
    for one in document_of(assessment(), template=template).chapters:
        level = 0
        for depth in one.depths:
            assert depth <= level + 1
            level = depth


def test_every_interval_stands_with_its_risk() -> None:
    found = next(
        block for block in blocks(document_of(assessment()), Table) if block.title.startswith("The parts")
    )
    (row,) = [row for row in found.rows if row[0] == "notes"]
    low, high = text()["direct"]["low"], text()["direct"]["high"]
    assert f"({low:.4f}\u00a0to\u00a0{high:.4f})" in row[2]


def test_an_attempt_that_never_counts_has_no_column() -> None:
    title = "The parts of the release"
    titles = [column.name for column in table_called(document_of(accepted()), title).columns]
    assert "attempt" not in titles
    assert "attempt" in [column.name for column in table_called(document_of(assessment()), title).columns]


def test_many_parts_reasons_and_remedies_are_counted_on_the_first_page() -> None:
    many = assessment()
    many["parts"] = [part(f"part {number}", table()) for number in range(12)]
    many["reasons"] = [{"part": None, "text": f"Reason {number}.", "holds": False} for number in range(9)]
    first = texts(document_of(many).chapters[0])
    assert "4 more parts are in the chapter on the risk that is left." in first
    assert "5 more are with the verdicts on the parts." in first
    assert "3 more changes are in the chapter on what would change the verdict." in first
    whole = texts(chapter(document_of(many), "final"))
    assert all(f"part {number}" in whole for number in range(12))


@pytest.mark.parametrize("template", ["general", "ema", "hipaa"])
@pytest.mark.parametrize("made", [assessment, accepted], ids=lambda made: made.__name__)
def test_the_rest_of_a_list_is_where_the_first_page_says(made: Any, template: str) -> None:
    given = made()
    given["parts"] = [part(f"part {number}", table()) for number in range(12)]
    given["agreement"] = [
        {"practice": f"p{n}", "clause": f"Clause {n}.", "counted_for": ""} for n in range(9)
    ]
    report = document_of(given, template=template)
    assert report.annex is not None
    first = texts(report.chapters[0])
    named = re.findall(r"more \w+ are in the (annex|chapter on (?:the )?([^.]*))\.", first)
    assert len(named) == 2
    titles = [one.title.lower() for one in report.chapters]
    for place, chapter in named:
        assert place == "annex" or any(set(chapter.split()) <= set(re.split(r"\W? ", one)) for one in titles)
    others = " ".join(texts(one) for one in (*report.chapters[1:], *report.annex.chapters))
    kept = (
        [f"Clause {n}." for n in range(9)] if made is accepted else [one["text"] for one in given["remedies"]]
    )
    assert [one for one in (*kept, "part 11") if one not in others] == []


def test_formulas_are_those_of_the_kinds_that_occur_once_each() -> None:
    titles = [block.title for block in blocks(document_of(assessment()), Formula)]
    assert len(set(titles)) == len(titles)
    assert "Texts, direct identifiers" in titles
    only = [block.title for block in blocks(document_of(table()), Formula)]
    assert only == ["Tables, highest risk of a record", "Tables, average risk of the records"]


def test_choices_that_turn_the_verdict_are_marked() -> None:
    only, every = (
        block for block in blocks(document_of(assessment()), Table) if block.title == "Other choices"
    )
    assert [row[0] for row in only.rows] == ["cell size 5"]
    assert every.marked == (2,)
    assert "would change the verdict" in every.note
    steady = assessment(sensitivity=assessment()["sensitivity"][:2])
    said = texts(chapter(document_of(steady), "changes"))
    assert "None of the 2 other choices that were tried would change a verdict." in said


def test_conditions_of_what_is_not_acceptable_are_not_offered() -> None:
    assert blocks(document_of(accepted()), Conditions)
    refused = accepted()
    refused["acceptable"] = refused["parts"][0]["judged"]["acceptable"] = False
    for template in TEMPLATES:
        assert blocks(document_of(refused, template=template), Conditions) == []


def test_only_an_acceptable_release_is_offered_to_the_expert_for_signature() -> None:
    assert len(blocks(document_of(accepted(), template="hipaa"), Signature)) == 1
    refused = document_of(assessment(), template="hipaa")
    assert blocks(refused, Signature) == []
    assert "No statement is offered for signature." in texts(chapter(refused, "determination"))


@pytest.mark.parametrize(
    ("access", "probability", "expected"),
    [("public", 1 / 11, 0), ("public", 0.09, 0), ("non_public", 0.09, 1), ("non_public", 0.2, 2)],
)
def test_deviations_from_the_guidance_are_found(access: str, probability: float, expected: int) -> None:
    given = accepted()
    given["context"] = context() | {"access": access}
    given["context"]["threshold"]["probability"] = probability
    given["parts"][0]["judged"]["threshold"] = probability
    found = chapter(document_of(given, template="ema"), "deviations").blocks[0]
    assert isinstance(found, Table)
    assert [row[-1] for row in found.rows].count("DEVIATES") == expected


def test_without_a_context_nothing_of_it_is_claimed() -> None:
    for template in LONG:
        said = texts(document_of(table(), template=template))
        assert "No context was given." in said
        assert "None was" not in said
    found = chapter(document_of(table(), template="ema"), "deviations").blocks[0]
    assert isinstance(found, Table)
    assert {row[-1] for row in found.rows} == {"not stated"}


def test_a_date_is_that_of_the_release_or_none() -> None:
    assert document_of(assessment()).date == "2026-11-01"
    assert document_of(table()).date is None
    assert "does not claim to be an archive file" in texts(chapter(document_of(table()), "settings"))
    assert "archive file" not in texts(document_of(assessment()))


def test_what_changed_since_the_last_time_is_said() -> None:
    said = texts(chapter(document_of(accepted()), "monitoring"))
    assert "still holds" in said
    assert "10,364" in said
    lost = accepted()
    lost["monitoring"]["still_holds"] = False
    lost["monitoring"]["previous"]["review_due"] = "2026-05-01"
    lost["monitoring"]["is_late"] = True
    said = texts(chapter(document_of(lost), "monitoring"))
    assert "the verdict NO longer holds" in said
    assert "The review was due on 2026-05-01 and is late. The next review is due on 2027-11-01." in said


def test_a_checklist_is_shown_answer_by_answer() -> None:
    given = accepted()
    given["context"]["controls"]["checklist"] = [
        {
            "text": "Access is logged.",
            "group": "Safeguards",
            "core": True,
            "answer": "yes",
            "evidence": "seen",
        },
        {"text": "Data stay here.", "group": "Safeguards", "core": False, "answer": "no", "evidence": ""},
        {
            "text": "Visitors wait.",
            "group": "Safeguards",
            "answer": "not_applicable",
            "reason": "no visitors",
        },
        {"text": "Alarms ring.", "group": "Safeguards", "answer": None},
    ]
    found = chapter(document_of(given), "checklist").blocks[0]
    assert isinstance(found, Table)
    assert [row[3] for row in found.rows] == ["in place", "MISSING", "not applicable", "not answered"]
    assert found.rows[2][4] == "no visitors"


def test_one_source_of_all_precedents_is_said_once() -> None:
    given = accepted()
    for row in given["context"]["precedents"]:
        row["source"] = "The one source"
    found = table_called(document_of(given), "Precedents")
    assert found.note == "Source: The one source"
    assert len(found.columns) == 2


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_kind_of_result_can_be_reported_alone(template: str, of_any_kind: dict[str, Any]) -> None:
    document = document_of(of_any_kind, template=template)
    assert blocks(document, Verdict)
    for pictures in blocks(document, Pictures):
        assert all(chart.draw is not None or chart.caption for chart in pictures.charts)


def test_a_table_without_a_solution_is_reported() -> None:
    said = texts(document_of(no_solution(), template="ema"))
    assert "No solution was found, so nothing was changed and no information was lost." in said


def test_a_report_does_not_change_what_it_is_about() -> None:
    given = assessment()
    before = deepcopy(given)
    for template in TEMPLATES:
        document_of(given, template=template)
    assert given == before


def test_the_same_assessment_gives_the_same_document() -> None:
    assert texts(document_of(assessment())) == texts(document_of(assessment()))
    first, second = (chapter(document_of(compared()), "settings") for _ in range(2))
    assert asdict(first) == asdict(second)


def test_a_higher_threshold_that_may_be_used_asks_for_nothing() -> None:
    given = assessment()
    given["context"]["next_threshold"] = {
        "cell_size": 3,
        "probability": 1 / 3,
        "missing": [],
        "missing_count": 0,
        "level_needed": "high",
    }
    assert "1/3, may be used: the practices that it requires are in place" in texts(document_of(given))


def test_records_that_are_too_exposed_are_counted_by_a_threshold_that_is_named() -> None:
    said = texts(document_of(assessment()))
    assert "records above 1/3" in said
    assert "0 % above 1/3" in said
    assert "records above the threshold" not in said
