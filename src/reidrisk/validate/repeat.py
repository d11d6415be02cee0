"""The same seed gives the same bytes: the same work in two processes, and on two engines."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.core.schema import Schema
from reidrisk.core.shell import pip_install
from reidrisk.core.threshold import Threshold
from reidrisk.validate.check import Bench, NotRun, Observed
from reidrisk.validate.tables import QUASI, hierarchies, write_people

SEED = 20_262
SCHEMA = Schema(quasi=QUASI, other={"cost": "validation"})
KEY = b"the key of this validation, which protects nobody"


def same_bytes(bench: Bench) -> Observed:
    """Do the same work in two processes whose hashes of texts differ, and compare what they wrote."""
    sums = []
    for number in ("1", "2"):
        folder = bench.folder / number
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": number}
        words = [sys.executable, "-m", "reidrisk.validate.repeat", str(folder)]
        done = subprocess.run(words, env=environment, capture_output=True, check=False)  # noqa: S603 - our own program
        if done.returncode:
            return Observed(
                holds=False, text=f"The work of process {number} stopped with code {done.returncode}."
            )
        sums.append({path.name: _sha256(path) for path in sorted(folder.glob("*.out"))})
    first, second = sums
    wrong = sorted(name for name in first | second if first.get(name) != second.get(name))
    text = f"{len(first)} files of two processes are equal, byte by byte: {', '.join(first)}."
    return Observed(bool(first) and not wrong, f"Files differ: {', '.join(wrong)}." if wrong else text)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def work(folder: Path) -> None:
    """A release of a table, an evaluation and a de-identified note, written to a folder."""
    from reidrisk.demo import clinical_notes, simulate_tool
    from reidrisk.resynthesis.single import deidentify_note
    from reidrisk.text.evaluate import evaluate_text

    released = _deidentified(folder, np.random.default_rng([SEED, 1]))
    released.rename(folder / "table.out")
    notes = clinical_notes(seed=5, documents=12)
    risk = evaluate_text(notes, simulate_tool(notes, recall=0.9, seed=5), seed=5)
    (folder / "evaluation.out").write_text(risk.to_json(), encoding="utf-8")
    note = deidentify_note(next(iter(notes)).text or "", key=KEY)
    (folder / "note.out").write_text(note.text, encoding="utf-8")


def _deidentified(folder: Path, rng: np.random.Generator, engine: Any = None) -> Path:
    from reidrisk.tables.deidentify.run import deidentify

    source = write_people(folder / "people.csv", rng, 300)
    out = folder / "released.csv"
    five = Threshold.from_cell_size(5, "validation")
    deidentify(
        str(source), SCHEMA, hierarchies(), threshold=five, max_suppression=0.5, out=out, engine=engine
    )
    return out


def equal_engines(bench: Bench) -> Observed:
    """Measure one table with DuckDB and with Spark."""
    missing = [name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None]
    if missing:
        raise NotRun(f"{', '.join(missing)} not installed: {pip_install('spark')}")
    if shutil.which("java") is None:
        raise NotRun("Java is not installed; Spark needs it.")
    import pyarrow.csv
    import pyarrow.parquet

    from reidrisk.tables.risk import table_risk

    path = write_people(bench.folder / "people.csv", np.random.default_rng([SEED, 2]), 2000)
    table = bench.folder / "people.parquet"
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(path), table)
    own, other = (
        table_risk(str(table), SCHEMA, drivers=False, engine=engine).to_dict()
        for engine in (None, "local[2]")
    )
    names = (
        "records",
        "classes",
        "smallest_class",
        "prosecutor",
        "unique_share",
        "risk_curve",
        "class_sizes",
    )
    wrong = [name for name in names if own[name] != other[name]]
    text = f"{len(names)} figures of a table of {own['records']:,} records are equal on DuckDB and Spark."
    return Observed(not wrong, f"Figures differ: {', '.join(wrong)}." if wrong else text)


if __name__ == "__main__":
    work(Path(sys.argv[1]))
