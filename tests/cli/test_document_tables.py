"""`reidrisk document tables` and `document risk --known`: gated by the verdict, complete or absent."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.running import Run

YAML = """\
study: W
ipd: {adsl: adsl.csv, ae: ae.csv}
schema: {quasi: [SEX, SITEID], direct: [BRTHDTC], dates: [RFSTDTC], events: {ae: [AETERM, AEDECOD]}EXTRA}
deidentified: {key: study.key, recode: [USUBJID], shift: {days: 365}}
threshold: {cell_size: 11}
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Twelve women with the same coded event, typed in twelve ways."""
    people = [f"W-{at:02d},F,1950-01-{at:02d},2019-05-{at:02d},Site of {at},07\n" for at in range(1, 13)]
    (tmp_path / "adsl.csv").write_text(
        "USUBJID,SEX,BRTHDTC,RFSTDTC,SITENAM,SITEID\n" + "".join(people), encoding="utf-8"
    )
    events = [f"W-{at:02d},felt sick at house {at},Nausea\n" for at in range(1, 13)]
    (tmp_path / "ae.csv").write_text("USUBJID,AETERM,AEDECOD\n" + "".join(events), encoding="utf-8")
    path = tmp_path / "study.yaml"
    path.write_text(YAML.replace("EXTRA", ""), encoding="utf-8")
    return path


def tables(command: Run, study: Path, *more: object) -> tuple[int, str, str]:
    return command("document", "tables", "--study", study, "--out", study.with_name("out"), *more)


def test_acceptable_tables_are_written_with_a_codebook(command: Run, study: Path) -> None:
    code, out, _ = tables(command, study, "--json", "-")
    assert code == 0
    result = json.loads(out)
    assert (result["kind"], result["highest"], result["unmeasured"]) == ("document_tables", 1 / 12, [])
    assert {file.name for file in study.with_name("out").iterdir()} == {"adsl.csv", "ae.csv", "codebook.md"}
    with (study.with_name("out") / "adsl.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {"USUBJID", "SEX", "RFSTDTC", "SITEID"}
    book = (study.with_name("out") / "codebook.md").read_text(encoding="utf-8")
    assert "| AETERM | text | removed |" in book
    assert "| SITEID | quasi-identifier | new value of the same form, by a key |" in book
    written = " ".join(file.read_text(encoding="utf-8") for file in study.with_name("out").iterdir())
    assert "felt sick" not in written
    assert "Site of" not in written


def test_nothing_is_written_if_one_event_singles_somebody_out(command: Run, study: Path) -> None:
    table = study.with_name("ae.csv")
    text = table.read_text(encoding="utf-8").replace("house 1,Nausea", "house 1,Hip fracture")
    table.write_text(text, encoding="utf-8")
    page = study.with_name("page.html")
    code, out, _ = tables(command, study, "--html", page)
    assert code == 3
    assert "nobody else" in out
    assert "Released tables of a study" in page.read_text(encoding="utf-8")
    assert not study.with_name("out").exists()
    assert tables(command, study, "--known", 0)[0] == 2
    code, out, _ = tables(command, study, "--known", 0, "--set", "known_reason=coded elsewhere")
    assert code == 0
    assert "coded elsewhere" in out


@pytest.mark.parametrize(
    ("extra", "code"),
    [(", text: {AETERM: keep}", 3), (", text: {AETERM: keep}, other: {AETERM: a list of twelve terms}", 3)],
)
def test_typed_text_is_kept_only_with_a_reason_and_counts(
    command: Run, study: Path, extra: str, code: int
) -> None:
    study.write_text(YAML.replace("EXTRA", extra), encoding="utf-8")
    found, out, _ = tables(command, study, "--json", "-")
    assert found == code
    result = json.loads(out)
    assert [one["item"] for one in result["unmeasured"]] == ([] if "other" in extra else ["ae.AETERM"])
    assert result["known"]["with_events"]["unique"] == 12, "typed terms are events too"


def test_a_variable_that_nobody_mentioned_stops_the_verdict(command: Run, study: Path) -> None:
    text = study.read_text(encoding="utf-8")
    study.write_text(text.replace("[SEX, SITEID]", "[SEX]"), encoding="utf-8")
    table = study.with_name("adsl.csv")
    table.write_text(table.read_text(encoding="utf-8").replace("of 1,07", "of 1,08"), encoding="utf-8")
    code, out, _ = tables(command, study, "--json", "-")
    assert code == 3
    assert [one["item"] for one in json.loads(out)["unmeasured"]] == ["adsl.SITEID"]
    assert not study.with_name("out").exists()


def test_risk_of_documents_with_known_events(command: Run, study: Path) -> None:
    start = ("document", "risk", "--study", study, "--scenario", "ipd")
    code, _, error = command(*start, "--known", 0)
    assert code == 2
    assert "known_reason" in error
    code, out, _ = command(*start, "--known", 2, "--json", "-")
    assert code == 3
    result = json.loads(out)
    assert result["settings"]["known"] == 2
    assert [one["known"] for one in result["known"]["by_known"]] == [0, 1, 2]
    assert result["unmeasured"][0]["item"] == "review of the documents"
