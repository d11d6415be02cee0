"""Gates of several direct types are tested together, so that none opens by chance too often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy.stats import binom

import reidrisk as rr
from reidrisk.context.recognition import Recognition
from reidrisk.stats.choices import GateRule
from reidrisk.stats.gate import SEVERAL, shared_level
from reidrisk.stats.uncertain import Triangular
from reidrisk.text.assess import judged_roles
from reidrisk.text.evidence import Evidence, TypeEvidence
from reidrisk.text.gates import direct_gates, direct_tests, is_gate_open, quasi_gate, quasi_recall
from reidrisk.text.models import TextCase

SETTINGS = rr.text_settings(options={"unevaluated": "accept", "crosscheck": False})
HIDDEN = Recognition(Triangular.constant(0.27))
CERTAIN = Recognition.certain()
FIVE = rr.Threshold.from_cell_size(5, "test")
LEVEL = 0.975


def evidence(*types: tuple[int, int], documents: int = 600) -> Evidence:
    """Direct types, each held by the first documents and leaking in the first of these."""
    names = tuple(f"T{place}" for place in range(len(types)))
    row = np.arange(documents)[:, None]
    holds = row < np.array([held for held, _ in types])
    leaks = row < np.array([lost for _, lost in types])
    none = np.zeros(documents, dtype=np.int64)
    rows = tuple(
        TypeEvidence(name, "direct", held, lost, held, held - lost, 0, 0)
        for name, (held, lost) in zip(names, types, strict=True)
    )
    counts = (leaks.sum(axis=1), none, none, none, none, none[:0])
    return Evidence(rows, (), (), names, holds, leaks, *counts, 0, 0, documents, ())


def opened(*types: tuple[int, int], recognition: Recognition = HIDDEN) -> list[bool]:
    return list(direct_gates(evidence(*types), recognition, SETTINGS, "significant").values())


def levels(*types: tuple[int, int], recognition: Recognition = HIDDEN) -> list[float]:
    return [test.level for test in direct_tests(evidence(*types), recognition, SETTINGS).values()]


def by_definition(types: Sequence[tuple[int, int]]) -> list[bool]:
    """Holm's procedure with binomial p-values; types that could not open alone are left out."""
    found = [False] * len(types)
    p = [float(binom.cdf(lost, held, 0.1)) for held, lost in types]
    tested = sorted((p[at], at) for at, (held, _) in enumerate(types) if 0.9**held <= 1 - LEVEL)
    error = (1 - LEVEL) * (SEVERAL if len(tested) > 1 else 1)
    for rank, (value, at) in enumerate(tested):
        if value > error / (len(tested) - rank):
            break
        found[at] = True
    return found


TYPES = st.integers(20, 600).flatmap(lambda held: st.tuples(st.just(held), st.integers(0, held // 8)))


@hypothesis_settings(max_examples=40, deadline=None)
@given(st.lists(TYPES, min_size=1, max_size=6))
def test_the_gates_are_those_of_holm(types: list[tuple[int, int]]) -> None:
    assert opened(*types) == by_definition(types)


@pytest.mark.parametrize(("leaking", "is_open"), [(4, True), (5, False)])
def test_one_type_is_tested_at_the_level_of_the_limit(leaking: int, is_open: bool) -> None:
    assert (opened((100, leaking)), levels((100, leaking))) == ([is_open], [LEVEL])


def test_several_types_need_more_documents() -> None:
    for number, fewest in ((2, 57), (4, 64), (10, 73)):
        assert opened(*[(fewest, 0)] * number) == [True] * number
        assert opened(*[(fewest - 1, 0)] * number) == [False] * number


def test_a_type_that_cannot_open_or_whose_gate_does_not_matter_needs_no_share() -> None:
    assert levels((100, 4), (35, 0)) == [LEVEL, LEVEL]
    assert opened((100, 4), (35, 0)) == [True, False]
    known = Recognition(Triangular.constant(0.27), {"T1": Triangular.constant(1.0)})
    assert levels((100, 4), (100, 0), recognition=known) == [LEVEL, LEVEL]
    assert opened((100, 4), (100, 0), recognition=known) == [True, True]
    assert opened((100, 4), (100, 0)) == [False, True]


@hypothesis_settings(max_examples=40, deadline=None)
@given(st.lists(TYPES, min_size=1, max_size=5), TYPES)
def test_another_type_never_opens_a_gate(types: list[tuple[int, int]], more: tuple[int, int]) -> None:
    before, after = opened(*types), opened(*types, more)
    assert all(first or not second for first, second in zip(before, after, strict=False))


@hypothesis_settings(max_examples=25, deadline=None)
@given(st.lists(TYPES, min_size=1, max_size=4), st.data())
def test_fewer_leaks_never_close_a_gate(types: list[tuple[int, int]], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(types) - 1))
    held, lost = types[place]
    better = [*types[:place], (held, data.draw(st.integers(0, lost))), *types[place + 1 :]]
    assert all(second or not first for first, second in zip(opened(*types), opened(*better), strict=True))


@hypothesis_settings(max_examples=20, deadline=None)
@given(st.lists(TYPES, min_size=1, max_size=4))
def test_with_redaction_gates_do_not_change_the_limit(types: list[tuple[int, int]]) -> None:
    case = TextCase(evidence(*types), rr.Release.public("redaction"), FIVE, SETTINGS, 7)
    found = {
        rule: judged_roles(case.under(rule), 0.1)["direct"].risk.limits(LEVEL)
        for rule in ("significant", "always", "never")
    }
    assert len(set(found.values())) == 1
    assert levels(*types, recognition=CERTAIN) == [LEVEL] * len(types)


def test_the_result_states_the_level() -> None:
    text = "Anna 1234"
    marks = (rr.Annotation(0, 4, "NAME", "direct"), rr.Annotation(5, 9, "ID", "direct"))
    golds = [rr.Document(f"d{number}", marks, text) for number in range(80)]
    tools = [replace(gold, annotations=marks[number < 2 :], text=None) for number, gold in enumerate(golds)]
    hidden = rr.Release.public("resynthesis", recognition=0.27)
    result = rr.evaluate_text(golds, tools, release=hidden, settings=SETTINGS).to_dict()
    found = {row["type"]: (row["level"], row["applied"]) for row in result["gates"]}
    assert found == {"NAME": (pytest.approx(0.995), False), "ID": (pytest.approx(0.995), True)}
    model = rr.text_settings("paper", {"unevaluated": "accept", "crosscheck": False})
    rows = rr.evaluate_text(golds, tools, release=hidden, settings=model).to_dict()["gates"]
    assert [row["level"] for row in rows] == [None, None]


def test_coverage_of_four_types_just_below_the_cutoff() -> None:
    """Any wrong opening in at most 0.5 % of corpora; each of four gates alone would open in 2 %."""
    rng = np.random.default_rng(11)
    leaking = rng.binomial(2000, 0.1, size=(20_000, 4))
    chances = 1 - binom.cdf(leaking, 2000, 0.1)
    alone = np.mean(chances.max(axis=1) >= LEVEL)
    together = np.mean([row.max() >= shared_level(row.tolist(), LEVEL) for row in chances])
    assert alone > 0.07
    assert together <= 0.005 + 3 * np.sqrt(0.005 * 0.995 / 20_000)


@pytest.mark.parametrize(("leaking", "held"), [(0, 35), (0, 36), (0, 37), (1, 53), (1, 54), (9, 150)])
def test_a_gate_opens_by_the_binomial_chance_of_so_few_leaks(leaking: int, held: int) -> None:
    """Clopper and Pearson: open exactly if so few leaks have a chance of at most 2.5 % at the cutoff."""
    significant = bool(binom.cdf(leaking, held, 0.1) <= 1 - LEVEL)
    recall = 1 - leaking / held
    assert is_gate_open(recall, held, SETTINGS, rule="significant", cutoff=0.9) is significant
    assert opened((held, leaking)) == [significant]
    assert is_gate_open(recall, held, SETTINGS, rule="observed", cutoff=0.9) is (recall >= 0.9)


def test_gates_without_support_are_closed() -> None:
    rules: tuple[GateRule, ...] = ("observed", "significant")
    for rule in rules:
        assert not is_gate_open(float("nan"), 0, SETTINGS, rule=rule, cutoff=0.9)
        assert not is_gate_open(1.0, 0, SETTINGS, rule=rule, cutoff=0.9)
    assert is_gate_open(0.5, 3, SETTINGS, rule="always", cutoff=0.9)
    assert not is_gate_open(1.0, 300, SETTINGS, rule="never", cutoff=0.9)


def test_with_the_limits_of_the_model_the_lower_bound_of_the_recall_opens() -> None:
    """Wilson's one-sided bound: 24 documents are too few for 0.9, 25 are enough."""
    by_model = replace(SETTINGS, limit="model")
    assert not is_gate_open(1.0, 24, by_model, rule="significant", cutoff=0.9)
    assert is_gate_open(1.0, 25, by_model, rule="significant", cutoff=0.9)
    both = direct_gates(evidence((24, 0), (25, 0)), HIDDEN, by_model, "significant")
    assert list(both.values()) == [False, True]
    doubled = direct_gates(evidence((24, 0), (12, 0)), HIDDEN, by_model, "significant", times=2)
    assert list(doubled.values()) == [True, False]
    twice = direct_gates(evidence((18, 0)), HIDDEN, SETTINGS, "significant", times=2)
    assert [opened((18, 0)), list(twice.values())] == [[False], [True]]


@pytest.mark.parametrize(("leaked", "is_open"), [(0, True), (30, False)])
def test_the_gate_of_quasi_identifiers(leaked: int, *, is_open: bool) -> None:
    """Fifty documents with four instances each; their leaks are counted by document."""
    ones = np.ones(50, dtype=np.int64)
    found = replace(
        evidence(documents=50), values=2 * ones, instances=4 * ones, repeats=np.full(100, 2),
        caught=4 * ones - (np.arange(50) < leaked),
        types=(TypeEvidence("CITY", "quasi", 50, leaked, 200, 200 - leaked, 200, 150),),
    )  # fmt: skip
    assert quasi_recall(found, SETTINGS) == 1 - leaked / 200
    assert quasi_recall(found, replace(SETTINGS, unit="token_level")) == 0.75
    tight = replace(SETTINGS, quasi_cutoff=0.9)
    assert quasi_gate(found, tight, "significant") is is_open
    assert quasi_gate(found, replace(tight, quasi_cutoff=0.85), "observed") is True
    assert quasi_gate(found, replace(tight, quasi_cutoff=0.851), "observed") is is_open
    none = replace(found, repeats=found.repeats[:0], instances=0 * ones, caught=0 * ones)
    assert quasi_gate(none, SETTINGS, "significant") is False
