"""From a messy file to a release: draft, assess, confirm, assess again, and look at what was written.

`python -m tests.assess.test_messy_tables SEED` prints the same for any seed.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.demo.messy import KeyLeak, MessyTable, leaks, messy_tables

SEED = 1
"""A seed that was looked at while the rules were written; any other is a better test."""


@dataclass(frozen=True)
class Released:
    """What became of one table."""

    drafted: bool
    """Whether the draft as written ended in a verdict."""
    unconfirmed_acceptable: bool
    acceptable: bool
    leaks: tuple[KeyLeak, ...]
    reasons: tuple[str, ...]


def release(table: MessyTable, folder: Path, *, unconfirmed_too: bool = True) -> Released:
    """Draft a release file, assess it as it is if asked, confirm the roles, and assess it."""
    source, draft = table.write(folder), folder / "release.yaml"
    draft.write_text(rr.draft_release([source], folder=folder), encoding="utf-8")
    first = rr.assess(draft) if unconfirmed_too else None
    written = [path for path in folder.iterdir() if "released" in path.name]
    assert not written, "nothing is written before somebody confirms the roles"
    text = draft.read_text(encoding="utf-8")
    assert text.count("confirmed: false") == 1
    draft.write_text(text.replace("confirmed: false", "confirmed: true"), encoding="utf-8")
    done = rr.assess(draft, out=folder / "assessment")
    outputs = [path for path in folder.rglob("*released*") if path.is_file()]
    found = tuple(leak for path in outputs for leak in leaks(path, table.key))
    assert bool(outputs) == done.acceptable
    sentences = tuple(str(one["text"]) for one in done.to_dict()["reasons"] if one["part"])
    drafted = not (first or done).failed
    return Released(drafted, bool(first and first.acceptable), done.acceptable, found, sentences)


tables_of = cache(messy_tables)


@pytest.mark.parametrize("number", range(12))
def test_an_acceptable_file_contains_nothing_that_the_key_lists(number: int, tmp_path: Path) -> None:
    found = release(tables_of(SEED)[number], tmp_path, unconfirmed_too=number % 4 == 0)
    assert found.drafted
    assert not found.unconfirmed_acceptable
    assert not found.leaks
    assert found.acceptable, "refusing everything is no success"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        for one in messy_tables(int(sys.argv[1])):
            work = Path(place) / one.name
            work.mkdir()
            result = release(one, work)
            words = "acceptable" if result.acceptable else "NOT acceptable"
            sys.stdout.write(f"{one.name}: {words}; leaks: {result.leaks or 'none'}\n")
            sys.stdout.writelines([] if result.acceptable else [f"    {text}\n" for text in result.reasons])
            sys.stdout.flush()
