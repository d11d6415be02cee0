"""An assessment with reports and an earlier one to compare with, and how a skilled forger changes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reidrisk as rr
from reidrisk.assess.inputs import file_hash, hash_inputs
from reidrisk.assess.manifest import MANIFEST, REPORTS, file_entries, json_text, root_of
from reidrisk.report.assessment_folder import write_reports
from tests.assess.builders import write_data, write_file


def write_assessed(place: Path) -> None:
    """Data in `data`, their assessment with reports in `out`, compared with the one in `before`."""
    data = place / "data"
    data.mkdir()
    write_data(data, extra=3)
    rr.assess(write_file(data, "records", "made"), out=place / "before")
    write_data(data)
    rr.assess(write_file(data, "records", "made"), out=place / "out", previous=place / "before")
    write_reports(place / "out")


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def change(path: Path, how: Callable[[Any], None]) -> None:
    """Change the content of a JSON file, written as reidrisk writes it."""
    content = read(path)
    how(content)
    path.write_text(json_text(content), encoding="utf-8")


def forge(out: Path) -> None:
    """Recompute every hash."""

    def rehash(manifest: Any) -> None:
        below = out / manifest["release"]["folder"]
        names = [entry["path"] for entry in manifest["files"]]
        manifest["files"] = file_entries({name: out / name for name in names if (out / name).is_file()})
        for entry in manifest["inputs"]:
            entry.update(hash_inputs([entry["path"]], below, shown=[entry["path"]])[0].to_dict())
        for entry in manifest["outputs"]:
            entry["sha256"] = file_hash(below / entry["path"])[0]
        manifest["release"]["sha256"] = file_hash(below / manifest["release"]["file"])[0]

    change(out / MANIFEST, rehash)
    root = root_of((out / MANIFEST).read_bytes())
    change(out / REPORTS, lambda listed: listed.update(root=root))


def forge_reports(out: Path) -> None:
    """Recompute the hashes in the list of reports only."""

    def rehash(listed: Any) -> None:
        listed["files"] = file_entries({entry["path"]: out / entry["path"] for entry in listed["files"]})

    change(out / REPORTS, rehash)
