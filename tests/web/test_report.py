"""The report: the same bytes as the command writes, in a frame that can run nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reidrisk.report.writing import FORMATS, TEMPLATES
from reidrisk.web.pages.report import ABOUT_TEMPLATES, TYPES
from reidrisk.web.security import CSP, PREVIEW_CSP
from tests.cli.running import Run
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of
from tests.web.small_release import NAME, small_release, words

REPORT = f"/r/{DEMO}/report"


def test_every_template_is_offered() -> None:
    assert tuple(ABOUT_TEMPLATES) == TEMPLATES


def test_the_first_report_is_the_stored_one(client: Client, demo_releases: Path) -> None:
    stored = demo_releases / DEMO / "assessment"
    preview = client.get(f"{REPORT}/preview")
    assert preview.content == (stored / "report.html").read_bytes()
    assert preview.headers["content-security-policy"] == PREVIEW_CSP
    assert "x-frame-options" not in preview.headers
    page = client.get(REPORT)
    assert page.headers["content-security-policy"] == CSP
    assert "<iframe" in page.text
    assert " sandbox " in page.text
    pdf = client.get(f"{REPORT}/download/pdf")
    assert pdf.content == (stored / "report.pdf").read_bytes()
    assert pdf.headers["content-disposition"] == 'attachment; filename="report.pdf"'


@pytest.mark.parametrize(("template", "audience"), [("summary", "internal"), ("summary", "shared")])
def test_others_are_those_of_the_command(
    client: Client, demo_releases: Path, command: Run, tmp_path: Path, template: str, audience: str
) -> None:
    query = f"?template={template}&audience={audience}"
    made = tmp_path / "made"
    options = ("--template", template, "--audience", audience, "--format", "html,pdf,docx", "--out", made)
    code, *said = command("report", demo_releases / DEMO / "assessment", *options)
    assert code == 0, said
    page = client.get(f"{REPORT}{query}").text
    assert f"template={template}" in page
    for form in FORMATS:
        found = client.get(f"{REPORT}/download/{form}{query}")
        assert found.content == (made / f"report.{form}").read_bytes()
        assert found.headers["content-type"] == TYPES[form]
        name = f'filename="report-{template}-{audience}.{form}"'
        assert name in found.headers["content-disposition"]
        assert f"/download/{form}?template={template}&amp;audience={audience}" in page
    assert client.get(f"{REPORT}/preview{query}").content == (made / "report.html").read_bytes()


def test_a_word_document_of_the_stored_report_is_drawn(client: Client) -> None:
    found = client.get(f"{REPORT}/download/docx")
    assert found.content.startswith(b"PK")
    assert found.headers["content-disposition"] == 'attachment; filename="report.docx"'


def test_an_annex_is_offered_only_where_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reidrisk.report import writing
    from reidrisk.report.documents import summary

    small_release(tmp_path, is_assessed=True)
    other, place = client_of(tmp_path), f"/r/{NAME}/report"
    plain, query = summary.document, "?template=summary"
    monkeypatch.setattr(writing, "with_figures", lambda made, *_: made)
    monkeypatch.setattr(summary, "document", lambda case: replace(plain(case), annex=None))
    assert "paper=annex" not in other.get(place + query).text
    assert other.get(f"{place}/download/pdf{query}&paper=annex").status_code == 404
    monkeypatch.setattr(
        summary, "document", lambda case: replace(plain(case), annex=replace(plain(case), title="Annex"))
    )
    page = other.get(place + query).text
    for form in FORMATS:
        assert f"/download/{form}?template=summary&amp;audience=internal&amp;paper=annex" in page
        found = other.get(f"{place}/download/{form}{query}&paper=annex")
        assert found.status_code == 200
        assert f'filename="annex-summary-internal.{form}"' in found.headers["content-disposition"]


def test_nothing_else_is_a_report(client: Client, tmp_path: Path) -> None:
    for wrong in ("?template=none", "?audience=all", "?template=../x"):
        assert client.get(f"{REPORT}/preview{wrong}").status_code == 404
        assert client.get(f"{REPORT}{wrong}").status_code == 404
    assert client.get(f"{REPORT}/download/exe").status_code == 404
    assert client.get(f"{REPORT}/download/pdf?paper=../assessment").status_code == 404
    small_release(tmp_path, is_assessed=False)
    other = client_of(tmp_path)
    assert "There is no report yet" in words(other.get(f"/r/{NAME}/report").text)
    assert other.get(f"/r/{NAME}/report/preview").status_code == 404
