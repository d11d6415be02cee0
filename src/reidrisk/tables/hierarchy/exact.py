"""No generalization: the values as they are."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.tables.hierarchy.chain import Chain, Values


@dataclass(frozen=True, slots=True)
class Exact:
    """Level 0 only."""

    lists_missing = False

    def chain(self, values: Values) -> Chain:  # noqa: ARG002 - any values will do
        """No level above the values."""
        return Chain(())
