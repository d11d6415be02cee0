"""The settings of a text evaluation, in words."""

from __future__ import annotations

from typing import Any

from reidrisk.report.blocks.settings import plain
from reidrisk.report.kind import ResultDict
from reidrisk.report.parts import Fact, Facts
from reidrisk.report.plain_text import fact_lines

MEANINGS = {
    "profile": "set of defaults: recommended, or as in the paper",
    "engine": "method for evaluating the equations",
    "uncertainty": "distribution for the uncertainty of an observed proportion",
    "gate": "when recognition below 1 may be used",
    "gate_method": "interval used to test whether a recall is significantly above the cutoff",
    "gate_level": "confidence level of that interval",
    "direct_cutoff": "recall at which the gate of a direct type opens",
    "quasi_cutoff": "recall at which the common gate of all quasi-identifiers opens",
    "values": "distribution of the number of distinct quasi-identifier values per document",
    "repeats": "distribution of the number of instances per value",
    "interval": "interval that decides whether the quasi-identifier risk is acceptable",
    "level": "confidence level of the intervals",
    "sided": "two-sided or one-sided intervals",
    "mode": "how the plug-in formula treats a fractional number of values",
    "needed": "number of leaked quasi-identifier values that re-identify a person",
    "independent_instances": "whether instances of a value leak independently",
    "denominator": "whether means are over all documents or only those with quasi-identifiers",
    "recall_support": "sample size for the uncertainty of quasi-identifier recall",
    "rate_uncertainty": "whether the mean number of values is treated as uncertain",
    "include_absent": "whether a direct type that no document contains contributes its prior",
    "benchmark_recall": "recall of the benchmark tool",
    "benchmark_documents": "number of documents behind the benchmark",
    "benchmark_recognition": "recognition used for the benchmark: 1, or that of the release",
    "given_catch": "probability of re-identification through identifiers that were caught",
    "label": "whether a masked identifier counts only with the correct label",
    "unit": "whether quasi-identifier recall counts instances or words",
    "distinct": "how values are told apart: by entity ID or by normalized text",
    "date_order": "order of day and month in ambiguous dates",
    "share_method": "interval for the observed share of documents with leaks",
    "plain_count": "verdict if the observed number of documents with leaks is already too high",
    "unmatched": "how to treat documents that only the gold standard or only the tool has",
    "ambiguous": "how to treat places where a released text matches its original in several ways",
    "survivors": (
        "whether every word of an identifier, or any word, must be replaced in texts with surrogates"
    ),
    "unevaluated": "verdict if there are no direct identifiers, or no quasi-identifiers",
    "draws": "number of random or Sobol points",
    "resamples": "number of bootstrap resamples",
    "crosscheck": "whether a second engine checks the upper limits",
    "annotator": "annotator whose annotations are used if there are several",
    "max_megabytes": "largest file that is read as a whole, in megabytes",
    "gold": "the gold standard",
    "tool": "the tool's output",
    "ignore_words": "list of words that do not need masking",
    "ignored_words": "the words of that list",
    "types": "your settings for types, groups and labels",
    "gold_format": "format of the gold standard, as you specified it",
    "tool_format": "format of the tool's output, as you specified it",
    "by": "groups of documents that are also evaluated separately",
    "patient": "pattern that identifies the documents of one patient",
    "release": "who can access the text and what was done to it",
    "access": "who can access the text",
    "treatment": "what was done to caught identifiers",
    "recognition": "probability that a leaked original is recognized among surrogates",
    "attempt": "probability that someone attempts re-identification",
}


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
    from reidrisk.errors import InvalidSetting
    from reidrisk.text import settings as text_settings

    try:
        defaults = text_settings.settings(settings["profile"]).to_dict()
    except InvalidSetting:  # the profile of another version: nothing to compare with
        return {}
    shown = {"profile", "engine"}
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
