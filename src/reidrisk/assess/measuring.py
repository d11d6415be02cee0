"""Measure the parts of a release; what was measured before is not measured again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from reidrisk.assess.inputs import Input, hashed
from reidrisk.assess.parts.part import Part, Work
from reidrisk.assess.read import plain, without_password
from reidrisk.assess.store import Store
from reidrisk.core.about import own_version
from reidrisk.errors import ReidRiskError

BEGUN, FINISHED = "begun", "finished"
"""What progress is told of a part as a whole; when finished, how many are and how many there are."""
FORMAT = 4
"""Of what is kept; another number measures everything anew."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a part could not be measured; nothing of the data is in it."""

    problem: str
    hint: str

    def to_dict(self) -> dict[str, str]:
        """For JSON."""
        return {"problem": self.problem, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was found out about one part."""

    part: Part
    inputs: tuple[Input, ...] = ()
    key: str = ""
    measured: Mapping[str, Any] | None = field(default=None, repr=False)
    """None if it failed."""
    failure: Failure | None = None
    is_fresh: bool = False
    """Whether data were read for it now."""


def measure_parts(
    parts: Sequence[Part], work: Work, store: Store, *, threads: int = 1
) -> tuple[Measurement, ...]:
    """Every part, in the order of the file; up to `threads` of them at a time."""
    finished = count()

    def measured(part: Part) -> Measurement:
        if work.progress is not None:
            work.progress(part.name, BEGUN, 0, 0)
        found = measure_part(part, work, store)
        if work.progress is not None:
            work.progress(part.name, FINISHED, next(finished) + 1, len(parts))
        return found

    if threads <= 1 or len(parts) == 1:
        return tuple(measured(part) for part in parts)
    with ThreadPoolExecutor(min(threads, len(parts))) as pool:
        return tuple(pool.map(measured, parts))


def measure_part(part: Part, work: Work, store: Store) -> Measurement:
    """From the store if nothing that matters has changed; a part that fails says why."""
    inputs: tuple[Input, ...] = ()
    try:
        sources = part.sources()
        inputs = hashed(sources, part.folder, shown=map(without_password, sources))
        key = key_of(part, inputs, work.seed)
        known = store.find(part.name, key) if all(one.sha256 for one in inputs) else None
        if known is not None:
            return Measurement(part, inputs, key, known)
        measured = json.loads(json.dumps(part.measure(work), allow_nan=False))
    except ReidRiskError as error:
        failure = Failure(part.told(error.problem), part.told(error.hint))
        return Measurement(part, inputs, failure=failure)
    store.keep(part.name, key, measured)
    return Measurement(part, inputs, key, measured, is_fresh=True)


def key_of(part: Part, inputs: Sequence[Input], seed: int) -> str:
    """A hash of everything that measuring depends on."""
    said = {
        "format": FORMAT,
        "kind": part.kind,
        "task": part.task,
        "counted": plain(part.counted()),
        "inputs": [one.sha256 for one in inputs],
        "seed": seed,
        "version": own_version(),
    }
    text = json.dumps(said, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
