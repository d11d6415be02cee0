"""The settings of a text evaluation, in words."""

from __future__ import annotations

from typing import Any

from reidrisk.report.numbers import count
from reidrisk.report.parts import Fact, Facts
from reidrisk.report.words.book import say

MEANINGS = {
    "profile": say("content.text_settings.set_of_defaults"),
    "engine": say("content.text_settings.how_the_equations"),
    "uncertainty": say("content.text_settings.distribution_of_an"),
    "gate": say("content.text_settings.when_recognition_below"),
    "gate_method": say("content.text_settings.interval_by_which"),
    "gate_level": say("content.text_settings.confidence_of_that"),
    "direct_cutoff": say("content.text_settings.recall_that_opens"),
    "quasi_cutoff": say("content.text_settings.recall_that_opens_the"),
    "values": say("content.text_settings.distribution_of_distinct"),
    "repeats": say("content.text_settings.distribution_of_the"),
    "interval": say("content.text_settings.which_interval_decides"),
    "level": say("content.text_settings.confidence_of_the"),
    "sided": say("content.text_settings.two_sided_or"),
    "mode": say("content.text_settings.how_the_plug"),
    "needed": say("content.text_settings.leaked_quasi_identifier"),
    "independent_instances": say("content.text_settings.whether_instances_of"),
    "denominator": say("content.text_settings.mean_values_over"),
    "recall_support": say("content.text_settings.what_the_uncertainty"),
    "rate_uncertainty": say("content.text_settings.whether_the_mean"),
    "include_absent": say("content.text_settings.whether_a_direct"),
    "benchmark_recall": say("content.text_settings.recall_of_the"),
    "benchmark_documents": say("content.text_settings.documents_on_which"),
    "benchmark_recognition": say("content.text_settings.recognition_of_the"),
    "given_catch": say("content.text_settings.chance_of_re"),
    "label": say("content.text_settings.whether_a_mask"),
    "unit": say("content.text_settings.whether_quasi_identifier"),
    "distinct": say("content.text_settings.what_tells_values"),
    "date_order": say("content.text_settings.order_of_day"),
    "share_method": say("content.text_settings.interval_of_the"),
    "plain_count": say("content.text_settings.what_follows_if"),
    "unmatched": say("content.text_settings.what_happens_to"),
    "ambiguous": say("content.text_settings.what_happens_where"),
    "survivors": say("content.text_settings.in_texts_with"),
    "unevaluated": say("content.text_settings.the_verdict_where"),
    "draws": say("content.text_settings.random_or_sobol"),
    "resamples": say("content.text_settings.bootstrap_resamples"),
    "crosscheck": say("content.text_settings.whether_a_second"),
    "annotator": say("content.text_settings.whose_annotations_count"),
    "max_megabytes": say("content.text_settings.largest_file_that"),
    "gold": say("content.text_settings.the_gold_standard"),
    "tool": say("content.text_settings.the_tool_s"),
    "ignore_words": say("content.text_settings.list_of_words"),
    "ignored_words": say("content.text_settings.the_words_of"),
    "types": say("content.text_settings.what_you_said"),
    "gold_format": say("content.text_settings.format_of_the"),
    "tool_format": say("content.text_settings.format_of_the_tool"),
    "by": say("content.text_settings.groups_of_documents"),
    "patient": say("content.text_settings.pattern_that_joins"),
    "release": say("content.text_settings.who_can_get"),
    "access": say("content.text_settings.who_can_get_the"),
    "treatment": say("content.text_settings.what_was_done"),
    "recognition": say("content.text_settings.chance_that_a"),
    "attempt": say("content.text_settings.chance_that_re"),
}


def chosen(result: dict[str, Any]) -> Facts:
    """The choices that a reader asks about first, and whatever differs from the profile."""
    settings = result["settings"]
    facts = [
        _fact("profile", settings["profile"]),
        *(_fact(name, value) for name, value in settings["release"].items()),
        Fact(
            say("content.text_settings.threshold"),
            _threshold(result),
            say("content.text_settings.largest_acceptable_risk"),
        ),
        _fact("engine", settings["engine"]),
        Fact(
            say("content.text_settings.seed"), str(result["seed"]), say("content.text_settings.start_of_the")
        ),
        _fact("ignore_words", settings.get("ignore_words")),
        *(_fact(name, value) for name, value in changed(settings).items()),
    ]
    return Facts(
        say("content.text_settings.settings"), say("content.text_settings.what_was_assumed"), tuple(facts)
    )


def everything(result: dict[str, Any]) -> Facts:
    """Every setting, as the result file names it."""
    settings = result["settings"]
    plain = {name: value for name, value in settings.items() if name != "release"}
    facts = [_fact(name, value) for name, value in (settings["release"] | plain).items()]
    facts.insert(
        0,
        Fact(
            say("content.text_settings.threshold"),
            _threshold(result),
            say("content.text_settings.largest_acceptable_risk"),
        ),
    )
    facts.append(
        Fact(
            say("content.text_settings.seed"), str(result["seed"]), say("content.text_settings.start_of_the")
        )
    )
    return Facts(
        say("content.text_settings.all_settings"), say("content.text_settings.with_these_the"), tuple(facts)
    )


def versions(result: dict[str, Any]) -> Facts:
    """What the result was made with."""
    facts = tuple(Fact(name, version) for name, version in result["versions"].items())
    return Facts(
        say("content.text_settings.versions"), say("content.text_settings.other_versions_can"), facts
    )


def changed(settings: dict[str, Any]) -> dict[str, Any]:
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


def plain(value: Any) -> str:
    """A setting's value as people write it.

    >>> plain([0.3, 0.4, 0.5]), plain(True), plain({"beta": [211.5, 99.5]})
    ('0.3 to 0.5, most likely 0.4', 'yes', 'Beta(211.5, 99.5)')
    """
    if value is None:
        return say("content.text_settings.not_given")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and len(value) == 3:
        return say(
            "content.text_settings.to_most_likely",
            value=f"{value[0]:g}",
            value_2=f"{value[2]:g}",
            value_3=f"{value[1]:g}",
        )
    if isinstance(value, dict):
        return _structured(value)
    if isinstance(value, float):
        return f"{value:g}"
    return count(value) if isinstance(value, int) else str(value)


def _structured(value: dict[str, Any]) -> str:
    """A distribution, or one value a type."""
    if "beta" in value:
        return f"Beta({value['beta'][0]:g}, {value['beta'][1]:g})"
    parts = [f"{name} {plain(one)}" for name, one in value.get("by_type", {}).items()]
    return "; ".join([*parts, f"others {plain(value.get('default'))}"])


def _fact(name: str, value: Any) -> Fact:
    return Fact(name, plain(value), MEANINGS.get(name, ""))


def _threshold(result: dict[str, Any]) -> str:
    threshold = result["threshold"]
    return say(
        "content.text_settings.cell_size",
        probability=f"{threshold['probability']:.4g}",
        cell_size=threshold["cell_size"],
        reason=threshold["reason"],
    )
