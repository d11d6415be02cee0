"""Tables: reading, risk and de-identification, against the database's own work and two peers."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

import reidrisk as rr
from measures.declare import (
    LARGE_ENOUGH,
    Found,
    Goal,
    Measure,
    Row,
    Setup,
    Timing,
    command,
    in_turns,
    knows_option,
    least,
    timed,
)
from measures.made import ADULT, WIDE, labels, write_adult, write_population, write_wide

FIVE = ("sex", "age", "education", "marital-status", "occupation")


def group_by(table: Path, columns: tuple[str, ...]) -> object:
    """What the database itself needs for the class sizes."""
    names = ", ".join(columns)
    query = (
        f"SELECT size, count(*) FROM (SELECT count(*) AS size FROM '{table}' GROUP BY {names}) GROUP BY size"  # noqa: S608
    )
    with duckdb.connect() as base:
        return base.sql(query).fetchall()


def scan(table: Path) -> object:
    """Every value of every column, read and hashed by the database."""
    with duckdb.connect() as base:
        names = [row[0] for row in base.execute(f"DESCRIBE FROM '{table}'").fetchall()]
        parts = ", ".join(f'sum(hash("{name}") % 7)' for name in names)
        return base.execute(f"SELECT {parts} FROM '{table}'").fetchall()  # noqa: S608 - names of our own


def bare(work: Callable[..., object], *given: Any) -> Callable[[], Timing]:
    return lambda: timed(lambda: work(*given))


def risk(setup: Setup) -> Found:
    rows = setup.pick(2_000_000, 10_000_000)
    table = write_wide(setup.folder / "wide.parquet", rows)
    data = f"generated Parquet, {rows:,} rows, 8 quasi-identifiers"
    schema = rr.Schema(quasi=WIDE)
    rr.table_risk(table, schema, drivers=False)
    ours, floor = in_turns(
        bare(partial(rr.table_risk, drivers=False), table, schema), bare(group_by, table, WIDE)
    )
    why = (
        "Most of the rest looks for columns without a role that identify people: it counts the distinct "
        "values of each and searches its first rows for known patterns, which takes as long for many rows."
    )
    goal = Goal("limit", 1.5, why)
    yield Row("Risk of a table, as a function", data, goal, ours, floor, "DuckDB's bare group-by")
    given = ("table", "risk", str(table), "--quasi", ",".join(WIDE), "--quiet")
    whole, floor = in_turns(lambda: command(*given), bare(group_by, table, WIDE), runs=2)
    why = (
        "The command has to start, and looks at columns without a role. It shows what drives the risk: the "
        "distinct tuples are counted again without each column and for the smallest sets that single people "
        "out. Of these, only the tuples grow with the rows."
    )
    goal = Goal("limit", 3, why)
    yield Row("Risk of a table, whole command", data, goal, whole, floor, "DuckDB's bare group-by")
    if not knows_option("table", "risk", option="--no-drivers"):
        return
    alone, floor = in_turns(lambda: command(*given, "--no-drivers"), bare(group_by, table, WIDE), runs=2)
    goal = Goal("limit", 1.3, "The command has to start, and it looks at columns without a role.")
    question = "Risk of a table, whole command without what drives it"
    yield Row(question, data, goal, alone, floor, "DuckDB's bare group-by")


def pycanon(setup: Setup) -> Found:
    text, table = write_adult(setup.folder, 30_162)
    few = setup.pick(2_000, 10_000)
    quasi, sensitive = ADULT[:-1], ADULT[-1]
    theirs = setup.peer("pycanon", str(text), ",".join(quasi), sensitive, str(few))
    frame = pq.read_table(table)
    schema = rr.Schema(quasi=quasi)
    rr.table_risk(frame, schema, drivers=False)
    ours = least([timed(lambda: rr.table_risk(frame, schema, drivers=False)) for _ in range(5)])
    k = rr.table_risk(frame, schema, drivers=False).to_dict()
    equal = Counter(zip(*(frame[name].to_pylist() for name in quasi), strict=True))
    assert min(equal.values()) == theirs["k"], "pycanon and a plain count disagree on k"
    assert k["kind"] == "table_risk"
    why = "Both count classes once; reidrisk opens a database for it, and reports far more than k."
    data = "generated table like Adult in memory, 30,162 records, 8 quasi-identifiers"
    yield Row("Smallest class", data, Goal("peer", 2, why), ours, Timing(**theirs["k_time"]), "pycanon: k")
    schema = rr.Schema(quasi=quasi, sensitive=(sensitive,))
    small = frame[:few]
    every = least([timed(lambda: rr.table_risk(small, schema)) for _ in range(3)])
    data = f"the first {few:,} records of the same table, one sensitive column"
    goal = Goal("peer", 10, "reidrisk also looks for what drives the risk.")
    other = Timing(**theirs["all_time"])
    yield Row("Every figure of a table", data, goal, every, other, "pycanon: every figure of its report")


def loss(released: Path, quasi: tuple[str, ...], records: int) -> float:
    """Average loss of a cell: the share of other values that its label could also mean; 1 if suppressed."""
    with released.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    total = float(len(quasi) * (records - len(rows)))
    for name in quasi:
        hierarchy = labels(name)
        meant: dict[str, set[str]] = {}
        for row in hierarchy:
            for label in row:
                meant.setdefault(label, set()).add(row[0])
        cost = {label: (len(values) - 1) / (len(hierarchy) - 1) for label, values in meant.items()}
        total += sum(cost.get(row[name], 1.0) for row in rows)
    return total / (records * len(quasi))


def anjana(setup: Setup) -> Found:
    records = setup.pick(10_000, 30_162)
    columns = FIVE if setup.quick else ADULT
    text, table = write_adult(setup.folder, records, columns=columns)
    peer_out, own_out = setup.folder / "anjana.csv", setup.folder / "own.csv"
    quasi = ",".join(columns)
    theirs = setup.peer("anjana", str(text), quasi, str(setup.folder), "2", str(peer_out))
    hierarchies = {
        name: rr.Hierarchy.csv(name, setup.folder / f"adult_hierarchy_{name}.csv") for name in columns
    }
    options = rr.DeidentifyOptions(suppress="records", loss="loss_am")
    work = partial(
        rr.deidentify,
        table,
        rr.Schema(quasi=columns),
        hierarchies,
        max_suppression=0.02,
        options=options,
        out=own_out,
    )
    work()
    ours = least([timed(work) for _ in range(3)])
    size = f"{records:,} records, {len(columns)} quasi-identifiers"
    data = f"generated table like Adult, {size}, k = 5, at most 2 % suppressed"
    why = (
        "reidrisk opens a database, reads, searches, writes and checks what it has written, in every run; "
        "anjana only searches a table in memory."
    )
    other = Timing(**theirs["time"])
    yield Row("De-identify a table", data, Goal("peer", 10, why), ours, other, "anjana: k-anonymity")
    lost = {name: loss(path, columns, records) for name, path in (("a", peer_out), ("o", own_out))}
    why = "reidrisk finds the least loss as ARX measures it, which is not quite the measure shown."
    what = "Information lost, as a share of the most (0 is nothing lost)"
    yield Row(what, data, Goal("loss", 1, why), lost["o"], lost["a"], "anjana: its release")


def reading(setup: Setup) -> Found:
    rows = setup.pick(1_000_000, 10_000_000)
    why = {
        "csv": "The file is parsed once and its texts are kept in memory. Then every cell of a column of "
        "numbers or dates is checked to lose nothing as one, and the columns without a role are counted.",
        "parquet": "Units are checked to have one row each; where they have several, one grouping keeps one "
        "row of each and notes values that vary. Columns without a role are counted.",
    }
    for form, goal in (("parquet", 3.0), ("csv", 3.0)):
        table = write_wide(setup.folder / f"wide.{form}", rows)
        work = partial(rr.table_risk, table, rr.Schema(quasi=("sex", "age"), unit="visit"), drivers=False)
        work()
        ours, floor = in_turns(bare(work), bare(scan, table), runs=2)
        data = f"generated {'CSV' if form == 'csv' else 'Parquet'}, {rows:,} rows, a unit column"
        question = f"Read {'CSV' if form == 'csv' else 'Parquet'} and count two columns"
        against = "raw scan: DuckDB reads and hashes every column"
        yield Row(question, data, Goal("limit", goal, why[form]), ours, floor, against)


def population(setup: Setup) -> Found:
    table = write_population(setup.folder / "people.parquet", setup.pick(1_000, 3_000))
    options = rr.PopulationOptions(g=range(1, 1_001))

    def formula() -> object:
        """People expected to be alone with their birth date, by state: one pass of the database."""
        query = f"""SELECT state, sum(n * pow(1 - 1 / (365.0 * (age_hi - age_lo + 1)), greatest(n - 1, 0)))
                    FROM '{table}' GROUP BY state"""  # noqa: S608 - our own path
        with duckdb.connect() as base:
            return base.sql(query).fetchall()

    def ours() -> object:
        return rr.population_risk(rr.read_population(table), rr.LIMITED_DATASET, by="state", options=options)

    ours()
    mine, floor = in_turns(bare(ours), bare(formula), runs=3)
    cells = pq.read_metadata(table).num_rows
    why = "reidrisk computes every g from 1 to 1,000 and the costs; the limit is one formula in one pass."
    data = f"generated counts, {cells:,} cells of state, county, race, sex and age"
    against = "DuckDB: read the file and compute one formula"
    yield Row("Risk of a population by state", data, Goal("limit", 10, why), mine, floor, against)


def attack(setup: Setup) -> Found:
    rows, guesses = setup.pick(5_000, 12_000), setup.pick(500, 1_000)
    quasi, sets = ("age", "income", "stay", "sex", "ward"), (("age", "sex", "stay"), ("income", "ward"))
    tables = attack_tables(setup.folder, rows)
    plan = rr.AttackPlan(quasi=quasi, sensitive=("drug",), sets=sets, id="person", guesses=guesses)
    work = partial(
        rr.attack_table, tables["released"], tables["original"], plan, control=tables["control"], seed=7
    )
    found = work().to_dict()
    ours = least([timed(work) for _ in range(3)])
    asked = {"quasi": quasi, "sets": sets, "secret": "drug", "guesses": guesses}
    theirs = setup.peer("anonymeter", str(setup.folder), json.dumps(asked))["attacks"]
    times = [one["time"] for one in theirs]
    other = Timing(sum(one["seconds"] for one in times), sum(one["cpu"] for one in times))
    mine = [*found["singling_out"], found["linkability"], *found["inference"]]
    risks = [interval(*(own["risk"][part] for part in ("value", "low", "high"))) for own in mine]
    notes = tuple(
        f"{one['attack'].capitalize()}: risk {risk} by reidrisk and {interval(*one['risk'])} by anonymeter, "
        f"which took {one['time']['seconds']:.2f} s"
        for risk, one in zip(risks, theirs, strict=True)
    )
    data = f"generated, {rows:,} records of six columns with noise, a control, {guesses:,} guesses per attack"
    why = (
        "reidrisk also runs exact, nearest and probabilistic linkage, reads the files and predicts the risk."
    )
    against = "anonymeter: singling out (two kinds), linkability and inference"
    yield Row("Attack a table", data, Goal("peer", 5, why), ours, other, against, (*notes, LARGE_ENOUGH))


def interval(value: float, low: float, high: float) -> str:
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def attack_tables(folder: Path, rows: int) -> dict[str, Path]:
    """An original, a release with noise and exchanged values, and a control of other people."""
    noisy = {"income": "income + 400 * noise", "stay": "stay + 0.1 * noise"}
    for name in ("sex", "ward", "drug"):
        noisy[name] = f"CASE WHEN hash(person, 'x{name}') % 10 = 0 THEN other_{name} ELSE {name} END"
    base_query = """
        SELECT id AS person, CAST(hash(id, 1) % 100 AS INTEGER) AS age,
               round(-20000 * ln((1 + hash(id, 2) % 999999) / 1e6 * ((1 + hash(id, 3) % 999999) / 1e6)), 2)
                 AS income,
               round(-5 * ln((1 + hash(id, 4) % 999999) / 1e6), 2) AS stay,
               CASE hash(id, 5) % 2 WHEN 0 THEN 'F' ELSE 'M' END AS sex,
               'ward ' || (hash(id, 6) % 40) AS ward, 'drug ' || (hash(id, 7) % 12) AS drug
    """
    columns = ("age", "income", "stay", "sex", "ward", "drug")
    shown = ", ".join(
        f"round({noisy[n]}, 2) AS {n}" if n in ("income", "stay") else f"{noisy.get(n, n)} AS {n}"
        for n in columns
    )
    release = f"""
        SELECT person, {shown} FROM (
          SELECT *, (CAST(hash(person, 8) % 2001 AS INTEGER) - 1000) / 500.0 AS noise,
                 CASE hash(person, 9) % 2 WHEN 0 THEN 'F' ELSE 'M' END AS other_sex,
                 'ward ' || (hash(person, 10) % 40) AS other_ward,
                 'drug ' || (hash(person, 11) % 12) AS other_drug
          FROM ({base_query} FROM range({rows}) AS made(id)))
    """  # noqa: S608 - columns of our own
    queries = {
        "original": f"{base_query} FROM range({rows}) AS made(id)",
        "released": release,
        "control": f"{base_query} FROM range({rows}, {2 * rows}) AS made(id)",
    }
    with duckdb.connect() as base:
        for name, query in queries.items():
            base.execute(f"COPY ({query}) TO '{folder / name}.parquet' (FORMAT parquet)")
    return {name: folder / f"{name}.parquet" for name in queries}


MEASURES = (
    Measure("table_risk", risk, 90, 600),
    Measure("pycanon", pycanon, 90, 600),
    Measure("anjana", anjana, 90, 900),
    Measure("attack", attack, 90, 300),
    Measure("reading", reading, 60, 300),
    Measure("population", population, 40, 120),
)
