"""A form of the table in which every distinct tuple has values of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode_tuples import TupleRecode
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.tables.deidentify.cells import Lost
from reidrisk.tables.deidentify.problem import Problem

SEVERAL = "local"
"""In place of the name of a level, where cells of one column have several."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One column as it is released."""

    labels: NDArray[np.object_] = field(repr=False)
    """The different values that are released, in the order of those they stand for."""
    codes: Codes = field(repr=False)
    """By tuple: the place of its value among them."""
    lost: Floats = field(repr=False)
    """By tuple: the share of the column's granularity that is lost, 0 to 1; a star is 1."""
    forms: tuple[str, ...]
    """Ways in which a cell may be released: the names of the levels, or what else is done."""
    form: Ints = field(repr=False)
    """By tuple: which of them; what is said of a starred cell is of no meaning."""
    exact: bool
    """Whether every value, starred cells aside, is as it was."""
    within: float | None = None
    """Of numbers that were replaced by those of their group: the share of the variance that is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class TupleForm:
    """All columns as they are released."""

    columns: tuple[Cells, ...]
    masks: Ints = field(repr=False)
    """By tuple: bit i is a star in column i; REMOVED is a record that is left out."""

    @property
    def codes(self) -> Codes:
        """By tuple and column."""
        return np.stack([column.codes for column in self.columns], axis=1).astype(np.int32)

    def recode(self) -> TupleRecode:
        """As the engine takes it."""
        labels = tuple(None if column.exact else column.labels for column in self.columns)
        return TupleRecode(labels, np.asfortranarray(self.codes), self.masks)


@dataclass(frozen=True, slots=True)
class Effort:
    """How a form was found."""

    proof: str
    """In words, with what is not proved."""
    lattice: int
    """Nodes within the levels allowed."""
    evaluated: int
    """Nodes whose classes were counted."""


@dataclass(frozen=True, eq=False)
class FoundByTuple:
    """A releasable form of the table, tuple by tuple."""

    problem: Problem
    threshold: Threshold
    form: TupleForm = field(repr=False)
    outcome: Effort
    stopped: bool = False
    """Whether somebody asked for the best so far."""

    @cached_property
    def lost(self) -> Lost:
        """Stars and records that are left out."""
        counts = self.problem.tuples.counts
        rows = np.arange(len(counts))
        return Lost(Grouped(self.form.codes, counts, rows), rows, self.form.masks, counts)

    @property
    def method(self) -> str:
        """How it was made."""
        return self.problem.options.method

    @property
    def optimal(self) -> bool:
        """Whether it is proved that nothing better exists: never."""
        return False

    @property
    def proof(self) -> str:
        """How good it is known to be."""
        return f"interrupted: best so far; {self.outcome.proof}" if self.stopped else self.outcome.proof

    def is_exact(self, place: int) -> bool:
        """Whether a column goes out as it is."""
        return self.form.columns[place].exact and not self.lost.by_column[place]

    def shares(self, place: int) -> dict[str, float]:
        """The share of the records whose cell is released in each way; starred cells are in none."""
        column, kept = self.form.columns[place], self.lost.bit(place) == 0
        counts = np.bincount(
            column.form[kept], weights=self.problem.tuples.counts[kept], minlength=len(column.forms)
        )
        found = zip(column.forms, counts / self.problem.records, strict=True)
        return {name: float(share) for name, share in found if share}

    def level(self, place: int) -> str:
        """The one way in which all cells of a column are released, or that there are several."""
        shares = self.shares(place)
        return next(iter(shares)) if len(shares) == 1 else SEVERAL

    def levels(self) -> dict[str, str]:
        """The same of every column."""
        return {name: self.level(place) for place, name in enumerate(self.problem.layout.quasi)}

    def said(self, place: int) -> str:
        """What was done to a column, in words."""
        shares = self.shares(place)
        if self.form.columns[place].exact:
            return "values as they are"
        if len(shares) == 1:
            return f"released as {next(iter(shares))!r}"
        parts = (f"{name!r} in {100 * share:.1f} % of the records" for name, share in shares.items())
        return f"each record as far as its class needs: {', '.join(parts)}"


def labelled(labels: Sequence[Any], means: Floats) -> tuple[NDArray[np.object_], Codes]:
    """The different labels in the order of the values that they stand for, and the place of each given one.

    Labels that read the same are the same: in a file nobody tells them apart.
    """
    texts = [None if label is None else str(label) for label in labels]
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    order = sorted(first, key=lambda text: (float(means[first[text]]), text or ""))
    places = {text: place for place, text in enumerate(order)}
    found = np.empty(len(order), dtype=np.object_)
    found[:] = [labels[first[text]] for text in order]
    return found, np.array([places[text] for text in texts], dtype=np.int32)
