"""What is found in a text, as the text itself with whom and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.detection.detect import Searcher, search_document
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.study.read import read_study
from reidrisk.documents.study.study import Study
from tests.documents.study.builders import YAML, write_study

ONLY_KNOWN = DetectSettings(model=None, rules="none")
Found = tuple[str, str | None, tuple[int, ...]]


def a_study(folder: Path, *, yaml: str = YAML) -> Study:
    """The trial of four people."""
    return read_study(write_study(folder, yaml=yaml))


def found_in(
    folder: Path,
    text: str,
    *,
    study: Study | None = None,
    values: Sequence[str] = (),
    settings: DetectSettings = ONLY_KNOWN,
) -> list[tuple[str, DocumentFinding]]:
    """Every finding of a text document with what stands there, blanks made one."""
    path = folder / "report.txt"
    path.write_text(text, encoding="utf-8")
    texts: list[tuple[str, DocumentFinding]] = []
    searcher = Searcher.of(study or a_study(folder), values, settings)
    search_document(path, searcher, told=lambda one, said: texts.append((" ".join(said.split()), one)))
    return texts


def told(found: list[tuple[str, DocumentFinding]]) -> list[Found]:
    """What, which variable, of whom."""
    return [(text, one.variable, one.subjects) for text, one in found]
