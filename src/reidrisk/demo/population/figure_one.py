"""Figure 1 of Benitez and Malin 2010 (doi:10.1136/jamia.2009.000026): ten people, five records."""

from __future__ import annotations

from pathlib import Path

from reidrisk.core.files import write_text

YEAR = 2009
"""Ages are those in this year, when the paper was written."""
PEOPLE = {("F", 1953): 2, ("M", 1953): 1, ("F", 1955): 1, ("M", 1955): 2, ("F", 1956): 1, ("M", 1956): 1,
          ("F", 1957): 1, ("M", 1957): 1}  # fmt: skip
"""The voter list by sex and year of birth; it includes everybody."""
RECORDS = (("F", 1953), ("M", 1953), ("F", 1953), ("M", 1955), ("M", 1955))
"""The released data set, without its diagnoses."""


def write_figure_one(folder: str | Path) -> None:
    """Write `people.csv`, counts in long form, and `released.csv`, one record per row, to a folder."""
    people = [f"{sex},{YEAR - born},{YEAR - born},{number}" for (sex, born), number in PEOPLE.items()]
    records = [f"{sex},{born}" for sex, born in RECORDS]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    write_text(target / "people.csv", "\n".join(["sex,age_lo,age_hi,n", *people]) + "\n")
    write_text(target / "released.csv", "\n".join(["sex,year_of_birth", *records]) + "\n")
