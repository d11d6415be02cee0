"""Files of findings put together: the same findings, and everybody's reviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.findings.file import FindingsFile, read_findings, write_findings
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.errors import InvalidSetting, UnmatchedDocuments

REVIEWED = ".reviewed.json"


def review_file(findings: str | Path) -> Path:
    """Where reviews of findings are kept unless said: beside them, and a review file is its own.

    >>> review_file("findings.json").name, review_file("findings.reviewed.json").name
    ('findings.reviewed.json', 'findings.reviewed.json')
    """
    path = Path(findings)
    if path.name.endswith(REVIEWED):
        return path
    return path.with_name(path.name.removesuffix(".json") + REVIEWED)


def together(paths: Sequence[str | Path]) -> FindingsFile:
    """The findings of files that were made from one, with the reviews of all, each once."""
    if not paths:
        raise InvalidSetting("There are no findings.", hint="Name a file of `document detect --out`.")
    files = [read_findings(path) for path in paths]
    first = files[0]
    for path, other in zip(paths[1:], files[1:], strict=True):
        if _places(other) != _places(first):
            raise UnmatchedDocuments(
                f"{path_text(path)} holds other findings than {path_text(paths[0])}.",
                hint="Were findings made anew? Reviews belong to the file that they were made on.",
            )
    reviews = dict.fromkeys(review for file in files for review in file.reviews)
    texts = {name: text for file in files for name, text in file.texts.items()}
    return replace(first, reviews=tuple(sorted(reviews, key=lambda one: one.time)), texts=texts)


def keep(path: str | Path, file: FindingsFile) -> None:
    """Write findings and reviews; texts stay where they are shown already."""
    write_findings(
        path, file.documents, settings=file.settings, reviews=file.reviews, texts=file.texts or None
    )


def _places(file: FindingsFile) -> dict[str, tuple[str, tuple[DocumentFinding, ...]]]:
    return {one.document: (one.sha256, one.findings) for one in file.documents}
