"""Categories by how frequent they are: values in enough rows stay, all others become one group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.core.spec import Spec, whole
from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.levels import Chain, ColumnValues, LevelLabels, objects
from reidrisk.tables.hierarchy.matching import written

OTHER = "other"
"""Label of all values that are in too few rows."""


@dataclass(frozen=True, slots=True)
class Frequent:
    """Levels that keep the values in at least so many rows."""

    rows: tuple[int, ...]

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the labels of each value; the data decide which values are frequent."""
        texts = [written(value) for value in values.present.tolist()]
        counts = np.ones(len(texts), dtype=np.int64) if values.counts is None else values.counts
        steps = [
            LevelLabels(
                f"in {plural(least, 'row')} or more",
                objects([text if rows >= least else OTHER for text, rows in zip(texts, counts, strict=True)]),
            )
            for least in self.rows
        ]
        return Chain(tuple(steps))


def frequent_rule(spec: Spec) -> Frequent:
    """Read the numbers of rows, smallest first."""
    hint = "Write numbers of rows from small to large, such as levels: [20, 100]."
    rows = [whole(entry, place) for place, entry in spec.items("levels", hint=hint)]
    if rows != sorted(set(rows)):
        raise InvalidSetting(f"{spec.at('levels')} is not in ascending order.", hint=hint)
    return Frequent(tuple(rows))
