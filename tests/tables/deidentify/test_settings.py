"""A setting is declared once; option, YAML key, schema, record and reference page follow."""

from __future__ import annotations

import re
import runpy
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from reidrisk.assess.kinds.deidentify import DEIDENTIFY_FORM
from reidrisk.cli.help import METHOD, Command, Option, section
from reidrisk.cli.settings import option_name, setting_options, setting_values
from reidrisk.cli.table_deidentify import deidentify
from reidrisk.core.settings import (
    ABOVE_ZERO,
    COLUMNS,
    SHARE,
    AnyValue,
    Choice,
    MappingOf,
    NumberSetting,
    Setting,
    SettingGroup,
    WholeNumber,
    YesNo,
    check_settings,
    form_entries,
    read_settings,
    record_settings,
)
from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables.deidentify.config import config_from
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.settings import ALL_SETTINGS, METHOD_SETTINGS, OPTION_SETTINGS
from reidrisk.tables.events import EventKnowledge
from reidrisk.tables.settings import EVENT_SETTINGS

ROOT = Path(__file__).parents[3]
EXAMPLES: dict[str, Any] = {
    "quasi": ["sex"], "unit": "ward", "reduce": {"sex": "first"}, "direct": {"who": "drop"},
    "sensitive": ["drug"], "ladder": [5, 3], "max_level": {"sex": 1}, "weights": {"sex": 2.0},
    "rare": "rare.txt", "rare_columns": ["code"], "text": {"note": "drop"}, "other": {"ward": "five values"},
    "events": ["code"], "known": 1, "count_events": True, "cell_size": 4, "l": 2.0,
    "date_format": {"born": "%d.%m.%Y"}, "encoding": "cp1252", "delimiter": ";", "null": ["unknown"],
}  # fmt: skip
"""A value of each setting that is neither a choice nor a share."""
EXTRA = (
    Setting("extra_share", SHARE, "Share of a test. Needs `method` global.", 0.25, metavar="SHARE"),
    Setting("extra_word", Choice(("one", "two")), "Word of a test.", "one"),
    Setting("extra_columns", COLUMNS, "Columns of a test.", metavar="COLUMNS"),
    Setting("extra_values", MappingOf(ABOVE_ZERO), "At most `extra_values`.", metavar="COLUMN=X"),
    Setting("extra_count", WholeNumber(0, 5), "Count of a test.", 2, metavar="N"),
    Setting("extra_flag", YesNo(), "Flag of a test.", default=False),
)


def example(setting: Setting) -> Any:
    if isinstance(setting.kind, Choice):
        return setting.kind.words[-1]
    return EXAMPLES.get(setting.name, 0.5)


def every(name: str) -> Any:
    return pytest.mark.parametrize(name, ALL_SETTINGS, ids=lambda one: one.name)


@every("setting")
def test_every_setting_is_an_option(setting: Setting) -> None:
    found = {one.name: one for one in deidentify.params}[setting.name]
    assert isinstance(found, Option)
    assert found.opts == [option_name(setting)]
    assert found.help
    if isinstance(setting.kind, Choice):
        assert isinstance(found.type, click.Choice)
        assert tuple(found.type.choices) == setting.kind.words
        assert found.show_default == setting.shown_default


def test_options_without_a_value_leave_the_setting_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").touch()
    copy = click.Command("deidentify", params=deidentify.params)  # commands remember how they were called
    given = copy.make_context("deidentify", [str(tmp_path / "t.csv"), "--out", "o.csv"]).params
    assert setting_values(given, ALL_SETTINGS) == {}


@every("setting")
def test_every_setting_is_a_key_of_a_yaml_file(setting: Setting) -> None:
    value = example(setting)
    found = config_from({setting.name: value}, folder=Path(), place="c.yaml").values[setting.name]
    assert found == (tuple(value) if setting.kind == COLUMNS else value)
    with pytest.raises(InvalidSetting, match=rf"c\.yaml\.{setting.name}\b") as caught:
        config_from({setting.name: 1j}, folder=Path(), place="c.yaml")
    assert "Hint: " in str(caught.value)


@every("setting")
def test_every_setting_is_in_form_schema_and_reference(setting: Setting) -> None:
    entry = DEIDENTIFY_FORM.entries[setting.name]
    assert entry.kind == setting.kind
    if setting.name not in ("cell_size", "ladder"):  # where the context decides
        assert entry == setting.entry
    schema = DEIDENTIFY_FORM.json_schema()["properties"][setting.name]
    assert schema == {"description": entry.about, **setting.kind.json_schema()}
    page = (ROOT / "docs/reference/release-file.md").read_text(encoding="utf-8")
    assert f"| `{setting.name}` | {setting.kind.takes} | {entry.about}" in page
    help_page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    assert f"  {option_name(setting)} " in help_page.split("## `reidrisk table deidentify`")[1]


def test_results_record_every_setting_of_the_options() -> None:
    names = [one.name for one in OPTION_SETTINGS]
    recorded = DeidentifyOptions(events=EventKnowledge(("code",))).settings()
    assert set(names) <= {one.name for one in fields(DeidentifyOptions)}
    assert set(names) <= set(recorded)
    kept = {one.name: one.default for one in OPTION_SETTINGS if one.default is not None}
    assert {name: recorded[name] for name in kept} == {**kept, "aggregate": None, "records": None}
    assert list(SensitiveLimits().to_dict()) == [one.name for one in SENSITIVE_SETTINGS]
    assert SensitiveLimits().to_dict() == {one.name: one.default for one in SENSITIVE_SETTINGS}
    assert EventKnowledge(("code",)).settings() == {"columns": ["code"], "known": 2, "counted": False}
    assert [one.default for one in EVENT_SETTINGS] == [None, 2, False]


@every("setting")
def test_help_names_only_settings_that_exist(setting: Setting) -> None:
    named = re.findall(r"`(\w+)`", setting.help)
    assert set(named) <= {one.name for one in ALL_SETTINGS if not one.option}
    assert setting.help.endswith(".")


def test_names_are_unique() -> None:
    names = [one.name for one in ALL_SETTINGS]
    assert len(set(names)) == len(names)


def extra_command() -> tuple[click.Command, dict[str, Any]]:
    """A command with the settings of the method and the extra ones, and what it is given."""
    given: dict[str, Any] = {}

    @click.command(cls=Command)
    @section(METHOD, *setting_options((*METHOD_SETTINGS, *EXTRA)))
    def run(**values: Any) -> None:
        given.update(setting_values(values, (*METHOD_SETTINGS, *EXTRA)))

    return run, given


def test_a_new_setting_becomes_an_option() -> None:
    run, given = extra_command()
    text = " ".join(run.get_help(click.Context(run)).split())
    assert "--extra-share SHARE Share of a test. Needs --method global. [default: 0.25; 0 to 1]" in text
    assert "--extra-word [one|two] Word of a test. [default: one]" in text
    assert "--extra-columns COLUMNS Columns of a test, separated by commas." in text
    assert "--extra-values COLUMN=X At most COLUMN=X; may be repeated." in text
    assert "--extra-count N Count of a test. [default: 2; 0 to 5]" in text
    assert "--extra-flag Flag of a test." in text
    run.main(["--extra-count", "0"], standalone_mode=False)
    assert given == {"extra_count": 0}
    line = "--extra-share 0 --extra-word two --extra-columns a,b --extra-values a=2 --extra-values b=3"
    run.main([*line.split(), "--extra-flag"], standalone_mode=False)
    assert given == {
        "extra_count": 0, "extra_share": 0.0, "extra_word": "two", "extra_columns": ("a", "b"),
        "extra_values": {"a": 2.0, "b": 3.0}, "extra_flag": True,
    }  # fmt: skip
    for wrong in (["--extra-share", "2"], ["--extra-word", "six"], ["--extra-count", "6"]):
        with pytest.raises(click.BadParameter):
            run.main(wrong, standalone_mode=False)


def test_a_new_setting_becomes_a_yaml_key() -> None:
    content = {"extra_share": 1, "extra_word": "two", "extra_columns": ["a"], "extra_values": {"a": 2}}
    more = {"extra_count": 5, "extra_flag": True}
    found = read_settings(Spec.of({**content, **more}, place="c.yaml"), EXTRA)
    assert found == {**content, **more, "extra_columns": ("a",)}
    assert read_settings(Spec.of({}, place="c.yaml"), EXTRA) == {}


@pytest.mark.parametrize(
    ("content", "problem", "hint"),
    [
        ({"extra_share": 15}, "c.yaml.extra_share is not a number from 0 to 1.", "Write 15 % as 0.15."),
        ({"extra_share": "x"}, "c.yaml.extra_share is no", "Write it "),
        ({"extra_word": 3}, "c.yaml.extra_word is not text.", "Put it in quotes."),
        ({"extra_columns": "a"}, "c.yaml.extra_columns is not a list of column names.", "Write [sex"),
        ({"extra_values": ["a"]}, "c.yaml.extra_values is not a mapping of names.", "Write a line"),
        (
            {"extra_values": {"a": 0}},
            "c.yaml.extra_values.a is not a number above 0.",
            "Write a number above 0.",
        ),
        ({"extra_count": -1}, "c.yaml.extra_count is no", "Write 0 or more."),
        ({"extra_count": 6}, "c.yaml.extra_count is more than 5.", "Write 0 to 5."),
        ({"extra_flag": "yes"}, "c.yaml.extra_flag is neither true nor false.", "Write true or false."),
    ],
)
def test_a_wrong_value_in_a_file_is_refused_with_its_place(content: Any, problem: str, hint: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        read_settings(Spec.of(content, place="c.yaml"), EXTRA)
    assert caught.value.problem.startswith(problem)
    assert caught.value.hint.startswith(hint)


def test_a_new_setting_is_in_form_schema_and_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    group = SettingGroup(form_entries(EXTRA))
    schema = group.json_schema()["properties"]
    assert schema["extra_share"] == {
        "description": "Share of a test. Needs `method` global.  [0.25]",
        "type": "number",
        "minimum": 0,
        "maximum": 1,
    }
    assert schema["extra_word"]["enum"] == ["one", "two"]
    assert schema["extra_values"]["additionalProperties"] == {"type": "number", "exclusiveMinimum": 0}
    assert schema["extra_flag"]["description"] == "Flag of a test.  [false]"
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = runpy.run_path(str(ROOT / "docs" / "generate.py"))["settings_table"](group)
    assert "| `extra_share` | number from 0 to 1 | Share of a test. Needs `method` global.  [0.25] |" in page
    assert "| `extra_count` | whole number, 0 to 5 | Count of a test.  [2] |" in page


def test_a_new_setting_is_checked_and_recorded() -> None:
    values = {"extra_share": 0.5, "extra_word": "two", "extra_columns": ("a",), "extra_values": {"a": 2}}
    holder = SimpleNamespace(**values, extra_count=None, extra_flag=False)
    check_settings(EXTRA, holder)
    assert record_settings(EXTRA, holder) == {
        **values, "extra_columns": ["a"], "extra_count": None, "extra_flag": False,
    }  # fmt: skip
    holder.extra_word = "tow"
    with pytest.raises(InvalidSetting, match="The setting extra_word cannot be 'tow'") as caught:
        check_settings(EXTRA, holder)
    assert "Did you mean 'two'?" in caught.value.hint


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan"), float("inf")])
def test_numbers_outside_the_range_are_refused(wrong: float) -> None:
    with pytest.raises(InvalidSetting, match="The setting extra_share cannot be") as caught:
        EXTRA[0].check(wrong)
    assert caught.value.hint == "Give a number from 0 to 1. Write 15 % as 0.15."


def test_ranges_in_words() -> None:
    kinds = (NumberSetting(), NumberSetting(1), SHARE, ABOVE_ZERO, NumberSetting(0, 1, above=True))
    assert [kind.takes for kind in kinds] == [
        *("number", "number, 1 or more", "number from 0 to 1", "number above 0", "number above 0, up to 1"),
    ]
    assert not ABOVE_ZERO.includes(0)


def test_a_type_without_a_reader_needs_its_own() -> None:
    with pytest.raises(TypeError, match="needs a reader of its own"):
        Setting("other", AnyValue("anything"), "Other.").read(1, "c.yaml.other")
