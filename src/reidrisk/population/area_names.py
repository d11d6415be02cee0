"""Names by which a column is known to be an area, and which areas lie in a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

ABOVE = "nation country region division state province territory department prefecture canton".split()  # noqa: SIM905
BELOW_STATE = (  # noqa: SIM905
    "county district municipality commune place city zip3 zip5 zip zip_code zcta zcta5 fsa postcode "
    "postal_code tract block_group ward"
).split()
"""Areas that nobody knows unless a policy tells them, even where they are the coarsest of a population."""
AREAS = (*ABOVE, *BELOW_STATE, "area")
"""Names by which a column is taken for an area where nobody says which are; mostly from coarse to fine."""


def coarse_first(names: Sequence[str], values: Mapping[str, Sequence[str]]) -> list[str]:
    """Areas in a likely order: what lies in a state after it, then those with fewer values first.

    The number alone would not do: counties that every state numbers from 001 on can be fewer than states.
    """
    return sorted(names, key=lambda name: (name in BELOW_STATE, len(values[name]), AREAS.index(name)))
