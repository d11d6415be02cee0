"""Files of findings put together with everybody's reviews, and reviewed pages as a gold standard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.document import sha256_of
from reidrisk.documents.findings.file import FindingsFile, read_findings, write_findings
from reidrisk.documents.findings.finding import DocumentFinding, DocumentFindings, by_block
from reidrisk.documents.findings.journal import REVIEWED, journal_folder
from reidrisk.documents.formats import read_document
from reidrisk.documents.review.opinions import Rule, decided, seen_by
from reidrisk.errors import InvalidSetting, NothingToMeasure, UnmatchedDocuments
from reidrisk.text.corpus import Annotation, Corpus, Document

Texts = Mapping[tuple[str, str], str]


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
    finished = tuple(dict.fromkeys(name for file in files for name in file.finished))
    ordered = tuple(sorted(reviews, key=lambda one: one.time))
    return replace(first, reviews=ordered, texts=texts, finished=finished)


def keep(path: str | Path, file: FindingsFile) -> None:
    """Write findings and reviews; texts stay where they are shown already.

    What is in journals next to the file stays there, and is read with it.
    """
    beside = journal_folder(path).is_dir()
    reviews = [one for one in file.reviews if not (beside and one.in_journal)]
    write_findings(path, file.documents, settings=file.settings, reviews=reviews, texts=file.texts or None)


def _places(file: FindingsFile) -> dict[str, tuple[str, tuple[DocumentFinding, ...]]]:
    return {one.document: (one.sha256, one.findings) for one in file.documents}


def source_texts(file: FindingsFile, sources: Sequence[str | Path]) -> dict[tuple[str, str], str]:
    """The texts of the blocks of documents that findings were made from."""
    found: dict[tuple[str, str], str] = {}
    for path in map(Path, sources):
        digest = sha256_of(path)
        own = next((one for one in file.documents if one.sha256 == digest), None)
        if own is None:
            raise UnmatchedDocuments(
                f"The findings were not made from {path_text(path)}.",
                hint="Name documents as they were when findings were made.",
            )
        found |= {(own.document, block.name): block.text for block in read_document(path)}
    return found


def gold_standard(file: FindingsFile, texts: Texts, *, rule: Rule = "careful") -> tuple[Corpus, Corpus]:
    """What is there and what was found, on every page that somebody read as a whole, a page a document."""
    gold: list[Document] = []
    tool: list[Document] = []
    for one in file.documents:
        pages = set().union(*seen_by(file.reviews, one.document).values(), set())
        after = decided(one, file.reviews, rule=rule)
        left, found = by_block(after.findings), by_block(_found(one, after))
        for block in one.blocks:
            if block in pages:
                text = _text(texts, one.document, block)
                name = f"{one.document}#{block}"
                gold.append(Document(name, _marks(left.get(block, [])), text))
                tool.append(Document(name, _marks(found.get(block, [])), text))
    if not gold:
        raise NothingToMeasure(
            "No page was read as a whole: there is no gold standard.",
            hint="Say which pages were: --seen DOCUMENT:BLOCK, or `seen` in the sheet.",
        )
    return Corpus(tuple(gold)), Corpus(tuple(tool))


def _marks(findings: Sequence[DocumentFinding]) -> tuple[Annotation, ...]:
    return tuple(Annotation(one.start, one.end, one.type) for one in findings if one.is_personal)


def _found(before: DocumentFindings, after: DocumentFindings) -> list[DocumentFinding]:
    """What was found, without what reviewers hold for confidential."""
    confidential = {one.place for one in after.findings if not one.is_personal}
    return [one for one in before.findings if one.place not in confidential]


def _text(texts: Texts, document: str, block: str) -> str:
    if (document, block) not in texts:
        raise NothingToMeasure(
            f"The text of {block} of {document} is not at hand.", hint="Name the document: --source DOCUMENT."
        )
    return texts[document, block]
