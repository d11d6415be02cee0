"""Are people found who are singular only across the parts of a release, and nobody else?

Each seed makes a release of a database, notes and a report about the same 900 people, as files, and assesses
it twice: as generated, and with three planted people who have a rare diagnosis in the database, a rare job in
a note, and a rare age in the report. Goals: all planted people are found in all releases and nobody else is;
every part alone is acceptable; without the planted people, every release is acceptable.

    PYTHONPATH=. python bench/bench_planted_people.py [--seeds 20]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.assess.planted import PlantedRelease, people_above

from reidrisk.assess.run import assess

WORDS = {True: "acceptable", False: "NOT acceptable"}


def judged(release: PlantedRelease) -> tuple[dict[str, Any], set[str]]:
    """The assessment of a release, and the people above the threshold."""
    with tempfile.TemporaryDirectory() as folder:
        content = release.write(Path(folder))
        return assess(content).to_dict(), people_above(content)


def main() -> None:
    """Assess and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    given = parser.parse_args()
    started = time.process_time()
    planted = found = others = clean = alone = refused = 0
    for seed in range(given.seeds):
        plain, nobody = judged(PlantedRelease.generated(seed))
        clean += plain["acceptable"] and not nobody
        release = PlantedRelease.generated(seed).plant(seed)
        result, above = judged(release)
        wanted = {release.key(at) for at in release.planted}
        planted, found, others = (
            planted + len(wanted),
            found + len(above & wanted),
            others + len(above - wanted),
        )
        parts = {part["kind"]: part["judged"] for part in result["parts"]}
        refused += not result["acceptable"] and parts["joint"]["risk"] == 1.0
        alone += all(parts[kind]["acceptable"] for kind in ("relational", "text", "documents"))
        print(
            f"seed {seed:2}: planted {len(wanted)}, found {len(above & wanted)}, others "
            f"{len(above - wanted)}; without them {WORDS[plain['acceptable']]}",
            flush=True,
        )
    print(f"planted people found: {found} of {planted}; others above the threshold: {others}")
    print(f"releases with them refused: {refused} of {given.seeds}; every part alone acceptable: {alone}")
    print(f"releases without them acceptable: {clean} of {given.seeds}")
    print(f"CPU {time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()
