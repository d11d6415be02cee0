"""The reports for agencies and experts: nothing is invented, left blank or said twice."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from math import log2
from typing import Any

import pyarrow as pa
import pytest

import reidrisk as rr
from reidrisk.report.document import References, ReportDocument, Signature
from reidrisk.report.numbers import percent
from reidrisk.report.parts import Table, Verdict
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment
from tests.report.test_documents import blocks, chapter, texts

SUBMISSION = {
    "product": "Examplinib",
    "procedure": "EMEA/H/0000",
    "sponsor": "A sponsor",
    "studies": ["S-1", "S-2"],
    "version": "1.0",
}
PAGES = [
    {"document": "csr.pdf", "page": "page 3", "places": 2, "justification": "Unpublished assay"},
    {"document": "csr.pdf", "page": "page 7", "places": 1, "justification": None},
]


def described(**release: Any) -> dict[str, Any]:
    """An acceptable release of a table that was really de-identified."""
    given = accepted()
    given["release"] |= release
    given["parts"][0]["result"] = deepcopy(deidentified())
    return given


@cache
def deidentified() -> dict[str, Any]:
    """Forty people of forty ages: only tens of years leave, so 2 of the log2(40) bits of an age are left."""
    people = {
        "name": [f"Person {at}" for at in range(40)],
        "sex": ["F", "M"] * 20,
        "age": list(range(20, 60)),
        "drug": ["A"] * 40,
    }
    schema = rr.Schema(quasi=("sex", "age"), direct=("name",), other={"drug": "nobody knows it"})
    five = rr.Threshold.from_cell_size(5, "a test")
    rules = {"age": rr.Hierarchy.numbers("age", [10])}
    return rr.deidentify(pa.table(people), schema, rules, threshold=five, max_suppression=0).to_dict()


def test_information_is_counted_in_bits() -> None:
    rows = {row["column"]: row for row in deidentified()["variables"]}
    assert rows["sex"]["information_kept"] == 1
    assert rows["age"]["information_kept"] == pytest.approx(2 / log2(40))
    assert (rows["age"]["unique_before"], rows["age"]["unique_after"]) == (1, 0)


def all_texts(document: ReportDocument) -> str:
    return texts(document.chapters) + (texts(document.annex.chapters) if document.annex else "")


@pytest.mark.parametrize("template", ["ema", "hipaa"])
@pytest.mark.parametrize("given", [accepted, assessment])
def test_no_field_is_left_to_be_filled_in_and_no_heading_is_marked(template: str, given: Any) -> None:
    document = document_of(given(), template=template)
    said = all_texts(document)
    assert "to be filled in" not in said
    assert all(one.origin == "" for one in document.chapters)
    assert "not checked against the original" in texts(chapter(document, "about"))


def test_the_submission_is_printed_and_what_is_missing_is_said_in_one_sentence() -> None:
    first = texts(document_of(described(submission=SUBMISSION), template="ema").chapters[0])
    assert "Examplinib" in first
    assert "S-1, S-2" in first
    assert "not stated" not in first
    some = {"product": "Examplinib", "procedure": None}
    first = texts(document_of(described(submission=some), template="ema").chapters[0])
    missing = (
        "Procedure number, sponsor, studies and version of this report are not stated in the release file."
    )
    assert missing in first


def test_the_expert_is_named_where_the_determination_is_signed() -> None:
    given = described(expert={"name": "Ada Expert", "qualification": "Statistician"})
    document = document_of(given, template="hipaa")
    (signature,) = blocks(document, Signature)
    assert signature.roles == ("The expert: Ada Expert",)
    said = texts(chapter(document_of(accepted(), template="hipaa"), "expert"))
    assert "Name and knowledge and experience are not stated in the release file." in said


def test_each_variable_is_judged_by_the_principles_with_measured_figures() -> None:
    name, other, *_ = [row["column"] for row in deidentified()["variables"]]
    principles = {name: {"replicable": "high", "available": "low", "reason": "no register"}}
    given = described(expert={"name": None, "qualification": None, "principles": principles})
    found = chapter(document_of(given, template="hipaa"), "principles")
    (table,) = [
        one for one in found.blocks if isinstance(one, Table) and one.title.startswith("Principles applied")
    ]
    by_name = {row[0]: row for row in table.rows}
    result = given["parts"][0]["result"]
    for row in result["variables"]:
        assert by_name[row["column"]][3] == f"{row['values_before']:,}"
    assert by_name[name][2] == "low, judged by the expert (no register)"
    assert by_name[other][1] == "high, assumed"
    assert {row[0] for row in table.rows} == {row["column"] for row in result["codebook"]}


def test_every_variable_has_a_technique_of_the_public_descriptions() -> None:
    found = chapter(document_of(described(), template="ema"), "variables")
    (table,) = [block for block in found.blocks if isinstance(block, Table)]
    by_name = {row[0]: row[2] for row in table.rows}
    assert by_name == {"name": "redaction", "sex": "retained", "age": "generalization", "drug": "retained"}
    known = {"generalization", "redaction", "recoding", "offset", "retained"}
    assert {row[2] for row in table.rows} <= known
    named = {name for row in table.rows for name in row[0].split(", ")}
    assert named == {row["column"] for row in deidentified()["codebook"]}


def test_confidential_places_are_listed_by_page_and_justification() -> None:
    given = accepted()
    given["parts"][0]["result"]["confidential"] = PAGES
    (table,) = chapter(document_of(given, template="ema"), "confidential").blocks
    assert isinstance(table, Table)
    assert table.rows[0] == ("csr.pdf", "page 3", "2", "Unpublished assay")
    assert table.rows[1][3] == "not stated in the release file"
    said = texts(chapter(document_of(accepted(), template="ema"), "confidential"))
    assert "no documents in which commercially confidential information was marked" in said


def test_a_refused_release_is_not_offered_to_the_applicant_for_signature() -> None:
    refused = document_of(assessment(), template="ema")
    assert blocks(refused, Signature) == []
    assert "1 part could not be measured" in texts(chapter(refused, "conclusion"))
    assert len(blocks(document_of(accepted(), template="ema"), Signature)) == 1


def test_what_is_left_of_each_variable_is_shown_with_its_figures() -> None:
    found = chapter(document_of(described(), template="ema"), "utility")
    table = next(block for block in found.blocks if isinstance(block, Table))
    heads = [column.name for column in table.columns]
    rows = {row[0]: dict(zip(heads, row, strict=True)) for row in table.rows}
    for one in deidentified()["variables"]:
        assert rows[one["column"]]["values after"] == f"{one['values_after']:,}"
        assert rows[one["column"]]["information kept"] == percent(one["information_kept"])


@pytest.mark.parametrize("template", ["general", "ema", "hipaa"])
def test_a_part_with_too_few_documents_is_called_undecided_in_every_report(template: str) -> None:
    given = assessment()
    part = given["parts"][0]
    part["judged"] |= {"acceptable": False, "decision": "undecided", "documents_needed": None}
    words = {verdict.word for verdict in blocks(document_of(given, template=template), Verdict)[1:]}
    assert "Too few documents to decide" in words


def test_a_publication_is_listed_once_and_a_proposal_of_our_own_is_no_publication() -> None:
    cells = "Doe J. Cells of the old prescriptions. Journal of Cells 3 (2009) 7"
    given = accepted()
    given["context"]["sources"] = [
        {"citation": "Our own proposal; check whether it fits your case"},
        {"citation": cells},
        {"citation": f"{cells}, doi:10.1000/cells"},
    ]
    (found,) = blocks(document_of(given, template="hipaa"), References)
    cited = [source.citation for source in found.sources]
    assert [one for one in cited if "Doe" in one or "Our own" in one] == [f"{cells}, doi:10.1000/cells"]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_shared_report_has_every_chapter_about_the_verdict(template: str) -> None:
    given = assessment()
    given["parts"][0]["judged"] |= {"acceptable": False, "decision": "undecided", "documents_needed": None}
    item = {"part": "notes", "item": "texts", "role": "text", "treatment": "kept", "reason": "nobody looked"}
    given["inventory"] = [item | {"status": "unmeasured"}]
    own, shared = (document_of(given, template=template, audience=one) for one in ("internal", "shared"))
    names = [{chapter.name for chapter in document.chapters} for document in (own, shared)]
    assert names[0] - names[1] <= {"changes", "monitoring"}  # how suppressed values could be found
    words = {verdict.word for verdict in blocks(shared, Verdict)}
    assert ("Too few documents to decide" in words) is (template != "summary")
    assert "Not acceptable" in words


def test_paragraphs_of_one_rule_are_different_sources() -> None:
    given = accepted()
    rules = [f"45 CFR 164.514(b)({number}), a rule, United States" for number in (1, 2)]
    given["context"]["sources"] = [{"citation": rule} for rule in rules]
    (found,) = blocks(document_of(given, template="general"), References)
    assert [source.citation for source in found.sources if "a rule" in source.citation] == rules
