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

from reidrisk.assess.inputs import output_hash
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
from reidrisk.core.trail import FOLDER, log_written
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, UnreadableFile

AS_RUN, RESULT, PREVIOUS = "release.yaml", "result.json", "previous.json"
PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """A table, or a folder of linked tables, that was written outside of the folder."""

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


def _has_files(path: Path) -> bool:
    """Whether it is a file or has one in it; a run that failed may leave empty folders."""
    return path.is_symlink() or not path.is_dir() or any(not inside.is_dir() for inside in path.rglob("*"))


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
    own = (WAITING, FOLDER)
    others = folder.is_dir() and any(path.name not in own and _has_files(path) for path in folder.iterdir())
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
    _check_released_folders(folder, release)
    here = folder.resolve()
    for part in release.parts:
        for source in part.sources():
            if "://" not in source and (part.folder / source).resolve().is_relative_to(here):
                raise InvalidSetting(
                    f"{path_text(source)} is in the folder to be written.",
                    hint="Name another folder with --out.",
                )


def _check_released_folders(folder: Path, release: ReleaseFile) -> None:
    """Refuse to replace a folder with tables that the last run did not write, or that changed since."""
    known = _outputs(folder)
    for part in release.parts:
        writer = part.writer()
        if writer is None or writer.out is None or not writer.writes_folder or not writer.out.exists():
            continue
        if writer.out.is_dir() and not any(writer.out.iterdir()):
            continue
        last = known.get(writer.name, {})
        if not writer.out.is_dir() or output_hash(writer.out) != last.get("sha256"):
            raise UnreadableFile(
                f"{path_text(writer.out)} exists, and the last assessment in {path_text(folder)} did not "
                "write it, or it was changed since.",
                hint=f"Move it, or name another folder with out: in the part {part.name}.",
            )


def _outputs(folder: Path) -> dict[str, Mapping[str, Any]]:
    """What the last run released, by part."""
    before = read_manifest(folder) or {}
    return {str(entry.get("part")): entry for entry in before.get("outputs", [])}


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


def released_parts(assessment: Assessment) -> tuple[tuple[PartAssessment, TableWriter], ...]:
    """Parts whose tables are written: acceptable alone, and with the parts that hold the same people."""
    refused = {
        name
        for one in assessment.judgement.parts
        if one.part.kind == "joint" and not one.acceptable
        for name in one.part.given["parts"]
    }
    return tuple(
        (one, writer)
        for one in assessment.judgement.parts
        if one.acceptable
        and one.part.name not in refused
        and (writer := one.part.writer()) is not None
        and writer.out is not None
    )


def write_released(assessment: Assessment, control: RunControl, folder: Path) -> tuple[ReleasedTable, ...]:
    """Write every table that may be released; one that is already there, unchanged, is kept."""
    known = _outputs(folder)
    return tuple(
        _write_released(one, writer, control, known.get(writer.name, {}))
        for one, writer in released_parts(assessment)
    )


def _write_released(
    one: PartAssessment, writer: TableWriter, control: RunControl, last: Mapping[str, Any]
) -> ReleasedTable:
    out, fingerprint, key = writer.out or Path(), writer.fingerprint, one.measurement.key
    is_same = last.get("key") == key and last.get("secret") == fingerprint
    is_there = out.is_dir() if writer.writes_folder else out.is_file()
    if is_same and is_there and output_hash(out) == last.get("sha256"):
        log_written(out)  # the run that wrote it may have been killed before it could log it
        digest = str(last["sha256"])
    else:
        writer.write_file(control, out)
        digest = output_hash(now_at(out))
    return ReleasedTable(writer.name, str(writer.given["out"]), digest, key, fingerprint)


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
