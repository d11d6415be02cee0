"""Are all US states measured under two policies and two attackers in less than 5 s and 1 GB?

Census 2000 by county, race, sex and age, 2.4 million counts; g from 1 to 20,000. Time after loading;
memory of a process that loads and measures. One state is to take less than 0.3 s.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

from reidrisk.population.attacker import GENERAL, Attacker
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import Population
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, Policy
from reidrisk.population.read import read_population
from reidrisk.population.risk import population_risk
from timing import least_seconds, run_process

CENSUS = Path(__file__).parents[2] / "shared" / "data" / "census" / "us2000_county_race_sex_age.parquet"
EVERY_G = PopulationOptions(g=range(1, 20_001))
ALL_STATES, ONE_STATE, MEMORY = 5.0, 0.3, 1024.0
ATTACKERS = (GENERAL, Attacker.of("county,year_of_birth"))


def everything(people: Population) -> None:
    for policy in (LIMITED_DATASET, SAFE_HARBOR):
        for attacker in ATTACKERS:
            population_risk(people, policy, attacker, by="state", options=EVERY_G)


def slowest_state(people: Population) -> float:
    """California has the most people, Texas the most counties."""
    asked = product(("06", "48"), (LIMITED_DATASET, SAFE_HARBOR), ATTACKERS)
    return max(one_state(people.of("state", [state]), policy, attacker) for state, policy, attacker in asked)


def one_state(state: Population, policy: Policy, attacker: Attacker) -> float:
    return least_seconds(lambda: population_risk(state, policy, attacker, options=EVERY_G), runs=3)


def ratio(what: str, found: float, limit: float, unit: str) -> bool:
    print(f"{what:<12} {found:8.2f} {unit:<2} of {limit:7.1f}: {found / limit:.2f}")
    return found <= limit


def main() -> int:
    if not CENSUS.exists():
        print("The census table is not beside the project: nothing measured.")
        return 0
    if "once" in sys.argv:
        everything(read_population(CENSUS))
        return 0
    people = read_population(CENSUS)
    once = run_process(sys.executable, __file__, "once")
    assert once.exit_code == 0
    kept = [
        ratio("all states", least_seconds(lambda: everything(people), runs=3), ALL_STATES, "s"),
        ratio("one state", slowest_state(people), ONE_STATE, "s"),
        ratio("memory", once.megabytes, MEMORY, "MB"),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
