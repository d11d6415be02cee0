"""Lists that several rooms use: ICD-10 chapters, three-digit ZIP codes and names of people."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, UnreadableFile

CHAPTERS = (
    "A00-B99",
    "C00-D48",
    "D50-D89",
    "E00-E90",
    "F00-F99",
    "G00-G99",
    "H00-H59",
    "H60-H95",
    "I00-I99",
    "J00-J99",
    "K00-K93",
    "L00-L99",
    "M00-M99",
    "N00-N99",
    "O00-O99",
    "P00-P96",
    "Q00-Q99",
    "R00-R99",
    "S00-T98",
    "U00-U99",
    "V01-Y98",
    "Z00-Z99",
)
"""In alphabetical order. These are the ranges of the WHO; national editions add a few categories."""


POPULATION_LIMIT = 20_000
"""Areas with this many people or fewer are hidden: 45 CFR 164.514(b)(2)(i)(B)."""

RESTRICTED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "hhs-2000": frozenset(
            "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()  # noqa: SIM905
        )
    }
)
"""By vintage: the 17 prefixes listed in the HHS guidance, based on the 2000 census."""


def read_populations(path: Path) -> dict[str, int]:
    """Read the population of each three-digit prefix from the first two columns of a CSV file.

    A header line is skipped.
    """
    source = path_text(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [(number, row) for number, row in enumerate(csv.reader(file), start=1) if row]
    except (OSError, UnicodeDecodeError, csv.Error, ValueError):
        raise UnreadableFile(
            f"{source} cannot be read.", hint="Check the path, and save the file as UTF-8."
        ) from None
    found: dict[str, int] = {}
    for number, row in rows:
        prefix, people = row[0].strip(), row[1].strip() if len(row) > 1 else ""
        if len(prefix) == 3 and prefix.isdecimal() and people.isdecimal():
            found[prefix] = int(people)
        elif number > 1:
            raise BadData(
                f"{source}, line {number} does not have a three-digit prefix and a number of people.",
                hint="Write lines such as 036,13602 below a header.",
            )
    if not found:
        raise BadData(f"{source} has no populations.", hint="Write lines such as 036,13602 below a header.")
    return found


COMMON_WORDS = frozenset(
    "Amber April Austin Bo Charlotte Crystal Dawn Duc Dung Florence Georgia Grace Hong Jade Jackson Joy "  # noqa: SIM905
    "Kay Lan Le Lei Li Long Mai Madison Mark May Mei Melody Min Ming Na Nam Paris Ruby Sina Tane Tao "
    "Victoria Virginia Will Yan".split()
)
"""First names that are also words, places or endings of words."""


def name_lines() -> list[tuple[str, tuple[str, ...]]]:
    """Return the lists of names: origin and f, m or s (female, male, surname), and the names."""
    text = files("reidrisk.core").joinpath("data/names.txt").read_text(encoding="utf-8")
    rows = [line.partition(": ") for line in text.splitlines() if line and not line.startswith("#")]
    return [(head, tuple(name.replace("_", " ") for name in rest.split())) for head, _, rest in rows]


@cache
def first_names() -> tuple[str, ...]:
    """Return the first names of all lists that mean nothing else."""
    names = {name for head, names in name_lines() if not head.endswith(" s") for name in names}
    return tuple(sorted(names - COMMON_WORDS))


@cache
def name_words() -> tuple[str, ...]:
    """Return all first names and surnames in small letters."""
    return tuple(sorted({name.lower() for _, names in name_lines() for name in names}))
