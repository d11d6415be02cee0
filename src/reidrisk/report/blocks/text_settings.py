"""The settings of a text evaluation, in words."""

from __future__ import annotations

from typing import Any

from reidrisk.report.blocks.settings import plain
from reidrisk.report.kind import ResultDict
from reidrisk.report.parts import Fact, Facts
from reidrisk.report.plain_text import fact_lines

MEANINGS = {
    "profile": "set of defaults: recommended, or as the paper has it",
    "engine": "how the equations are evaluated",
    "uncertainty": "distribution of an observed proportion",
    "gate": "when recognition below 1 may count",
    "gate_method": "interval by which a recall is significantly above the cutoff",
    "gate_level": "confidence of that interval",
    "direct_cutoff": "recall that opens the gate of a direct type",
    "quasi_cutoff": "recall that opens the gate of all quasi-identifiers together",
    "values": "distribution of distinct quasi-identifier values in a document",
    "repeats": "distribution of the instances of a value",
    "interval": "which interval decides on quasi-identifiers",
    "level": "confidence of the intervals",
    "sided": "two-sided or one-sided intervals",
    "mode": "how the plug-in formula takes a fractional number of values",
    "needed": "leaked quasi-identifier values that re-identify",
    "independent_instances": "whether instances of a value leak independently",
    "denominator": "mean values over all documents, or those with any",
    "recall_support": "what the uncertainty of quasi-identifier recall rests on",
    "rate_uncertainty": "whether the mean number of values is itself uncertain",
    "include_absent": "whether a direct type that no document holds adds its prior",
    "benchmark_recall": "recall of the benchmark tool",
    "benchmark_documents": "documents on which the benchmark rests",
    "benchmark_recognition": "recognition of the benchmark: 1, or the release's own",
    "given_catch": "chance of re-identification through what was caught",
    "label": "whether a mask counts only with the right label",
    "unit": "whether quasi-identifier recall counts instances or words",
    "distinct": "what tells values apart: entity ids or normalised texts",
    "date_order": "order of day and month in ambiguous dates",
    "share_method": "interval of the plain shares of documents with leaks",
    "plain_count": "what follows if the documents that leaked are already too many",
    "unmatched": "what happens to documents on one side only",
    "ambiguous": "what happens where a released text fits its original in several ways",
    "survivors": ("in texts with surrogates, whether every word of an identifier must be replaced, or any"),
    "unevaluated": "the verdict where a role has no identifier",
    "draws": "random or Sobol points",
    "resamples": "bootstrap resamples",
    "crosscheck": "whether a second engine checks the limits",
    "annotator": "whose annotations count where there are several",
    "max_megabytes": "largest file that is read whole",
    "gold": "the gold standard",
    "tool": "the tool's output",
    "ignore_words": "list of words that need no masking",
    "ignored_words": "the words of that list",
    "types": "what you said of types, groups and labels",
    "gold_format": "format of the gold standard, as named",
    "tool_format": "format of the tool's output, as named",
    "by": "groups of documents that are judged on their own too",
    "patient": "pattern that joins the documents of one patient",
    "release": "who can get the text and what was done to it",
    "access": "who can get the text",
    "treatment": "what was done to caught identifiers",
    "recognition": "chance that a leaked original is told from surrogates",
    "attempt": "chance that re-identification is attempted",
}


def chosen(result: ResultDict) -> Facts:
    """The choices that a reader asks about first, and whatever differs from the profile."""
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
        Fact("seed", str(result["seed"]), "start of the random numbers"),
        _fact("ignore_words", settings.get("ignore_words")),
        *(_fact(name, value) for name, value in changed(settings).items()),
    ]
    return Facts("Settings", "What was assumed. Other choices can give another verdict.", tuple(facts))


def everything(result: ResultDict) -> Facts:
    """Every setting, as the result file names it."""
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
    facts.append(Fact("seed", str(result["seed"]), "start of the random numbers"))
    return Facts("All settings", "With these, the same data give the same numbers.", tuple(facts))


def changed(settings: ResultDict) -> ResultDict:
    """The options that differ from their profile's default."""
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


def setting_lines(result: ResultDict) -> list[str]:
    """For the terminal: the settings asked about first; what differs from the profile is marked."""
    facts = chosen(result)
    different = changed(result["settings"])
    marked = tuple(
        Fact(f"{fact.name} (changed)", fact.value) if fact.name in different else fact for fact in facts.facts
    )
    rest = () if different else (Fact("all else", "as the profile has it"),)
    return fact_lines(Facts(facts.title, facts.explanation, marked + rest))
