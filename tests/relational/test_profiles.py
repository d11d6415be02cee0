"""Profiles agree with the published rules, and every rule names its source."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reidrisk.engine.linked import TableColumn
from reidrisk.relational.profile import NAMES, profile_named, profile_text

GONE = ("drop", "blank")
FITTING: dict[str, dict[str, tuple[str, ...]]] = {
    "omop": {
        "person key": ("person",),
        "key": ("key",),
        "date": ("date",),
        "direct": GONE,
        "direct (staff)": GONE,
        "direct (links relatives)": GONE,
        "free text": GONE,
        "free text (as in the source)": GONE,
        "none": ("keep", "key", *GONE),
        "event": ("rare",),
        "event (finest code)": GONE,
        "quasi (finest code)": GONE,
        "quasi level 1": ("keep",),
        "quasi": ("birth_year", "keep", *GONE),
        "quasi (a trail of places)": ("key", *GONE),
        "link key without declared parent": GONE,
    },
    "cdisc": {
        "person key": ("person",),
        "row key": ("keep",),
        "link key": ("link", "pseudonym"),
        "direct": ("pseudonym",),
        "direct (staff)": ("drop",),
        "date": ("date",),
        "date (number)": ("date",),
        "interval": ("keep", "study_day"),
        "interval, quasi level 2": ("keep", "study_day"),
        "free text": ("drop",),
        "free text (verbatim)": ("drop",),
        "event": ("rare",),
        "event (finest code)": ("drop",),
        "event attribute": ("keep", "rare"),
        "by QNAM": ("by",),
        "quasi level 1": ("keep",),
        "quasi level 2": ("round", "rare", "body_mass"),
        "quasi": ("top", "drop", "pseudonym", "continent"),
        "quasi (twin of AGE)": ("twin",),
        "quasi (twin of RACE)": ("twin", "drop"),
        "sensitive": ("keep",),
        "result": ("keep", "rare"),
        "none": ("keep", "rare", "drop"),
    },
}
"""By role in the published lists: treatments that are as strict, or stricter."""


def treatment(given: Any) -> str:
    return given if isinstance(given, str) else str(next(iter(given)))


def listed(name: str, shared: Path) -> Iterator[tuple[TableColumn, str]]:
    file = {"omop": "omop54.csv", "cdisc": "cdisc.csv"}[name]
    table, column = ("table", "field") if name == "omop" else ("dataset", "variable")
    with (shared / "profiles" / file).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield TableColumn(row[table].lower(), row[column]), row["role"]


@pytest.mark.parametrize("name", FITTING)
def test_every_published_variable_is_treated_as_strictly(name: str, shared: Path) -> None:
    profile = profile_named(name)
    without = {"location", "care_site", "provider", "ta", "te", "ti", "ts", "tv"}
    odd = []
    for at, role in listed(name, shared):
        rule = profile.rule_for(at, has_people=at.table not in without)
        if rule is None or (
            rule.treatment != "drop" and treatment(rule.treatment) not in FITTING[name][role]
        ):
            odd.append((str(at), role, None if rule is None else rule.treatment))
    assert not odd


@pytest.mark.parametrize("name", sorted(set(NAMES.values())))
def test_every_rule_has_a_source_and_a_role(name: str) -> None:
    profile = profile_named(name)
    assert all(rule.source.strip() and rule.role.strip() for rule in profile.rules)
    assert profile.title in profile_text(name)
    assert profile.person
