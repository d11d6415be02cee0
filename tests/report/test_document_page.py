"""Documents as pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.errors import InvalidSetting
from reidrisk.report.page import document_page
from reidrisk.report.writing import TEMPLATES, document_of, write_document
from tests.report.assessed import accepted, assessment, part, table
from tests.report.test_page import Reader
from tests.report.tiny import HOSTILE

EVIL = "<script>alert(1)</script> #panic() $x$ *b* {0} \\u{7}"


def hostile() -> dict[str, Any]:
    """Markup of every medium wherever a text of the release can stand."""
    given = assessment()
    given["release"] |= dict.fromkeys(("name", "purpose", "custodian", "recipient", "prepared_by"), EVIL)
    given["parts"] = [part(name, table()) for name in (EVIL, *HOSTILE.values())]
    given["reasons"] = [{"part": EVIL, "text": EVIL, "holds": False}]
    given["remedies"][0]["text"] = given["verdict"]["sentence"] = EVIL
    given["agreement"][0] |= {"clause": EVIL, "practice": EVIL}
    given["context"]["notes"] = given["context"]["sources"] = [EVIL]
    return given


@cache
def page_of(given: Callable[[], dict[str, Any]], template: str = "general") -> str:
    """The page of one of the cases; its charts are drawn once for all tests."""
    return document_page(document_of(given(), template=template))


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("given", [assessment, accepted, hostile, table])
def test_pages_are_well_formed_and_load_nothing(template: str, given: Any) -> None:
    page = page_of(given, template)
    read = Reader(page)
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)
    assert read.loads == []
    assert read.tags["script"] == read.tags["link"] == read.tags["iframe"] == 0
    assert all(link.startswith("https://doi.org/") for link in read.links)


@pytest.mark.parametrize("template", TEMPLATES)
def test_headings_go_down_step_by_step(template: str) -> None:
    page = page_of(assessment, template)
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_contents_lead_to_every_chapter() -> None:
    document = document_of(assessment())
    page = page_of(assessment)
    contents = page[page.index("<nav") : page.index("</nav>")]
    assert re.findall(r'href="#([^"]+)"', contents) == [chapter.name for chapter in document.chapters]
    assert "<nav" not in page_of(assessment, "summary")


def test_texts_of_the_release_are_escaped() -> None:
    page = page_of(hostile)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; #panic() $x$ *b* {0}" in page


def test_what_is_drawn_as_a_formula_is_also_said() -> None:
    annex = document_of(assessment()).annex
    assert annex is not None
    page = document_page(annex)
    spoken = re.findall(r'<math display="block" aria-label="([^"]+)">', page)
    assert len(spoken) > 5
    assert all(text.endswith(".") for text in spoken)


def test_every_cell_of_the_summary_names_its_column_on_a_phone() -> None:
    page = page_of(assessment, "summary")
    body = page[page.index("<main") :]
    assert len(re.findall(r"<td data-label=\"[^\"]+\"", body)) == body.count("<td")


def test_reasons_that_decide_nothing_are_neither_for_nor_against() -> None:
    given = accepted()
    given["reasons"].append({"part": None, "text": "Something else.", "holds": None})
    page = document_page(document_of(given))
    line = next(line for line in page.splitlines() if "Something else." in line)
    assert "✕" not in line
    assert "✓" not in line


def test_the_same_assessment_gives_the_same_page_also_read_back_from_json() -> None:
    again = json.loads(json.dumps(assessment()))
    assert page_of(assessment) == document_page(document_of(again))


def test_an_unknown_template_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="Did you mean 'hipaa'"):
        document_of(table(), template="hippa")


def test_a_report_is_written_into_a_new_folder(tmp_path: Path) -> None:
    written = rr.write_report(accepted(), tmp_path / "new" / "folder")
    names = ["report.html", "report.pdf", "annex.html", "annex.pdf", "crosswalks.json"]
    assert [path.name for path in written] == names
    assert written[0].read_text(encoding="utf-8") == page_of(accepted)
    assert written[1].read_bytes().startswith(b"%PDF-1.7")


def test_a_drawing_that_fails_leaves_no_half_of_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reidrisk.report import document_pdf as compiling

    def fails(*_: object) -> bytes:
        raise RuntimeError("no")

    monkeypatch.setattr(compiling, "prepare_pdf", fails)
    with pytest.raises(RuntimeError, match="no"):
        rr.write_report(accepted(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_what_is_asked_for_is_written(tmp_path: Path) -> None:
    assert write_document(document_of(table()), html=tmp_path / "a.html") == [tmp_path / "a.html"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]
