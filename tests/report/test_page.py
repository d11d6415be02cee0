from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.report.blocks.text_settings import MEANINGS
from reidrisk.report.page import page
from reidrisk.report.views import draw
from reidrisk.text.settings import TextSettings

VOID = {"meta", "br", "hr", "img", "input", "link"}
LOADING = {"src", "srcset", "data", "action", "poster", "background"}


class Reader(HTMLParser):
    """Checks that elements close in order, and keeps what the tests ask about."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.uses: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.loads: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name == "id":
            self.ids.append(value)
        if name in {"aria-labelledby", "aria-describedby"}:
            self.uses += value.split()
        if name == "xlink:href" or (name == "href" and value.startswith("#")):
            self.uses.append(value.removeprefix("#"))
        elif name == "href":
            self.links.append(value)
            self.loads += [] if tag == "a" else [value]
        if name in LOADING:
            self.loads.append(value)
        self.uses += re.findall(r"url\(#([^)]+)\)", value)


_drawn: dict[int, str] = {}


def page_of(result: dict[str, Any]) -> str:
    """The page of a result that the fixtures keep, drawn once for the tests that only read it."""
    if id(result) not in _drawn:
        _drawn[id(result)] = page([result])
    return _drawn[id(result)]


def test_pages_are_well_formed_and_ids_are_unique(any_result: dict[str, Any]) -> None:
    read = Reader(page([any_result, any_result]))
    assert read.open == []
    assert [name for name, times in Counter(read.ids).items() if times > 1] == []
    assert set(read.uses) <= set(read.ids)


def test_nothing_is_loaded_from_elsewhere(any_result: dict[str, Any]) -> None:
    text = page_of(any_result)
    read = Reader(text)
    assert read.loads == []
    assert read.links == ["https://doi.org/10.1016/j.jbi.2016.07.015"]
    assert read.tags["script"] == read.tags["link"] == read.tags["iframe"] == 0
    assert "@import" not in text
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in text


def test_names_from_the_data_are_escaped(of_case: Any) -> None:
    for text in (page_of(of_case("hostile names")), draw(of_case("hostile names"), "html")):
        assert "<script" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "R&amp;D" in text


def test_the_same_results_give_the_same_page(of_case: Any) -> None:
    results = [of_case("redaction"), of_case("resynthesis")]
    assert page(results) == page(results)
    assert draw(results[0], "html") == draw(results[0], "html")


def test_the_verdict_is_said_in_words(of_case: Any) -> None:
    assert "Not acceptable</p>" in page_of(of_case("everything leaks"))
    assert "Too few documents to decide" in page_of(of_case("redaction"))
    assert "Acceptable</p>" in page_of(of_case("acceptable"))


def test_every_table_cell_has_its_heads(any_result: dict[str, Any]) -> None:
    text = page_of(any_result)
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    assert all('scope="row"' in row or 'scope="col"' in row for row in rows)


def test_several_results_begin_with_an_overview(of_case: Any) -> None:
    alone = page_of(of_case("redaction"))
    both = page([of_case("redaction"), of_case("paper")])
    assert 'id="overview"' not in alone
    assert both.index('id="overview"') < both.index('id="r1"') < both.index('id="r2"')
    assert "(paper)</a>" in both
    assert "The results differ in release, threshold or profile" in both


def test_different_gold_standards_are_not_compared_silently(of_case: Any) -> None:
    other = dict(of_case("redaction"))
    other["settings"] = other["settings"] | {"gold": "another.jsonl"}
    assert "different gold standards" in page([of_case("redaction"), other])


def test_a_page_without_results_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="at least one result"):
        page([])


def test_undefined_numbers_carry_their_reason(of_case: Any) -> None:
    text = page_of(of_case("no quasi"))
    assert "n/a" in text
    assert "The gold standard marks no quasi-identifier: not evaluated." in text


def test_every_setting_is_explained_and_shown(of_case: Any) -> None:
    text = page_of(of_case("redaction"))
    for name in TextSettings().to_dict():
        assert name in MEANINGS
        assert f"<dt>{name}</dt>" in text


def test_every_word_is_explained(of_case: Any) -> None:
    text = page_of(of_case("redaction"))
    for term in (
        "Direct identifier",
        "Quasi-identifier",
        "All-or-nothing recall",
        "Recognition",
        "Attempt",
        "Benchmark",
    ):
        assert f"<dt>{term}</dt>" in text
    assert "not legal advice" in text


def test_fragments_of_different_results_share_no_id(of_case: Any) -> None:
    first, second = (set(Reader(draw(of_case(case), "html")).ids) for case in ("redaction", "resynthesis"))
    assert first
    assert not first & second
