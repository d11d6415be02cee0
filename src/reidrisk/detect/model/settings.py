"""Settings of model training, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reidrisk.core.setting_values import read_changes
from reidrisk.core.settings import NumberSetting, Setting, WholeNumber, check_settings, record_settings

FOLDS = Setting(
    "folds",
    WholeNumber(2),
    "Number of parts for cross-validation; each is evaluated by a model trained on the others.",
    5,
    metavar="N",
)
MIN_DOCUMENTS = Setting(
    "min_documents",
    WholeNumber(),
    "Words, affixes and combinations in fewer documents are not stored in the model.",
    2,
)
SPARSITY = Setting(
    "sparsity", NumberSetting(0), "Weight of the L1 penalty. Larger values make models smaller.", 0.05
)
SMOOTHING = Setting(
    "smoothing", NumberSetting(0), "Weight of the L2 penalty. Larger values make models more cautious.", 0.01
)
ITERATIONS = Setting("iterations", WholeNumber(), "Maximum number of optimizer steps.", 50)
TRAIN_SETTINGS = (MIN_DOCUMENTS, SPARSITY, SMOOTHING, ITERATIONS)
"""What `TrainSettings` holds under the same names, in the order in which results record it."""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Settings of model training; the defaults work for every corpus."""

    min_documents: int = MIN_DOCUMENTS.default
    sparsity: float = SPARSITY.default
    smoothing: float = SMOOTHING.default
    iterations: int = ITERATIONS.default

    def __post_init__(self) -> None:
        check_settings(TRAIN_SETTINGS, self)

    @classmethod
    def choose(cls, options: Mapping[str, str]) -> TrainSettings:
        """The settings from NAME=VALUE options; each value is converted to the type of its setting."""
        return cls(**read_changes(TRAIN_SETTINGS, options, what="A training option"))

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return record_settings(TRAIN_SETTINGS, self)
