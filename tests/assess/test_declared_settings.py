"""Settings of tables and populations: option, form, schema, record and reference pages agree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click
import pytest

from reidrisk.assess.form import LIMITS_FORM, RELEASE_FILE_FORM
from reidrisk.assess.kinds.attack import ATTACK_FORM
from reidrisk.assess.kinds.deidentify import DEIDENTIFY_FORM
from reidrisk.assess.kinds.population import POPULATION_FORM
from reidrisk.assess.kinds.table import TABLE_FORM
from reidrisk.cli.help import Option
from reidrisk.cli.population import compare, explore
from reidrisk.cli.population import risk as population_risk
from reidrisk.cli.settings import option_name, setting_options, setting_values
from reidrisk.cli.table import preview, suggest
from reidrisk.cli.table import risk as table_risk
from reidrisk.cli.table_deidentify import deidentify, transform
from reidrisk.cli.table_release import attack, utility
from reidrisk.core.settings import (
    Choice,
    NumberSetting,
    Setting,
    SettingGroup,
    WholeNumber,
    YesNo,
    check_settings,
    form_entries,
)
from reidrisk.core.shared_settings import CELL_SIZE, CONTEXT, LIMIT_SETTINGS, SEED, THRESHOLD
from reidrisk.errors import InvalidSetting
from reidrisk.population import settings as people
from reidrisk.population.attacker import Attacker
from reidrisk.population.dates import BirthDates
from reidrisk.population.options import PopulationOptions
from reidrisk.stats.disclosure.settings import SENSITIVE_SETTINGS
from reidrisk.tables import settings as tables
from reidrisk.tables.attack import settings as attacking
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.deidentify.config import KEYS, config_from
from reidrisk.tables.deidentify.settings import ALL_SETTINGS, DEIDENTIFY_SETTINGS, FILE_SETTINGS, STEPS
from reidrisk.tables.sampling import Sampling
from reidrisk.tables.suggest import intruders
from reidrisk.tables.utility import settings as comparing
from reidrisk.tables.utility.plan import UtilityPlan, utility_plan

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PLAN = (people.ATTACKER, people.PRICE, people.VOTER_LISTS, people.ACROSS, *people.MEASURE_SETTINGS, SEED)
READING = (*people.SOURCE_SETTINGS, people.MODELLED)
OPTIONS: dict[str, tuple[click.Command, tuple[Setting, ...]]] = {
    "table risk": (
        table_risk,
        (
            *(tables.QUASI, tables.UNIT, tables.REDUCE, tables.SENSITIVE, tables.HIERARCHIES),
            *(*tables.RISK_SETTINGS, *tables.EVENT_SETTINGS, *SENSITIVE_SETTINGS),
            *(CELL_SIZE, THRESHOLD, CONTEXT, SEED, tables.BY),
        ),
    ),
    "table suggest": (suggest, (tables.SCENARIO, SEED)),
    "table preview": (preview, (tables.HIERARCHIES, CELL_SIZE, SEED)),
    "table deidentify": (
        deidentify,
        (tables.HIERARCHIES, tables.KEY, tables.OUT, *comparing.QUERY_SETTINGS, CONTEXT, SEED),
    ),
    "table transform": (transform, (tables.KEY, tables.OUT, SEED)),
    "table attack": (
        attack,
        (
            *(attacking.AGAINST, attacking.CONTROL, tables.EXPLAINED, attacking.GUESSES),
            *(*attacking.COLUMN_SETTINGS, *attacking.LIMITS, SEED),
        ),
    ),
    "table utility": (
        utility,
        (
            *(attacking.AGAINST, tables.EXPLAINED, comparing.COMPARED, comparing.INTERACTIONS),
            *(*comparing.QUERY_SETTINGS, comparing.SMALLEST_GROUP, comparing.SHOW_GROUPS, SEED),
        ),
    ),
    "population risk": (
        population_risk,
        (
            *(*PLAN, *READING, *people.DATASET_SETTINGS),
            *(people.POLICY, people.MAX_SHARE, people.BY, CONTEXT),
        ),
    ),
    "population compare": (
        compare,
        (*PLAN, *READING, *people.DATASET_SETTINGS, people.POLICIES, people.BY),
    ),
    "population explore": (
        explore,
        (*PLAN, *READING, people.COARSE, people.FINE, people.TARGET, people.MEASURE),
    ),
}
FORMS: dict[str, tuple[SettingGroup, tuple[Setting, ...]]] = {
    "file": (RELEASE_FILE_FORM, (CONTEXT, SEED)),
    "limits": (LIMITS_FORM, LIMIT_SETTINGS),
    "table": (
        TABLE_FORM,
        (
            *(*tables.COLUMN_SETTINGS, tables.HIERARCHIES, *tables.EVENT_SETTINGS),
            *(STEPS, tables.KEY, *tables.RISK_SETTINGS, *SENSITIVE_SETTINGS),
        ),
    ),
    "deidentify": (
        DEIDENTIFY_FORM,
        (
            *(tables.KEY, tables.OUT, *FILE_SETTINGS),
            *(one for one in DEIDENTIFY_SETTINGS if one.name not in ("cell_size", "ladder")),
        ),
    ),
    "attack": (ATTACK_FORM, attacking.PART_SETTINGS),
    "population": (POPULATION_FORM, people.PART_SETTINGS),
}
EVERY_OPTION = [(name, one) for name, (_, settings) in OPTIONS.items() for one in settings]
EVERY_ENTRY = [(name, one) for name, (_, settings) in FORMS.items() for one in settings]


def names(pairs: Iterable[tuple[str, Setting]]) -> list[str]:
    return [f"{owner} {one.name}" for owner, one in pairs]


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "setting"), EVERY_OPTION, ids=names(EVERY_OPTION))
def test_every_setting_is_an_option(command: str, setting: Setting) -> None:
    found = {one.name: one for one in OPTIONS[command][0].params}[setting.name]
    assert isinstance(found, Option)
    assert found.opts == [option_name(setting), *([f"--{setting.former}"] if setting.former else [])]
    assert found.help
    assert found.multiple >= setting.repeated
    assert_same_range(setting, found)
    section = page("commands.md").split(f"## `reidrisk {command}`")[1].split("\n## ")[0]
    assert re.search(rf"^  {option_name(setting)}[ ,\n]", section, re.MULTILINE)


def assert_same_range(setting: Setting, found: Option) -> None:
    kind, taken = setting.kind, found.type
    if isinstance(kind, Choice):
        assert isinstance(taken, click.Choice)
        assert tuple(taken.choices) == kind.words
    if isinstance(kind, WholeNumber):
        assert isinstance(taken, click.IntRange)
        assert (taken.min, taken.max) == (kind.least, kind.most)
    if isinstance(kind, NumberSetting):
        assert isinstance(taken, click.FloatRange)
        assert (taken.min, taken.max, taken.min_open) == (kind.low, kind.high, kind.above)
    if isinstance(kind, YesNo):
        assert found.is_flag
    elif setting.shown_default:
        assert found.show_default == setting.shown_default


@pytest.mark.parametrize(("form", "setting"), EVERY_ENTRY, ids=names(EVERY_ENTRY))
def test_every_setting_is_in_form_schema_and_reference(form: str, setting: Setting) -> None:
    group = FORMS[form][0]
    entry = group.entries[setting.name]
    assert replace(entry, needed=False) == setting.entry
    schema = group.json_schema()["properties"][setting.name]
    assert schema == {"description": entry.about, **setting.kind.json_schema()}
    takes = setting.kind.takes.replace("|", "\\|")
    assert f"| `{setting.name}` | {takes} | {entry.about}" in page("release-file.md")


def test_help_names_only_settings_that_exist() -> None:
    for command, settings in OPTIONS.values():
        known = {one.name for one in command.params}
        for one in settings:
            assert set(re.findall(r"`(\w+)`", one.help)) <= known
            assert one.help.endswith(".")


@pytest.mark.parametrize("command", [one for one, _ in OPTIONS.values()], ids=list(OPTIONS))
def test_no_option_is_declared_twice(command: click.Command) -> None:
    options = [name for one in command.params for name in one.opts]
    assert len(set(options)) == len(options)


def test_help_names_every_scenario() -> None:
    assert all(name in tables.SCENARIO.help for name in intruders())


def test_former_names_are_entries_and_options() -> None:
    assert attacking.SENSITIVE.former == "secret"
    assert ATTACK_FORM.entries["secret"].about == "The former name of `sensitive`."
    assert list(form_entries([attacking.SENSITIVE])) == ["sensitive", "secret"]


def test_a_configuration_file_has_every_setting() -> None:
    assert tuple(one.name for one in (*ALL_SETTINGS, *FILE_SETTINGS)) == KEYS
    with pytest.raises(InvalidSetting, match=r"c\.yaml\.utility\.rows") as caught:
        config_from({"utility": {"rows": 1}}, folder=Path(), place="c.yaml")
    assert "100" in caught.value.hint


@pytest.mark.parametrize(
    ("holder", "settings"),
    [
        (AttackPlan(("sex",)), attacking.PLAN_NUMBERS),
        (UtilityPlan(), comparing.UTILITY_SETTINGS),
        (Attacker("list"), (people.PRICE, people.COVERAGE)),
        (PopulationOptions(), (people.G, people.ACROSS, people.COUNTED_IN)),
        (BirthDates(), (people.DAYS,)),
    ],
    ids=["attack", "utility", "attacker", "population", "births"],
)
def test_python_has_the_same_defaults(holder: Any, settings: tuple[Setting, ...]) -> None:
    assert {one.name for one in settings} <= {one.name for one in fields(holder)}
    for one in settings:
        assert (getattr(holder, one.name) or None) == (one.default or None)


def test_results_record_the_settings() -> None:
    assert list(UtilityPlan().settings()) == [one.name for one in comparing.RECORDED]
    assert {one.name for one in comparing.UTILITY_SETTINGS} - set(UtilityPlan().settings()) == {"propensity"}
    recorded = PopulationOptions(limits={"5": 0.1}).to_dict()
    assert set(recorded) <= {one.name for one in people.PART_SETTINGS}
    assert recorded == {
        "g": [1, 3, 5, 10],
        "days": 365,
        "birth_dates": "uniform",
        "across": False,
        "counted_in": None,
        "max_share": {"5": 0.1},
    }
    nothing: dict[str, Any] = {"population_size": None, "weights": None, "ordinal": []}
    assert Sampling(0.5).to_dict() == {"fraction": 0.5, **nothing}


@pytest.mark.parametrize(
    ("setting", "wrong", "hint"),
    [
        (attacking.GUESSES, 0, "Give a whole number, 1 or more."),
        (attacking.GUESSES, 1.5, "Give a whole number, 1 or more."),
        (attacking.GUESSES, float("nan"), "Give a whole number, 1 or more."),
        (attacking.NEIGHBOURS, 101, "Give a whole number, 1 to 100."),
        (attacking.LEVEL, 0.99999, "Give a number above 0, up to 0.9999."),
        (attacking.TOLERANCE, 1, "Give a number from 0 to less than 1. Write 95 % as 0.95."),
        (comparing.SECONDS, 0, "Give a number above 0, up to 86400."),
        (people.DAYS, 11, "Give a whole number, 12 or more."),
        (people.COVERAGE, 0, "Give a number above 0, up to 1. Write 15 % as 0.15."),
        (tables.SAMPLING_FRACTION, 0, "Give a number above 0, up to 1. Write 15 % as 0.15."),
        (tables.POPULATION_SIZE, True, "Give a whole number, 1 or more."),
    ],
)
def test_numbers_outside_the_range_are_refused(setting: Setting, wrong: float, hint: str) -> None:
    with pytest.raises(InvalidSetting, match=f"The setting {setting.name} cannot be") as caught:
        setting.check(wrong)
    assert caught.value.hint == hint


def test_a_range_without_its_end() -> None:
    kind = NumberSetting(0, 1, below=True)
    assert kind.json_schema() == {"type": "number", "minimum": 0, "exclusiveMaximum": 1}
    assert (kind.includes(0.999), kind.includes(1)) == (True, False)


def test_plans_check_their_settings() -> None:
    for wrong in ({"guesses": 0}, {"together": 0}, {"tolerance": 1.0}, {"confidence": 0.0}):
        with pytest.raises(InvalidSetting, match=f"The setting {next(iter(wrong))} cannot be"):
            AttackPlan(("sex",), **wrong)
    with pytest.raises(InvalidSetting, match="The setting folds cannot be 1"):
        UtilityPlan(folds=1)
    with pytest.raises(InvalidSetting, match=r"c\.yaml\.level"):
        utility_plan({"level": 2}, place="c.yaml")
    with pytest.raises(InvalidSetting, match="The setting price cannot be -1"):
        check_settings((people.PRICE,), Attacker("list").with_price(-1))


def test_a_repeated_option_gives_several_values() -> None:
    given: dict[str, Any] = {}

    @click.command()
    @setting_options((tables.RARE_COLUMNS,))[0]()
    def run(**values: Any) -> None:
        given.update(setting_values(values, (tables.RARE_COLUMNS,)))

    run.main(["--rare-column", "a", "--rare-column", "b, c"], standalone_mode=False)
    assert given == {"rare_columns": ("a", "b, c")}
