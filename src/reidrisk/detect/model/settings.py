"""How a model is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """One set of values serves every corpus."""

    min_documents: int = 2
    """A word, affix or combination that fewer training documents have is not stored in the model."""
    sparsity: float = 0.05
    """Weight of the absolute values (L1): more makes models smaller."""
    smoothing: float = 0.01
    """Weight of the squares (L2): more makes models more careful."""
    iterations: int = 50
    """Steps of the optimiser at most."""

    def __post_init__(self) -> None:
        if self.min_documents < 1 or self.iterations < 1:
            raise InvalidSetting(
                "min_documents and iterations are whole numbers from 1 on.",
                hint="Leave them out for the defaults.",
            )
        if not all(isfinite(value) and value >= 0 for value in (self.sparsity, self.smoothing)):
            raise InvalidSetting(
                "sparsity and smoothing are numbers from 0 on.", hint="Leave them out for the defaults."
            )

    @classmethod
    def choose(cls, options: Mapping[str, str]) -> TrainSettings:
        """From what a user types: texts are read as the option's type."""
        usual: dict[str, Any] = {entry.name: entry.default for entry in fields(cls)}
        chosen: dict[str, Any] = {}
        for name, text in options.items():
            if name not in usual:
                raise InvalidSetting.among("An option of training", name, usual)
            try:
                chosen[name] = type(usual[name])(text)
            except ValueError:
                kind = "a whole number" if isinstance(usual[name], int) else "a number"
                raise InvalidSetting(f"{name} takes {kind}.", hint="Leave it out for the default.") from None
        return cls(**chosen)

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)
