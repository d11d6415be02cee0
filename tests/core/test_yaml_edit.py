"""Settings are changed in the text of a YAML file, and everything else in it stays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from reidrisk.core.yaml_edit import edit_yaml, is_same
from reidrisk.core.yaml_file import parse_lined_yaml
from reidrisk.errors import InvalidSetting

TEXT = """\
# The head of the file
reidrisk: 1    # the version

release:
  name: "A release"   # its name
  # purpose: "..."

context:                     # or a path
  preset: hospital           # or ema
  access: public             # who gets it
  # controls: high
note: |
  Two
  lines
empty:      # nothing yet

parts:
  # the first
  - name: a                  # its name
    kind: table
    quasi: [sex, age]        # known
    hierarchies:             # how
      age: {kind: age, levels: [years, "5 years"]}  # of people
      zip: {kind: code}
  # the second
  - name: b
    gold: g
seed: 7
"""
Change = Callable[[dict[str, Any]], object]


def edited(change: Change, text: str = TEXT) -> str:
    content = parse_lined_yaml(text, "f").content
    change(content)
    made = edit_yaml(text, content, source="f")
    assert is_same(parse_lined_yaml(made, "f").content, content)
    return made


CHANGES: dict[str, tuple[Change, list[str], list[str]]] = {
    "a value, whose comment stays in its column": (
        lambda c: c["context"].update(access="non_public"),
        ["  access: public             # who gets it"],
        ["  access: non_public         # who gets it"],
    ),
    "a new entry after the last one": (
        lambda c: c["release"].update(date=date(2026, 11, 1)),
        [],
        ["  date: 2026-11-01"],
    ),
    "an entry of a mapping on one line": (
        lambda c: c["parts"][0]["hierarchies"]["age"].update(min_level="5 years"),
        ['      age: {kind: age, levels: [years, "5 years"]}  # of people'],
        ['      age: {kind: age, levels: [years, "5 years"], min_level: "5 years"}  # of people'],
    ),
    "a removed entry": (
        lambda c: c["parts"][0]["hierarchies"].pop("zip"),
        ["      zip: {kind: code}"],
        [],
    ),
    "the first entry of an item": (
        lambda c: c["parts"][0].pop("name"),
        ["  - name: a                  # its name", "    kind: table"],
        ["  - kind: table"],
    ),
    "a shorter list": (
        lambda c: c["parts"][0].update(quasi=["sex"]),
        ["    quasi: [sex, age]        # known"],
        ["    quasi: [sex]             # known"],
    ),
    "a value where there was none": (
        lambda c: c.update(empty={"a": 1}),
        ["empty:      # nothing yet"],
        ["empty: {a: 1}  # nothing yet"],
    ),
    "a text of several lines": (
        lambda c: c.update(note="One"),
        ["note: |", "  Two", "  lines"],
        ["note: One"],
    ),
    "a removed item": (
        lambda c: c["parts"].pop(0),
        TEXT.split("\n")[18:24],
        [],
    ),
    "a new item": (
        lambda c: c["parts"].append({"name": "c", "kind": "text"}),
        [],
        ["  - name: c", "    kind: text"],
    ),
    "a new first item": (
        lambda c: c["parts"].insert(0, {"name": "c", "kind": "text"}),
        [],
        ["  - name: c", "    kind: text"],
    ),
    "a section that becomes a path": (
        lambda c: c.update(context="context.yaml"),
        ["context:                     # or a path", *TEXT.split("\n")[8:10]],
        ["context: context.yaml        # or a path"],
    ),
    "a value that needs lines of its own": (
        lambda c: c["parts"][1].update(gold={"a": {"b": [1]}}),
        ["    gold: g"],
        ["    gold:", "      a:", "        b: [1]"],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_only_the_lines_of_a_change_differ(name: str) -> None:
    change, gone, new = CHANGES[name]
    before, after = TEXT.split("\n"), edited(change).split("\n")
    assert [line for line in before if line not in after] == [line for line in gone if line not in new]
    assert [line for line in after if line not in before] == [line for line in new if line not in before]
    assert [line for line in after if line in before and line not in new] == [
        line for line in before if line in after and line not in new
    ]


def test_several_changes_at_once() -> None:
    def change(content: dict[str, Any]) -> None:
        content["context"].pop("access")
        content["context"].update(controls="high", threshold={"cell_size": 5, "reason": "policy: ours"})
        content["parts"][0].update(kind="text", out="x.csv")
        content["parts"][1].pop("gold")
        content.update(seed=8, limits={"cores": 2})

    made = edited(change)
    assert "  controls: high\n" in made
    assert '  threshold: {cell_size: 5, reason: "policy: ours"}\n' in made
    assert made.endswith("seed: 8\nlimits: {cores: 2}\n")
    assert [line for line in TEXT.split("\n") if "#" in line and "access" not in line] == [
        line for line in made.split("\n") if "#" in line
    ]


def test_nothing_is_written_if_nothing_changes() -> None:
    assert edited(lambda content: content) == TEXT
    assert edit_yaml("a:   1", {"a": 1}, source="f") == "a:   1"
    assert edit_yaml("a:   1", {"a": 1, "b": 2}, source="f") == "a:   1\nb: 2\n"
    assert edit_yaml("", {"a": [1]}, source="f") == "a: [1]\n"


def test_texts_that_look_like_something_else_are_quoted() -> None:
    odd = [
        "yes",
        "null",
        ".5",
        "1e3",
        "2026-11-01",
        "a: b",
        "# x",
        "- y",
        "",
        " z",
        "é",
        "[",
        "~",
        "0x1",
        "\n",
    ]
    assert edited(lambda content: content.update(odd=odd, **{"5": "5", "a.b": ":"}))


@pytest.mark.parametrize("text", ["? a\n: 1\n", "{a: 1, b}\n"])
def test_a_file_in_a_rare_style_is_refused_or_right(text: str) -> None:
    content = parse_lined_yaml(text, "f").content
    for key in content:
        wanted = {**content, key: "new"}
        with suppress(InvalidSetting):
            assert parse_lined_yaml(edit_yaml(text, wanted, source="f"), "f").content == wanted


def test_values_that_yaml_cannot_have_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="type set"):
        edit_yaml("a: 1\n", {"a": {1}}, source="f")
    with pytest.raises(InvalidSetting, match="comments kept"):
        edit_yaml("a: 1\n", {"a": float("nan")}, source="f")


LEAF = some.none() | some.booleans() | some.integers(-9, 9) | some.text("ab:# -é'\"\n.5", max_size=5)
KEYS = some.sampled_from(["a", "b", "name", "a b", "null", "x.y"])
TREE = some.recursive(
    LEAF,
    lambda below: some.lists(below, max_size=3) | some.dictionaries(KEYS, below, max_size=4),
    max_leaves=10,
)
CONTENT = some.dictionaries(KEYS, TREE, min_size=1, max_size=5)


@given(CONTENT, CONTENT, some.sampled_from([True, False, None]), some.booleans())
def test_any_content_becomes_any_other(
    now: dict[str, Any], then: dict[str, Any], flow: bool | None, is_indented: bool
) -> None:
    """In the styles that programs write, no change is refused."""

    class Indented(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
            super().increase_indent(flow, indentless and not is_indented)

    text = yaml.dump(now, Dumper=Indented, default_flow_style=flow, sort_keys=False)
    read = parse_lined_yaml(text, "f").content
    if not is_same(read, now):  # a key null is a text for us
        return
    assert is_same(parse_lined_yaml(edit_yaml(text, then, source="f"), "f").content, then)
