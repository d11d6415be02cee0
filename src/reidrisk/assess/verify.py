"""Check the folder of an assessment: nothing was changed, and the same comes out again."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import AS_RUN, Written, write_folder
from reidrisk.assess.inputs import exists, file_hash, hashed, is_server
from reidrisk.assess.manifest import MANIFEST, read_manifest
from reidrisk.assess.measuring import measure_parts
from reidrisk.assess.parts.part import Progress, Work
from reidrisk.assess.parts.releasing import ReleasingPart
from reidrisk.assess.read import ReleaseFile, read_content
from reidrisk.assess.review import ASSESSMENT
from reidrisk.assess.run import judged
from reidrisk.assess.store import WAITING, Store
from reidrisk.core.wording import path_text, plural
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import ReidRiskError, UnreadableFile

HIDDEN = ":…@"
"""Where a password was."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether an assessment is as it was made, and comes out again."""

    folder: str
    files: int
    inputs: int
    is_repeated: bool
    differences: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Nothing differs."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "verification",
            "folder": self.folder,
            "holds": self.holds,
            "files": self.files,
            "inputs": self.inputs,
            "repeated": self.is_repeated,
            "differences": list(self.differences),
        }

    def __str__(self) -> str:
        how = "hashes checked, run again" if self.is_repeated else "hashes checked, not run again"
        counted = f"{plural(self.files, 'file')}, {plural(self.inputs, 'input')}; {how}"
        if self.holds:
            return f"VERIFIED: {self.folder} is as it was made ({counted})."
        lines = "\n".join(f"  - {text}" for text in self.differences)
        return f"NOT VERIFIED: {self.folder} ({counted}).\n{lines}"


def verify(
    folder: str | Path, *, quick: bool = False, progress: Progress | None = None, threads: int | None = None
) -> Verification:
    """Compare hashes of files and inputs; unless `quick`, assess again and compare every byte."""
    place = Path(folder)
    manifest = read_manifest(place)
    if manifest is None:
        raise UnreadableFile(
            f"{path_text(place)} holds no assessment.",
            hint="Name a folder that `reidrisk assess --out` made.",
        )
    found = [*_files(place, manifest), *_inputs(place, manifest), *_outputs(place, manifest)]
    repeats = not quick and not found
    if repeats:
        found += _repeated(place, manifest, Work(manifest["seed"], progress), threads or 1)
    return Verification(
        path_text(place), len(manifest["files"]), len(manifest["inputs"]), repeats, tuple(found)
    )


def _files(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    listed = {entry["path"]: entry["sha256"] for entry in manifest["files"]}
    for name, digest in listed.items():
        path = place / name
        if not path.is_file():
            yield f"{name} is missing."
        elif file_hash(path)[0] != digest:
            yield f"{name} was changed."
    here = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    for name in sorted(here - {*listed, MANIFEST}):
        if not name.startswith(f"{WAITING}/"):
            yield f"{path_text(name)} does not belong to the assessment."


def _inputs(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    below = place / manifest["release"]["folder"]
    for entry in manifest["inputs"]:
        source = entry["path"]
        if is_server(source):
            continue
        if not exists(source, below):
            yield f"The input {source} of {entry['part']} is not there."
        elif hashed([source], below, shown=[source])[0].sha256 != entry["sha256"]:
            yield f"The input {source} of {entry['part']} has changed."


def _outputs(place: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    for entry in manifest["outputs"]:
        path = place / manifest["release"]["folder"] / entry["path"]
        if not path.is_file():
            yield f"The table {entry['path']} of {entry['part']} is not there."
        elif file_hash(path)[0] != entry["sha256"]:
            yield f"The table {entry['path']} of {entry['part']} has changed."


def _repeated(place: Path, manifest: Mapping[str, Any], work: Work, threads: int) -> Iterator[str]:
    """Assess again from the inputs alone, in a folder of its own."""
    text = (place / AS_RUN).read_text(encoding="utf-8")
    if HIDDEN in text:
        yield "It cannot be repeated: passwords are not kept. Run `reidrisk assess` and compare."
        return
    below = place / manifest["release"]["folder"]
    try:
        release = read_content(read_yaml(place / AS_RUN), folder=below, source=manifest["release"]["file"])
    except ReidRiskError as error:
        yield f"It cannot be repeated: {error.problem}"
        return
    try:
        beside = tempfile.TemporaryDirectory(prefix=".reidrisk-verify-", dir=place.resolve().parent)
    except OSError:
        yield "It cannot be repeated: nothing can be written beside the folder."
        return
    with beside as scratch:
        again = Path(scratch) / "again"
        _assess_again(release, again, work, threads)
        for entry in manifest["files"]:
            yield from _compared(place, again, entry["path"])
        for entry in manifest["outputs"]:
            yield from _released_again(release, entry, work, Path(scratch))


def _assess_again(release: ReleaseFile, again: Path, work: Work, threads: int) -> None:
    measurements = measure_parts(release.parts, work, Store(None), threads=threads)
    write_folder(Written(judged(release, measurements), measurements, ()), again)


def _released_again(
    release: ReleaseFile, entry: Mapping[str, Any], work: Work, scratch: Path
) -> Iterator[str]:
    """The table that went out, made once more and compared."""
    part = next((one for one in release.parts if one.name == entry["part"]), None)
    if not isinstance(part, ReleasingPart):
        yield f"The table {entry['path']} belongs to no part of the release."
        return
    made = scratch / Path(entry["path"]).name
    if entry["secret"] != part.fingerprint:
        yield f"The table {entry['path']} of {part.name} was made with another key."
        return
    part.write(work, made)
    if file_hash(made)[0] != entry["sha256"]:
        yield f"The table {entry['path']} of {part.name} differs when it is made again."


def _compared(place: Path, again: Path, name: str) -> Iterator[str]:
    """Files that follow from the data; reports are made from these."""
    if not name.endswith((".json", ".csv", ".yaml")):
        return
    if not (again / name).is_file():
        yield f"{name} is not made when it is run again."
    elif name == ASSESSMENT:
        then, now = (json.loads((one / name).read_text(encoding="utf-8")) for one in (place, again))
        differ = [key for key in then if key != "monitoring" and then[key] != now.get(key)]
        if differ:
            yield f"{name} differs when it is run again, in: {', '.join(differ)}."
        elif then["monitoring"] is None and (place / name).read_bytes() != (again / name).read_bytes():
            yield f"{name} differs when it is run again."
    elif (place / name).read_bytes() != (again / name).read_bytes():
        yield f"{name} differs when it is run again."
