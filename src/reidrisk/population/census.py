"""Codes of the US Census Bureau for races and states."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reidrisk.errors import InvalidSetting
from reidrisk.population.voters import state_names

SEXES = ("M", "F")
RACES: Mapping[str, str] = MappingProxyType(
    {
        "A": "white",
        "B": "black",
        "C": "american_indian",
        "D": "asian",
        "E": "pacific_islander",
        "F": "other",
        "G": "two_or_more",
    }
)
"""Race by table letter: each race alone, and two or more races."""

_STATES = (  # noqa: SIM905
    "AL 01 AK 02 AZ 04 AR 05 CA 06 CO 08 CT 09 DE 10 DC 11 FL 12 GA 13 HI 15 ID 16 IL 17 IN 18 IA 19 KS 20 "
    "KY 21 LA 22 ME 23 MD 24 MA 25 MI 26 MN 27 MS 28 MO 29 MT 30 NE 31 NV 32 NH 33 NJ 34 NM 35 NY 36 NC 37 "
    "ND 38 OH 39 OK 40 OR 41 PA 42 RI 44 SC 45 SD 46 TN 47 TX 48 UT 49 VT 50 VA 51 WA 53 WV 54 WI 55 WY 56 "
    "PR 72"
).split()
STATES: Mapping[str, str] = MappingProxyType(dict(zip(_STATES[::2], _STATES[1::2], strict=True)))
"""FIPS code by postal code: the 50 states, the District of Columbia and Puerto Rico."""
POSTAL: Mapping[str, str] = MappingProxyType({fips: postal for postal, fips in STATES.items()})
"""Postal code by FIPS code."""


def state_fips(given: str) -> str:
    """The FIPS code of a state given by postal code, FIPS code or name.

    >>> state_fips("oh"), state_fips("39"), state_fips("1"), state_fips("Ohio")
    ('39', '39', '01', '39')
    """
    text = state_names(given)[0].strip().upper()
    if text in STATES:
        return STATES[text]
    if text.isdecimal() and text.zfill(2) in POSTAL:
        return text.zfill(2)
    raise InvalidSetting.among("A state", given, STATES)
