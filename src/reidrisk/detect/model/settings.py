"""How a model is trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass
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
    inner_folds: int = 3
    """Parts into which the training documents are cut to learn how sure findings are."""

    def __post_init__(self) -> None:
        if self.min_documents < 1 or self.iterations < 1 or self.inner_folds < 2:
            raise InvalidSetting(
                "min_documents and iterations are whole numbers from 1 on, inner_folds from 2 on.",
                hint="Leave them out for the defaults.",
            )
        if self.sparsity < 0 or self.smoothing < 0:
            raise InvalidSetting(
                "sparsity and smoothing are not negative.", hint="Leave them out for the defaults."
            )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return asdict(self)
