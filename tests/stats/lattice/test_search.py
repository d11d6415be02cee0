from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, MissingPackage, NothingToMeasure
from reidrisk.stats.lattice import search
from reidrisk.stats.lattice.arrange import LatticeQuestion, arrange
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.search import OptimalityProof, Solution, evaluate, minimal, solve
from tests.stats.lattice.adult import COLUMNS, adult
from tests.stats.lattice.exhaustive import Exhaustive
from tests.stats.lattice.tables import small_table, tables

CRITERIA = (
    Criterion(cell_size=2, limit=0.0),
    Criterion(cell_size=3, limit=0.1),
    Criterion(cell_size=2, limit=0.3),
    Criterion(cell_size=5, limit=1.0),
    Criterion(average=0.3, cap=0.5, limit=0.4),
    Criterion(average=0.25, limit=0.0),
)


@pytest.fixture(scope="module")
def kniola() -> tuple[Tuples, list[Recoding]]:
    """Ten people by sex and age; ages in two-year bands, decades, and none."""
    rows = [(0, 26), (1, 28), (1, 31), (0, 29), (1, 28), (0, 30), (0, 29), (1, 32), (0, 29), (1, 31)]
    ages = sorted({age for _, age in rows})
    levels = [
        list(range(len(ages))),
        [(age - 25) // 2 for age in ages],
        [(age - 21) // 10 for age in ages],
        [0] * len(ages),
    ]
    codes, counts = np.unique([(sex, ages.index(age)) for sex, age in rows], axis=0, return_counts=True)
    return Tuples(codes.astype(np.int32), counts), [
        Recoding.of_rows([[0, 1], [0, 0]]),
        Recoding.of_rows(levels),
    ]


def reference_cases() -> list[tuple[str, float, int]]:
    wide = [(loss, limit, 9) for loss in LOSSES for limit in (0, 0.02, 0.15, 1)]
    narrow = [(loss, limit, 8) for loss in ("loss_gm", "prec", "dm") for limit in (0, 0.02, 0.15, 1)]
    return [*wide, *narrow, ("entropy", 0, 8)]


@pytest.mark.parametrize(("loss", "limit", "width"), reference_cases())
def test_adult_agrees_with_arx(shared: Path, loss: Loss, limit: float, width: int) -> None:
    reference = json.loads((shared / "arx_reference.json").read_text(encoding="utf-8"))
    [case] = [
        case
        for case in reference["anonymization"]
        if (case["metric"], case["supp"], len(case["optimum"])) == (loss, limit, width)
    ]
    table, recodings = adult(shared / "adult", list(case["optimum"]))
    outcome = solve(table, recodings, Criterion(case["k"], limit=limit), loss)
    assert outcome.solution is not None
    assert outcome.solution.score == pytest.approx(case["score"], rel=1e-9, abs=1e-9)
    assert outcome.solution.suppressed == case["suppressed_rows"]
    assert (outcome.lattice, outcome.optimal) == (case["lattice"], True)
    there = evaluate(table, recodings, Criterion(case["k"]), loss, list(case["optimum"].values()))
    assert there.score == pytest.approx(case["score"], rel=1e-9, abs=1e-9)
    assert there.suppressed == case["suppressed_rows"]


@pytest.mark.parametrize("cell_size", [2, 5, 10])
def test_adult_has_as_many_minimal_nodes_as_counted(shared: Path, cell_size: int) -> None:
    reference = json.loads((shared / "arx_reference.json").read_text(encoding="utf-8"))
    case = reference["exhaustive_adult9_k5"][f"k={cell_size},supp=0"]
    found = minimal(*adult(shared / "adult", COLUMNS), Criterion(cell_size), "loss_gm")
    assert len(found.nodes) == case["k_minimal_nodes"]
    assert found.nodes[0].score == pytest.approx(case["loss_gm"]["score"], abs=1e-9)


def test_kniola_minimal_nodes_and_the_optimum_that_is_not_one(kniola: tuple[Tuples, list[Recoding]]) -> None:
    def nodes(limit: float) -> list[tuple[int, ...]]:
        return [node.levels for node in minimal(*kniola, Criterion(2, limit=limit), "dm").nodes]

    assert nodes(0.0) == [(0, 2)]
    assert nodes(0.1) == [(0, 1)]
    best = solve(*kniola, Criterion(2, limit=0.1), "dm").solution
    assert best == Solution((0, 2), 38.0, 0, 3, 2)
    along = [evaluate(*kniola, Criterion(2), "dm", (0, age)).score for age in range(4)]
    assert along == [47, 39, 38, 50]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@given(table=tables(), weights=st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=4, max_size=4))
@settings(max_examples=15)
def test_equals_exhaustive_search(
    loss: Loss, criterion: Criterion, table: tuple[Tuples, list[Recoding]], weights: list[float]
) -> None:
    tuples, recodings = table
    weights = weights[: len(recodings)]
    all_nodes = Exhaustive(tuples, recodings, criterion, weights)
    good = all_nodes.acceptable(loss)
    outcome = solve(tuples, recodings, criterion, loss, weights=weights)
    assert outcome.lattice == len(all_nodes.nodes())
    assert outcome.optimal
    found = minimal(tuples, recodings, criterion, loss, weights=weights)
    assert {node.levels for node in found.nodes} == set(all_nodes.minimal(loss))
    for node in found.nodes:
        assert node.score == pytest.approx(good[node.levels].score, rel=1e-9, abs=1e-9)
    if outcome.solution is None:
        assert not good
        assert outcome.nearest is not None
        top = all_nodes.figures(outcome.nearest.levels, loss)
        assert (outcome.nearest.suppressed, outcome.nearest.classes) == (top.suppressed, top.classes)
    else:
        best = outcome.solution
        assert best.score == pytest.approx(min(each.score for each in good.values()), rel=1e-9, abs=1e-9)
        there = good[best.levels]
        assert (best.suppressed, best.classes) == (there.suppressed, there.classes)


def wide_table(columns: int) -> tuple[Tuples, list[Recoding]]:
    rng = np.random.default_rng(11)
    values = np.arange(64)
    recoding = Recoding.of_rows([values, values // 8, values // 64])
    codes, counts = np.unique(rng.integers(0, 64, (40, columns)), axis=0, return_counts=True)
    codes[20:, 1:] = codes[:20, 1:]
    codes[20:, 0] = codes[:20, 0] ^ 1
    return Tuples(codes.astype(np.int32), counts), [recoding] * columns


def test_keys_of_more_than_63_bits() -> None:
    tuples, recodings = wide_table(12)
    outcome = solve(tuples, recodings, Criterion(2), "loss_gm")
    assert outcome.lattice == 3**12
    assert outcome.solution is not None
    assert outcome.solution.levels == (1,) + (0,) * 11
    assert outcome.solution.suppressed == 0
    assert outcome.proof is OptimalityProof.MONOTONE
    [node] = minimal(tuples, recodings, Criterion(2), "loss_gm").nodes
    assert node == outcome.solution


def test_weights_decide_which_variable_gives_way(kniola: tuple[Tuples, list[Recoding]]) -> None:
    criterion = Criterion(3, limit=0.5)
    keep_sex = solve(*kniola, criterion, "prec", weights=[10, 1]).solution
    keep_age = solve(*kniola, criterion, "prec", weights=[1, 10]).solution
    assert keep_sex is not None
    assert keep_age is not None
    assert keep_sex.levels[0] == 0
    assert keep_age.levels[1] < keep_sex.levels[1]


def test_stopped_search_says_so_and_gives_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ENTRIES", 10)
    tuples, recodings = wide_table(6)
    asked = iter([False] * 12)
    told: list[tuple[int, int]] = []
    criterion = Criterion(3, limit=0.5)
    stopped = solve(tuples, recodings, criterion, "loss_gm", stop=lambda: next(asked, True))
    assert stopped.proof is OptimalityProof.INTERRUPTED
    assert not stopped.optimal
    assert stopped.solution is not None
    best = solve(tuples, recodings, criterion, "loss_gm", progress=lambda done, of: told.append((done, of)))
    assert best.optimal
    assert best.solution is not None
    assert best.solution.score <= stopped.solution.score
    assert told == sorted(told)
    assert told[-1] == (3**6, 3**6)
    at_once = solve(tuples, recodings, criterion, "loss_gm", stop=lambda: True)
    assert (at_once.solution, at_once.nearest, at_once.optimal) == (None, None, False)
    assert not minimal(tuples, recodings, criterion, "loss_gm", stop=lambda: True).complete


def test_progress_is_the_number_of_nodes_before_the_present_one() -> None:
    tuples, recodings = small_table(0)
    ready = arrange(LatticeQuestion.of(tuples, recodings, Criterion(2, limit=1.0), "prec", None))
    low, high, state = ready.problem.low, ready.problem.high, ready.state
    every = list(product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))))
    for number, node in enumerate(every):
        state.mark[0], state.level[:] = 2, node
        assert search._nodes_done(ready, len(every)) == number
        assert search._nodes_done(ready, 3 * len(every)) == 3 * number
        for depth in (0, 1):  # later columns have not been reached
            state.mark[0] = depth
            assert search._nodes_done(ready, len(every)) == every.index(
                (*node[: depth + 1], *low[depth + 1 :])
            )
    state.mark[0] = -1
    assert search._nodes_done(ready, 7) == 7


def test_many_minimal_nodes_make_the_list_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    tuples, recodings = wide_table(6)
    monkeypatch.setattr("reidrisk.stats.lattice.tables.FOUND", 1)
    few = minimal(tuples, recodings, Criterion(3, limit=0.5), "prec")
    monkeypatch.undo()
    assert few == minimal(tuples, recodings, Criterion(3, limit=0.5), "prec")
    assert len(few.nodes) > 4


def test_without_solution_the_nearest_is_the_top(kniola: tuple[Tuples, list[Recoding]]) -> None:
    tuples, recodings = kniola
    held = [recodings[0], replace(recodings[1], highest=1)]
    outcome = solve(tuples, held, Criterion(4, limit=0.1), "loss_am")
    assert outcome.solution is None
    assert outcome.optimal
    assert outcome.nearest is not None
    assert (outcome.nearest.levels, outcome.nearest.suppressed) == ((1, 1), 6)
    assert minimal(tuples, held, Criterion(4, limit=0.1), "loss_am").nodes == ()


def test_without_numba_the_error_names_the_extra(
    kniola: tuple[Tuples, list[Recoding]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("reidrisk.stats.lattice.kernels", raising=False)
    monkeypatch.delitem(sys.modules, "reidrisk.stats.lattice.kernels", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingPackage, match=r"reidrisk\[tables\]"):
        solve(*kniola, Criterion(2), "dm")


def test_what_does_not_go_together_is_refused(kniola: tuple[Tuples, list[Recoding]]) -> None:
    tuples, recodings = kniola
    with pytest.raises(InvalidSetting, match="1 hierarchies"):
        solve(tuples, recodings[:1], Criterion(2), "dm")
    with pytest.raises(InvalidSetting, match="weight"):
        solve(tuples, recodings, Criterion(2), "dm", weights=[0, 0])
    with pytest.raises(InvalidSetting, match="Did you mean"):
        solve(tuples, recodings, Criterion(2), "loss")  # type: ignore[arg-type]
    with pytest.raises(InvalidSetting, match="1 levels"):
        evaluate(tuples, recodings, Criterion(2), "dm", [0])
    with pytest.raises(InvalidSetting, match="not in the hierarchy"):
        solve(tuples, recodings[::-1], Criterion(2), "dm")
    with pytest.raises(NothingToMeasure):
        Tuples(np.empty((0, 2), dtype=np.int32), np.empty(0, dtype=np.int64))
