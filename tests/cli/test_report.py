from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.report.assessed import SHA, assessment, compared, table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "assessment"
    place.mkdir()
    (place / "assessment.json").write_text(json.dumps(assessment()), encoding="utf-8")
    return place


def test_a_folder_becomes_a_page_and_a_pdf(command: Run, folder: Path, tmp_path: Path) -> None:
    page, pdf = tmp_path / "r.html", tmp_path / "r.pdf"
    code, out, err = command("report", folder, "--template", "summary", "--html", page, "--pdf", pdf)
    assert (code, err) == (0, "")
    assert out == f"Page: {page}\nPDF: {pdf}\n"
    assert "The decision in brief" in page.read_text(encoding="utf-8")
    assert pdf.read_bytes().startswith(b"%PDF")


def test_a_folder_becomes_files_in_every_format(command: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "reports"
    given = ("report", folder, "--template", "summary", "--format", "docx, html,pdf", "--out", out)
    code, said, err = command(*given)
    assert (code, err) == (0, "")
    files = {"Page": "report.html", "PDF": "report.pdf", "Word": "report.docx"}
    files |= {"Annex, Page": "annex.html", "Annex, PDF": "annex.pdf", "Annex, Word": "annex.docx"}
    files["Crosswalks"] = "crosswalks.json"
    assert said == "".join(f"{title}: {out / name}\n" for title, name in files.items())
    assert sorted(path.name for path in out.iterdir()) == sorted(files.values())
    assert (out / "report.docx").read_bytes().startswith(b"PK")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert command(*given)[0] == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_usual_formats_are_page_and_pdf(command: Run, folder: Path, tmp_path: Path) -> None:
    word = tmp_path / "one.docx"
    given = ("--template", "summary", "--out", tmp_path / "r", "--docx", word, "--json", tmp_path / "r.json")
    code, out, err = command("report", folder, *given)
    assert (code, err) == (0, "")
    titles = ["Page", "PDF", "Annex, Page", "Annex, PDF", "Crosswalks", "Word", "JSON"]
    assert [line.partition(":")[0] for line in out.splitlines()] == titles
    names = ["annex.html", "annex.pdf", "crosswalks.json", "report.html", "report.pdf"]
    assert sorted(path.name for path in (tmp_path / "r").iterdir()) == names
    assert word.read_bytes().startswith(b"PK")


@pytest.mark.parametrize("formats", ["word", "html,doc", "", "html,,pdf"])
def test_an_unknown_format_is_wrong_usage(command: Run, folder: Path, tmp_path: Path, formats: str) -> None:
    code, _, err = command("report", folder, "--format", formats, "--out", tmp_path / "r")
    assert code == 2
    assert "html, pdf, docx" in err
    assert not (tmp_path / "r").exists()


def test_formats_need_a_folder(command: Run, folder: Path, tmp_path: Path) -> None:
    code, _, err = command("report", folder, "--format", "docx", "--html", tmp_path / "r.html")
    assert code == 2
    assert "--out DIR" in err
    (tmp_path / "file").write_text("x")
    code, _, err = command("report", folder, "--out", tmp_path / "file")
    assert code == 2
    assert "name of a folder" in err


def test_the_folder_of_an_assessment_keeps_its_own_reports(command: Run, folder: Path) -> None:
    (folder / "manifest.json").write_text("{}")
    code, _, err = command("report", folder, "--out", folder)
    assert code == 2
    assert "Choose another folder" in err
    assert sorted(path.name for path in folder.iterdir()) == ["assessment.json", "manifest.json"]


def test_a_report_of_somebody_else_in_the_folder_is_kept(command: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "r"
    out.mkdir()
    (out / "annex.docx").write_text("mine")
    given = ("report", folder, "--template", "summary", "--format", "docx", "--out", out)
    code, _, err = command(*given)
    assert code == 1
    assert "--overwrite" in err
    assert [path.name for path in out.iterdir()] == ["annex.docx"]
    assert command(*given, "--overwrite")[0] == 0


def test_a_failure_leaves_no_new_folder(command: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    code, _, err = command("report", tmp_path / "x.json", "--out", tmp_path / "new" / "r")
    assert code == 1
    assert "Hint: " in err
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_several_results_become_one_page(command: Run, tmp_path: Path) -> None:
    paths = []
    for name, result in (("a.json", table()), ("b.json", compared())):
        (tmp_path / name).write_text(json.dumps(result), encoding="utf-8")
        paths.append(tmp_path / name)
    page = tmp_path / "r.html"
    code, out, _ = command("report", *paths, "--html", page, "--quiet")
    assert (code, out) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert "1. The frame" in text
    assert "Limited Dataset" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json", "r.html"]


def test_nothing_to_write_is_wrong_usage(command: Run, folder: Path) -> None:
    code, _, err = command("report", folder)
    assert code == 2
    assert "--html FILE, --pdf FILE" in err


def test_an_unknown_template_is_wrong_usage(command: Run, folder: Path, tmp_path: Path) -> None:
    code, _, err = command("report", folder, "--template", "fda", "--html", tmp_path / "r.html")
    assert code == 2
    assert "general" in err


def test_what_is_read_is_never_written(command: Run, folder: Path) -> None:
    for option in ("--html", "--pdf"):
        code, _, err = command("report", folder, option, folder / "assessment.json")
        assert code == 2
        assert "must not be written" in err
    assert json.loads((folder / "assessment.json").read_text(encoding="utf-8")) == assessment()


def test_page_and_pdf_are_two_files(command: Run, folder: Path, tmp_path: Path) -> None:
    code, _, err = command("report", folder, "--html", tmp_path / "r", "--pdf", tmp_path / "r")
    assert code == 2
    assert "name the same file" in err


@pytest.mark.parametrize("content", [None, "{}", "[", '{"kind": "invoice"}'])
def test_what_is_no_result_is_said(command: Run, tmp_path: Path, content: str | None) -> None:
    given = tmp_path / "x.json"
    if content is not None:
        given.write_text(content)
    code, _, err = command("report", given, "--html", tmp_path / "r.html")
    assert code == 1
    assert err.startswith("Error: ")
    assert "Hint: " in err
    assert not (tmp_path / "r.html").exists()


def test_without_typst_no_pdf_is_begun(
    command: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reidrisk.cli import output

    monkeypatch.setattr(output, "find_spec", lambda name: None if name == "typst" else name)
    code, _, err = command("report", folder, "--html", tmp_path / "r.html", "--pdf", tmp_path / "r.pdf")
    assert code == 1
    assert "reidrisk[report]" in err
    assert not (tmp_path / "r.html").exists()


def test_a_shared_report_says_so_and_has_no_hashes(command: Run, folder: Path, tmp_path: Path) -> None:
    page, file = tmp_path / "r.html", tmp_path / "r.json"
    code, out, err = command("report", folder, "--audience", "shared", "--html", page, "--json", file)
    assert (code, err) == (0, "")
    assert out == f"Page: {page}\nJSON: {file}\n"
    text = page.read_text(encoding="utf-8")
    assert "Audience: shared" in text
    assert SHA not in text + file.read_text(encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8"))["audience"] == "shared"


def test_a_report_is_internal_unless_asked_otherwise(command: Run, folder: Path, tmp_path: Path) -> None:
    page, file = tmp_path / "r.html", tmp_path / "r.json"
    assert command("report", folder, "--html", page, "--json", file)[0] == 0
    assert "Audience: internal" in page.read_text(encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8"))["audience"] == "internal"


def test_json_of_a_command_is_internal_and_its_codebook_is_shared(command: Run, tmp_path: Path) -> None:
    source, out, file = tmp_path / "t.csv", tmp_path / "out.csv", tmp_path / "r.json"
    source.write_text("sex,age\n" + "F,20\nM,30\n" * 10 + "F,30\n", encoding="utf-8")
    page = tmp_path / "r.html"
    given = ("--quasi", "sex,age", "--max-suppression", 0.5, "--out", out)
    files = ("--json", file, "--html", page, "--quiet")
    assert command("table", "deidentify", source, *given, *files)[0] == 0
    assert json.loads(file.read_text(encoding="utf-8"))["audience"] == "internal"
    assert "Audience: internal" in page.read_text(encoding="utf-8")
    codebook = (tmp_path / "out.codebook.md").read_text(encoding="utf-8")
    assert "Audience: shared" in codebook
    assert "21" not in codebook
