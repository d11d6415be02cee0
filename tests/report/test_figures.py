"""Every figure of every report leads to a field of the JSON file."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import reidrisk
from reidrisk.core.audience import Audience
from reidrisk.report import writing
from reidrisk.report.case import case_of
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.crosswalks import NAMES as FRAMEWORKS
from reidrisk.report.crosswalks import framework
from reidrisk.report.document import Chapter, Formula, References, ReportDocument
from reidrisk.report.figures import NAME, NOT_TRACED, SAME, Figure, FigureText
from reidrisk.report.numbers import brief_percent, percent, probability
from reidrisk.report.page import document_page
from reidrisk.report.parts import Facts, Table
from reidrisk.report.traced import (
    ENTRIES,
    FUNCTIONS,
    KEY,
    NONE_OF,
    NUMBER,
    NUMBER_OF,
    JsonField,
    Trace,
    size,
    traced,
    whole,
)
from reidrisk.report.writing import TEMPLATES, document_of
from tests.report.assessed import accepted, assessment, compared, table
from tests.report.assessed import text as notes

SOURCE = Path(reidrisk.__file__).parent
GIVEN: dict[str, Callable[[], Any]] = {
    "refused": assessment,
    "accepted": accepted,
    "result": table,
    "compared": compared,
}
NO_FIGURES = {
    r"^\d+\. ": "results and steps are numbered by the report, like chapters",
    r"^(step|Model) \d+\b": "the same",
    r"^\d+: ": "the same",
    r"^\d+ more (is|are) (in the full report, )?with the verdicts": "reasons left for later",
    r"^\d+ of \d+ are shown": "how many rows the report shows",
    r", \d+ more(?= \[)": "values that a crosswalk leaves to its file",
    r"Covered: \d+ of \d+ rows": "rows of a crosswalk, which has a file of its own",
    r"^1 in (?=[\d,]+$)": "the number after it is the figure",
}
"""What looks like a figure and comes from no field; `shown` leaves out formulas and publications."""


NUMBERED = ("rank", "model")
"""Columns with numbers that the report gives to rows and models, in their order."""


def shown(thing: Any) -> Iterator[str]:
    """The texts of a part of a report.

    It leaves out formulas, publications, text alternatives of charts (the fields of a chart are behind its
    caption), and the numbers of numbered rows.
    """
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Chart):
        yield from (thing.title, thing.caption)
    elif isinstance(thing, tuple):
        for one in thing:
            yield from shown(one)
    elif is_dataclass(thing) and not isinstance(thing, Formula | References):
        for field in fields(thing):
            yield from shown(getattr(thing, field.name))


def without_row_numbers(thing: Any) -> Any:
    """A block without the numbers of its rows."""
    if isinstance(thing, Facts):
        facts = tuple(replace(one, name="") if one.name.isdigit() else one for one in thing.facts)
        return replace(thing, facts=facts)
    if not isinstance(thing, Table):
        return thing
    kept = [at for at, column in enumerate(thing.columns) if column.name not in NUMBERED]
    rows = tuple(tuple(row[at] for at in kept) for row in thing.rows)
    return replace(thing, columns=tuple(thing.columns[at] for at in kept), rows=rows)


def content(document: ReportDocument) -> tuple[Any, ...]:
    """Everything that a report and its annex show, but the list of figures."""
    chapters = [one for one in document.chapters if one.name != NAME]
    head = (document.subtitle, document.facts, document.seals)
    own = (*head, *(block for one in chapters for block in one.blocks))
    return own if document.annex is None else (*own, *content(document.annex))


def texts(document: ReportDocument) -> list[str]:
    return list(shown(tuple(map(without_row_numbers, content(document)))))


def figures(document: ReportDocument) -> list[Figure]:
    """Each figure once; an annex that has only the list shares the title page of its report."""
    found = (text for text in shown(content(document)) if isinstance(text, FigureText))
    return list({one.id: one for text in found for *_, one in text.figures}.values())


def traced_document(given: Any, **chosen: Any) -> ReportDocument:
    """A report that did not fall back to one without figures."""
    document = document_of(given, **chosen)
    assert NOT_TRACED not in list(shown(list_of_figures(document).blocks))
    return document


def list_of_figures(document: ReportDocument) -> Chapter:
    assert document.annex is not None
    (found,) = (one for one in document.annex.chapters if one.name == NAME)
    return found


@cache
def fixed_wording() -> dict[str, set[str]]:
    """The texts of the program that contain numbers, by these numbers."""
    found: dict[str, set[str]] = {}
    for room in ("report/**/*.py", "core/*.py", "**/*settings*.py"):
        for path in SOURCE.glob(room):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    for number in NUMBER.findall(node.value):
                        found.setdefault(number, set()).add(node.value.lower().rstrip("."))
    for words in shown(tuple(map(framework, FRAMEWORKS))):
        for number in NUMBER.findall(words):
            found.setdefault(number, set()).add(words.lower().rstrip("."))
    return found


def is_fixed(text: str, start: int, end: int) -> bool:
    """Whether a number is part of the wording: with all words around it, it stands in the program's texts."""
    for words in fixed_wording().get(text[start:end], ()):
        at = text.lower().find(words, max(0, end - len(words)), start + len(words))
        if at >= 0 and sum(letter.isalpha() for letter in words) >= 3:
            return True
    return False


def part_numbers(text: str, names: Sequence[str]) -> set[int]:
    """Where a text names results that the report has numbered."""
    return {at.start() for name in names for at in re.finditer(re.escape(name), text)}


def untraced(document: ReportDocument, given: Any) -> list[str]:
    """Numbers of the report that lead to no field."""
    found = []
    names = [part["name"] for part in case_of(given)["parts"] if part["name"][0].isdigit()]
    for text in texts(document):
        numbered = part_numbers(text, names)
        own = text.figures if isinstance(text, FigureText) else ()
        for number in NUMBER.finditer(text):
            start, end = number.span()
            is_traced = any(begin < end and start < stop for begin, stop, _ in own)
            is_none = start in numbered or any(
                (no := re.search(form, text)) and no.start() <= start < no.end() for form in NO_FIGURES
            )
            if not is_traced and not is_none and not is_fixed(text, start, end):
                found.append(f"{number[0]} in: {text}")
    return found


def at_path(content: Any, path: str) -> list[Any]:
    """What a path leads to; several things if it has [*]."""
    found = [content]
    steps = re.findall(r'\[(\d+|\*)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z_]\w*)', path)
    assert "".join(map("".join, steps)), path
    for place, quoted, name in steps:
        key = json.loads(f'"{quoted}"') if quoted else name
        found = [
            one
            for thing in found
            for one in (thing if place == "*" else [thing[int(place)] if place else thing[key]])
        ]
    return found


def computed(origin: Any, content: Any) -> Any:
    """The value of a field or of a calculation, from the JSON file alone."""
    if isinstance(origin, JsonField):
        found = content
        for step in origin.steps:
            found = found[step]
        return found
    if not hasattr(origin, "sign"):
        return origin
    if origin.sign == KEY:
        return origin.parts[0].key
    values = [computed(part, content) for part in origin.parts]
    counts: dict[str, Callable[[], int]] = {
        ENTRIES: lambda: len(values[0]),
        NUMBER_OF: lambda: len(values),
        NONE_OF: lambda: 0,
    }
    return counts[origin.sign]() if origin.sign in counts else FUNCTIONS[origin.sign](*values)


def mistakes(found: list[Figure], content: Any) -> list[str]:
    """Figures that do not follow from the field that they name."""
    wrong = []
    for one in found:
        try:
            if isinstance(one.origin, tuple):
                is_right = bool(one.origin) and all(
                    computed(field, content) is not None for field in one.origin
                )
            else:
                is_right = follows(one, computed(one.origin, content))
            for path in one.paths:
                at_path(content, path)
        except (LookupError, TypeError):
            is_right = False
        wrong += [] if is_right else [f"{one.id} {one.text} from {one.source}"]
    return wrong


def follows(figure: Figure, value: Any) -> bool:
    if isinstance(value, str) and not isinstance(figure.value, str):
        return format(int(value), figure.form) == figure.text  # a key
    if isinstance(value, str):
        return figure.text in value
    return format(value, figure.form) == figure.text


def json_of(given: Any, audience: Audience = "internal") -> Any:
    """The file that the paths of a report begin in."""
    return given if audience == "internal" else case_of(given, audience=audience)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", GIVEN)
def test_every_figure_comes_from_its_field(name: str, template: str) -> None:
    given = GIVEN[name]()
    document = traced_document(given, template=template)
    assert untraced(document, given) == []
    assert mistakes(figures(document), given) == []


@pytest.mark.parametrize("audience", ["internal", "shared"])
def test_every_kind_of_result_is_traced(audience: Audience, of_any_kind: dict[str, Any]) -> None:
    for template in TEMPLATES:
        document = traced_document(of_any_kind, template=template, audience=audience)
        assert untraced(document, of_any_kind) == []
        assert mistakes(figures(document), json_of(of_any_kind, audience)) == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_several_results_are_one_file(template: str) -> None:
    given = [table(), compared(), notes()]
    document = traced_document(given, template=template)
    assert untraced(document, given) == []
    assert mistakes(figures(document), case_of(given)) == []


def test_a_wrong_path_or_value_is_noticed() -> None:
    given = assessment()
    found = figures(document_of(given))
    risk = next(one for one in found if one.source == "parts[1].judged.risk")
    trace = risk.origin
    assert isinstance(trace, JsonField)
    elsewhere = replace(trace, key="threshold")
    assert mistakes([replace(risk, origin=elsewhere)], given) == [
        f"{risk.id} 0.5000 from parts[1].judged.threshold"
    ]
    assert len(mistakes([replace(risk, origin=replace(trace, key="nowhere"))], given)) == 1
    other = deepcopy(given)
    other["parts"][1]["judged"]["risk"] = 0.25
    assert mistakes([risk], other)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_page_has_an_id_and_a_path_for_each_figure(template: str) -> None:
    document = traced_document(assessment(), template=template)
    assert document.annex is not None
    expected = {one.id: one for one in figures(document)}
    seen: set[str] = set()
    for page in map(document_page, (document, document.annex)):
        spans = re.findall(r'<span id="(f\d+)" data-field="([^"]+)">([^<]*)</span>', page)
        assert len(spans) == len({one for one, *_ in spans})
        seen |= {one for one, *_ in spans}
        for id_, field, said in spans:
            figure = expected[id_]
            assert unescape(field) == " ".join(figure.paths)
            assert unescape(said) == ("" if figure.value is None else figure.text)
    assert seen == expected.keys()
    assert seen


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("audience", ["internal", "shared"])
def test_the_annex_lists_every_id(template: str, audience: Audience) -> None:
    document = traced_document(assessment(), template=template, audience=audience)
    listed = list_of_figures(document)
    rows = [row for block in listed.blocks if isinstance(block, Table) for row in block.rows]
    same = [group.split(SAME) for row in rows for group in row[0].split(", ")]
    assert sorted(one for group in same for one in group) == sorted(one.id for one in figures(document))
    by_id = {one.id: one for one in figures(document)}
    assert {len({(by_id[one].source, by_id[one].text) for one in group}) for group in same} == {1}
    assert {len(row) for row in rows} <= ({3, 4} if audience == "internal" else {3})


def test_a_shared_list_has_no_more_digits_than_the_report() -> None:
    document = traced_document(assessment(), audience="shared")
    listed = " ".join(shown(list_of_figures(document).blocks))
    said = " ".join(texts(document))
    numbers = {number for number in NUMBER.findall(listed) if "." in number}
    assert numbers
    assert {number for number in numbers if number not in said} == set()


def test_tracing_changes_nothing_else() -> None:
    text = FigureText.of("  12 of 30", [])
    assert text == "  12 of 30"
    assert json.dumps([text]) == '["  12 of 30"]'
    first, second = (document_page(document_of(assessment())) for _ in range(2))
    assert first == second
    assert not re.search("[\U0001d800-\U0001daaf]", first)


def test_a_report_that_cannot_be_traced_is_still_written(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_report = document_of(table())
    monkeypatch.setattr(writing, "traced_case", lambda *_, **__: int("no number"))
    document = document_of(table())
    assert texts(document) == texts(whole_report)
    assert figures(document) == []
    assert list(shown(list_of_figures(document).blocks)) == [NOT_TRACED]


def test_numbers_remember_their_fields_through_arithmetic() -> None:
    trace = Trace()
    given = {"share": 0.25, "rows": [{"n": 2}, {"n": 3}], "by": {"5": 0.5}, "flag": True}
    content = traced(given, JsonField(trace))
    assert content["flag"] is True
    cases = {
        percent(content["share"]): "25.0 %",
        brief_percent(1 - content["share"] * 0.001): "> 99.9 %",
        probability(content["share"] - 0.25): "0",
        f"{sum(row['n'] for row in content['rows']):,}": "5",
        f"{size(content['rows'])}": "2",
        f"{size([row for row in content['rows'] if row['n'] > 2])}": "1",
        f"{size([], among=content['rows'])}": "0",
        f"{round(content['share'], 1)}": "0.2",
        f"1/{whole(next(iter(content['by'])))}": "1/5",
    }
    for marked, plain in cases.items():
        text, places = trace.read(marked)
        assert text == plain
        ((start, end, mark),) = places
        value = computed(mark.origin, given)
        assert format(int(value) if isinstance(value, str) else value, mark.form) == text[start:end]
    assert content["by"][f"{content['rows'][1]['n'] + 2}"] == 0.5
