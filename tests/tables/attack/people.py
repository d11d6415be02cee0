"""People with a secret, and releases of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def people(number: int, seed: int, *, areas: int = 20) -> pa.Table:
    """Independent columns, so that nothing can be inferred about anybody who is not in a release."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "person": [f"{seed}-{at}" for at in range(number)],
            "age": rng.integers(18, 90, number),
            "sex": rng.choice(["F", "M"], number),
            "zip": [f"{53100 + area}" for area in rng.integers(0, areas, number)],
            "born": (np.datetime64("1930-01-01") + rng.integers(0, 20_000, number)).astype("datetime64[D]"),
            "income": rng.normal(50, 15, number).round(2),
            "diagnosis": rng.choice(list("ABCDEFGH"), number),
        }
    )


def generalized(table: pa.Table) -> pa.Table:
    """Decades of age, three digits of the code."""
    ages = [f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in table["age"].to_pylist()]
    zips = [f"{code[:3]}**" for code in table["zip"].to_pylist()]
    changed = {"age": pa.array(ages), "zip": pa.array(zips)}
    return pa.table({name: changed.get(name, table[name]) for name in table.column_names})
