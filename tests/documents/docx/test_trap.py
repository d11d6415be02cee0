from __future__ import annotations

import re
from pathlib import Path

import pytest

from reidrisk.documents.document import Change
from reidrisk.documents.docx.format import read_docx, write_docx
from reidrisk.documents.docx.proof import DOCX_CONTENTS, DOCX_TEXTS
from tests.documents.docx.secrets import Secrets
from tests.documents.docx.trap import trap
from tests.documents.searching import places_of

READERS = (*DOCX_TEXTS, *DOCX_CONTENTS)
SECRET = re.compile(r"Zq[a-z]{3}wyk\d{3}")


@pytest.fixture
def trapped(tmp_path: Path) -> tuple[Path, Secrets]:
    made, secrets = trap()
    return made.save(tmp_path / "trap.docx"), secrets


def test_every_secret_is_really_hidden_in_the_trap(trapped: tuple[Path, Secrets]) -> None:
    path, secrets = trapped
    wanted = [*secrets.shown.values(), *secrets.hidden.values()]
    found = {value for value, _ in places_of(path, wanted, READERS)}
    assert (
        sorted(name for name, value in (secrets.shown | secrets.hidden).items() if value not in found) == []
    )


def test_what_can_be_seen_is_read(trapped: tuple[Path, Secrets]) -> None:
    path, secrets = trapped
    text = "\n".join(block.text for block in read_docx(path))
    assert sorted(name for name, value in secrets.shown.items() if value not in text) == []
    assert sorted(name for name, value in secrets.hidden.items() if value in text) == []


@pytest.mark.parametrize("new", [None, "Somebody"])
def test_nothing_survives(trapped: tuple[Path, Secrets], tmp_path: Path, new: str | None) -> None:
    path, secrets = trapped
    changes = [
        Change(block.name, found.start(), found.end(), new)
        for block in read_docx(path)
        for found in SECRET.finditer(block.text)
    ]
    out = tmp_path / "out.docx"
    written = write_docx(path, out, changes)
    left = places_of(out, [*secrets.shown.values(), *secrets.hidden.values(), "Zq"], READERS)
    names = {value: name for name, value in (secrets.shown | secrets.hidden).items()}
    assert sorted((names.get(value, value), where) for value, where in left) == []
    assert written.changes == len(changes)
    assert not any(SECRET.search(note) for note in written.notes)


def test_what_stays_hidden_goes_without_any_change(trapped: tuple[Path, Secrets], tmp_path: Path) -> None:
    path, secrets = trapped
    out = tmp_path / "out.docx"
    write_docx(path, out, [])
    left = {value for value, _ in places_of(out, list(secrets.hidden.values()), READERS)}
    assert sorted(name for name, value in secrets.hidden.items() if value in left) == []
