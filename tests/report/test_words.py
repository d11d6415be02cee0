"""Every word of the file is used, and every word that is used is in the file."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import reidrisk
from reidrisk.report.documents.formulas import EXPRESSIONS
from reidrisk.report.words.book import LANGUAGE, phrases, say, words

ROOM = Path(reidrisk.__file__).parent / "report"
TEMPLATE_WORD = re.compile(r'words(?:\["(\w+)"\]|\.(\w+))')


def uses() -> tuple[set[str], set[str]]:
    """Keys that are named in full, and beginnings of keys."""
    full: set[str] = set()
    begun = {"document."}  # the templates of page and PDF get the whole group
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                _use(node.func.id, node.args[0], full, begun)
    return full, begun


def _use(function: str, given: ast.expr, full: set[str], begun: set[str]) -> None:
    if function not in ("say", "phrases"):
        return
    if isinstance(given, ast.Constant):
        text = str(given.value)
        (full if function == "say" else begun).add(text if function == "say" else f"{text}.")
    elif isinstance(given, ast.JoinedStr):
        first = given.values[0]
        begun.add(str(first.value) if isinstance(first, ast.Constant) else "")
    elif isinstance(given, ast.Name):
        return  # chosen among keys that stand as texts nearby; the next test finds them


def constants() -> set[str]:
    return {
        str(node.value)
        for path in ROOM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_key_that_is_used_exists() -> None:
    full, begun = uses()
    known = words(LANGUAGE)
    assert full - set(known) == set()
    from_templates = {"", "general.", "ema.", "hipaa.", "summary."}
    for start in begun - from_templates:
        assert any(key.startswith(start) for key in known), start


def test_every_key_of_the_file_is_used() -> None:
    full, begun = uses()
    templates = {"general", "ema", "hipaa", "summary"}
    titled = {f"{name}.title" for name in templates}
    begun = {start for start in begun if start} | {f"{name}.chapter." for name in templates}
    named = full | titled | constants()
    left = {key for key in words(LANGUAGE) if key not in named and not key.startswith(tuple(begun))}
    assert left == set()


def test_the_words_of_the_templates_are_those_of_the_group() -> None:
    asked = {
        match[1] or match[2]
        for name in ("document.html", "blocks.html", "document.typ")
        for match in TEMPLATE_WORD.finditer((ROOM / "templates" / name).read_text(encoding="utf-8"))
    }
    known = set(phrases("document"))
    assert asked <= known
    own = {key.removeprefix("document.") for key in constants() if key.startswith("document.")}
    assert known <= asked | own


@pytest.mark.parametrize("template", ["general", "ema", "hipaa", "summary"])
def test_every_chapter_of_the_words_is_a_chapter_of_the_template(template: str) -> None:
    from importlib import import_module

    module = import_module(f"reidrisk.report.documents.{template}")
    named = {key.split(".")[0] for key in phrases(f"{template}.chapter")}
    built = {name for name, _ in (*module.CHAPTERS, *getattr(module, "APPENDICES", ()))}
    assert named == built


def test_every_formula_has_words_and_every_word_a_formula() -> None:
    assert {key.split(".")[0] for key in phrases("formula")} == set(EXPRESSIONS)
    for name in EXPRESSIONS:
        assert {"title", "spoken", "source"} <= set(phrases(f"formula.{name}"))


def test_no_text_is_empty_or_has_a_brace_without_a_name() -> None:
    for key, text in words(LANGUAGE).items():
        assert text, key
        for _, field, _, _ in string.Formatter().parse(text):
            assert field is None or field.isidentifier(), key


def test_values_with_braces_are_not_taken_for_places() -> None:
    assert say("against.said", part="{x}", figures="{0}") == "{x}: {0}."


def test_a_key_that_is_not_there_is_a_defect() -> None:
    with pytest.raises(KeyError):
        say("document.nowhere")
    with pytest.raises(KeyError):
        phrases("nowhere")
