"""The demo study from end to end, measured with its answer key."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from reidrisk.demo.study import ANSWERS, REPORTS
from reidrisk.demo.study.answers import answers_in, read_key
from reidrisk.demo.study.elements import PARTICIPANT
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.anonymize.settings import AnonymizeSettings
from reidrisk.documents.detection.detect import detect_document
from reidrisk.documents.document import Block
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFindings, mentions
from reidrisk.documents.formats import read_document
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.study import Study
from tests.documents.scoring import Score, score

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("typst")
TWO_LINES = re.compile(r"PPD\s*\n\s*PPD")
"""What stood on two lines has two boxes."""
Rows = list[dict[str, Any]]
FORMATS: dict[int, tuple[str, ...]] = {
    10: ("%d%b%Y", "%d %B %Y", "%d-%b-%Y", "%Y-%m-%d", "%B %d, %Y", "%d %b %Y"),
    7: ("%B %Y", "%b %Y", "%Y-%m", "%b%Y"),
    4: ("%Y",),
}


@pytest.fixture(scope="module")
def folder(demo_study: Path) -> Path:
    return demo_study


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
    checked = 0
    for subject, variable, written in mentioned(key):
        new = new_text(study, subject, variable, written)
        assert agrees(new, variable, written, originals[subject - 1], released[subject - 1]), variable
        checked += 1
    assert checked > 3000


def test_ids_do_not_tell_who_shares_a_site_that_is_not_released(folder: Path, originals: Rows) -> None:
    strict = read_study(folder / "strict.yaml").released
    assert strict is not None
    new = [strict.value(number, "USUBJID", one["USUBJID"]) for number, one in enumerate(originals, start=1)]
    assert len(set(new)) == len(originals)
    assert len({str(name).rsplit("-", 1)[0] for name in new}) == 1


def new_text(study: Study, subject: int, variable: str | None, written: str) -> str | None:
    assert study.released is not None
    if variable is None:
        return study.released.day(subject, written)
    coded = {"AETERM": "AEDECOD", "MHTERM": "MHDECOD"}.get(variable, variable)
    if written.casefold() in {value.casefold() for value in study.data.of(subject, coded)}:
        variable = coded  # what was typed as it is coded is the coded term
    return study.released.value(subject, variable, written)


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
    if variable in ("AETERM", "MHTERM") and new is not None:
        variable = variable.replace("TERM", "DECOD")
    if variable in ("SUBJINIT", "SITENAM", "BRTHDTC", "AETERM", "MHTERM"):
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


@pytest.fixture(scope="module")
def blocks(folder: Path) -> dict[str, list[Block]]:
    return {name: list(read_document(folder / name)) for name in REPORTS}


@pytest.fixture(scope="module")
def found(folder: Path, study: Study) -> dict[str, DocumentFindings]:
    return {name: detect_document(folder / name, study, settings=DetectSettings()) for name in REPORTS}


@pytest.fixture(scope="module")
def scores(key: Rows, blocks: dict[str, list[Block]], found: dict[str, DocumentFindings]) -> dict[str, Score]:
    return {name: score(found[name], answers_in(key, blocks[name]), blocks[name]) for name in REPORTS}


@pytest.mark.parametrize("name", REPORTS)
def test_every_mention_of_every_participant_is_found(scores: dict[str, Score], name: str) -> None:
    missed = [answer.where for answer in scores[name].missed if answer.kind in ("id", "date", "quasi")]
    assert not missed
    assert scores[name].answers["date"] > 900
    assert scores[name].precision >= 0.95


@pytest.mark.parametrize("name", REPORTS)
def test_every_mention_is_given_to_its_participant(scores: dict[str, Score], name: str) -> None:
    """Though most ages, sexes and dates are those of many."""
    for answer, given in scores[name].given.items():
        if answer.kind in ("id", "date", "quasi"):
            assert {one.subjects for one in given} == {answer.subjects}, answer.where
        if answer.kind in ("id", "quasi"):
            assert {one.variable for one in given} == {answer.variable}, answer.where


def test_who_is_mentioned_with_what_is_what_the_key_says(
    key: Rows, study: Study, found: dict[str, DocumentFindings]
) -> None:
    quasi = set(study.roles.quasi)
    for each in found.values():
        seen = {subject: set(names) & quasi for subject, names in mentions(each).items()}
        assert seen == told_by(key, quasi)


def told_by(key: Rows, variables: set[str]) -> dict[int, set[str]]:
    """Participants, and those of the variables that the answer key shows of them."""
    told: dict[int, set[str]] = {}
    for subject, variable, _ in mentioned(key):
        told.setdefault(subject, set()).update({variable} & variables if variable else ())
    return told


@pytest.fixture(scope="module")
def replaced(
    folder: Path,
    study: Study,
    found: dict[str, DocumentFindings],
    scores: dict[str, Score],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The reports as they would be published after people rejected what is wrong; each was proved."""
    out = tmp_path_factory.mktemp("replaced") / "out"
    right = (reviewed(found[name], scores[name]) for name in REPORTS)
    file = FindingsFile(1, {}, tuple(right))
    paths = [folder / name for name in REPORTS]
    settings = AnonymizeSettings(mode="replace")
    done = anonymize_documents(paths, out, study=study, findings=file, settings=settings)
    assert done.acceptable, str(done)
    return out


def reviewed(document: DocumentFindings, held: Score) -> DocumentFindings:
    wrong = {one.place for one in held.wrong}
    return replace(document, findings=tuple(one for one in document.findings if one.place not in wrong))


@pytest.mark.parametrize("name", REPORTS)
def test_new_values_stand_where_the_old_ones_did(study: Study, key: Rows, replaced: Path, name: str) -> None:
    """Every piece that speaks of a participant reads as the key does, with the released values."""
    new = [expected(piece, study) for piece in key]
    after = [Block(block.name, TWO_LINES.sub("PPD", block.text)) for block in read_document(replaced / name)]
    assert len(answers_in(new, after)) > 3000


def expected(piece: dict[str, Any], study: Study) -> dict[str, Any]:
    """A piece of the key as it is to read; names of staff and of sites may be anything."""
    text, at, moved = "", 0, []
    for each in piece["mentions"]:
        written = piece["text"][each["start"] : each["end"]]
        new: str | None = written
        if each["subjects"]:
            new = new_text(study, each["subjects"][0], each["variable"], written)
        text += piece["text"][at : each["start"]] + (new or "PPD")
        moved.append({**each, "start": len(text) - len(new or "PPD"), "end": len(text)})
        at = each["end"]
    speaks = all(each["kind"] in (*PARTICIPANT, "study") for each in moved)
    return {**piece, "text": text + piece["text"][at:], "mentions": moved if speaks else []}
