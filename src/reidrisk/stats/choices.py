"""The words with which statistical methods are chosen.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from typing import Literal

Method = Literal["wilson", "jeffreys", "jeffreys_modified", "clopper_pearson", "agresti_coull", "wald"]
"""Interval of a proportion."""
Model = Literal[
    "normal",
    "normal_clip",
    "truncnorm",
    "jeffreys",
    "jeffreys_modified",
    "laplace",
    "wilson",
    "clopper_pearson",
]
"""Distribution of a true proportion."""
GateRule = Literal["observed", "significant", "draw", "always", "never"]
"""When recognition below 1 may count."""
CountModel = Literal[
    "poisson", "shifted_poisson", "zero_truncated", "fixed", "empirical", "negative_binomial"
]
"""Distribution of a whole number."""
Mode = Literal["continuous", "interpolate", "ceil", "floor", "round", "poisson"]
"""What is done about a fractional number of values."""
