"""What classes reveal about sensitive columns, in every view."""

from __future__ import annotations

import reidrisk as rr
from reidrisk.report.blocks.sensitive import blocks
from reidrisk.report.kinds.table_risk import KIND
from tests.tables.test_sensitive import ALIKE, SCHEMA, THREE


def test_terminal_page_and_document_have_the_same_tables() -> None:
    limits = rr.SensitiveLimits(l=2, t=0.3, beta=1.0, delta=2.0)
    risk = rr.table_risk(ALIKE, SCHEMA, threshold=THREE, sensitive_limits=limits)
    result = risk.to_dict()
    tables = blocks(result)
    assert [len(table.rows) for table in tables] == [1, 1, 4]
    text, page = str(risk), risk._repr_html_()
    for table in tables:
        assert table.title.upper() in text
        assert table.title in page
        assert table in KIND.chapter("final", result)
    assert max(len(line) for line in text.splitlines()) <= 100
    assert "NOT met" in text


def test_without_secrets_there_is_nothing_to_show() -> None:
    result = rr.table_risk(ALIKE, rr.Schema(quasi=("ward",)), threshold=THREE).to_dict()
    assert blocks(result) == ()
    del result["attribute_disclosure"]
    assert blocks(result) == ()
