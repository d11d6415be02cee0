"""Settings of model training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Settings of model training; the defaults work for every corpus."""

    min_documents: int = 2
    """A word, affix or combination in fewer training documents than this is not stored in the model."""
    sparsity: float = 0.05
    """Weight of the L1 penalty: larger values make models smaller."""
    smoothing: float = 0.01
    """Weight of the L2 penalty: larger values make models more cautious."""
    iterations: int = 50
    """Maximum number of optimizer steps."""

    def __post_init__(self) -> None:
        if self.min_documents < 1 or self.iterations < 1:
            raise InvalidSetting(
                "min_documents and iterations must be whole numbers of at least 1.",
                hint="Leave them out for the defaults.",
            )
        if not all(isfinite(value) and value >= 0 for value in (self.sparsity, self.smoothing)):
            raise InvalidSetting(
                "sparsity and smoothing must be numbers of at least 0.",
                hint="Leave them out for the defaults.",
            )

    @classmethod
    def choose(cls, options: Mapping[str, str]) -> TrainSettings:
        """The settings from NAME=VALUE options; each value is converted to the type of its setting."""
        usual: dict[str, Any] = {entry.name: entry.default for entry in fields(cls)}
        chosen: dict[str, Any] = {}
        for name, text in options.items():
            if name not in usual:
                raise InvalidSetting.among("A training option", name, usual)
            try:
                chosen[name] = type(usual[name])(text)
            except ValueError:
                kind = "a whole number" if isinstance(usual[name], int) else "a number"
                hint = "Leave it out for the default."
                raise InvalidSetting(f"{name} must be {kind}.", hint=hint) from None
        return cls(**chosen)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return asdict(self)
