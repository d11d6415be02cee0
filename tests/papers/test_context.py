"""Numbers printed about contexts: IPC Ontario 2016, Kniola 2016, Kumar & Sareen 2017."""

from __future__ import annotations

import pytest

from reidrisk.context.attempt import Acquaintance, deliberate
from reidrisk.context.context import Context
from reidrisk.context.qualitative import qualitative_risk
from reidrisk.context.score import score_context
from tests.papers.tables import Case, Compute, check

EXACT = {"rel": 1e-9}


def attempt(controls: str, motives: str, expected: float) -> Case:
    inputs = {"controls": controls, "motives_capacity": motives}
    return (f"attempt-{controls}-{motives}", "context.attempt", "ATTEMPT", inputs, expected, EXACT)


def acquaintance(name: str, p: float, expected: float) -> Case:
    return (f"acq-{name}", "context.acquaintance", "acquaintance", {"p": p, "m": 150}, expected, EXACT)


def qualitative(name: str, identifiers: str, protection: str) -> Case:
    protections = dict.fromkeys(("population", "participants", "centres"), protection)
    inputs = {"identifiers": identifiers, **protections}
    return (f"kumar-qual-{name}", "kumar.qualitative", "kumar_qualitative", inputs, name, EXACT)


CASES: list[Case] = [
    attempt("high", "low", 0.05),
    attempt("high", "medium", 0.1),
    attempt("high", "high", 0.2),
    attempt("medium", "medium", 0.3),
    attempt("medium", "high", 0.4),
    attempt("low", "low", 0.4),
    attempt("low", "medium", 0.5),
    attempt("low", "high", 0.6),
    acquaintance("US-15-65", 0.0018867924528301887, 0.24669584104161674),
    acquaintance("US-all", 0.0012618296529968455, 0.1725395476171431),
    acquaintance("world-15-65", 0.0004893617021276596, 0.07079158485775876),
    ("acq-0", "context.acquaintance", "acquaintance", {"p": 0, "m": 150}, -0.0, {"abs": 0.0}),
    (
        "overall-ipc",
        "context.overall",
        "data risk x context risk",
        {"data": 0.2, "context": 0.5},
        0.1,
        EXACT,
    ),
    (
        "context-max",
        "context.overall",
        "context_risk",
        {"deliberate": 0.1, "acq": 0.25, "breach": 0.27},
        0.27,
        EXACT,
    ),
    qualitative("low", "low", "high"),
    qualitative("moderate", "high", "moderate"),
]


def overall(data: float, context: float) -> float:
    """The context of the example has low controls and medium motives: an attempt of 0.5."""
    score = score_context(Context.of({"access": "non_public", "controls": "low", "motives": "medium"}))
    assert score.context_risk == context
    return data * score.context_risk


def largest(deliberate_risk: float, acq: float, breach: float) -> float:
    """Of three risks, the second by a prevalence that gives it for one person known."""
    content = {
        "access": "non_public",
        "controls": "high",
        "motives": "medium",
        "acquaintance": {"prevalence": acq, "known": 1},
        "breach": {"probability": breach, "source": "a test"},
    }
    score = score_context(Context.of(content))
    assert score.risks == pytest.approx(
        {"deliberate": deliberate_risk, "acquaintance": acq, "breach": breach}
    )
    return score.context_risk


COMPUTE: dict[str, Compute] = {
    "ATTEMPT": lambda x: deliberate(x["controls"], x["motives_capacity"]),
    "acquaintance": lambda x: Acquaintance(x["p"], x["m"]).risk,
    "data risk x context risk": lambda x: overall(x["data"], x["context"]),
    "context_risk": lambda x: largest(x["deliberate"], x["acq"], x["breach"]),
    "kumar_qualitative": lambda x: qualitative_risk(**x).level,
}


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_printed_numbers(case: Case) -> None:
    check(case, COMPUTE[case[2]](case[3]))


def test_the_third_printed_row_of_the_rule_in_words() -> None:
    found = qualitative_risk(identifiers="high", population="high", participants="high", centres="low")
    assert (found.level, found.to_dict()["ours"]) == ("high", False)


def test_the_cell_of_the_table_that_no_case_names() -> None:
    assert deliberate("medium", "low") == 0.2


def test_the_printed_chances_of_an_acquaintance() -> None:
    printed = {400e3 / 212e6: 0.247, 400e3 / 317e6: 0.172, 2.3e6 / 4.7e9: 0.071, 2.3e6 / 7.2e9: 0.047}
    for prevalence, expected in printed.items():
        assert Acquaintance(prevalence).risk == pytest.approx(expected, abs=1e-3)
