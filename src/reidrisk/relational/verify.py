"""The proof of a relational release: plain SQL on the written files, beside the originals."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text
from reidrisk.engine.linked import ProofCheck, ProofPlan, ReleasedShifts, TableColumn, TableLink, prove_linked
from reidrisk.errors import BadData, UnreadableFile
from reidrisk.relational.database import TREATMENT, Database, renamed_columns
from reidrisk.relational.recount import recount, recount_sets
from reidrisk.resynthesis.dates.shift import person_offsets
from reidrisk.stats.arrays import Ints

NUMBERS, LEAST = 9 * 10**14, 10**14
LETTERS = 16


@dataclass(frozen=True)
class RelationalProof(Result):
    """What was checked in the written files, and what was found."""

    place: str
    people: int
    released: int
    checks: tuple[ProofCheck, ...] = field(repr=False)
    narrowed: int = 0
    """People whose offset the first and last days of all data narrow to less than half."""

    @property
    def acceptable(self) -> bool:
        """Whether every check holds."""
        return all(one.holds for one in self.checks)

    def failed(self) -> str:
        """The checks that do not hold, with what was found."""
        return "; ".join(f"{one.title} ({one.found})" for one in self.checks if not one.holds)

    def warnings(self) -> list[str]:
        """What remains although every check holds."""
        found = [
            f"Not checked in the written files: {one.title[0].lower()}{one.title[1:]} ({one.unchecked})."
            for one in self.checks
            if one.unchecked
        ]
        if not self.narrowed:
            return found
        return [
            *found,
            "Remaining risk: somebody who knows on which days the original data begin and end can rule out "
            f"more than half of the possible offsets of {self.narrowed:,} people. To prevent this, write "
            "dates: {truncate: true}, which removes the first and last days of the data, or choose a "
            "smaller offset.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        return {
            "kind": "relational_proof",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {},
            "seed": None,
            "versions": versions(),
            "database": self.place,
            "people": self.people,
            "people_released": self.released,
            "checks": [asdict(one) for one in self.checks],
            "warnings": self.warnings(),
            "undefined": {"seed": "Nothing here is drawn at random."},
        }


def verify_release(released: str | Path, *, against: str | Path, key: bytes) -> RelationalProof:
    """Check a written release against the originals that it was made from."""
    folder = Path(released)
    content = read_treatment(folder)
    with Database.open(against) as database:
        return prove(folder, database, content, key=key)


def prove(
    folder: Path,
    database: Database,
    content: Mapping[str, Any],
    *,
    key: bytes,
    given: Mapping[str, str] | None = None,
    offsets: Ints | None = None,
) -> RelationalProof:
    """Check the files of a folder against an open database; `content` says what became of each column.

    `given` are new keys of people that were not drawn, by the original ones, and `offsets` their days, if
    they were computed from the key already.
    """
    person = TableColumn.of(content["person"])
    olds = database.tables.person_keys(database.at(person), repeats=bool(content.get("repeats")))
    news = [given[one] for one in olds] if given else pseudonyms_of(content, key, olds)
    if content["profile"] == "fhir":
        return _prove_resources(content, folder, database, (olds, news), key)
    plan = _plan(content, folder)
    days = _offsets(content, key, olds) if offsets is None else offsets
    found = prove_linked(database.tables, plan, people=(olds, news), offsets=days)
    most = content["dates"]["offset"]
    shifts = None if days is None or most is None else ReleasedShifts(tuple(news), days, most)
    sets = recount_sets(folder, content, shifts=shifts)
    checks = (*found.checks, recount(folder, content), *(() if sets is None else (sets,)))
    return RelationalProof(path_text(folder), len(olds), found.released, checks, found.narrowed)


def _prove_resources(
    content: Mapping[str, Any],
    folder: Path,
    database: Database,
    people: tuple[list[str], list[str]],
    key: bytes,
) -> RelationalProof:
    from reidrisk.relational.fhir_proof import prove_fhir, released_files

    days = dict(zip(people[0], _offsets(content, key, people[0]).tolist(), strict=True))
    files = released_files(folder, content["tables"])
    found = prove_fhir(database.tables.paths, files, people=people, offsets=days)
    return RelationalProof(path_text(folder), len(people[0]), found.released, found.checks)


def read_treatment(folder: Path) -> dict[str, Any]:
    """The file of a release that says what became of each column."""
    path = folder / TREATMENT
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UnreadableFile(
            f"{path_text(folder)} is not a release of linked tables: it lacks {TREATMENT}, or the "
            "file is damaged.",
            hint="Name the folder that `reidrisk relational deidentify` wrote.",
        ) from None
    if not isinstance(content, Mapping) or content.get("kind") != "relational_treatment":
        raise BadData(f"{path_text(path)} says nothing about a release.", hint="Name another folder.")
    return dict(content)


def pseudonyms_of(content: Mapping[str, Any], key: bytes, keys: list[str]) -> list[str]:
    """The pseudonyms of people, computed by Python and not by the database that wrote them."""
    entity = next(one for one in content["entities"] if one["name"] == "person")
    keyed = hmac.new(key, f"relational/person/{entity['attempt']}\0".encode(), sha256)
    found = []
    for one in keys:
        mine = keyed.copy()
        mine.update(one.encode())
        digest = mine.hexdigest()
        found.append(
            digest[:LETTERS].upper() if entity["is_text"] else str(int(digest[:13], 16) % NUMBERS + LEAST)
        )
    return found


def _offsets(content: Mapping[str, Any], key: bytes, keys: list[str]) -> Any:
    days = content["dates"]["offset"]
    if days is None:
        return None
    return person_offsets(keys, key, days)


def _plan(content: Mapping[str, Any], folder: Path) -> ProofPlan:
    columns = {
        TableColumn(one["table"], one["column"]): (
            one["action"],
            one.get("entity"),
            " ".join(one.get("parts") or ()) or one.get("name"),
        )
        for one in content["columns"]
    }
    dates = content["dates"]
    return ProofPlan(
        files={table: str(folder / name) for table, name in content["tables"].items()},
        person=TableColumn.of(content["person"]),
        keys=tuple(
            TableLink(TableColumn.of(child), TableColumn.of(parent))
            for child, parent in content["keys"].items()
        ),
        columns=columns,
        same={name: tuple(TableColumn.of(one) for one in some) for name, some in content["same"].items()},
        moves=dates["offset"] is not None or dates["anchor"] is not None,
        drops=content["orphans"] == "drop" or content["on_parent"] == "cascade",
        quasi=tuple(content["quasi"]),
        repeats=bool(content.get("repeats")),
        renamed=renamed_columns(content),
        above={
            TableColumn(one["table"], one["column"]): (one["above"]["column"], int(one["above"]["limit"]))
            for one in content["columns"]
            if one.get("above")
        },
        oldest=dates.get("oldest"),
        most=dates["offset"],
        truncated=bool(dates.get("truncate")),
        unique={table: tuple(names) for table, names in (content.get("unique") or {}).items()},
    )
