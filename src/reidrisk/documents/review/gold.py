"""Reviewed pages as a gold standard and a prediction, for `reidrisk text evaluate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.documents.digest import sha256_of
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.kinds import read_document
from reidrisk.documents.review.decided import Rule, decided
from reidrisk.documents.review.opinions import seen_by
from reidrisk.errors import NothingToMeasure, UnmatchedDocuments
from reidrisk.text.corpus import Annotation, Corpus, Document

Texts = Mapping[tuple[str, str], str]


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
        for block in one.blocks:
            if block in pages:
                text = _text(texts, one.document, block)
                name = f"{one.document}#{block}"
                gold.append(Document(name, _marks(after.findings, block), text))
                tool.append(Document(name, _marks(one.findings, block), text))
    if not gold:
        raise NothingToMeasure(
            "No page was read as a whole: there is no gold standard.",
            hint="Say which pages were: --seen DOCUMENT:BLOCK, or `seen` in the sheet.",
        )
    return Corpus(tuple(gold)), Corpus(tuple(tool))


def _marks(findings: Sequence[DocumentFinding], block: str) -> tuple[Annotation, ...]:
    return tuple(Annotation(one.start, one.end, one.type) for one in findings if one.block == block)


def _text(texts: Texts, document: str, block: str) -> str:
    if (document, block) not in texts:
        raise NothingToMeasure(
            f"The text of {block} of {document} is not at hand.", hint="Name the document: --source DOCUMENT."
        )
    return texts[document, block]
