"""A setting of texts is declared once; option, --set, form, schema, record, views and reference follow."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from reidrisk.assess.kinds.text import TEXT_FORM
from reidrisk.cli.help import METHOD, Command, Option, section
from reidrisk.cli.settings import WordChoice, option_name, setting_option
from reidrisk.cli.text import command
from reidrisk.core.setting_values import check_values, read_changes, value_of
from reidrisk.core.settings import (
    AnyOf,
    Choice,
    ListOf,
    NumberSetting,
    Setting,
    SettingGroup,
    WholeNumber,
    YesNo,
)
from reidrisk.detect import settings as detection
from reidrisk.detect.model import settings as training
from reidrisk.errors import InvalidSetting
from reidrisk.report.blocks import text_settings as view
from reidrisk.report.kinds import text_attack, text_deidentification, text_training
from reidrisk.resynthesis import settings as replacement
from reidrisk.resynthesis.attack import settings as attacking
from reidrisk.text import input_settings as inputs
from reidrisk.text.settings import ANNOTATOR, ENGINE, PAPER, PROFILE, TEXT_SETTINGS, TextSettings, settings

ROOT = Path(__file__).parents[2]
HOLDERS: tuple[tuple[Any, tuple[Setting, ...]], ...] = (
    (TextSettings, TEXT_SETTINGS),
    (replacement.ResynthesisSettings, replacement.RESYNTHESIS_SETTINGS),
    (training.TrainSettings, training.TRAIN_SETTINGS),
    (attacking.AttackSettings, attacking.ATTACK_SETTINGS),
)
DETECT = (detection.THRESHOLD, detection.SCHEME, detection.RULES, detection.CONSISTENCY)
OPTIONS: dict[str, tuple[Setting, ...]] = {
    "evaluate": (PROFILE, ENGINE, *inputs.INPUT_SETTINGS),
    "sample": inputs.SAMPLE_SETTINGS,
    "agree": (inputs.ANNOTATORS_UNMATCHED, inputs.RULE),
    "convert": (ANNOTATOR,),
    "train": (training.FOLDS, inputs.TYPES, inputs.IGNORE_WORDS),
    "deidentify": (
        *(replacement.MODE, detection.MODEL, detection.KNOWN, detection.TERMS, detection.THRESHOLD),
    ),
    "attack": (attacking.PRECISION, inputs.TYPES, inputs.TREATMENT, inputs.GOLD_FORMAT),
}
WITH_DEFAULT = (
    *(PROFILE, ENGINE, inputs.IGNORE_WORDS, inputs.ANNOTATORS_UNMATCHED, inputs.RULE, ANNOTATOR),
    *(training.FOLDS, replacement.MODE, detection.THRESHOLD, attacking.PRECISION),
)
"""Options that have their default as a value, because no file can give another."""
FORM_SETTINGS = (
    *(inputs.GOLD_FORMAT, inputs.TOOL_FORMAT, inputs.TREATMENT, inputs.RECOGNITION),
    *inputs.COUNTING_SETTINGS,
)
EVERY = (
    *(*TEXT_SETTINGS, *inputs.INPUT_SETTINGS, *inputs.SAMPLE_SETTINGS, inputs.ANNOTATORS_UNMATCHED),
    *(inputs.RULE, training.FOLDS, *training.TRAIN_SETTINGS, *replacement.RESYNTHESIS_SETTINGS),
    *(*detection.DETECT_SETTINGS, *attacking.ATTACK_SETTINGS),
)


def named(one: Any) -> str:
    return str(getattr(one, "name", one))


def wrong_values(setting: Setting) -> list[Any]:
    """Values just outside the range, and of another type."""
    kind = setting.kind
    if isinstance(kind, WholeNumber):
        return [kind.least - 1, *([] if kind.most is None else [kind.most + 1])]
    if isinstance(kind, NumberSetting):
        most = [] if kind.high is None else [kind.high if kind.below else kind.high + 0.001]
        return [float("nan"), float("inf"), *most] + (
            [] if kind.low is None else [kind.low if kind.above else kind.low - 0.001]
        )
    return ["nonsense"] if isinstance(kind, Choice) else []


def right_values(setting: Setting) -> list[Any]:
    """All words, both answers, or the ends of a range."""
    kind = setting.kind
    if isinstance(kind, Choice):
        return list(kind.words)
    if isinstance(kind, WholeNumber):
        return [kind.least, kind.most or kind.least + 1]
    if isinstance(kind, NumberSetting):
        return [0.75, *([] if kind.above or kind.low is None else [kind.low])]
    text = None if setting.default is None else str(setting.default)
    return [True, False] if isinstance(kind, YesNo) else [text]


PLUGINS = "attacks"
"""Recorded only if a plug-in is named."""


@pytest.mark.parametrize(("holder", "declared"), HOLDERS, ids=named)
def test_what_holds_the_values_has_the_declared_names_and_defaults(
    holder: Any, declared: tuple[Setting, ...]
) -> None:
    own = [one.name for one in fields(holder) if one.name != PLUGINS]
    assert own == [one.name for one in declared]
    assert holder().to_dict() == {one.name: one.default for one in declared}
    assert list(holder().to_dict()) == [one.name for one in declared]


CASES = [(holder, one) for holder, declared in HOLDERS for one in declared]
CASES += [(detection.DetectSettings, one) for one in DETECT]


@pytest.mark.parametrize(("holder", "setting"), CASES, ids=named)
def test_ranges_are_enforced_as_declared(holder: Any, setting: Setting) -> None:
    for value in wrong_values(setting):
        with pytest.raises(
            InvalidSetting, match=rf"The setting {setting.name} (cannot be|is not) "
        ) as caught:
            holder(**{setting.name: value})
        assert caught.value.hint
    if setting.name in (PROFILE.name, "rate_uncertainty", "release_shares", "gate"):  # need other settings
        return
    for value in right_values(setting):
        assert getattr(holder(**{setting.name: value}), setting.name) == value


TEXTS = {
    "cluster_max": {"cluster_max": "40"},
    "strata": {"strata": "field:ward"},
    "release_shares": {"release_shares": "notes=0.9, letters=0.1"},
}
READ = {"cluster_max": 40, "strata": "field:ward", "release_shares": {"notes": 0.9, "letters": 0.1}}
"""Settings without a default, as texts and as they are read."""


@pytest.mark.parametrize("setting", [one for one in TEXT_SETTINGS if one != PROFILE], ids=named)
def test_every_setting_can_be_set_as_a_text(setting: Setting) -> None:
    if setting.default is None:
        options = {"strata": "folder"} | TEXTS[setting.name]
        assert settings(options=options).to_dict()[setting.name] == READ[setting.name]
        return
    text = "no" if isinstance(setting.kind, YesNo) else str(setting.default)
    read = getattr(settings(options={setting.name: text}), setting.name)
    assert read == (False if isinstance(setting.kind, YesNo) else setting.default)
    assert type(read) is type(setting.default)
    if isinstance(setting.kind, YesNo | WholeNumber | NumberSetting):
        with pytest.raises(InvalidSetting, match=rf"The setting {setting.name} takes .*, not 'x'") as caught:
            settings(options={setting.name: "x"})
        assert caught.value.hint == f"Leave it out for the default, {setting.shown_default}."


@pytest.mark.parametrize("setting", TEXT_SETTINGS, ids=named)
def test_every_setting_is_in_form_schema_view_and_reference(setting: Setting) -> None:
    group = TEXT_FORM.entries["settings"].kind
    assert isinstance(group, SettingGroup)
    assert group.entries[setting.name] == setting.entry
    schema = group.json_schema()["properties"][setting.name]
    assert schema == {"description": setting.entry.about, **setting.kind.json_schema()}
    assert view.MEANINGS[setting.name] == setting.meaning
    if setting == PROFILE:
        return
    page = (ROOT / "docs/reference/text-settings.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{setting.name}` |"))
    both = f"{setting.shown_default} | {PAPER.get(setting.name, setting.shown_default)}"
    assert row == f"| `{setting.name}` | {setting.kind.takes} | {both} | {setting.help} |"


@pytest.mark.parametrize("setting", FORM_SETTINGS, ids=named)
def test_every_input_is_in_form_and_reference(setting: Setting) -> None:
    assert TEXT_FORM.entries[setting.name] == setting.entry
    page = (ROOT / "docs/reference/release-file.md").read_text(encoding="utf-8")
    assert f"| `{setting.name}` | {setting.kind.takes} | {setting.entry.about} |" in page


@pytest.mark.parametrize(
    ("name", "setting"), [(name, one) for name, own in OPTIONS.items() for one in own], ids=named
)
def test_every_option_follows_from_its_setting(name: str, setting: Setting) -> None:
    found = {one.name: one for one in command.commands[name].params}[setting.name]
    assert isinstance(found, Option)
    assert found.opts == [option_name(setting)]
    assert found.help
    kind, shape = setting.kind, found.type
    if isinstance(kind, Choice):
        assert isinstance(shape, WordChoice)
        assert tuple(shape.choices) == kind.words
    if isinstance(kind, WholeNumber):
        assert isinstance(shape, click.IntRange)
        assert (shape.min, shape.max) == (kind.least, kind.most)
    if isinstance(kind, NumberSetting):
        assert isinstance(shape, click.FloatRange)
        assert (shape.min, shape.max, shape.min_open) == (kind.low, kind.high, kind.above)
    is_many = isinstance(kind, ListOf | AnyOf) and setting != inputs.TYPES
    assert found.multiple is is_many
    assert (found.default == setting.default) is (setting in WITH_DEFAULT)
    help_page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    own = help_page.split(f"## `reidrisk text {name}`")[1].split("\n## ")[0]
    assert f"  {option_name(setting)} " in own


def test_views_explain_what_is_declared() -> None:
    for one in inputs.INPUT_SETTINGS:
        assert view.MEANINGS[one.name] == one.meaning
    for one in attacking.ATTACK_SETTINGS:
        assert text_attack.MEANINGS[one.name] == one.meaning
    for one in (training.FOLDS, *training.TRAIN_SETTINGS):
        assert text_training.MEANINGS[one.name] == one.meaning
    for one in replacement.SURROGATE_SETTINGS:
        assert text_deidentification.MEANINGS[one.name] == one.meaning


@pytest.mark.parametrize("setting", EVERY, ids=named)
def test_help_is_a_sentence_that_names_only_settings_that_exist(setting: Setting) -> None:
    assert setting.help.endswith(".")
    assert setting.meaning
    assert not setting.meaning.endswith(".")
    assert set(re.findall(r"`(\w+)`", setting.help)) <= {one.name for one in EVERY}


def test_a_meaning_is_the_first_sentence_as_a_phrase() -> None:
    two = Setting("needed", WholeNumber(), "Number of `values` up to 0.5 a page. Use 1 for a test.")
    assert two.meaning == "number of values up to 0.5 a page"


def test_changes_are_read_by_the_type_of_their_setting() -> None:
    declared = (Setting("share", NumberSetting(0, 1), "Share.", 0.5), Setting("flag", YesNo(), "Flag."))
    found = read_changes(declared, {"share": "0.25", "flag": "Yes"}, what="An option of a test")
    assert found == {"share": 0.25, "flag": True}
    assert read_changes(declared, {"share": 1}, what="An option of a test") == {"share": 1}
    with pytest.raises(InvalidSetting, match=r"'shar' is not an option of a test(?s:.*)Did you mean 'share'"):
        read_changes(declared, {"shar": "1"}, what="An option of a test")
    with pytest.raises(InvalidSetting, match="takes yes or no, not 'maybe'") as caught:
        value_of(declared[1], "maybe")
    assert caught.value.hint == "Leave it out for the default."


def test_none_is_a_value_only_where_it_is_the_default() -> None:
    class Holder:
        level = None

    check_values([Setting("level", NumberSetting(0), "Level.")], Holder)
    with pytest.raises(InvalidSetting, match="The setting level takes a number, 0 or more, not None"):
        check_values([Setting("level", NumberSetting(0), "Level.", 1)], Holder)


def test_a_word_that_is_nearly_right_is_suggested() -> None:
    @click.command(cls=Command)
    @section(METHOD, setting_option(ENGINE, filled=True))
    def run(engine: str) -> None:
        click.echo(engine)

    with pytest.raises(click.BadParameter, match=r"'exacts' is not one of .* Did you mean 'exact'\?"):
        run.main(["--engine", "exacts"], standalone_mode=False)
    with pytest.raises(click.BadParameter) as caught:
        run.main(["--engine", "zzz"], standalone_mode=False)
    assert "Did you mean" not in caught.value.message


@pytest.mark.parametrize(
    ("high", "below", "takes", "end"),
    [
        (1, True, "number from 0.5 to less than 1", "exclusiveMaximum"),
        (1, False, "number from 0.5 to 1", "maximum"),
    ],
)
def test_an_end_may_be_left_out(high: float, below: bool, takes: str, end: str) -> None:
    kind = NumberSetting(0.5, high, below=below)
    assert (kind.takes, kind.includes(1)) == (takes, not below)
    assert kind.json_schema() == {"type": "number", "minimum": 0.5, end: 1}


@pytest.mark.parametrize(
    "module",
    [
        *("text.settings", "text.input_settings", "detect.settings", "detect.model.settings"),
        *("resynthesis.settings", "resynthesis.attack.settings", "cli.text", "cli.document"),
    ],
)
def test_help_loads_nothing_heavy(module: str) -> None:
    code = (
        f"import sys, reidrisk.{module}\n"
        "heavy = {'numpy', 'scipy', 'yaml', 'duckdb', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
