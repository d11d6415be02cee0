"""How near does a population that is fitted from margins come to the paper's figures, and how soon?

From the project's folder: python -m bench.bench_population_fit
"""

from __future__ import annotations

import time
from pathlib import Path

from tests.population.census2000 import census2000

from reidrisk.population.census import STATES
from reidrisk.population.fit import fit_population
from reidrisk.population.people import Population
from reidrisk.stats.distinctness import occupied_bins

CENSUS = Path(__file__).parents[2] / "shared" / "data" / "census"
PAPER = {"DE": 37.58, "RI": 35.25, "NY": 25.69, "CA": 19.28, "TX": 36.90}
"""Table 1 of Benitez and Malin 2010: total risk of Limited Dataset fields, per cent."""


def total_risk(people: Population, *, days: int = 365) -> float:
    """Share of the people whom an adversary who knows everybody gets right."""
    assert people.ages is not None
    bins = days * people.ages.years.astype(float)
    return float(occupied_bins(people.counts, bins).sum()) / people.people


def main(folder: Path) -> None:
    begun = time.perf_counter()
    margins, start = census2000(folder)
    read = time.perf_counter()
    people = fit_population(margins, start=start)
    print(f"read in {read - begun:.1f} s, fitted in {time.perf_counter() - read:.1f} s")
    print(people.modelled, *people.notes, sep="; ")
    print(f"{people.people:,} people in {len(people.counts):,} rows")
    for state, paper in PAPER.items():
        own = 100 * total_risk(people.of("state", [STATES[state]]))
        print(f"{state}  {own:6.2f} %   paper {paper:5.2f} %   difference {own - paper:+.2f}")


if __name__ == "__main__":
    main(CENSUS)
