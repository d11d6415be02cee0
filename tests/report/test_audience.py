"""A report is a release too: a shared one must not give back what the released table hides."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reidrisk as rr
from reidrisk.core.shared_figures import SHOWN, rules_of, shared
from reidrisk.report.codebook import codebook_text
from reidrisk.report.page import document_page, page
from reidrisk.report.views import draw
from reidrisk.report.writing import TEMPLATES, document_of
from reidrisk.tables.deidentify.options import DeidentifyOptions
from tests.report import assessed
from tests.report.kinds import KINDS

SCHEMA = rr.Schema(quasi=("sex", "age"))
CELL_SIZE = 5
FIVE = rr.Threshold.from_cell_size(CELL_SIZE, "hospital policy")
SECRET = ("F", 30)
OTHERS = [("F", 20), ("F", 40), ("M", 20), ("M", 30), ("M", 40), ("F", 50), ("M", 50), ("M", 60)] * 10
"""80 records in classes of ten; with the secret one, 81."""
Row = tuple[str, int]


@cache
def result_of(row: Row, suppress: str) -> rr.Deidentified:
    """The release of the 80 records and one more."""
    rows = [row, *OTHERS]
    table = pa.table({"sex": [sex for sex, _ in rows], "age": [age for _, age in rows]})
    options = DeidentifyOptions(suppress=suppress)  # type: ignore[arg-type]
    return rr.deidentify(table, SCHEMA, threshold=FIVE, max_suppression=0.1, options=options)


def released_rows(result: rr.Deidentified) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row.values()) for row in result.to_arrow().to_pylist())


@cache
def released_of(row: Row, suppress: str) -> Counter[tuple[Any, ...]]:
    """What the release of the 80 records and this one holds; made once, as it takes long."""
    return released_rows(result_of(row, suppress))


def candidates(published: Any, suppress: str, publish: Callable[[rr.Deidentified], Any]) -> set[Row]:
    """Every record that the suppressed one may be.

    The attacker knows the program and its settings. For each possible record, they repeat the whole work and
    keep the record if it gives the released table and everything that was published about it.
    """
    target = released_of(SECRET, suppress)
    found = set()
    for guess in ((sex, age) for sex in "FM" for age in range(20, 100, 10)):
        result = result_of(guess, suppress)
        if result.acceptable and released_of(guess, suppress) == target and publish(result) == published:
            found.add(guess)
    return found


def shared_report(result: rr.Deidentified) -> str:
    return document_page(document_of(result, audience="shared"))


PUBLISHED: dict[str, Callable[[rr.Deidentified], Any]] = {
    "codebook": lambda result: codebook_text(result.to_dict()),
    "dictionary": lambda result: result.shared(),
    "report": shared_report,
    "page": lambda result: page([result.shared()]),
}


@pytest.mark.parametrize("suppress", ["records", "cells"])
def test_the_internal_result_gives_back_the_suppressed_record(suppress: str) -> None:
    figures = result_of(SECRET, suppress).to_dict()
    assert candidates(figures, suppress, lambda result: result.to_dict()) == {SECRET}
    variables = figures["variables"]
    assert candidates(variables, suppress, lambda result: result.to_dict()["variables"]) == {SECRET}


@pytest.mark.parametrize("suppress", ["records", "cells"])
@pytest.mark.parametrize("what", PUBLISHED)
def test_what_is_shared_excludes_no_record_that_the_table_allows(what: str, suppress: str) -> None:
    publish = PUBLISHED[what]
    found = candidates(publish(result_of(SECRET, suppress)), suppress, publish)
    without_report = candidates(None, suppress, lambda _: None)
    assert SECRET in found
    assert found == without_report
    assert len(found) >= CELL_SIZE


@cache
def visits_of(number: int) -> rr.Deidentified:
    """The release of 80 people with three visits, without one who is alone in a class and has this number."""
    people = [(SECRET, number), *((row, 3) for row in OTHERS)]
    rows = [(person, *row, visit) for person, (row, most) in enumerate(people) for visit in range(most)]
    names = ("person", "sex", "age", "visit")
    table = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    schema = rr.Schema(quasi=("sex", "age", "visit"), unit="person", reduce={"visit": "first"})
    options = DeidentifyOptions(suppress="records")
    return rr.deidentify(table, schema, threshold=FIVE, max_suppression=0.1, options=options)


def test_the_internal_result_tells_the_number_of_rows_of_a_removed_person() -> None:
    told = [visits_of(number).to_dict()["solution"]["removed_rows"] for number in (1, 7, 12)]
    assert told == [1, 7, 12]
    changed = [visits_of(number).to_dict()["reduced"][0]["rows_changed"] for number in (1, 7, 12)]
    assert changed == [160, 166, 171]


@pytest.mark.parametrize("what", PUBLISHED)
def test_what_is_shared_fits_every_number_of_rows_of_a_removed_person(what: str) -> None:
    few, *others = (visits_of(number) for number in (2, 7, 12))
    for other in others:
        assert few.acceptable == other.acceptable
        assert released_rows(few) == released_rows(other)
        assert PUBLISHED[what](few) == PUBLISHED[what](other)


@cache
def read_with(missing: int, folder: Path) -> rr.Deidentified:
    """The release of 80 records and one more; of the others, this many ages are read as missing."""
    ages = ["unknown" if n < missing else str(age) for n, (_, age) in enumerate(OTHERS)]
    lines = [f"{sex},{age}" for (sex, _), age in zip(OTHERS, ages, strict=True)]
    (folder / "t.csv").write_text("\n".join(["sex,age", "F,30", *lines]) + "\n")
    reading = rr.TableReading(null=("unknown",))
    return rr.deidentify(folder / "t.csv", SCHEMA, threshold=FIVE, max_suppression=0.5, reading=reading)


def test_few_cells_read_as_missing_are_not_counted(tmp_path: Path) -> None:
    for missing, text in ((1, "fewer than 5 cells"), (4, "fewer than 5 cells"), (12, "10 cells")):
        result = read_with(missing, tmp_path)
        notes = result.shared()["settings"]["read_as"]
        assert f"column 'age': {text} read as missing" in notes
        assert result.shared()["before"]["settings"]["read_as"] == notes
        assert shared(json.loads(json.dumps(result.shared())))["settings"]["read_as"] == notes
        assert f"column 'age': {text} read as missing" in codebook_text(result.to_dict())


ROWS = st.lists(st.tuples(st.sampled_from("FM"), st.sampled_from([20, 30, 40])), min_size=12, max_size=60)
NOT_COUNTS = {
    "level_number",
    "level_numbers",
    "position",
    "cell_size",
    "rounded_to",
    "ladder",
    "max_suppression",
}
"""Whole numbers that count no records."""


def counts(value: Any, name: str = "") -> Iterator[tuple[str, int]]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in NOT_COUNTS and name not in NOT_COUNTS:
                yield from counts(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from counts(one, name)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield name, value


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=ROWS, suppress=st.sampled_from(["records", "cells"]))
def test_no_small_count_appears_in_what_is_shared(rows: list[Row], suppress: str) -> None:
    table = pa.table({"sex": [sex for sex, _ in rows], "age": [age for _, age in rows]})
    options = DeidentifyOptions(suppress=suppress)  # type: ignore[arg-type]
    result = rr.deidentify(table, SCHEMA, threshold=FIVE, max_suppression=1, options=options)
    found = result.shared()
    small = [(name, number) for name, number in counts(found) if 0 < number < CELL_SIZE]
    assert not small
    text = codebook_text(result.to_dict()) + draw(found, "terminal") + page([found])
    assert not re.search(r"(?<![\d.,/-])[1-4] (?:of \d+ )?(?:records?|cells?|rows?)\b", text)
    assert not re.search(r"(?<![\d.,])[1-4] (?:missing|suppressed)", text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_of_every_kind_is_declared(kind: str) -> None:
    result = KINDS[kind]()
    assert set(result) <= set(rules_of(kind)), "declare the new figure in core/shared_figures.py"


def test_every_key_of_an_assessment_is_declared() -> None:
    result = assessed.assessment()
    assert set(result) <= set(rules_of("assessment"))
    assert set(result["parts"][0]) <= set(rules_of("assessment")["parts"])  # type: ignore[arg-type]


def written_keys() -> dict[str, set[str]]:
    """The keys of every kind, as the source of its `to_dict` writes them."""
    found: dict[str, set[str]] = {}
    texts = (path.read_text(encoding="utf-8") for path in Path(rr.__file__).parent.rglob("*.py"))
    for text in (one for one in texts if '"kind"' in one):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Dict):
                pairs = [(key.value, value) for key, value in zip(node.keys, node.values, strict=True)
                         if isinstance(key, ast.Constant)]  # fmt: skip
                kind = dict(pairs).get("kind")
                if isinstance(kind, ast.Constant) and kind.value in SHOWN:
                    found.setdefault(str(kind.value), set()).update(str(name) for name, _ in pairs)
    return found


def test_every_key_in_the_source_is_declared() -> None:
    found = written_keys()
    assert set(found) == set(SHOWN)
    missing = {kind: names - set(rules_of(kind)) for kind, names in found.items()}
    assert not {kind: names for kind, names in missing.items() if names}


INNER = ("solution", "variables", "codebook", "threshold_ladder", "before")


@pytest.mark.parametrize("name", INNER)
def test_the_keys_within_a_deidentified_table_are_declared(name: str) -> None:
    rules: Any = rules_of("table_deidentified")[name]
    value = result_of(SECRET, "cells").to_dict()[name]
    for one in value if isinstance(value, list) else [value]:
        assert set(one) <= set(rules)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_all_views_for_a_shared_audience(kind: str) -> None:
    found = shared(json.loads(json.dumps(shared(KINDS[kind]()))))
    assert "Audience: shared" in draw(found, "terminal")
    text = page([found, found])
    assert "Audience: shared" in text
    assert "<svg" not in text
    assert shared(found) == found


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_states_its_audience(template: str) -> None:
    case = assessed.assessment()
    internal = document_page(document_of(case, template=template))
    assert "Audience: internal" in internal
    text = document_page(document_of(case, template=template, audience="shared"))
    assert "Audience: shared" in text
    for secret in (assessed.SHA, "seed"):
        assert secret not in text.replace("seeds", "")


def test_a_shared_report_says_what_each_count_is_rounded_to_and_which_risks_are_hidden() -> None:
    case = deepcopy(assessed.assessment())
    part = next(one for one in case["parts"] if one["result"] and one["result"]["kind"] == "table_risk")
    part["result"]["threshold"] |= {"cell_size": 3, "probability": 1 / 3}
    part["judged"] |= {"risk": 1.0, "overall": None, "acceptable": False}
    for template in ("summary", "general"):
        text = document_page(document_of(case, template=template, audience="shared"))
        assert "rounded down to a multiple of 3 or 5;" in text
        row = next(one for one in text.split("<tr")[1:] if f">{part['name']}<" in one.partition("</td>")[0])
        assert "not shown" in row


def test_a_report_of_a_shared_result_is_shared() -> None:
    found = json.loads(json.dumps(result_of(SECRET, "cells").shared()))
    text = document_page(document_of(found))
    assert "Audience: shared" in text
    assert "Audience: internal" not in text


def test_files_in_python_state_their_audience(tmp_path: Path) -> None:
    result = result_of(SECRET, "cells")
    assert json.loads(result.to_json())["audience"] == "internal"
    assert result.to_dict()["before"]["audience"] == "internal"
    assert result.shared()["audience"] == result.shared()["after"]["audience"] == "shared"
    for audience in ("internal", "shared"):
        rr.write_page(result, tmp_path / "page.html", audience=audience)
        assert f"Audience: {audience}" in (tmp_path / "page.html").read_text(encoding="utf-8")
    written = rr.write_report(result, tmp_path, audience="shared")
    assert "Audience: shared" in written[0].read_text(encoding="utf-8")
    assert "shared" in _pdf_text(written[1])


def _pdf_text(path: Path) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return "\n".join(one.get_textpage().get_text_range() for one in document)
