"""How messages name a document or a participant: by its number, because an id may tell who it is about.

Medical record numbers and names are common as ids and as names of files. The option --show-ids, or the
environment variable below, shows them to somebody who may see them and has to find the document.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath

from reidrisk.errors import BadData

SHOW_IDS = "REIDRISK_SHOW_IDS"
"""The environment, so that processes that are started for the work see it, too."""
OPTION = "--show-ids"
NUMBERED = re.compile(r"(?i)\bdocument (\d|\(id)|, file \d+ of \d")
"""A message that would name a document if it were allowed to."""
UNNUMBERED = "(id hidden)"
"""Stands for the number until somebody knows it; see `numbered`."""


def ids_shown() -> bool:
    """Whether messages may name ids."""
    return os.environ.get(SHOW_IDS, "") not in ("", "0")


@contextmanager
def showing_ids(*, wanted: bool = True) -> Iterator[None]:
    """Let messages name ids inside the block."""
    before = os.environ.get(SHOW_IDS)
    if wanted:
        os.environ[SHOW_IDS] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(SHOW_IDS, None)
        else:
            os.environ[SHOW_IDS] = before


@contextmanager
def hiding_ids() -> Iterator[None]:
    """Let messages number documents inside the block, whatever the environment says."""
    before = os.environ.pop(SHOW_IDS, None)
    try:
        yield
    finally:
        if before is not None:
            os.environ[SHOW_IDS] = before


def shown_document(name: str, number: int = 0) -> str:
    """The words for a document in a message: its number in the order of reading.

    >>> shown_document("MRN 123", 17), shown_document("MRN 123")
    ('document 17', 'document (id hidden)')
    """
    if ids_shown():
        return f"document {name!r}"
    return f"document {number or UNNUMBERED}"


def shown_source(source: str, name: str) -> str:
    """The file of a document; only its folder if the name of the file tells the id.

    >>> shown_source("gold/110-02.ann", "110-02"), shown_source("gold.jsonl", "110-02")
    ('gold', 'gold.jsonl')
    """
    path = PurePath(source)
    last = PurePath(name.replace("\\", "/")).name
    if ids_shown() or not last or last not in path.name:
        return source
    return str(path.parent)


@contextmanager
def naming(path: str, *, within: str, file: int, files: int, document: int | None = None) -> Iterator[None]:
    """Let an error about one of the files of a folder, `path`, name its number, in the order of names.

    A reader cannot say which document it was either: it was the next one, `document`.
    """
    try:
        yield
    except BadData as error:
        if ids_shown():
            raise
        problem = error.problem if document is None else error.problem.replace(UNNUMBERED, str(document))
        if files > 1:
            problem = problem.replace(path, f"{within}, file {file} of {files}")
        raise type(error)(problem, hint=error.hint) from None
