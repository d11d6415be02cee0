"""Are attacks on a table fast, and do they say the same as anonymeter?

Four questions in one run:
1. 12,000 records of six columns, a release with noise and exchanged values, a control of the same size,
   1,000 guesses: seconds of each attack against anonymeter 1.1.0, which runs in a Python of its own
   (`--anonymeter-python PATH`). Goal: at least 5 times faster, intervals that meet. Compiled code is
   warm on both sides, and reading is not counted.
2. One million records as a command, from files to JSON: exact, noisy and generalized. Goal: 120 s.
3. Predicted against attacked: in how many of 40 generated populations the marketer risk lies in the
   interval of the exact linkage. Goal: at least 9 of 10.
4. Typing errors: 12,000 records against a register of 12,000 people in which a tenth of the values is
   somebody else's: what each linkage achieves, what the probabilistic one expects, and its seconds for all
   144 million pairs. Goal: 5 s. Then the same for a release that is a sample.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reidrisk.tables.attack.data import find_truth, read_tables
from reidrisk.tables.attack.linkability import link_sources
from reidrisk.tables.attack.linkage import link_probably
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.run import attack_table, infer
from reidrisk.tables.attack.singling import single_out
from reidrisk.tables.attack.success import AttackResult
from timing import run_process

ROWS, GUESSES, MILLION = 12_000, 1_000, 1_000_000
QUASI = ("age", "income", "stay", "sex", "ward")
SETS = (("age", "sex", "stay"), ("income", "ward"))
PEER = f"""
import json, sys, time, warnings
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
warnings.simplefilter("ignore")
quasi, sets = {list(QUASI)!r}, {[list(part) for part in SETS]!r}
names = dict(ori="original", syn="released", control="control")
tables = dict((key, pd.read_parquet(f"{{sys.argv[1]}}/{{name}}.parquet")) for key, name in names.items())
def attacks(rows, guesses):
    whole = dict((key, table[:rows]) for key, table in tables.items())
    known = dict((key, table[quasi]) for key, table in whole.items())
    for mode in ("univariate", "multivariate"):
        yield SinglingOutEvaluator(**known, n_attacks=guesses, seed=7), dict(mode=mode)
    yield LinkabilityEvaluator(**whole, n_attacks=guesses, aux_cols=sets, n_neighbors=1), dict(n_jobs=-1)
    yield InferenceEvaluator(**whole, n_attacks=guesses, aux_cols=quasi, secret="drug"), dict(n_jobs=-1)
for rows, guesses in ((300, 20), ({ROWS}, {GUESSES})):
    found = []
    for attack, options in attacks(rows, guesses):
        start = time.perf_counter()
        attack.evaluate(**options)
        seconds = time.perf_counter() - start
        risk = attack.risk(confidence_level=0.95)
        found.append([seconds, risk.value, *risk.ci])
print(json.dumps(found))
"""


def people(rows: int, rng: np.random.Generator, *, first: int = 0) -> dict[str, Any]:
    return {
        "person": np.arange(first, first + rows),
        "age": rng.integers(0, 100, rows),
        "income": rng.gamma(2, 20_000, rows).round(2),
        "stay": rng.exponential(5, rows).round(2),
        "sex": rng.choice(["F", "M"], rows),
        "ward": rng.choice([f"ward {at}" for at in range(40)], rows),
        "drug": rng.choice([f"drug {at}" for at in range(12)], rows),
    }


def treated(table: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Noise on numbers; every tenth category is that of somebody else."""
    found = dict(table)
    rows = len(table["person"])
    for name, spread in (("income", 400.0), ("stay", 0.1)):
        found[name] = (table[name] + rng.normal(0, spread, rows)).round(2)
    for name in ("sex", "ward", "drug"):
        other = table[name][rng.permutation(rows)]
        found[name] = np.where(rng.random(rows) < 0.1, other, table[name])
    return found


def generalized(table: dict[str, Any]) -> dict[str, Any]:
    decades = table["age"] // 10 * 10
    labels = np.array([f"{low}-{low + 9}" for low in range(0, 100, 10)])
    wide = (table["income"] // 50_000).astype(int)
    incomes = np.array([f"[{low}, {low + 50_000})" for low in range(0, 10_000_000, 50_000)])
    stays = np.array(["<5", "5-10", ">10"])[np.searchsorted([5, 10], table["stay"], "left")]
    return {**table, "age": labels[decades // 10], "income": incomes[wide], "stay": stays}


def written(folder: Path, rows: int) -> None:
    rng = np.random.default_rng(7)
    original = people(rows, rng)
    tables = {
        "original": original,
        "released": treated(original, rng),
        "generalized": generalized(original),
        "control": people(rows, rng, first=rows),
    }
    for name, table in tables.items():
        pq.write_table(pa.table(table), folder / f"{name}.parquet")


def ours(folder: Path) -> list[tuple[str, float, AttackResult]]:
    """Seconds of each attack; the tables are read before."""
    plan = AttackPlan(quasi=QUASI, secret=("drug",), sets=SETS, id="person", guesses=GUESSES)
    released, original, control = (folder / f"{name}.parquet" for name in ("released", "original", "control"))
    tables = read_tables(released, original, control, plan, {})
    truth = find_truth(tables, plan)
    found: list[tuple[str, float, AttackResult]] = []

    def run(work: Callable[[], Any]) -> None:
        start = time.perf_counter()
        outcomes = work()
        seconds = time.perf_counter() - start
        made = outcomes if isinstance(outcomes, tuple) else (outcomes,)
        found.extend((one.attack, seconds / len(made), one) for one in made)

    run(lambda: single_out(tables, plan, truth, np.random.default_rng(7)))
    run(lambda: link_sources(tables, plan, truth, np.random.default_rng(7)))
    run(lambda: infer(tables, plan, "drug", truth, np.random.default_rng(7)))
    return found


def compared(folder: Path, peer: str | None) -> None:
    written(folder, ROWS)
    ours(folder)  # compiles
    mine = ours(folder)
    theirs: list[list[Any]] = []
    if peer:
        done = subprocess.run([peer, "-c", PEER, str(folder)], capture_output=True, text=True, check=True)
        theirs = json.loads(done.stdout.splitlines()[-1])
    print(f"{ROWS:,} records, {GUESSES:,} guesses an attack, with control")
    for at, (name, seconds, outcome) in enumerate(mine):
        risk = outcome.risk
        said = f"{risk.value:.3f} ({risk.low:.3f} to {risk.high:.3f})" if risk else "no figure"
        line = f"  {name}: {seconds:.3f} s, risk {said}"
        if theirs and risk:
            other, value, low, high = theirs[at]
            meet = "meet" if low <= risk.high and risk.low <= high else "DO NOT MEET"
            line += f"; anonymeter {other:.2f} s ({other / seconds:.0f} times), {value:.3f} "
            line += f"({low:.3f} to {high:.3f}): {meet}"
        print(line)
    if theirs:
        whole, total = sum(one[0] for one in theirs), sum(one[1] for one in mine)
        print(f"  all: {total:.2f} s against {whole:.2f} s, {whole / total:.0f} times as fast (goal 5)")


def million(folder: Path) -> None:
    written(folder, MILLION)
    for name in ("original", "released", "generalized"):
        process = run_process(
            sys.executable, "-c", "from reidrisk.cli.main import run; raise SystemExit(run())",
            "table", "attack", str(folder / f"{name}.parquet"), "--against", str(folder / "original.parquet"),
            "--control", str(folder / "control.parquet"), "--quasi", ",".join(QUASI), "--secret", "drug",
            "--id", "person", "--json", str(folder / "out.json"), "--quiet",
        )  # fmt: skip
        assert process.exit_code == 0, process
        print(
            f"{MILLION:,} records, {name}: {process.seconds:.1f} s, {process.megabytes:,.0f} MB (goal 120 s)"
        )


def predicted(runs: int = 40) -> None:
    inside = 0
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        everybody = people(20_000, rng)
        sample = rng.permutation(20_000)[:5_000]
        release = generalized({name: values[sample] for name, values in everybody.items()})
        plan = AttackPlan(quasi=("age", "income", "sex", "ward"), id="person", guesses=100)
        found = attack_table(pa.table(release), pa.table(everybody), plan, seed=seed)
        inside += bool(found.prediction_holds)
    print(f"marketer risk inside the 95 % interval of the attack: {inside} of {runs} runs (goal 9 of 10)")


def mistyped(table: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """In each column a tenth of the values is somebody else's."""
    rows = len(table["person"])
    found = {"person": table["person"]}
    for name in QUASI:
        wrong = rng.random(rows) < 0.1
        found[name] = np.where(wrong, table[name][rng.permutation(rows)], table[name])
    return found


def probable() -> None:
    rng = np.random.default_rng(7)
    original = people(ROWS, rng)
    register = pa.table(mistyped(original, rng))
    for quasi in (QUASI, ("age", "sex", "ward", "stay"), ("age", "sex", "ward")):
        plan = AttackPlan(quasi=quasi, id="person", guesses=ROWS)
        found = attack_table(pa.table(original), register, plan)
        tables = read_tables(pa.table(original), register, None, plan, {})
        truth = find_truth(tables, plan)
        start = time.perf_counter()
        link_probably(tables, plan, truth, np.random.default_rng(7))
        seconds = time.perf_counter() - start
        told = ", ".join(
            f"{one.attack} {one.main.rate(0.95).value:.3f}"
            for one in (found.exact, found.nearest, found.probabilistic.result)
            if one.main
        )
        expected = found.probabilistic.expected / found.probabilistic.records
        print(f"typing errors, {len(quasi)} columns: {told} (expected {expected:.3f}); {seconds:.2f} s")
    sampled(original)


def sampled(everybody: dict[str, Any]) -> None:
    """A release of 500 of the people: what the probabilistic linkage expects, and what it achieves."""
    rows = np.random.default_rng(3).permutation(ROWS)[:500]
    release = {name: values[rows] for name, values in everybody.items()}
    plan = AttackPlan(quasi=("age", "sex", "ward"), id="person", guesses=500)
    found = attack_table(pa.table(release), pa.table(everybody), plan).probabilistic
    assert found.result.main
    print(
        f"a sample of 500: {found.result.main.rate(0.95).value:.3f} achieved, "
        f"{found.expected / found.records:.3f} expected"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anonymeter-python", help="A Python that has anonymeter.")
    parser.add_argument("--only", choices=["compared", "million", "predicted", "probable"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if asked.only in (None, "compared"):
            compared(Path(place), asked.anonymeter_python)
        if asked.only in (None, "million"):
            million(Path(place))
    if asked.only in (None, "predicted"):
        predicted()
    if asked.only in (None, "probable"):
        probable()
