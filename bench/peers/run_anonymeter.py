"""anonymeter: singling out, linkability and inference on the same tables, columns and guesses."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from clock import say, timed

warnings.simplefilter("ignore")
folder = Path(sys.argv[1])
plan = json.loads(sys.argv[2])
names = {"ori": "original", "syn": "released", "control": "control"}
tables = {key: pd.read_parquet(folder / f"{name}.parquet") for key, name in names.items()}


def attacks(rows: int, guesses: int) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    whole = {key: table[:rows] for key, table in tables.items()}
    known = {key: table[plan["quasi"]] for key, table in whole.items()}
    for mode in ("univariate", "multivariate"):
        yield (
            f"singling out, {mode}",
            SinglingOutEvaluator(**known, n_attacks=guesses, seed=7),
            {"mode": mode},
        )
    sets = {"aux_cols": plan["sets"], "n_neighbors": 1}
    yield "linkability", LinkabilityEvaluator(**whole, n_attacks=guesses, **sets), {"n_jobs": -1}
    inference = {"aux_cols": plan["quasi"], "secret": plan["secret"]}
    yield "inference", InferenceEvaluator(**whole, n_attacks=guesses, **inference), {"n_jobs": -1}


found = []
for _, warm, options in attacks(300, 20):
    warm.evaluate(**options)
for name, attack, options in attacks(len(tables["ori"]), plan["guesses"]):
    took, _ = timed(lambda attack=attack, options=options: attack.evaluate(**options))  # type: ignore[misc]
    risk = attack.risk(confidence_level=0.95)
    found.append({"attack": name, "time": took, "risk": [risk.value, *risk.ci]})
say(attacks=found)
