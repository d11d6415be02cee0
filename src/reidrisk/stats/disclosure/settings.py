"""The settings of limits on sensitive columns, each declared once.

This module stays quick to import, because `--help` needs it.
"""

from __future__ import annotations

from typing import Literal, get_args

from reidrisk.core.settings import ABOVE_ZERO, SHARE, Choice, NumberSetting, Setting

Diversity = Literal["distinct", "entropy", "recursive"]
Distance = Literal["auto", "equal", "ordered", "hierarchical"]
Likeness = Literal["basic", "enhanced"]

L = Setting(
    "l",
    NumberSetting(1),
    "l-diversity: every equivalence class has at least `l` values of a sensitive column.",
    metavar="N",
)
T = Setting(
    "t",
    SHARE,
    "t-closeness: the values in a class differ from those in the table by a distance of at most `t`.",
    metavar="D",
)
BETA = Setting(
    "beta",
    NumberSetting(0),
    "beta-likeness: in a class, no value is more than 1 + `beta` times as frequent as in the table.",
    metavar="X",
)
DELTA = Setting(
    "delta",
    NumberSetting(0),
    "delta-disclosure: the frequency of a value in a class is at most `delta` doublings or halvings away "
    "from its frequency in the table.",
    metavar="X",
)
DIVERSITY = Setting("diversity", Choice(get_args(Diversity)), "How `l` counts values.", "distinct")
C = Setting(
    "c",
    ABOVE_ZERO,
    "The c of recursive diversity, for `diversity`.",
    3.0,
    default_text="3",
    metavar="X",
)
DISTANCE = Setting(
    "distance",
    Choice(get_args(Distance)),
    "How `t` measures the distance between values.",
    "auto",
    default_text="auto: ordered for numbers and dates, otherwise equal",
)
LIKENESS = Setting(
    "likeness", Choice(get_args(Likeness)), "Which form of beta-likeness `beta` uses.", "basic"
)
SENSITIVE_SETTINGS = (L, T, BETA, DELTA, DIVERSITY, C, DISTANCE, LIKENESS)
"""The settings that `SensitiveLimits` holds under the same names."""
