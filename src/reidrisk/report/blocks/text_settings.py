"""The settings of a text evaluation, in words."""

from __future__ import annotations

from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.report.blocks.settings import meanings, plain
from reidrisk.report.kind import ResultDict
from reidrisk.report.parts import Fact, Facts
from reidrisk.report.plain_text import fact_lines
from reidrisk.text.input_settings import INPUT_SETTINGS
from reidrisk.text.settings import ENGINE, PROFILE, TEXT_SETTINGS
from reidrisk.text.settings import settings as text_settings

MEANINGS = meanings((*TEXT_SETTINGS, *INPUT_SETTINGS)) | {
    "gold": "the gold standard",
    "tool": "the tool's output",
    "ignored_words": "the words of that list",
    "release": "who can access the text and what was done to it",
}
"""What each setting means; those that only results have are explained here."""


def main_settings(result: ResultDict) -> Facts:
    """The most important settings, and those that differ from the profile."""
    settings = result["settings"]
    facts = [
        _fact("profile", settings["profile"]),
        *(_fact(name, value) for name, value in settings["release"].items()),
        Fact(
            "threshold",
            _threshold(result),
            "largest acceptable risk from quasi-identifiers",
        ),
        _fact("engine", settings["engine"]),
        Fact("seed", str(result["seed"]), "seed of the random numbers"),
        _fact("ignore_words", settings.get("ignore_words")),
        *(_fact(name, value) for name, value in changed_settings(settings).items()),
    ]
    return Facts("Settings", "Other settings may lead to a different verdict.", tuple(facts))


def all_settings(result: ResultDict) -> Facts:
    """Every setting, by its name in the result file."""
    settings = result["settings"]
    plain = {name: value for name, value in settings.items() if name != "release"}
    facts = [_fact(name, value) for name, value in (settings["release"] | plain).items()]
    facts.insert(
        0,
        Fact(
            "threshold",
            _threshold(result),
            "largest acceptable risk from quasi-identifiers",
        ),
    )
    facts.append(Fact("seed", str(result["seed"]), "seed of the random numbers"))
    return Facts("All settings", "The same data and settings give the same numbers.", tuple(facts))


def setting_lines(result: ResultDict) -> list[str]:
    """For a terminal: the most important settings, with a mark on those that differ from the profile."""
    facts = main_settings(result)
    different = changed_settings(result["settings"])
    marked = tuple(
        Fact(f"{fact.name} (changed)", fact.value) if fact.name in different else fact for fact in facts.facts
    )
    rest = () if different else (Fact("all other settings", "as in the profile"),)
    return fact_lines(Facts(facts.title, facts.explanation, marked + rest))


def changed_settings(settings: ResultDict) -> ResultDict:
    """The settings that differ from the defaults of their profile."""
    try:
        defaults = text_settings(settings["profile"]).to_dict()
    except InvalidSetting:  # the profile of another version: nothing to compare with
        return {}
    shown = {PROFILE.name, ENGINE.name}
    return {
        name: value
        for name, value in settings.items()
        if name in defaults and name not in shown and value != defaults[name]
    }


def _fact(name: str, value: Any) -> Fact:
    return Fact(name, plain(value), MEANINGS.get(name, ""))


def _threshold(result: ResultDict) -> str:
    threshold = result["threshold"]
    return f"{threshold['probability']:.4g} (cell size {threshold['cell_size']}): {threshold['reason']}"
