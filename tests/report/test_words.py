"""Every word of the file is used, and every word that is used is in the file."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import reidrisk
from reidrisk.core.yaml_file import read_yaml
from reidrisk.report.documents.formulas import EXPRESSIONS
from reidrisk.report.words.book import FILES, LANGUAGE, _flat, phrases, say, words

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


ROOMS = ("charts", "content", "documents")
"""What all views share; a translation must find its words in the files of words."""
NO_WORDS = {"offset points", "axes fraction", "upper left", "lower right", "lower center", "DejaVu Sans"}
"""What matplotlib is told."""
MARKUP = {"kept.py", "svg.py"}
"""Modules that write markup and nothing to read."""
SENTENCE = re.compile(r"[A-Za-z]{2,}[,;:.)]? [a-z]{2,}")
MEANT_AS_IT_IS = {"Source", "filterwarnings", "compile"}
"""Citations are not translated; patterns are no words."""


class Sentences(ast.NodeVisitor):
    """Texts of two words or more that stand in the code and are shown."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # no docstring
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What a text is compared with is no text that is shown."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """Errors are for whoever calls."""

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in MEANT_AS_IT_IS:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and SENTENCE.search(node.value) and node.value not in NO_WORDS:
            self.found.append(node.value)


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_stands_in_the_code(room: str) -> None:
    left = {}
    for path in sorted((ROOM / room).rglob("*.py")):
        seen = Sentences()
        seen.visit(ast.parse(path.read_text(encoding="utf-8")))
        if seen.found and path.name not in MARKUP:
            left[path.name] = seen.found
    assert left == {}


def test_a_sentence_in_the_code_would_be_found() -> None:
    seen = Sentences()
    seen.visit(
        ast.parse('"""A docstring of a module."""\nx = f"{a} records are {b}"\ny = Column("the risk")\n')
    )
    assert seen.found == [" records are ", "the risk"]


@pytest.mark.parametrize("name", ["document.html", "blocks.html", "document.typ"])
def test_no_sentence_stands_in_a_template_of_documents(name: str) -> None:
    text = (ROOM / "templates" / name).read_text(encoding="utf-8")
    if name.endswith(".typ"):
        shown = re.findall(r'"([^"\n]*)"', re.sub(r"//.*", "", text))
    else:
        shown = re.findall(r">([^<]*)<", re.sub(r"\{[{%#].*?[#%}]\}", "", text, flags=re.DOTALL))
    assert [one for one in shown if SENTENCE.search(one)] == []


def test_no_key_stands_in_two_files() -> None:
    counted: list[str] = []
    for name in FILES:
        found = read_yaml(ROOM / "words" / name.format(LANGUAGE))
        counted += [key for key, _ in _flat(found, "").items()]
    assert len(counted) == len(set(counted)) == len(words(LANGUAGE))


def test_a_key_that_is_not_there_is_a_defect() -> None:
    with pytest.raises(KeyError):
        say("document.nowhere")
    with pytest.raises(KeyError):
        phrases("nowhere")
