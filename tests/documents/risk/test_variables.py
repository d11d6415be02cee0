"""What becomes of each variable in documents: counted by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reidrisk.documents.risk.measure import measure_documents
from reidrisk.documents.risk.measured import DocumentMeasure
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.risk.variables import confidential_pages, document_variables
from reidrisk.documents.study.study import ReleaseRules
from tests.documents.risk.builders import everybody, findings, kumar_study
from tests.papers.tables import KUMAR

AGES = [age for _, age in KUMAR]


def alone(values: list[object]) -> float:
    return sum(values.count(value) == 1 for value in values) / len(values)


def test_redacted_documents_tell_nothing(tmp_path: Path) -> None:
    study = kumar_study(tmp_path)
    found = {
        one.variable: one
        for one in document_variables(study, [findings(everybody(["USUBJID", "SEX", "AGE"]))], "redact")
    }
    assert {one.redacted for one in found.values()} == {10}
    assert {one.information_kept for one in found.values()} == {0.0}
    age = found["AGE"]
    assert (age.values_before, age.values_after) == (len(set(AGES)), 0)
    assert age.unique_before == pytest.approx(alone(list(AGES)))
    assert (age.unique_after, age.treatment) == (0.0, "redacted")


def test_what_the_released_data_keep_is_unchanged_and_ids_are_redacted(tmp_path: Path) -> None:
    study = kumar_study(tmp_path, deidentified=ReleaseRules())
    spots = [*everybody(["USUBJID", "SEX"]), (1, "AGE", "12"), (2, "AGE", "14"), (3, "AGE", None)]
    study = replace(study, sections={"12": "leave_out", "14": "keep"})
    found = {one.variable: one for one in document_variables(study, [findings(spots)], "replace")}
    assert (found["USUBJID"].redacted, found["USUBJID"].treatment) == (10, "removed")
    assert (found["SEX"].unchanged, found["SEX"].information_kept) == (10, 1.0)
    age = found["AGE"]
    assert (age.left_out, age.kept, age.unchanged) == (1, 1, 1)
    assert age.unique_after == age.unique_before


def test_a_type_that_the_data_do_not_have_has_places_only(tmp_path: Path) -> None:
    document = findings([(1, "AGE", None)])
    name = replace(document.findings[0], type="NAME", variable=None)
    (row,) = [
        one
        for one in document_variables(kumar_study(tmp_path), [replace(document, findings=(name,))], "redact")
        if not one.in_data
    ]
    assert (row.variable, row.role, row.redacted, row.values_before) == ("NAME", "direct identifier", 1, None)


def test_a_type_with_the_name_of_a_variable_is_not_that_variable(tmp_path: Path) -> None:
    document = findings([(1, "AGE", None), (2, "AGE", None), (3, "AGE", None)])
    nobody_said = replace(document.findings[0], variable=None)
    document = replace(document, findings=(nobody_said, *document.findings[1:]))
    rows = document_variables(kumar_study(tmp_path), [document], "redact")
    assert [(one.in_data, one.redacted) for one in rows if one.variable == "AGE"] == [(True, 2), (False, 1)]


def test_confidential_places_are_counted_by_page_and_survive_storage(tmp_path: Path) -> None:
    document = findings(everybody(["AGE"]), pages=2)
    marked = tuple(replace(one, category="CCI") if one.start < 40 else one for one in document.findings)
    document = replace(document, findings=marked)
    pages = confidential_pages([document])
    assert [(one.document, one.page, one.places) for one in pages] == [
        ("csr.pdf", "page 1", 2),
        ("csr.pdf", "page 2", 2),
    ]
    measured = measure_documents(
        kumar_study(tmp_path), "ipd_mentioned", findings=[document], settings=DocumentSettings()
    )
    again = DocumentMeasure.from_dict(measured.to_dict())
    assert again.confidential == pages
    assert again.variables == measured.variables
