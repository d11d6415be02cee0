"""Patients whose cost follows from what is known of them, and releases of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def patients(number: int = 600, seed: int = 1) -> pa.Table:
    """Cost rises with age; old people die; the plan means nothing."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 90, number)
    sex = rng.choice(["F", "M"], number)
    return pa.table(
        {
            "age": age,
            "sex": sex,
            "zip": [
                f"5{area}1{rest}"
                for area, rest in zip(rng.integers(0, 3, number), rng.integers(10, 99, number), strict=True)
            ],
            "plan": rng.choice(["gold", "silver", "none"], number),
            "cost": (100 + 3 * age + 40 * (sex == "F") + rng.normal(0, 30, number)).round(2),
            "died": (rng.random(number) < 1 / (1 + np.exp((60 - age) / 8))).astype(np.int64),
        }
    )


def coarse(table: pa.Table, *, starred: int = 0) -> pa.Table:
    """Decades of age, two digits of the code; every so many rows the age is suppressed."""
    ages = [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in table["age"].to_pylist()]
    if starred:
        ages = ["*" if at % starred == 0 else age for at, age in enumerate(ages)]
    zips = [f"{code[:2]}***" for code in table["zip"].to_pylist()]
    changed = {"age": pa.array(ages), "zip": pa.array(zips)}
    return pa.table({name: changed.get(name, table[name]) for name in table.column_names})


def shuffled(table: pa.Table, column: str, seed: int = 3) -> pa.Table:
    """The same values of a column with other people."""
    order = np.random.default_rng(seed).permutation(len(table))
    return table.set_column(table.column_names.index(column), column, table[column].take(pa.array(order)))
