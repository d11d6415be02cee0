"""A release in plain Python, cell by cell, which every engine should equal."""

from __future__ import annotations

import hmac
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reidrisk.engine.plans import REMOVED, Blanks, DistinctTuples, Recode, ReleasePlan

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

KEY = b"a key of more than sixteen bytes"
SALT = "pepper"
Row = dict[str, Any]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def mixed_table(rows: int = 400) -> Any:
    """Nulls, NaN, both zeros, endless and tiny numbers, unicode, blanks, old dates, zones, a skewed key."""
    rng = random.Random(19)  # noqa: S311
    names = ["Ann", "ann", "Ann ", "Ünal", "Zoë", "李雷", "", "e\u0301", "é", "😀", 'a "b",\n', "\\n", None]
    doses = [0.0, -0.0, math.nan, None, 1.5, -2.25, 1e300, 2e300, math.inf, -math.inf, 5e-324, 0.1]
    start = datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    people = [f"p{rng.randrange(rows // 3)}" for _ in range(rows)]
    fixed = {one: (rng.choice(["North", "South", None]), rng.randrange(20, 60)) for one in people}
    return pa.table(
        {
            "person": people,
            "visit": pa.array([rng.choice([None, *range(40)]) for _ in range(rows)], pa.int32()),
            "name": [rng.choice(names) for _ in range(rows)],
            "region": [fixed[one][0] for one in people],
            "age": pa.array([fixed[one][1] for one in people], pa.int16()),
            "dose": pa.array([rng.choice(doses) for _ in range(rows)], pa.float64()),
            "half": pa.array([rng.choice([0.0, -0.0, 0.1, None]) for _ in range(rows)], pa.float32()),
            "cost": pa.array(
                [rng.choice([None, *map(Decimal, ("0.00", "-1.50", "12345678.90"))]) for _ in range(rows)],
                pa.decimal128(12, 2),
            ),
            "born": pa.array(
                [rng.choice([None, date(1, 1, 1), date(1582, 10, 10), date(1970, 1, 1), date(2024, 2, 29)])
                 for _ in range(rows)],
                pa.date32(),
            ),
            "seen": pa.array(
                [rng.choice([None, start + timedelta(microseconds=rng.randrange(3))]) for _ in range(rows)],
                pa.timestamp("us", tz="Asia/Tokyo"),
            ),
            "local": pa.array(
                [rng.choice([None, datetime(2020, 3, 29, 2, 30), datetime(1900, 1, 1)]) for _ in range(rows)],  # noqa: DTZ001
                pa.timestamp("us"),
            ),
            "ok": [rng.choice([True, False, None]) for _ in range(rows)],
            "skewed": [0 if rng.random() < 0.9 else rng.randrange(5) for _ in range(rows)],
        }
    )  # fmt: skip


def few_columns() -> Any:
    """Those of a table that are enough where all kinds of values are not what is tested."""
    return mixed_table().select(["person", "name", "dose", "ok", "skewed"])


def write_parts(folder: Path, table: Any, *, parts: int = 3) -> Path:
    """Some files, one of them without a row."""
    folder.mkdir()
    size = -(-table.num_rows // parts)
    for part in range(parts):
        pq.write_table(table.slice(part * size, size), folder / f"part-{part}.parquet")
    pq.write_table(table.slice(0, 0), folder / "part-empty.parquet")
    return folder


def shown(value: Any) -> Any:
    """A value that equals itself: NaN as a text, times in UTC, zero without a sign."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value


def contents(table: Any) -> Counter[tuple[Any, ...]]:
    """The rows of an Arrow table, whatever their order."""
    return Counter(tuple(map(shown, row.values())) for row in table.to_pylist())


def cell_text(value: Any) -> str:
    """The canonical text of a cell."""
    if value is None:
        return chr(30)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return str((aware - EPOCH) // timedelta(microseconds=1))
    if isinstance(value, float):
        return _float_text(value + 0.0)
    return value.isoformat() if isinstance(value, date) else str(value)


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if abs(value) >= 2.0**62:
        return "big"
    whole = math.trunc(value)
    return f"{whole}{chr(29)}{math.trunc((value - whole) * 2.0**52)}"


def row_hash(cells: Sequence[Any], texts: Sequence[bool], salt: str) -> str:
    """The hash of a row; `texts` says which columns are texts."""
    lengths = [
        "" if cell is None else str(len(cell.encode()))
        for cell, is_text in zip(cells, texts, strict=True)
        if is_text
    ]
    whole = chr(31).join([salt, *map(cell_text, cells), *lengths])
    return sha256(whole.encode()).hexdigest()[:32]


def plain_sample(table: Any, share: float, *, seed: int, unit: str | None = None) -> list[tuple[Any, ...]]:
    """The rows of a sample in their order: each content its share, or all rows of the units drawn."""
    rows = [tuple(row.values()) for row in table.to_pylist()]
    texts = [pa.types.is_string(one.type) for one in table.schema]
    hashes = {tuple(map(shown, row)): row_hash(row, texts, str(seed)) for row in rows}
    found: Counter[tuple[Any, ...]] = Counter()
    at = None if unit is None else table.column_names.index(unit)
    for row, number in Counter(tuple(map(shown, row)) for row in rows).items():
        if at is None:
            kept = number * share
            whole = math.floor(kept)
            found[row] = whole + (_chance(hashes[row]) < kept - whole)
        elif _chance(row_hash([row[at]], [texts[at]], str(seed))) < share:
            found[row] = number
    floats = [place for place, one in enumerate(table.schema) if pa.types.is_floating(one.type)]
    return sorted(found.elements(), key=lambda row: (hashes[row], *(_last(row[place]) for place in floats)))


def _chance(digest: str) -> float:
    return int(digest[:13], 16) / 2.0**52


def floats_of(row: Row) -> list[tuple[bool, bool, float]]:
    """What decides between rows of one hash: their numbers with a fraction."""
    return [_last(shown(row[name])) for name in ("dose", "half")]


def _last(value: Any) -> tuple[bool, bool, float]:
    """Numbers, then NaN, then nothing."""
    is_number = value is not None and value != "NaN"
    return value is None, value == "NaN", value if is_number else 0.0


def pseudonym(name: str, value: Any) -> str | None:
    if value is None:
        return None
    return hmac.new(KEY, f"{name}\0{value}".encode(), sha256).hexdigest()[:24]


def plain_release(
    rows: Sequence[Row], plan: ReleasePlan, texts: Mapping[str, bool]
) -> Counter[tuple[Any, ...]]:
    """Every row as the plan says; `texts` says which columns are texts before the release."""
    masks = _masks(rows, plan, texts)
    made = []
    for at, row in enumerate(rows):
        mask = masks[row[plan.unit] if plan.unit else at]
        if mask != REMOVED:
            made.append(_row_out(row, mask, plan))
    number = [name for name, treatment in plan.treatments.items() if treatment == "number"]
    if made and number:
        _number(made, number, plan, texts)
    return Counter(tuple(map(shown, row.values())) for row in made)


def _labels(row: Row, plan: ReleasePlan) -> list[tuple[int, Any]]:
    """Code and label of each quasi-identifier."""
    found = []
    for name, values, recode in zip(plan.tuples.columns, plan.tuples.values, plan.recodes, strict=True):
        place = [shown(value) for value in values].index(shown(row[name]))
        label = row[name] if recode.labels is None else recode.labels[place]
        found.append((0 if recode.only is not None else int(recode.codes[place]), label))
    return found


def _masks(rows: Sequence[Row], plan: ReleasePlan, texts: Mapping[str, bool]) -> dict[Any, int]:
    """By unit, or by number of row."""
    classes: dict[tuple[int, ...], list[tuple[Any, ...]]] = defaultdict(list)
    known = set()
    for at, row in enumerate(rows):
        key = row[plan.unit] if plan.unit else at
        if key in known:
            continue
        known.add(key)
        if plan.unit:
            drawn = sha256(f"{plan.salt}{chr(31)}{cell_text(key)}".encode()).hexdigest()
        else:
            drawn = row_hash(list(row.values()), [texts[name] for name in row], plan.salt)
        floats = [math.inf if value is None else value for value in row.values() if isinstance(value, float)]
        classes[tuple(code for code, _ in _labels(row, plan))].append((drawn, floats, key))
    wanted: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for codes, mask, number in zip(
        plan.blanks.codes.tolist(), plan.blanks.masks, plan.blanks.numbers, strict=True
    ):
        wanted[tuple(codes)] += [int(mask)] * int(number)
    return {
        key: mask
        for codes, members in classes.items()
        for (_, _, key), mask in zip(
            sorted(members, key=lambda one: one[:2]), [*wanted[codes], *[0] * len(members)], strict=False
        )
    }


def _row_out(row: Row, mask: int, plan: ReleasePlan) -> Row:
    labels = dict(zip(plan.tuples.columns, _labels(row, plan), strict=True))
    made: Row = {}
    for name, value in row.items():
        treatment = plan.treatments.get(name, "keep")
        if name in labels:
            lost = (mask >> plan.tuples.columns.index(name)) & 1
            made[name] = None if lost else labels[name][1]
        elif treatment == "pseudonym":
            made[name] = pseudonym(name, value)
        elif treatment != "drop":
            made[name] = value
    return made


def _number(made: list[Row], numbered: Sequence[str], plan: ReleasePlan, texts: Mapping[str, bool]) -> None:
    """In place: the unit with the least digest of its rows is number 1."""
    said = [name for name in made[0] if name not in numbered]
    is_text = [_is_text(name, plan, texts) for name in said]
    hashes = [row_hash([row[name] for name in said], is_text, plan.salt) for row in made]
    if len(numbered) > 1:
        sums = {name: _digests(made, hashes, name) for name in numbered}
        hashes = [
            sha256(",".join([one, *(str(sums[name][row[name]]) for name in numbered)]).encode()).hexdigest()[
                :32
            ]
            for one, row in zip(hashes, made, strict=True)
        ]
    for name in numbered:
        digests = _digests(made, hashes, name)
        order = sorted((value for value in digests if value is not None), key=lambda one: (digests[one], one))
        place = {value: number for number, value in enumerate(order, start=1)}
        for row in made:
            row[name] = place.get(row[name])


def _digests(made: Sequence[Row], hashes: Sequence[str], name: str) -> dict[Any, int]:
    found: dict[Any, int] = defaultdict(int)
    for row, one in zip(made, hashes, strict=True):
        found[row[name]] += int(one[:15], 16)
    return found


def _is_text(name: str, plan: ReleasePlan, texts: Mapping[str, bool]) -> bool:
    if name in plan.tuples.columns:
        kind = plan.kind_of(plan.tuples.columns.index(name))
        return texts[name] if kind is None else kind == "text"
    return texts[name] or plan.treatments.get(name) == "pseudonym"


def plan_of(
    tuples: DistinctTuples,
    *,
    labels: Mapping[str, Callable[[Any], Any]] | None = None,
    **rest: Any,
) -> ReleasePlan:
    """A plan that gives some columns labels, and takes cells from about half of the records of each tuple."""
    recodes = tuple(
        _recode(values, (labels or {}).get(name))
        for name, values in zip(tuples.columns, tuples.values, strict=True)
    )
    rest.setdefault("treatments", {})
    return ReleasePlan(
        tuples=tuples,
        recodes=recodes,
        blanks=_half(tuples, recodes),
        key=KEY,
        salt=SALT,
        order="random",
        **rest,
    )


def _recode(values: Any, label: Callable[[Any], Any] | None) -> Recode:
    if label is None:
        return Recode(np.arange(len(values), dtype=np.int32), None)
    new = [label(value) for value in values]
    codes = {one: code for code, one in enumerate(dict.fromkeys(new))}
    array = np.empty(len(new), dtype=np.object_)
    array[:] = new
    return Recode(np.array([codes[one] for one in new], dtype=np.int32), array)


def _half(tuples: DistinctTuples, recodes: Sequence[Recode]) -> Blanks:
    """Of every third generalized tuple all lose a cell, of every third some do and one goes."""
    sizes: Counter[tuple[int, ...]] = Counter()
    for codes, count in zip(tuples.codes.tolist(), tuples.counts.tolist(), strict=True):
        general = [0 if one.only else int(one.codes[code]) for one, code in zip(recodes, codes, strict=True)]
        sizes[tuple(general)] += count
    rows: list[tuple[tuple[int, ...], int, int]] = []
    for at, (codes, size) in enumerate(sorted(sizes.items())):
        if at % 3 == 0:
            rows.append((codes, 0b10, size))
        elif at % 3 == 1 and size > 3:
            rows += [(codes, 0b01, size // 2), (codes, REMOVED, 1), (codes, 0b11, 1)]
    return Blanks(
        np.array([row[0] for row in rows], dtype=np.int32).reshape(-1, len(tuples.columns)),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=np.int64),
    )
