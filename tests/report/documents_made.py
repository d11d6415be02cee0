"""Anonymized, verified and reviewed documents, for the tests of their views."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.detection.run import detect_documents
from reidrisk.documents.findings.file import FindingsFile
from reidrisk.documents.findings.finding import Decision, Review
from reidrisk.documents.review.run import review_documents
from reidrisk.documents.study.read import read_study
from reidrisk.documents.verify import verify_document
from tests.documents.making import NUMBER, PERSON, found_in, pdf, txt
from tests.documents.study.builders import write_study


def anonymization(*, failed: bool = False) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        source = txt(Path(folder) / "csr.txt")
        paths = [source, *([txt(Path(folder) / "<b>other.txt")] if failed else [])]
        file = FindingsFile(1, {}, (found_in(source),))
        return anonymize_documents(paths, Path(folder) / "out", findings=file).to_dict()


def proof(*values: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return verify_document(pdf(Path(folder) / "csr.pdf"), values).to_dict()


def review(*, reviewers: int = 2) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        found = found_in(txt(Path(folder) / "csr.txt"))
    first, second = found.findings[:2]
    seen = (("csr.txt", "text"),)
    reviews = [
        Review("anna", "1", (Decision("csr.txt", *first.place, "reject"),), seen),
        Review("<i>ben</i>", "2", (Decision("csr.txt", *second.place, "retype", "OTHER"),), seen),
        Review("cy", "3", (Decision("csr.txt", "text", 0, 2, "add", "TITLE"),), seen),
    ]
    return review_documents(FindingsFile(1, {}, (found,), tuple(reviews[:reviewers]))).to_dict()


def not_searched() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "<b>other.html"
        path.write_text("<p>Plain.</p><img src='data:image/png;base64,iVBORw0KGgpub3RoaW5n'>")
        return verify_document(path, ["Nobody Else"], ocr="none").to_dict()


def detection(*, with_study: bool = True) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        study = read_study(write_study(Path(folder))) if with_study else None
        report = Path(folder) / "<b>csr.txt"
        report.write_text("12 Safety Evaluation\nSubject 0104 was 54 years old." if with_study else "Nobody.")
        (Path(folder) / "empty.txt").touch()
        paths = [report, *([Path(folder) / "empty.txt"] if with_study else [])]
        settings = DetectSettings(model=None, rules="none")
        return detect_documents(paths, study=study, settings=settings).to_dict()


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "anonymized": anonymization,
    "anonymized: not all": lambda: anonymization(failed=True),
    "detected: a study, not all": detection,
    "detected: nothing": lambda: detection(with_study=False),
    "proof: found": lambda: proof(PERSON, NUMBER),
    "proof: none": lambda: proof("Nobody Else"),
    "proof: not all": not_searched,
    "review: open": lambda: review(reviewers=0),
    "review: two": review,
    "review: three": lambda: review(reviewers=3),
}


@cache
def result(case: str) -> dict[str, Any]:
    return CASES[case]()
