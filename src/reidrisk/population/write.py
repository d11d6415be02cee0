"""Write a population to a file in long form."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reidrisk.engine.opening import table_of
from reidrisk.engine.results import CodedColumns
from reidrisk.population.people import Population
from reidrisk.population.readers.long import MODELLED


def write_population(people: Population, path: str | Path) -> None:
    """Write area…, field…, age_lo, age_hi, n in the format of the suffix, completely or not at all.

    Open age bands are written with the number of years that was chosen for them. A column `modelled` keeps
    the label of modelled counts.
    """
    names = (*people.areas, *people.fields)
    labels: dict[str, tuple[str | None, ...]] = {name: people.labels[name] for name in names}
    codes = {name: people.codes[name] for name in names}
    numbers = {}
    if people.ages is not None:
        first = people.ages.first.astype(np.float64)
        numbers = {"age_lo": first, "age_hi": first + people.ages.years - 1}
    numbers["n"] = people.counts.astype(np.float64)
    if people.modelled is not None:
        labels[MODELLED] = (people.modelled,)
        codes[MODELLED] = np.zeros(len(people.counts), dtype=np.int32)
    with table_of(CodedColumns(labels, codes, numbers), source=people.source) as table:
        table.edit.write(path)
