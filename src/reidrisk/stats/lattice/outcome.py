"""What a search of the lattice found, and how it is known to be the best."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Proof(StrEnum):
    """How the answer is known."""

    MONOTONE = "monotone tagging"
    """Nothing may be suppressed: every loss grows upward, so the best node is a minimal one."""
    BOUNDS = "branch and bound exhausted"
    """Every other node was evaluated, or has a lower bound that is no better."""
    INTERRUPTED = "interrupted: best so far"
    """The search was stopped; a better node may exist."""


@dataclass(frozen=True, slots=True)
class Solution:
    """One node of the lattice and what it costs."""

    levels: tuple[int, ...]
    """The level of each quasi-identifier, in the order given."""
    score: float
    """The loss; smaller is better."""
    suppressed: int
    """Records in suppressed classes."""
    classes: int
    """Classes that are kept."""
    smallest: int
    """Classes with fewer records are suppressed; above the cell size only for a strict average risk."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best node, or the nearest to one if no node is acceptable."""

    solution: Solution | None
    proof: Proof
    lattice: int
    """Nodes within the levels allowed."""
    evaluated: int
    """Nodes whose classes were counted."""
    nearest: Solution | None = None
    """Without a solution: the top of the lattice, where the fewest records must be suppressed."""

    @property
    def optimal(self) -> bool:
        """Whether no node is better; without a solution, whether there surely is none."""
        return self.proof is not Proof.INTERRUPTED


@dataclass(frozen=True, slots=True)
class MinimalNodes:
    """The acceptable nodes below which no node is acceptable."""

    nodes: tuple[Solution, ...]
    """Least loss first."""
    proof: Proof
    lattice: int
    evaluated: int

    @property
    def complete(self) -> bool:
        """Whether these are all of them."""
        return self.proof is not Proof.INTERRUPTED
