"""Without findings the documents of the study are searched here."""

from __future__ import annotations

from pathlib import Path

import reidrisk as rr
from tests.documents.risk.builders import kumar_study

REPORT = """\
12.3.2 Narratives

Subject CT1/101

Subject CT1/101 was a 26-year-old male who had a headache.

Subject CT1/102

Subject CT1/102 was 26 years old and completed the study.
"""


def test_who_is_mentioned_is_found_out(tmp_path: Path) -> None:
    kumar_study(tmp_path)
    (tmp_path / "csr").mkdir()
    (tmp_path / "csr" / "report.txt").write_text(REPORT, encoding="utf-8")
    schema = rr.Schema(quasi=("SEX", "AGE"))
    study = rr.Study(
        tmp_path / "adsl.csv", schema, subject="USUBJID", documents=str(tmp_path / "csr"), name="CT1"
    )
    risk = rr.document_risk(study, scenario="ipd_mentioned")
    found = risk.to_dict()
    assert risk.measured.mentioned is not None
    groups = {(one.variables, one.class_size) for one in risk.measured.mentioned.groups}
    assert groups == {(("SEX", "AGE"), 3), (("AGE",), 5)}
    assert any("From the findings alone the risk would be 0.3333" in text for text in found["warnings"])
    assert found["highest"] == 1.0, "nobody read the report: more may be told than was found"
    assert found["initial"]["highest"] == 1.0
    assert [one["section"] for one in found["sections"]] == ["12.3.2"]
