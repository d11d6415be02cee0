from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.core.result import Result
from reidrisk.report.page import page
from reidrisk.report.views import draw
from tests.report.test_page import Reader
from tests.tables.sources import adsl, prescriptions

MAKERS: dict[str, Callable[[], Result]] = {
    "suggestion": lambda: rr.suggest_roles(prescriptions(), scenario="neighbour"),
    "trial": lambda: rr.suggest_roles(adsl()),
    "hipaa": lambda: rr.hipaa_check(prescriptions()),
}


@pytest.fixture(scope="module", params=MAKERS)
def result(request: pytest.FixtureRequest) -> dict[str, Any]:
    return MAKERS[request.param]().to_dict()


def test_pages_are_well_formed_and_load_nothing(result: dict[str, Any]) -> None:
    read = Reader(page([result, result]))
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)
    assert read.loads == []


@pytest.mark.parametrize("how", ["terminal", "html"])
def test_a_result_read_back_from_json_looks_the_same(result: dict[str, Any], how: Any) -> None:
    assert draw(json.loads(json.dumps(result)), how) == draw(result, how)


def test_the_terminal_keeps_to_its_width_but_for_the_command(result: dict[str, Any]) -> None:
    lines = draw(result, "terminal").splitlines()
    own = [line for line in lines if not line.startswith("  rr.table_risk(")]
    assert all(len(line) <= 100 and line == line.rstrip() and line.isprintable() for line in own)


def test_every_column_is_on_the_page_and_in_the_terminal() -> None:
    found = MAKERS["trial"]().to_dict()
    text, shown = page([found]), draw(found, "terminal")
    for column in found["columns"]:
        assert column["column"] in text
        assert column["column"] in shown


def test_names_from_the_data_are_escaped() -> None:
    import pyarrow as pa

    found = rr.suggest_roles(pa.table({"<b>age</b>\x1b[31m": [1, 2, 3]})).to_dict()
    assert "<b>age" not in page([found])
    assert "\x1b" not in draw(found, "terminal")
