"""Measure the parts of a release; a stored measurement is used again if nothing has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from reidrisk.assess.inputs import PartInput, hash_inputs
from reidrisk.assess.kind import ReleasePart, RunControl
from reidrisk.assess.release_file import plain, without_password
from reidrisk.core.about import own_version
from reidrisk.core.audience import INTERNAL
from reidrisk.core.file_set import at_once
from reidrisk.core.files import write_text
from reidrisk.core.limits import as_now
from reidrisk.core.stopping import check_stop
from reidrisk.errors import Cancelled, ReidRiskError

BEGUN, FINISHED = "begun", "finished"
"""Steps of progress for a whole part; with `finished` come the numbers of finished parts and of all parts."""
FORMAT = 7
"""The format of a stored measurement; with a new number everything is measured again."""
STOPPED = "stopped"
"""Begins the key of a measurement whose search was stopped; it is not used again."""
PARTS, MEASURED, WAITING = "parts", "measured.json", ".measuring"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a part could not be measured, without any data."""

    problem: str
    hint: str

    def to_dict(self) -> dict[str, str]:
        """As JSON types."""
        return {"problem": self.problem, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class Measurement:
    """The measurement of one part, or why it failed."""

    part: ReleasePart
    inputs: tuple[PartInput, ...] = ()
    key: str = ""
    measured: Mapping[str, Any] | None = field(default=None, repr=False)
    """None if it failed."""
    failure: Failure | None = None
    is_fresh: bool = False
    """Whether data were read for it in this run."""


class MeasurementStore:
    """Measurements by part and by the hash of everything they depend on.

    A measurement is stored as soon as it is made, and again in the folder of the assessment.
    """

    def __init__(self, folder: Path | None, *, is_read_only: bool = False) -> None:
        self._folder = folder
        self._writes = folder is not None and not is_read_only

    def find(self, part: str, key: str) -> dict[str, Any] | None:
        """The measurement with the same key; a file that cannot be read counts as missing."""
        if self._folder is None:
            return None
        for path in (self._waiting(part), self._folder / PARTS / part / MEASURED):
            found = _read_json(path)
            if found is not None and found.get("key") == key and isinstance(found.get("measured"), dict):
                measured: dict[str, Any] = found["measured"]
                return measured
        return None

    def add(self, part: str, key: str, measured: Mapping[str, Any]) -> None:
        """Write a measurement at once, so that an interrupted run can continue."""
        if not self._writes:
            return
        path = self._waiting(part)
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with at_once():
            write_text(path, measurement_text(part, key, measured))

    def clear(self) -> None:
        """Remove the waiting files, once everything is in the assessment itself."""
        if self._folder is not None and self._writes:
            shutil.rmtree(self._folder / WAITING, ignore_errors=True)

    def _waiting(self, part: str) -> Path:
        return (self._folder or Path()) / WAITING / f"{part}.json"


def measurement_text(part: str, key: str, measured: Mapping[str, Any]) -> str:
    """The text of a file with a measurement."""
    content = {"kind": "measured", "audience": INTERNAL, "part": part, "key": key, "measured": measured}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def measure_parts(
    parts: Sequence[ReleasePart], control: RunControl, store: MeasurementStore, *, threads: int = 1
) -> tuple[Measurement, ...]:
    """Measure every part, up to `threads` at a time; the order is that of the file."""
    finished = count()
    groups = [part.given["parts"] for part in parts if part.kind == "joint"]
    control = replace(control, joined=frozenset(name for names in groups for name in names))

    def measure(part: ReleasePart) -> Measurement:
        check_stop()
        control.report(part.name, BEGUN)
        found = measure_part(part, control, store)
        if control.progress is not None:
            control.report(part.name, FINISHED, next(finished) + 1, len(parts))
        return found

    if threads <= 1 or len(parts) == 1:
        return tuple(measure(part) for part in parts)
    # what parts tell together comes after them: it uses what they wrote aside
    alone = [part for part in parts if part.kind != "joint"]
    joint = [part for part in parts if part.kind == "joint"]
    with ThreadPoolExecutor(min(threads, len(parts))) as pool:
        found = {id(one.part): one for group in (alone, joint) for one in pool.map(as_now(measure), group)}
    return tuple(found[id(part)] for part in parts)


def measure_part(part: ReleasePart, control: RunControl, store: MeasurementStore) -> Measurement:
    """Measure a part, or take it from the store; an error becomes a failure of this part."""
    inputs: tuple[PartInput, ...] = ()
    try:
        sources = part.sources()
        inputs = hash_inputs(sources, part.folder, shown=map(without_password, sources))
        key = measurement_key(part, inputs, control.seed)
        known = store.find(part.name, key) if all(one.sha256 for one in inputs) else None
        if known is not None:
            return Measurement(part, inputs, key, known)
        measured = json.loads(json.dumps(part.measure(control), allow_nan=False))
        check_stop()
    except Cancelled:
        raise
    except ReidRiskError as error:
        failure = Failure(part.with_short_paths(error.problem), part.with_short_paths(error.hint))
        return Measurement(part, inputs, failure=failure)
    if part.name in control.kept:  # a complete search may find a better solution
        return Measurement(part, inputs, f"{STOPPED} {key}", measured, is_fresh=True)
    store.add(part.name, key, measured)
    return Measurement(part, inputs, key, measured, is_fresh=True)


def measurement_key(part: ReleasePart, inputs: Sequence[PartInput], seed: int) -> str:
    """A hash of everything that a measurement depends on."""
    content = {
        "format": FORMAT,
        "kind": part.kind,
        "task": part.task,
        "counted": plain(part.counted()),
        "inputs": [one.sha256 for one in inputs],
        "seed": seed,
        "version": own_version(),
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
