"""The folder of an assessment: everything needed to repeat it, no input data, complete or not at all."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from reidrisk.assess.inputs import file_hash
from reidrisk.assess.judgement import PartAssessment
from reidrisk.assess.kind import RunControl, TableWriter
from reidrisk.assess.manifest import (
    MANIFEST,
    REPORTS,
    file_entries,
    has_signatures,
    json_text,
    read_manifest,
    read_reports,
)
from reidrisk.assess.measurement import MEASURED, PARTS, WAITING, Measurement, measurement_text
from reidrisk.assess.release_file import ReleaseFile
from reidrisk.assess.result import ASSESSMENT, Assessment
from reidrisk.core.about import own_version, versions
from reidrisk.core.audience import INTERNAL
from reidrisk.core.file_set import FileSet, now_at, together, work_beside
from reidrisk.core.files import write_text
from reidrisk.core.trail import FOLDER
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

AS_RUN, RESULT, PREVIOUS = "release.yaml", "result.json", "previous.json"
PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table that was written outside of the folder."""

    part: str
    path: str
    """As the release file names it."""
    sha256: str
    measurement_key: str
    fingerprint: str | None
    """The fingerprint of the key file."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "part": self.part,
            "path": self.path,
            "sha256": self.sha256,
            "key": self.measurement_key,
            "secret": self.fingerprint,
        }


@dataclass(frozen=True, slots=True)
class AssessmentFiles:
    """What is written to a folder."""

    assessment: Assessment
    measurements: Sequence[Measurement]
    released: Sequence[ReleasedTable]


def check_folder(folder: Path, release: ReleaseFile) -> None:
    """Before any work: refuse a folder with other files in it, or with an input."""
    work_beside(folder)
    if folder.exists() and not folder.is_dir():
        raise UnreadableFile(f"{path_text(folder)} is not a folder.", hint="Name a folder with --out.")
    if not folder.parent.resolve().is_dir():
        raise UnreadableFile(
            f"{path_text(folder)} cannot be created: its parent folder does not exist.",
            hint="Create the parent folder first.",
        )
    others = folder.is_dir() and {path.name for path in folder.iterdir()} - {WAITING, FOLDER}
    if others and read_manifest(folder) is None:
        raise InvalidSetting(
            f"{path_text(folder)} contains other files and no assessment.",
            hint="Name a new folder, or the folder of an earlier assessment.",
        )
    if has_signatures(folder):
        raise InvalidSetting(
            f"The assessment in {path_text(folder)} is signed and is not replaced.",
            hint=f"Name a new folder with --out, and compare with --since {path_text(folder)}.",
        )
    here = folder.resolve()
    for part in release.parts:
        for source in part.sources():
            if "://" not in source and (part.folder / source).resolve().is_relative_to(here):
                raise InvalidSetting(
                    f"{path_text(source)} is in the folder to be written.",
                    hint="Name another folder with --out.",
                )


def write_folder(files: AssessmentFiles, folder: Path) -> None:
    """Write everything to a draft beside the folder; all of it appears together."""
    with together() as written:
        draft = written.draft(folder.resolve())
        names = list(write_files(files, draft))
        before = [*_listed(read_manifest(folder)), *_listed(read_reports(folder)), REPORTS]
        _write_text(draft, MANIFEST, json_text(manifest_of(files, draft, names, folder)))
        _remove_files(written, folder, before, kept=names)


def _listed(content: Mapping[str, Any] | None) -> list[str]:
    return [entry["path"] for entry in (content or {}).get("files", [])]


def write_files(files: AssessmentFiles, draft: Path) -> Iterable[str]:
    """Write every file but the manifest; yields their names."""
    content = files.assessment.to_dict()
    yield _write_text(draft, ASSESSMENT, files.assessment.to_json())
    yield _write_text(draft, AS_RUN, release_text(content["settings"]))
    if files.assessment.previous is not None:
        yield _write_text(draft, PREVIOUS, json_text(files.assessment.previous))
    for part, measurement in zip(content["parts"], files.measurements, strict=True):
        below = f"{PARTS}/{part['name']}"
        if part["result"] is None or measurement.measured is None:
            continue
        measured = measurement_text(part["name"], measurement.key, measurement.measured)
        yield _write_text(draft, f"{below}/{MEASURED}", measured)
        yield _write_text(draft, f"{below}/{RESULT}", json_text(part["result"]))
        for name, text in csv_tables(part["result"]).items():
            yield _write_text(draft, f"{below}/{name}", text)


def _write_text(draft: Path, name: str, text: str) -> str:
    path = draft / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, text)
    return name


def _remove_files(written: FileSet, folder: Path, before: Iterable[str], *, kept: Iterable[str]) -> None:
    """Remove files of the last assessment that this one does not have, and nothing else."""
    for name in sorted(set(before) - set(kept)):
        path = (folder / name).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            written.remove(path)
            if path.parent != folder.resolve():
                written.then(partial(_remove_empty, path.parent))


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # another file is in it
        folder.rmdir()


def release_text(content: Any) -> str:
    """The release file as it was run, with its context."""
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def manifest_of(files: AssessmentFiles, draft: Path, names: Iterable[str], folder: Path) -> dict[str, Any]:
    """Hashes of the files in the folder, of inputs, and of tables that were released."""
    release = files.assessment.release
    inputs = [
        {"part": one.part.name, **source.to_dict()} for one in files.measurements for source in one.inputs
    ]
    return {
        "kind": "manifest",
        "version": own_version(),
        "audience": INTERNAL,
        "versions": versions(),
        "seed": release.seed,
        "release": {
            "file": release.source,
            "folder": path_text(Path(os.path.relpath(release.folder, folder)).as_posix()),
            "sha256": release.sha256,
        },
        "files": file_entries({name: draft / name for name in names}),
        "inputs": inputs,
        "outputs": [one.to_dict() for one in files.released],
    }


def write_released(assessment: Assessment, control: RunControl, folder: Path) -> tuple[ReleasedTable, ...]:
    """Write every table whose part is acceptable; a table that is already there, unchanged, is kept."""
    before = read_manifest(folder) or {}
    known = {str(entry.get("part")): entry for entry in before.get("outputs", [])}
    return tuple(
        _write_released(one, writer, control, known.get(writer.name, {}))
        for one in assessment.judgement.parts
        if one.acceptable and (writer := one.part.writer()) is not None and writer.out is not None
    )


def _write_released(
    one: PartAssessment, writer: TableWriter, control: RunControl, last: Mapping[str, Any]
) -> ReleasedTable:
    out, fingerprint, key = writer.out or Path(), writer.fingerprint, one.measurement.key
    is_same = last.get("key") == key and last.get("secret") == fingerprint
    if not (is_same and out.is_file() and file_hash(out)[0] == last.get("sha256")):
        writer.write_file(control, out)
    return ReleasedTable(writer.name, str(writer.given["out"]), file_hash(now_at(out))[0], key, fingerprint)


def csv_tables(result: Mapping[str, Any]) -> dict[str, str]:
    """Every list of rows at the top of a result as CSV, by file name.

    Columns whose cells are lists or mappings are only in the JSON.
    """
    return {f"{name}.csv": _csv_text(rows) for name, rows in result.items() if _is_table(rows)}


def _is_table(rows: Any) -> bool:
    return isinstance(rows, list) and bool(rows) and all(isinstance(row, dict) and row for row in rows)


def _csv_text(rows: list[dict[str, Any]]) -> str:
    columns = [
        name
        for name in dict.fromkeys(name for row in rows for name in row)
        if all(isinstance(row.get(name), PLAIN) or _is_text_list(row.get(name)) for row in rows)
    ]
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_csv_cell(row.get(name)) for name in columns])
    return target.getvalue()


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _csv_cell(value: Any) -> Any:
    return "; ".join(value) if isinstance(value, list) else value
