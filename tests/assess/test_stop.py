"""An assessment is stopped with the best solution so far, or cancelled."""

from __future__ import annotations

import json
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from reidrisk.assess.kind import RunControl
from reidrisk.assess.kinds import deidentify
from reidrisk.assess.measurement import BEGUN, FINISHED
from reidrisk.assess.release_file import read_release
from reidrisk.assess.run import assess
from reidrisk.core.stopping import StopRequest
from reidrisk.errors import Cancelled
from reidrisk.tables.deidentify.run import deidentify as search
from tests.assess.builders import write_file


def test_cancelled_parts_leave_only_what_is_finished(folder: Path) -> None:
    release = write_file(folder, "records", "notes", "state")
    seen: list[str] = []

    def stop() -> StopRequest | None:
        return "cancel" if f"{FINISHED} notes" in seen else None

    def follow(part: str, what: str, _done: int, _total: int) -> None:
        seen.append(f"{what} {part}")

    with pytest.raises(Cancelled):
        assess(release, out=folder / "assessment", progress=follow, stop=stop)
    assert sorted(one.name for one in (folder / "assessment").iterdir()) == [".measuring"]
    assert [one.name for one in (folder / "assessment" / ".measuring").iterdir()] == ["notes.json"]
    assert f"{BEGUN} state" not in seen


@pytest.mark.parametrize("part", ["notes", "records", "made", "state"])
def test_every_kind_of_part_is_cancelled(folder: Path, part: str) -> None:
    release = write_file(folder, part)
    with pytest.raises(Cancelled):
        assess(release, out=folder / "assessment", stop=lambda: "cancel")
    assert not (folder / "assessment" / "manifest.json").exists()


def table(folder: Path) -> Path:
    """A search with many nodes, in which a first solution is found at once."""
    rows = [f"{n % 7},{n % 11},{n % 13},{n % 17},{n % 5}" for n in range(400)]
    (folder / "t.csv").write_text("\n".join(["a,b,c,d,e", *rows]) + "\n")
    steps = [{"width": width} for width in (2, 4, 8, 16)]
    part: dict[str, Any] = {
        "name": "t",
        "kind": "table",
        "table": "t.csv",
        "quasi": list("abcde"),
        "deidentify": True,
        "hierarchies": {name: {"kind": "number", "levels": steps, "suppress": True} for name in "abcde"},
        "out": "t-released.csv",
        "confirmed": True,
    }
    content = yaml.safe_load(write_file(folder, "records").read_text()) | {"parts": [part]}
    path = folder / "release.yaml"
    path.write_text(yaml.safe_dump(json.loads(json.dumps(content))))
    return path


def test_the_best_so_far_is_what_is_written(folder: Path) -> None:
    release = table(folder)
    asked = count()

    def stop() -> StopRequest | None:
        is_search = threading.current_thread().name != "reidrisk-stop"
        return "best" if is_search and next(asked) > 3 else None

    done = assess(release, out=folder / "assessment", stop=stop)
    [part] = done.to_dict()["parts"]
    assert "interrupted" in part["result"]["solution"]["proof"].lower()
    stored = (folder / "assessment" / "parts" / "t" / "measured.json").read_text()
    assert '"key": "stopped ' in stored
    again = assess(release, out=folder / "assessment")
    assert "interrupted" not in again.to_dict()["parts"][0]["result"]["solution"]["proof"].lower()


def test_a_stopped_search_is_not_repeated_to_write_it(folder: Path) -> None:
    [part] = read_release(table(folder)).parts
    writer = part.writer()
    assert writer is not None
    control = RunControl(7, None, lambda: None)

    class Kept:
        def write(self, path: Path) -> None:
            path.write_text("kept")

    control.kept["t"] = Kept()
    writer.write(control, folder / "t-released.csv")
    assert (folder / "t-released.csv").read_text() == "kept"


@pytest.mark.parametrize(("rows", "searches"), [(deidentify.KEPT_ROWS, 1), (0, 2)])
def test_only_a_large_table_is_searched_again_to_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, rows: int, searches: int
) -> None:
    seen: list[Any] = []

    def counted(*given: Any, **more: Any) -> Any:
        seen.append(given)
        return search(*given, **more)

    monkeypatch.setattr(deidentify, "deidentify", counted)
    assess(table(folder), out=folder / "plain")
    written = (folder / "t-released.csv").read_bytes()
    (folder / "t-released.csv").unlink()
    seen.clear()
    monkeypatch.setattr(deidentify, "KEPT_ROWS", rows)
    assess(table(folder), out=folder / "assessment")
    assert len(seen) == searches
    assert (folder / "t-released.csv").read_bytes() == written
