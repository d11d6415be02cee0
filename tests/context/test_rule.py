"""One rule, one meaning: SPEC 7.5 computed a second time, over all presets, kinds of access and parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reidrisk
from reidrisk.context.preset import cell_size_presets
from reidrisk.context.rule import PART_KINDS, RULES, RuleRow, rule_for
from reidrisk.context.score import ContextScore
from reidrisk.context.settings import LEVELS
from reidrisk.errors import InvalidSetting
from tests.context.builders import scored

ROOT = Path(__file__).parents[2]
EVERY_ACCESS = ("public", "semi_public", "non_public")
OWN = {"cell_size": 4, "reason": "of an expert"}
OPEN_TO_ALL: list[dict[str, Any]] = [
    {"preset": "hospital"},
    *({"preset": name} for name in cell_size_presets()),
    {"preset": "hipaa", "threshold": OWN},
    {"preset": "hipaa", "threshold": OWN, "rule": "overall"},
    {"preset": "hipaa", "threshold": {"cell_size": 2, "reason": "weak"}, "rule": "overall"},
    *({"preset": "ipc", "invasion": level} for level in LEVELS),
    {"preset": "ipc", "invasion": "low", "cap": {"cell_size": 2, "reason": "of ours"}},
]
PUBLISHED = [
    {"preset": preset, "variant": variant}
    for preset, variant in product(("ema", "health_canada"), ("cell_size_11", "literal_0.09"))
]
CONTEXTS: list[dict[str, Any]] = [
    *({**one, "access": access} for one, access in product(OPEN_TO_ALL, EVERY_ACCESS)),
    *({**one, "access": "public"} for one in PUBLISHED),
]
SIZES = (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16, 19, 20, 30, 41)
AVERAGES = (0.001, 0.05, 0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0)
BY_RECORDS = ("table", "transform", "deidentify", "documents", "population")
THRESHOLDS = {
    "hospital": Fraction(1, 5),
    "cell_size_11": Fraction(1, 11),
    "literal_0.09": Fraction(9, 100),
    "low": Fraction(1, 10),
    "medium": Fraction(3, 40),
    "high": Fraction(1, 20),
}


def _threshold(context: dict[str, Any]) -> Fraction:
    """From the text of each policy."""
    if "threshold" in context:
        return Fraction(1, context["threshold"]["cell_size"])
    if context["preset"].startswith("cell_size_"):
        return Fraction(1, int(context["preset"].removeprefix("cell_size_")))
    return THRESHOLDS[context.get("variant") or context.get("invasion") or context["preset"]]


def _attempt(context: dict[str, Any], deliberate: Fraction) -> Fraction:
    known = {"public": Fraction(1), "semi_public": Fraction(3, 5)}
    return known.get(context["access"], deliberate)


def accepted(
    context: dict[str, Any], part: str, highest: Fraction, average: Fraction, deliberate: Fraction
) -> bool:
    """SPEC 7.5, as it is written."""
    threshold = _threshold(context)
    states_a_cell_size = context["preset"] != "ipc" and context.get("rule") != "overall"
    if states_a_cell_size:
        return highest <= threshold
    cap = Fraction(1, 2) if "cap" in context else Fraction(1, 3)
    asks_for_an_average = context["access"] == "non_public" and part != "attack"
    statistic = average if asks_for_an_average else highest
    return statistic * _attempt(context, deliberate) <= threshold and highest <= cap


def _cases() -> Iterator[tuple[dict[str, Any], ContextScore, Fraction]]:
    table = {("high", "low"): "1/20", ("medium", "medium"): "3/10", ("low", "medium"): "1/2"}
    for context in CONTEXTS:
        for (controls, motives), deliberate in table.items():
            yield context, scored(**context, controls=controls, motives=motives), Fraction(deliberate)


@pytest.mark.parametrize("part", [*BY_RECORDS, "attack"])
def test_every_preset_and_access_decides_as_the_specification_says(part: Any) -> None:
    for context, score, deliberate in _cases():
        rule = score.rule_for(part)
        for size, average in product(SIZES, AVERAGES):
            found = rule.decide(highest=1 / size, average=average)
            exact = Fraction(average).limit_denominator(1000)
            expected = accepted(context, part, Fraction(1, size), exact, deliberate)
            assert found.acceptable is expected, (context, part, size, average)


def test_exactly_one_row_applies_to_everything() -> None:
    for rule, access, part in product(("cell_size", "overall"), EVERY_ACCESS, PART_KINDS):
        rows = [row for row in RULES if rule in row.rules and access in row.access and part in row.parts]
        assert rows == [rule_for(rule, access, part)]  # type: ignore[arg-type]


def test_text_keeps_the_attempt_inside_its_statistic() -> None:
    for _, score, _ in _cases():
        for part in ("text", "document_leaks"):
            rule = score.rule_for(part)
            assert (rule.row.attempt, rule.attempt) == ("included", 1.0)


CELL_SIZES = [{"preset": "hospital"}, *({"preset": name} for name in cell_size_presets())]
LEVEL = st.sampled_from(LEVELS)


@given(
    st.sampled_from(CELL_SIZES),
    st.tuples(st.sampled_from(EVERY_ACCESS), LEVEL, LEVEL, st.floats(0.01, 1)),
    st.sampled_from([*BY_RECORDS, "attack"]),
    st.integers(1, 50),
    st.floats(0, 1),
)
def test_no_verdict_by_cell_size_depends_on_the_attempt(
    preset: dict[str, Any], context: tuple[str, str, str, float], part: Any, size: int, average: float
) -> None:
    access, controls, motives, chance = context
    breach = {"probability": chance, "source": "invented"}
    score = scored(**preset, access=access, controls=controls, motives=motives, breach=breach)
    found = score.rule_for(part).decide(highest=1 / size, average=average)
    assert found.acceptable is (size >= score.threshold.cell_size)
    assert (found.attempt, found.overall) == (1.0, 1 / size)


@pytest.mark.parametrize("part", BY_RECORDS)
def test_the_example_of_the_guideline(part: Any) -> None:
    """IPC Ontario 2016: 0.2 times 0.5 is 0.1."""
    score = scored(preset="ipc", access="non_public", invasion="low", controls="low", motives="medium")
    found = score.rule_for(part).decide(highest=0.2, average=0.2)
    assert (found.attempt, found.acceptable) == (0.5, True)
    assert found.overall == pytest.approx(0.1)
    assert not score.rule_for(part).decide(highest=0.21, average=0.21).acceptable


def test_what_passes_most_is_accepted_and_no_more() -> None:
    for _, score, _ in _cases():
        for part in (*BY_RECORDS, "attack"):
            rule = score.rule_for(part)  # type: ignore[arg-type]
            single = rule.largest_single
            assert rule.decide(highest=single, average=min(single, rule.largest)).acceptable
            assert not rule.decide(highest=single * 1.001, average=rule.largest).acceptable


def test_only_the_table_of_rules_multiplies_or_divides_by_the_attempt() -> None:
    """Text does so inside its statistic, in the rooms `stats` and `text`."""
    package = Path(reidrisk.__file__).parent
    written = re.compile(r"[*/] *[\w.]*\b(context_risk|attempt)\b|\b(context_risk|attempt)(\.mean)? *[*/] ")
    rooms = ("context", "tables", "population", "documents", "assess", "cli")
    found = {
        path.relative_to(package).as_posix()
        for room in rooms
        for path in (package / room).rglob("*.py")
        if written.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"context/rule.py"}


NAMES = {
    "cell_size": "`cell_size`",
    "overall": "`overall`",
    "public": "public",
    "semi_public": "semi-public",
    "non_public": "non-public",
    "table": "table",
    "transform": "transformed table",
    "deidentify": "de-identified table",
    "documents": "documents by classes",
    "population": "population",
    "attack": "attacked table",
    "text": "text",
    "document_leaks": "documents by leaks",
    "document_words": "documents in words",
    "not_counted": "not counted",
    "multiplied": "multiplies",
    "included": "in the statistic",
}


def _line(row: RuleRow) -> str:
    def named(words: tuple[str, ...]) -> str:
        return ", ".join(NAMES[word] for word in words)

    access = "any" if len(row.access) == len(EVERY_ACCESS) else named(row.access)
    cells = (named(row.rules), access, named(row.parts), row.measured, NAMES[row.attempt], row.accepted)
    return f"| {' | '.join(cells)} |"


def test_the_table_is_printed_in_the_documentation() -> None:
    page = (ROOT / "docs" / "concepts" / "context.md").read_text(encoding="utf-8")
    head = "| rule | access | part | statistic | attempt | accepted if |"
    lines = [head, f"|{' --- |' * 6}", *map(_line, RULES)]
    assert "\n".join(lines) + "\n" in page


def test_a_rule_as_json_says_what_it_compares() -> None:
    known = scored(preset="ipc", invasion="low", access="non_public", controls="high", motives="low")
    product = known.rule_for("table").to_dict()
    assert (product["statistic"], product["attempt"]) == ("strict_average", known.context_risk)
    assert product["cap"] == pytest.approx(1 / 3)
    assert (product["threshold"], product["cell_size"]) == (0.1, 10)
    assert "times the context risk" in product["text"]
    size = scored(preset="hospital", access="public").rule_for("table").to_dict()
    assert (size["statistic"], size["attempt"], size["cap"]) == ("highest", 1.0, None)
    assert (size["threshold"], size["cell_size"]) == (0.2, 5)
    assert "must be at most 1/5" in size["text"]
    text = known.rule_for("text").to_dict()
    assert (text["statistic"], text["attempt"], text["cap"]) == ("upper_limit", 1.0, None)
    assert "whatever the chance" not in text["text"]
    assert "whatever the chance" in size["text"]


def test_a_decision_says_why() -> None:
    rule = scored(preset="ipc", invasion="low", access="non_public", controls="high", motives="low").rule_for(
        "table"
    )
    factor = rule.attempt
    good, single = rule.decide(highest=0.3, average=0.1), rule.decide(highest=0.5, average=0.1)
    assert (good.acceptable, good.risk, good.attempt, good.overall) == (True, 0.1, factor, 0.1 * factor)
    assert "single risk" not in good.why
    assert (single.acceptable, single.overall) == (False, 0.1 * factor)
    assert "the highest single risk is 0.5000, above the limit" in single.why
    assert rule.decide(highest=0.3).risk == 0.3  # without an average, the highest risk counts
    with pytest.raises(InvalidSetting, match="kind of part"):
        rule_for("cell_size", "public", "film")  # type: ignore[arg-type]
