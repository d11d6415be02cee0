"""Texts with identifiers replaced, as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.core.wording import plural
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

MODES = {
    "redact": "a mark that says nothing",
    "label": "the type in brackets",
    "mask": "blocks of the same length",
    "surrogate": "an invented value that looks real",
}
MEANINGS = {
    "date_days": "dates of a person move by one number of days, at most so many",
    "keep_weekday": "whether dates move by whole weeks",
    "date_order": "how 03/04/2019 is read",
    "age_years": "ages of a person move by so many years at most",
    "age_top": "nobody is older than this afterwards",
    "places": "whether states, countries and postal codes stay in their region",
    "names": "whether a name has one surrogate in the whole set, or one for each person",
    "detector": "who found the identifiers",
    "threshold": "how sure a finding must be",
    "key": "the secret that surrogates follow from",
}
SURROGATES_ONLY = (
    "date_days",
    "keep_weekday",
    "date_order",
    "age_years",
    "age_top",
    "places",
    "names",
    "key",
)


def name_of(result: dict[str, Any]) -> str:
    """The texts."""
    return str(result["source"])


def about(result: dict[str, Any]) -> str:
    """What was done to what."""
    return (
        f"{plural(result['documents'], 'text')}, {count(result['characters'])} characters; "
        f"in the place of each identifier stands {MODES[result['mode']]}."
    )


def verdict(result: dict[str, Any]) -> Verdict:
    """That it is done, which says nothing of the risk."""
    return Verdict(None, tuple(Reason(text, None) for text in result["reasons"]), "Written")


def by_type(result: dict[str, Any]) -> Table:
    """What was replaced, the most frequent types first."""
    rows = tuple(
        (
            one["type"],
            one["role"] or "not known",
            count(one["replaced"]),
            percent(one["replaced"] / result["replaced"]),
        )
        for one in result["by_type"]
    )
    return Table(
        "Replaced, by type",
        "Direct identifiers name a person, quasi-identifiers single one out in combination.",
        (
            Column("type"),
            Column("role"),
            Column("identifiers", is_number=True),
            Column("share", is_number=True),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def by_source(result: dict[str, Any]) -> Table:
    """Which part of the detector found them."""
    rows = tuple((one["source"], count(one["replaced"])) for one in result["by_source"])
    return Table(
        "Found by",
        "Where several parts found the same, the surest is named.",
        (
            Column("part of the detector"),
            Column("identifiers", is_number=True),
        ),
        rows,
        "" if rows else "Nothing was found.",
    )


def settings(result: dict[str, Any]) -> Facts:
    """What repeats the run."""
    surrogates = result["mode"] == "surrogate"
    facts = [
        Fact(name, _said(value), MEANINGS.get(name, ""))
        for name, value in result["settings"].items()
        if surrogates or name not in SURROGATES_ONLY
    ]
    facts.append(
        Fact(
            "texts without findings",
            count(result["documents_without_findings"]),
        )
    )
    if result["resumed"]:
        facts.append(Fact("written by an earlier run", count(result["resumed"])))
    return Facts(
        "Settings",
        "The same settings and the same key give the same texts.",
        tuple(facts),
    )


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
