"""The certificate of the demo: every check with requirement, test, expected and seen, as JSON and as PDF."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.report.page import page
from reidrisk.validate import run
from reidrisk.validate.check import Bench, Check, Observed, run_check
from reidrisk.validate.checks import CHECKS, REQUIREMENTS
from tests.cli.running import Run

FIELDS = {
    "id",
    "phase",
    "title",
    "requirements",
    "test",
    "expected",
    "seen",
    "result",
    "why",
    "seconds",
    "values",
}


@pytest.fixture(scope="module")
def folder(demo_folder: Callable[[], Path]) -> Path:
    return demo_folder() / "demo-output" / "validation"


@pytest.fixture(scope="module")
def told(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "certificate.json").read_text(encoding="utf-8"))
    return found


def test_every_check_is_there_and_none_failed(told: dict[str, Any]) -> None:
    assert told["kind"] == "validation"
    assert told["acceptable"] is True
    assert [one["id"] for one in told["checks"]] == [check.id for check in CHECKS]
    assert all(set(one) == FIELDS for one in told["checks"])
    skipped = {one["id"] for one in told["checks"] if one["result"] == "not run"}
    assert skipped <= {"IQ-03", "OQ-30", "OQ-31"}
    assert all(one["why"] for one in told["checks"] if one["id"] in skipped)
    assert all(one["seen"] for one in told["checks"] if one["id"] not in skipped)
    assert [row["requirement"] for row in told["traceability"]] == [one.id for one in REQUIREMENTS]


def test_nothing_says_whose_machine_it_is(told: dict[str, Any]) -> None:
    assert told["installation"]["machine"] is None
    assert told["performed"]["by"] is None
    assert len(platform.node()) < 3 or f'"{platform.node()}"' not in json.dumps(told)


def test_the_pdf_has_every_check_the_matrix_and_lines_to_sign(folder: Path, told: dict[str, Any]) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(folder / "certificate.pdf")
    text = " ".join(str(one.get_textpage().get_text_range()) for one in document)
    document.close()
    words = " ".join(text.split())
    assert "Certificate of validation" in words
    assert told["installation"]["files"]["root_sha256"][:12] in words.replace("\ufffe", "").replace(" ", "")
    for name in (
        "Installation qualification",
        "Operational qualification",
        "Traceability matrix",
        "Approved by",
    ):
        assert name in words
    for check in CHECKS:
        assert f"{check.id} {check.title}" in words


def test_the_result_is_shown_everywhere(told: dict[str, Any]) -> None:
    drawn = page([told])
    assert "Traceability matrix" in drawn
    assert "OQ-28" in drawn


def one_check(holds: bool) -> tuple[Check, ...]:
    seen = Observed(holds=holds, text="Observed.")
    return (Check("OQ-01", "OQ", "A check", ("R2",), "Test.", "Expected.", lambda _: seen),)


@pytest.mark.parametrize(("holds", "code"), [(True, 0), (False, 1)])
def test_the_command_ends_with_the_code_of_the_result(
    holds: bool, code: int, command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CHECKS", one_check(holds))
    found, printed, _ = command(
        "validate", "--out", str(tmp_path / "v"), "--by", "Ann Lee", "--where", "Ward 3"
    )
    assert found == code
    assert ("PASSED" if holds else "FAILED") in printed
    told = json.loads((tmp_path / "v" / "certificate.json").read_text(encoding="utf-8"))
    assert (told["performed"]["by"], told["performed"]["where"]) == ("Ann Lee", "Ward 3")
    assert (tmp_path / "v" / "certificate.pdf").read_bytes().startswith(b"%PDF")


def test_the_library_takes_the_same_and_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CHECKS", one_check(holds=True))
    steps: list[tuple[str, int, int]] = []
    found = rr.validate(
        out=tmp_path / "v",
        full=True,
        performed=rr.Performed(machine=True),
        progress=lambda *step: steps.append(step),
    )
    assert found.acceptable
    assert steps == [("A check", 0, 1)]
    assert found.to_dict()["settings"] == {"mode": "full"}
    assert found.to_dict()["installation"]["machine"] == platform.node()


def test_full_and_quick_exclude_each_other(command: Run, tmp_path: Path) -> None:
    assert command("validate", "--full", "--quick", "--out", str(tmp_path))[0] == 2


def test_a_check_without_its_packages_is_not_run(tmp_path: Path) -> None:
    check = Check(
        "OQ-99",
        "OQ",
        "x",
        (),
        "",
        "",
        lambda _: Observed(holds=True, text=""),
        ("no_such_package",),
        "tables",
    )
    found = run_check(check, Bench(tmp_path))
    assert (found.result, found.why) == (
        "not run",
        'no_such_package not installed: pip install "reidrisk[tables]"',
    )
