"""The list of kinds of parts, and what each of them must provide."""

from __future__ import annotations

import subprocess
import sys
from inspect import isabstract
from pathlib import Path

import pytest

from reidrisk.assess.kind import KINDS, KindEntry, part_class
from tests.assess.builders import write_file

COUNT = """
import sys
import reidrisk as rr

rr.assess(sys.argv[1]).to_dict()
print("\\n".join(name for name in sys.modules if name.startswith("reidrisk.")))
"""


@pytest.mark.parametrize("entry", KINDS, ids=[entry.module for entry in KINDS])
def test_every_kind_provides_what_a_part_needs(entry: KindEntry) -> None:
    part = entry.load()
    assert not isabstract(part)
    assert part.kind == entry.kind
    assert {"name", "kind"} <= set(part.form.entries)
    assert part.form.title
    assert part.form.about


@pytest.mark.parametrize(
    ("settings", "task"),
    [
        ({"kind": "table"}, "risk"),
        ({"kind": "table", "steps": [{"kind": "noise"}]}, "transform"),
        ({"kind": "table", "deidentify": True, "steps": [{"kind": "noise"}]}, "deidentify"),
        ({"kind": "table", "deidentify": False, "against": "people.csv"}, "attack"),
        ({"kind": "text"}, "risk"),
    ],
)
def test_settings_choose_among_the_tasks_of_a_kind(settings: dict[str, object], task: str) -> None:
    found = part_class(settings)
    assert (found.kind, found.task) == (settings["kind"], task)


def test_only_the_kinds_of_a_release_file_are_imported(folder: Path) -> None:
    path = write_file(folder, "records")
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(path)], check=True, capture_output=True, text=True
    )
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith("reidrisk.assess.kinds.")] == [
        "reidrisk.assess.kinds.table"
    ]
    assert not [name for name in loaded if name.split(".")[1] in ("text", "population", "documents")]
    assert not {"reidrisk.tables.deidentify.run", "reidrisk.tables.attack.run"} & set(loaded)
