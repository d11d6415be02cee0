"""How much of the machine an assessment uses is said in the release file, and changes no result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.kinds.table import TablePart
from reidrisk.core.limits import Limits, limits_now
from reidrisk.errors import InvalidSetting
from tests.assess.builders import write_file


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    """The limits within which tables were measured."""
    found: list[Limits] = []
    original = TablePart.measure

    def noted(self: TablePart, control: Any) -> Any:
        found.append(limits_now())
        return original(self, control)

    monkeypatch.setattr(TablePart, "measure", noted)
    return found


@pytest.mark.parametrize(("threads", "parts"), [(1, ("records", "made")), (2, ())])
def test_every_part_keeps_to_the_limits(
    folder: Path, tmp_path: Path, seen: list[Limits], threads: int, parts: tuple[str, ...]
) -> None:
    before = limits_now()
    (folder / "work").mkdir()
    limits = {"memory": "1GB", "cores": 2, "temp": "work"}
    plain = rr.assess(write_file(folder, *parts))
    limited = rr.assess(write_file(folder, *parts, limits=limits), out=tmp_path / "out", threads=threads)
    assert seen == [before, Limits(memory="1GB", cores=2, temp=folder / "work")]
    assert limited.to_dict()["parts"] == plain.to_dict()["parts"]
    assert not list((folder / "work").iterdir())
    assert limits_now() == before
    assert rr.verify(tmp_path / "out").holds
    [again] = seen[2:]
    assert (again.memory, again.cores) == ("1GB", 2)
    assert again.temp is not None
    assert Path(again.temp).resolve() == (folder / "work").resolve()
    (folder / "work").rmdir()
    assert rr.verify(tmp_path / "out").holds
    assert seen[3:] == [Limits(memory="1GB", cores=2)]


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"memory": "much"}, "memory limit"),
        ({"cores": 0}, "cores"),
        ({"temp": "missing"}, "does not exist"),
        ({"disk": "1GB"}, "disk"),
    ],
)
def test_limits_that_make_no_sense_are_refused_with_their_line(
    folder: Path, limits: dict[str, Any], problem: str
) -> None:
    path = write_file(folder, limits=limits)
    line = next(
        number for number, text in enumerate(path.read_text().splitlines(), 1) if text.startswith("limits")
    )
    with pytest.raises(InvalidSetting, match=problem) as error:
        rr.assess(path)
    assert json.dumps(line) in error.value.problem or json.dumps(line + 1) in error.value.problem
