"""The demo study from end to end, measured with its answer key."""

from __future__ import annotations

import csv
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from reidrisk.demo.study import ANSWERS, REPORTS, write_study
from reidrisk.documents.kinds import read_document
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.study import Study
from tests.documents.answers import answers_in, read_key

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("typst")
Rows = list[dict[str, Any]]
FORMATS: dict[int, tuple[str, ...]] = {
    10: ("%d%b%Y", "%d %B %Y", "%d-%b-%Y", "%Y-%m-%d", "%B %d, %Y", "%d %b %Y"),
    7: ("%B %Y", "%b %Y", "%Y-%m", "%b%Y"),
    4: ("%Y",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo") / "study"
    write_study(made)
    return made


@pytest.fixture(scope="module")
def key(folder: Path) -> Rows:
    return read_key(folder / ANSWERS)


@pytest.fixture(scope="module")
def study(folder: Path) -> Study:
    return read_study(folder / "study.yaml")


@pytest.fixture(scope="module")
def originals(folder: Path) -> Rows:
    return subjects_in(folder / "data")


@pytest.fixture(scope="module")
def released(
    study: Study, originals: Rows, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, set[str]]]:
    """What the released tables hold of each participant, by variable."""
    assert study.released is not None
    out = tmp_path_factory.mktemp("released") / "tables"
    study.released.write_tables(out)
    rows = subjects_in(out)
    for name in ("ae", "mh"):
        with (out / f"{name}.csv").open(encoding="utf-8") as file:
            rows += list(csv.DictReader(file))
    found = []
    for number, one in enumerate(originals, start=1):
        new = study.released.value(number, "USUBJID", one["USUBJID"])
        assert new != one["USUBJID"]
        found.append(held([row for row in rows if row["USUBJID"] == new]))
    return found


def subjects_in(folder: Path) -> Rows:
    columns, _ = pyreadstat.read_xport(str(folder / "adsl.xpt"), output_format="dict")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def held(rows: Rows) -> dict[str, set[str]]:
    variables = {variable for row in rows for variable in row}
    return {each: {str(row[each]).casefold() for row in rows if each in row} for each in variables}


@pytest.mark.parametrize("name", REPORTS)
def test_the_key_lies_over_what_the_readers_give(folder: Path, key: Rows, name: str) -> None:
    blocks = list(read_document(folder / name))
    found = answers_in(key, blocks)
    wanted = [
        (piece["text"][each["start"] : each["end"]], piece) for piece in key for each in piece["mentions"]
    ]
    assert len(found) >= len(wanted)
    texts = {block.name: block.text for block in blocks}
    for answer, (text, _) in zip(found, wanted, strict=False):
        read = "".join(texts[block][start:end] for block, start, end in answer.spans)
        assert plain(read) == plain(text), answer.where


def plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def test_new_values_agree_with_the_released_tables(
    study: Study, key: Rows, originals: Rows, released: list[dict[str, set[str]]]
) -> None:
    """For every mention of every participant, in every writing."""
    assert study.released is not None
    checked = 0
    for subject, variable, written in mentioned(key):
        new = study.released.value(subject, variable or "RFSTDTC", written)
        assert agrees(new, variable, written, originals[subject - 1], released[subject - 1]), variable
        checked += 1
    assert checked > 3000


def mentioned(key: Rows) -> list[tuple[int, str | None, str]]:
    return [
        (subject, each["variable"], piece["text"][each["start"] : each["end"]])
        for piece in key
        for each in piece["mentions"]
        for subject in each["subjects"]
    ]


def agrees(
    new: str | None, variable: str | None, written: str, original: dict[str, Any], own: dict[str, set[str]]
) -> bool:
    """Whether a new text says what the released tables say."""
    if variable in ("SUBJINIT", "SITENAM", "BRTHDTC"):
        return new is None and own.get(variable, set()) <= {""}
    assert new is not None
    if variable is None:
        (start,) = own["RFSTDTC"]
        offset = date.fromisoformat(start) - date.fromisoformat(original["RFSTDTC"])
        return date.fromisoformat(iso(new)) - date.fromisoformat(iso(written)) == offset
    if variable.endswith("DTC"):
        return iso(new) in own[variable]
    if variable in ("SEX", "RACE"):
        return new == written and own[variable] == {str(original[variable]).casefold()}
    if variable == "USUBJID":
        (whole,) = own[variable]
        return whole.endswith(new.casefold()) and len(new) == len(written)
    return new.casefold() in own[variable]


def iso(text: str) -> str:
    """A date in one of the writings of the demo, as ISO 8601 of the same precision."""
    for width, formats in FORMATS.items():
        for layout in formats:
            try:
                return datetime.strptime(text, layout).date().isoformat()[:width]  # noqa: DTZ007 - a day
            except ValueError:
                continue
    raise AssertionError("no date in a known writing")
