"""Options of the command line that follow from declared settings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any, cast

import click

from reidrisk.cli.help import OptionFactory, option
from reidrisk.cli.input_path import InputPath, Reads
from reidrisk.core.plugins import is_plugin
from reidrisk.core.setting_values import read_changes
from reidrisk.core.settings import (
    COLUMNS,
    AnyOf,
    AnyValue,
    Choice,
    ListOf,
    MappingOf,
    NumberSetting,
    Setting,
    SettingType,
    WholeNumber,
    YesNo,
)


class WordChoice(click.Choice[str]):
    """A choice of words that suggests the word that was probably meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Name the words, and the nearest one."""
        near = difflib.get_close_matches(str(value), self.choices, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"{super().get_invalid_choice_message(value, ctx)}{meant}"


class PluginChoice(WordChoice):
    """A choice of words, or a plug-in, which is looked for when it is used."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word, or `plugin:NAME` as it was typed."""
        return value if isinstance(value, str) and is_plugin(value) else super().convert(value, param, ctx)


def setting_options(settings: Iterable[Setting], *, filled: bool = False) -> tuple[OptionFactory, ...]:
    """One option per setting, with its range, default and help."""
    return tuple(setting_option(one, filled=filled) for one in settings)


def setting_option(
    setting: Setting, *, required: bool = False, filled: bool = False, repeats: bool | None = None
) -> OptionFactory:
    """The option of a setting; it has no default value, so that a file can give one, unless `filled`.

    An option that takes NAME=VALUE may be repeated, unless `repeats` says otherwise.
    """
    names = [option_name(setting), *([_dashed(setting.former)] if setting.former else []), setting.name]
    if isinstance(setting.kind, YesNo):
        return option(*names, is_flag=True, help=_help(setting))
    takes: dict[str, Any] = {
        "type": InputPath(cast("Reads", setting.reads)) if setting.reads else _click_type(setting)
    }
    if filled:
        takes["default"] = setting.default
    if setting.metavar:
        takes["metavar"] = setting.metavar
    if setting.shown_default:
        takes["show_default"] = setting.shown_default
    if (setting.repeated or _takes_pairs(setting.kind)) if repeats is None else repeats:
        takes["multiple"] = True
    return option(*names, help=_help(setting), required=required, **takes)


def setting_values(given: dict[str, Any], settings: Iterable[Setting]) -> dict[str, Any]:
    """The values that options give, by setting, in the form of a configuration file."""
    return {one.name: _value(one, given[one.name]) for one in settings if _is_given(given[one.name])}


def set_option(settings: Iterable[Setting]) -> OptionFactory:
    """The option --set, which changes settings that have no option of their own."""
    *names, last = (one.name for one in settings)
    about = f"Change {', '.join(names)} or {last}; see the guide."
    return option("--set", "changes", multiple=True, metavar="NAME=VALUE", help=about)


def set_values(given: dict[str, Any], settings: Iterable[Setting], *, owner: str) -> dict[str, Any]:
    """The values that --set gives, by setting."""
    from reidrisk.cli import options

    return read_changes(settings, options.pairs(given["changes"]), what=f"A setting of {owner}")


def option_name(setting: Setting) -> str:
    """The name of the option, such as --max-level."""
    return setting.option or _dashed(setting.name)


def _help(setting: Setting) -> str:
    """The help with options in place of the names of settings, and how to give several values."""

    def as_option(name: re.Match[str]) -> str:
        return setting.metavar if name[1] == setting.name else _dashed(name[1])

    text = re.sub(r"`(\w+)`", as_option, setting.help)
    if setting.repeated or isinstance(setting.kind, MappingOf):
        return f"{text.removesuffix('.')}; may be repeated."
    return f"{text.removesuffix('.')}, separated by commas." if setting.kind == COLUMNS else text


def _takes_pairs(kind: SettingType) -> bool:
    """Whether the option takes NAME=VALUE; only a file can give values that another reader checks."""
    if isinstance(kind, AnyOf):
        return any(map(_takes_pairs, kind.kinds))
    return isinstance(kind, MappingOf) and not isinstance(kind.of, AnyValue)


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _click_type(setting: Setting) -> click.ParamType[Any] | None:
    kind = setting.kind
    if isinstance(kind, Choice):
        return WordChoice(list(kind.words))
    if isinstance(kind, WholeNumber):
        return click.IntRange(kind.least, kind.most)
    if isinstance(kind, NumberSetting):
        return click.FloatRange(kind.low, kind.high, min_open=kind.above, max_open=kind.below)
    return None


def _is_given(value: Any) -> bool:
    """Whether an option was used: one that may be repeated is an empty tuple otherwise, a flag is False."""
    return value is not None and value is not False and value != ()


def _value(setting: Setting, value: Any) -> Any:
    # That module declares its own options with this one.
    from reidrisk.cli import options

    kind, name = setting.kind, option_name(setting)
    if setting.repeated:
        return value
    if isinstance(kind, ListOf):
        number = isinstance(kind.of, WholeNumber)
        return options.whole_numbers(value, option=name) if number else options.columns(value, option=name)
    if isinstance(kind, MappingOf):
        texts = options.pairs(value, option=name)
        if isinstance(kind.of, NumberSetting):
            return {column: options.real(text, option=name) for column, text in texts.items()}
        return texts
    return value
