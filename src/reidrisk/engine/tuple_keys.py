"""How a tuple of codes is looked up in the database."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TupleKeys:
    """How a generalized tuple is looked up: by one number if its codes fit into one, else by all of them."""

    sizes: tuple[int, ...]

    """By column: how many codes there are."""

    @property
    def packed(self) -> bool:
        """Whether one number does."""
        return prod(self.sizes) < 2**62

    @property
    def strides(self) -> list[int]:
        """What each code counts in it."""
        return [prod(self.sizes[place + 1 :]) for place in range(len(self.sizes))]

    def expression(self, name: str) -> str:
        """The number of columns that are named so and numbered."""
        terms = [f"CAST({name}{place} AS BIGINT) * {by}" for place, by in enumerate(self.strides)]
        return " + ".join(terms)

    def columns(self, name: str) -> list[str]:
        """The columns of a table of tuples that is named so."""
        return [f"{name}key"] if self.packed else [f"{name}{place}" for place in range(len(self.sizes))]

    def same(self, name: str) -> str:
        """That a row, whose codes are g0, g1, … or gkey, has a tuple of that table."""
        pairs = zip(self.columns("g"), self.columns(name), strict=True)
        return " AND ".join(f"{left} = {right}" for left, right in pairs)

    def arrays(self, codes: NDArray[np.int32], name: str) -> dict[str, NDArray[Any]]:
        """The columns of that table."""
        if self.packed:
            return {f"{name}key": codes.astype(np.int64) @ np.array(self.strides, dtype=np.int64)}
        return {f"{name}{place}": column for place, column in enumerate(codes.T)}
