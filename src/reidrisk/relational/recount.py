"""Classes and events of a written release: counted by plain SQL, and as the risk counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.engine.linked import Histogram, KnownSets, ProofCheck, ReleasedShifts, SetCount
from reidrisk.relational.config import RelationalConfig, config_of
from reidrisk.relational.database import Database
from reidrisk.relational.people import People, event_table, people_of
from reidrisk.stats.arrays import Ints

TITLE = "Classes and events are as large as the risk says"
SETS = "Whatever events may be known fit enough people"
MOST_SETS = 100_000_000
"""Sets of events of one person, summed over people: more are not counted."""


def recount(folder: Path, content: Mapping[str, Any]) -> ProofCheck:
    """Count the people of each class, and of each event in it, in two ways on the written files."""
    files = {table: str(folder / name) for table, name in content["tables"].items()}
    with Database.open(folder, files=files) as released:
        config = _config(content)
        if not released.has(config.person) or config.derive:
            return _unchecked("sizes", TITLE, _why(released, config))
        return compared(released, config, people_of(released, config))


def recount_sets(
    folder: Path,
    content: Mapping[str, Any],
    *,
    shifts: ReleasedShifts | None = None,
    most: int = MOST_SETS,
) -> ProofCheck | None:
    """Count how many people fit each set of events that may be known; None unless that was promised.

    A release with a limit for the risk promised that each set of up to so many events fits as many people of
    a class as the cell size says. `shifts` are the days by which dates moved, of which the adversary knows
    the largest possible number.
    """
    promised = content.get("promised")
    if not promised or promised["known"] < 1:
        return None
    files = {table: str(folder / name) for table, name in content["tables"].items()}
    with Database.open(folder, files=files) as released:
        config = _config(content)
        quasi = [released.at(one.column) for one in config.attributes() if released.has(one.column)]
        is_plain = released.has(config.person) and not config.derive
        if not is_plain or any(at.table != released.at(config.person).table for at in quasi):
            return _unchecked("known_events", SETS, _why(released, config))
        links = released.owners(config)
        events = [
            (event_table(released, config, table, columns), _cap(promised, table))
            for table, columns in config.events.items()
            if table.lower() in released.names and table.lower() in links.owners
        ]
        events = [(one, cap) for one, cap in events if one.columns or one.day]
        if not events:
            return ProofCheck("known_events", SETS, True, "no events are released", 0, 0)  # noqa: FBT003
        names = tuple(at.column for at in quasi)
        asked = KnownSets(links, names, tuple(events), int(promised["known"]), shifts)
        found = released.tables.set_sizes(asked, least=int(promised["cell_size"]), most=most)
    return _summed(found, int(promised["cell_size"]), most)


def _why(released: Database, config: RelationalConfig) -> str:
    """Why plain SQL does not count."""
    if not released.has(config.person):
        return "the key of people is not released"
    if config.derive:
        return f"{', '.join(config.derive)} is derived from several rows"
    return "a quasi-identifier is in another table than that of people"


def _summed(found: Sequence[SetCount], cell_size: int, most: int) -> ProofCheck:
    counted = [one for one in found if one.few is not None]
    many = [f"{one.sets:,} sets of {one.size}" for one in found if one.few is None]
    left = f"{', '.join(many)}, more than {most:,}" if many else ""
    if not counted:
        return _unchecked("known_events", SETS, left)
    few = sum(one.few or 0 for one in counted)
    sizes = [one.size for one in counted]
    most_known = f"up to {sizes[-1]}" if sizes[:2] == [1, 2] else str(sizes[-1])
    events = "one event" if sizes == [1] else f"{most_known} events"
    what = f"{few:,} sets of {events} fit fewer than {cell_size} people"
    checked = sum(one.sets for one in counted)
    what += f"; not checked: {left}" if left else ""
    return ProofCheck("known_events", SETS, few == 0, what, checked, few, left)


def _unchecked(name: str, title: str, why: str) -> ProofCheck:
    return ProofCheck(name, title, True, f"not checked: {why}", 0, 0, why)  # noqa: FBT003


def _cap(promised: Mapping[str, Any], table: str) -> int:
    """How many events of a table may be known."""
    return min(int(promised["known"]), int(promised["by_table"].get(table.lower(), promised["known"])))


def compared(released: Database, config: RelationalConfig, people: People) -> ProofCheck:
    """Compare what the risk counts with what SQL finds."""
    person = released.at(config.person)
    quasi = [released.at(one.column) for one in config.attributes() if released.has(one.column)]
    names = [at.column for at in quasi]
    if any(at.table != person.table for at in quasi):
        return _unchecked("sizes", TITLE, _why(released, config))
    tables, links = released.tables, released.owners(config)
    pairs = [(_histogram(people.static), tables.class_sizes(links, names))]
    for place, columns in enumerate(people.event_columns):
        table = people.tables[place]
        owner = tuple(one.child for one in links.owners.get(table, ()))
        owner = (person,) if table == person.table else owner
        if len(owner) == 1 and columns:
            found = tables.event_sizes(links, names, owner[0], columns)
            pairs.append((_histogram(_of_table(people, place)), found))
    sizes = {size for pair in pairs for one in pair for size, _ in one}
    odd = sum(dict(mine).get(size) != dict(theirs).get(size) for mine, theirs in pairs for size in sizes)
    return ProofCheck(
        "sizes", TITLE, odd == 0, f"{odd:,} sizes differ between the risk and the files", len(pairs), odd
    )


def _histogram(codes: Ints) -> Histogram:
    """How many codes occur how often."""
    _, counts = np.unique(codes, return_counts=True)
    sizes, numbers = np.unique(counts, return_counts=True)
    return tuple(zip(sizes.tolist(), numbers.tolist(), strict=True))


def _of_table(people: People, place: int) -> Ints:
    """The events of a table, once per person, as codes of class and event."""
    mine = people.table == place
    most = int(people.event.max(initial=0)) + 1
    pairs = np.unique(people.person[mine] * most + people.event[mine])
    found: Ints = people.static[pairs // most] * most + pairs % most
    return found


def _config(content: Mapping[str, Any]) -> RelationalConfig:
    """The settings that say who is counted by what."""
    kept = {name: content[name] for name in ("person", "keys", "quasi", "events", "derive", "repeats")}
    dates = {"offset": "none", "reason": "as written", "know": content["dates"]["know"]}
    return config_of({**kept, "dates": dates}, folder=Path(), place="treatment.json")
