"""The measures of information loss that a search can minimize."""

from __future__ import annotations

from typing import Literal, get_args

Loss = Literal["loss_gm", "loss_am", "prec", "entropy", "dm"]
"""Loss of granularity (geometric or arithmetic mean), precision, non-uniform entropy, discernibility."""
LOSSES: tuple[Loss, ...] = get_args(Loss)
