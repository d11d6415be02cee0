"""Tables that were changed go out only where their part is acceptable; none is made twice without need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from reidrisk.assess.inputs import file_hash
from reidrisk.assess.manifest import read_manifest
from reidrisk.assess.outcome import Outcome
from reidrisk.assess.parts.part import Work
from reidrisk.assess.parts.releasing import ReleasingPart
from reidrisk.assess.result import Assessment


@dataclass(frozen=True, slots=True)
class Released:
    """A table that was written outside of the folder."""

    part: str
    path: str
    """As the release file names it."""
    sha256: str
    key: str
    """Of what was measured."""
    secret: str | None
    """The fingerprint of the key of the pseudonyms."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def write_released(done: Assessment, work: Work, folder: Path) -> tuple[Released, ...]:
    """Write every table that may go out; one that stands there already, unchanged, is left alone."""
    before = read_manifest(folder) or {}
    known = {str(entry.get("part")): entry for entry in before.get("outputs", [])}
    return tuple(_written(outcome, part, work, known) for outcome, part in _to_write(done))


def _to_write(done: Assessment) -> Iterator[tuple[Outcome, ReleasingPart]]:
    for outcome in done.judgement.outcomes:
        part = outcome.part
        if isinstance(part, ReleasingPart) and part.out is not None and outcome.acceptable:
            yield outcome, part


def _written(outcome: Outcome, part: ReleasingPart, work: Work, known: dict[str, dict[str, Any]]) -> Released:
    out, secret = part.out or Path(), part.fingerprint
    last = known.get(part.name, {})
    same = last.get("key") == outcome.measurement.key and last.get("secret") == secret
    if not (same and out.is_file() and file_hash(out)[0] == last.get("sha256")):
        part.write(work, out)
    return Released(part.name, str(part.given["out"]), file_hash(out)[0], outcome.measurement.key, secret)
