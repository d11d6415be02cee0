"""The document commands as a user types them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reidrisk.documents.findings.file import read_findings, write_findings
from reidrisk.documents.formats import read_document
from tests.cli.running import Run
from tests.documents.making import DAY, NUMBER, PERSON, docx, found_in, pdf, text_of, txt

TEXTS = (PERSON, NUMBER, DAY)


def test_decisions_in_journals(command: Run, tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf", [f"Patient {PERSON} came.", f"{PERSON} left on {DAY}."])
    findings = detected(tmp_path, source)
    name, other, day = (one.name_in("csr.pdf") for one in found_in(source).findings)

    def review(who: str, *words: object) -> tuple[int, str, str]:
        return command("document", "review", findings, "--reviewer", who, "--json", "-", *words)

    code, out, _ = review("anna", "--reject", name, "--everywhere", "--source", source, "--journal")
    assert (code, json.loads(out)["decided"]["rejected"]) == (0, 2)
    assert not (tmp_path / "findings.reviewed.json").exists()
    code, out, _ = review("anna", "--undo", other)
    assert (code, json.loads(out)["decided"]["rejected"]) == (0, 1)
    code, out, _ = review("Ben", "--accept", name, "--accept", day, "--finish")
    assert [one["id"] for one in json.loads(out)["conflicts"]] == [name]
    assert read_findings(findings).finished == ("Ben",)
    done = command("document", "anonymize", source, "--findings", findings, "--out", tmp_path / "out")
    assert done[0] == 0
    for words, problem in (
        (("--undo", day), "decided nothing there"),
        (("--undo", "0" * 12), "no finding"),
        (("--accept", name, "--journal", "--out", tmp_path / "r.json"), "--out is for review files"),
        (("--accept", name, "--everywhere"), "--everywhere needs --source"),
    ):
        code, _, err = review("anna", *words)
        assert code in (1, 2)
        assert problem in err
    assert command("document", "review", findings, "--finish")[0] == 2


def detected(folder: Path, *paths: Path) -> Path:
    write_findings(folder / "findings.json", [found_in(path) for path in paths], settings={})
    return folder / "findings.json"


def test_review_anonymize_verify(command: Run, tmp_path: Path) -> None:
    source = pdf(tmp_path / "csr.pdf")
    findings = detected(tmp_path, source)
    ids = [one.name_in("csr.pdf") for one in found_in(source).findings]
    code, out, _ = command(
        "document", "review", findings, "--reviewer", "anna", "--time", "2026-03-01", "--accept", ids[0],
        "--reject", ids[1], "--seen", "csr.pdf:page 1",
    )  # fmt: skip
    assert code == 0
    assert "findings.reviewed.json" in out
    reviewed = tmp_path / "findings.reviewed.json"
    assert len(read_findings(reviewed).reviews) == 1
    assert read_findings(findings).reviews == ()
    command("document", "review", findings, "--reviewer", "anna", "--time", "2026-03-02", "--accept", ids[1])
    assert len(read_findings(reviewed).reviews) == 2
    code, out, err = command(
        "document", "anonymize", source, "--findings", reviewed, "--out", tmp_path / "out", "--json", "-"
    )
    assert code == 0, err
    done = json.loads(out)
    assert (done["kind"], done["fates"]["redacted"]) == ("document_anonymization", 4)
    (tmp_path / "values.txt").write_text("\n".join(TEXTS))
    written = tmp_path / "out" / "csr.pdf"
    assert command("document", "verify", written, "--values", tmp_path / "values.txt")[0] == 0
    code, out, _ = command("document", "verify", source, "--values", tmp_path / "values.txt")
    assert code == 3
    assert not any(value in out for value in TEXTS)
    code, out, _ = command(
        "document", "verify", source, "--values", reviewed, "--source", source, "--json", "-"
    )
    assert (code, json.loads(out)["values_found"]) == (3, 4)


def test_a_sheet_and_a_gold_standard(command: Run, tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt")
    findings = detected(tmp_path, source)
    sheet = tmp_path / "sheet.csv"
    assert command("document", "review", findings, "--sheet", sheet, "--sample", "1")[0] == 0
    rows = sheet.read_text().splitlines()
    assert not any(value in sheet.read_text() for value in TEXTS)
    filled = [row.split(",") for row in rows]
    filled[-1][filled[0].index("decision")] = "seen"
    sheet.write_text("\n".join(",".join(row) for row in filled))
    code, out, err = command(
        "document", "review", findings, "--reviewer", "ben", "--from", sheet, "--source", source,
        "--show-text", "--gold", tmp_path / "gold.jsonl", "--prediction", tmp_path / "tool.jsonl",
        "--json", "-",
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["measured"]["pages"] == 1
    assert not any(value in out for value in TEXTS)
    code, out, err = command(
        "text", "evaluate", tmp_path / "gold.jsonl", tmp_path / "tool.jsonl", "--json", "-"
    )
    assert json.loads(out)["documents"] == 1, err


def test_wrong_usage(command: Run, tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt")
    findings = detected(tmp_path, source)
    wrong = [
        ("review", findings, "--accept", "x"),
        ("review", findings, "--reviewer", "a", "--accept", "x"),
        ("review", findings, "--reviewer", "a", "--add", "csr.txt:text:1-2"),
        ("review", findings, "--reviewer", "a", "--add", "csr.txt:page 7:1-2:DATE"),
        ("review", findings, "--show-text"),
        ("review", findings, "--gold", tmp_path / "g", "--prediction", tmp_path / "p"),
        ("review", findings, "--gold", tmp_path / "g"),
        ("review", findings, "--sample", "many"),
        ("review", findings, "--recall", "2"),
        ("review", findings, "--rule", "dice"),
        ("anonymize", "--out", tmp_path / "out"),
        ("anonymize", source, "--out", tmp_path / "out"),
        ("anonymize", source, "--findings", findings, "--out", tmp_path),
        ("anonymize", source, "--findings", findings, "--mode", "replace", "--out", tmp_path / "out"),
        ("anonymize", source, "--findings", findings, "--out", tmp_path / "out", "--set", "ink=#000000"),
        ("verify", source, "--values", findings),
    ]
    for arguments in wrong:
        code, _, err = command("document", *arguments)
        assert code == 2, arguments
        assert not any(value in err for value in TEXTS)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "findings.reviewed.json").exists()


def test_a_batch_goes_on_and_the_exit_code_tells(command: Run, tmp_path: Path) -> None:
    good, bad = docx(tmp_path / "good.docx"), tmp_path / "bad.pdf"
    huge = tmp_path / "huge.pdf"
    with huge.open("wb") as file:
        file.truncate(2 * 2**30)
    bad.write_bytes(b"")
    (tmp_path / "values.txt").write_text("\n".join(TEXTS))
    findings = detected(tmp_path, good)
    code, out, _ = command(
        "document", "anonymize", good, bad, huge, "--findings", findings, "--out", tmp_path / "out"
    )
    assert code == 1
    assert "bad.pdf" in out
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["good.docx"]
    assert not any(value in text_of(tmp_path / "out" / "good.docx") for value in TEXTS)


def anonymizing(tmp_path: Path) -> subprocess.Popen[bytes]:
    """The command on a document of 25 pages, as a process that can be killed."""
    source = pdf(tmp_path / "csr.pdf", [f"Subject {NUMBER} met {PERSON} on {DAY}." for _ in range(25)])
    given = [str(source), "--findings", str(detected(tmp_path, source)), "--out", str(tmp_path / "out")]
    code = "from reidrisk.cli.main import run; run()"
    command = [sys.executable, "-c", code, "document", "anonymize", *given]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def test_killed_while_it_writes_only_its_owner_sees_what_is_left(tmp_path: Path) -> None:
    child, out = anonymizing(tmp_path), tmp_path / "out"
    while child.poll() is None and not list(out.glob(".reidrisk-*.work/*/*")):
        time.sleep(0.001)
    child.kill()
    assert child.wait() == -signal.SIGKILL
    (left,) = out.iterdir()
    assert left.match(".reidrisk-*.work")
    assert left.stat().st_mode & 0o077 == 0


def test_values_are_enough(command: Run, tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt", f"The code word XQ{NUMBER} and xq{NUMBER} again.")
    (tmp_path / "values.txt").write_text(f"XQ{NUMBER}\n")
    out = tmp_path / "out"
    code, _, err = command("document", "anonymize", source, "--values", tmp_path / "values.txt", "--out", out)
    assert code == 0, err
    assert NUMBER.lower() not in text_of(out / "csr.txt").lower()


def test_values_without_a_study_are_all_that_is_searched(command: Run, tmp_path: Path) -> None:
    source = txt(tmp_path / "csr.txt", "Dr. Wilhelmina Zott saw Ann, code 321, on 12 March 2019.\n")
    (tmp_path / "values.txt").write_text("Ann\n321\nZoe\n")
    given = (source, "--values", tmp_path / "values.txt")
    code, out, err = command("document", "anonymize", *given, "--out", tmp_path / "out", "--json", "-")
    assert code == 0, err
    assert [row["found"] for row in json.loads(out)["values"]] == [1, 1, 0]
    assert "Wilhelmina Zott saw [PPD], code [PPD], on 12 March" in text_of(tmp_path / "out" / "csr.txt")
    code, out, err = command("document", "anonymize", *given, "--detect", "--out", tmp_path / "more")
    assert code == 0, err
    assert "Zott" not in text_of(tmp_path / "more" / "csr.txt")
    findings = tmp_path / "findings.json"
    for added, expected in (((), 2), (("--detect",), 4), (("--threshold", "0.3"), 4)):
        assert command("document", "detect", *given, *added, "--out", findings)[0] == 0
        assert len(read_findings(findings).documents[0].findings) == expected


@pytest.mark.parametrize("make", [txt, pdf, docx])
def test_confidential_places_are_boxed_as_such_and_are_no_leak(
    command: Run, tmp_path: Path, make: Callable[..., Path]
) -> None:
    source = make(tmp_path / f"csr.{make.__name__}")
    findings = detected(tmp_path, source)
    block = found_in(source).blocks[0]
    text = next(one.text for one in read_document(source) if one.name == block)
    word = next(match for match in re.finditer(r"[a-z]{4,}", text) if text.count(match[0]) == 1)
    given = ("document", "review", findings, "--reviewer", "anna")
    place = f"{source.name}:{block}:{word.start()}-{word.end()}"
    code, out, err = command(*given, "--cci", place, "--seen", f"{source.name}:{block}", "--json", "-")
    assert code == 0, err
    done = json.loads(out)
    assert (done["decided"]["confidential"], done["decided"]["added"]) == (1, 0)
    assert done["measured"]["pages_with_misses"] == 0
    reviewed = tmp_path / "findings.reviewed.json"
    code, out, err = command(
        "document", "anonymize", source, "--findings", reviewed, "--out", tmp_path / "out", "--json", "-"
    )
    assert code == 0, err
    assert {row["name"]: row["redacted"] for row in json.loads(out)["by_type"]}["CCI"] == 1
    after = text_of(tmp_path / "out" / source.name)
    assert word[0] not in after
    assert "CCI" in after
    assert command(*given, "--cci", "nowhere")[0] == 2
