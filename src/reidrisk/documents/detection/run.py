"""Finds in many documents what identifies participants; one that cannot be read does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.detect.settings import DetectSettings
from reidrisk.documents.batch import document_paths, told
from reidrisk.documents.detection.detect import Searcher, search_document
from reidrisk.documents.detection.result import DetectedDocument, DocumentDetection
from reidrisk.documents.findings.finding import DocumentFinding
from reidrisk.documents.study.study import Study
from reidrisk.errors import InvalidSetting

Progress = Callable[[str, int, int], None]


def detect_documents(
    documents: Sequence[str | Path] = (),
    *,
    study: Study | None = None,
    values: Sequence[str] = (),
    settings: DetectSettings | None = None,
    keep_text: bool = False,
    progress: Progress | None = None,
) -> DocumentDetection:
    """Find in documents, or in those that a study names, what identifies participants or anybody.

    The result writes them to a file for review and anonymization; with `keep_text` also what stands there.
    """
    listed = list(documents) or ([] if study is None else list(study.document_paths()))
    paths = document_paths(listed)
    if not paths:
        raise InvalidSetting("There is no document.", hint="Name documents, or a study that does.")
    chosen = settings or DetectSettings()
    searcher = Searcher.of(study, values, chosen)
    texts: dict[str, str] | None = {} if keep_text else None
    rows = []
    for number, path in enumerate(paths):
        if progress is not None:
            progress(path.name, number, len(paths))
        rows.append(_row(path, searcher, texts))
    about = {**chosen.to_dict(), "study": None if study is None else study.name, "values": len(values)}
    people = None if study is None else len(study.data)
    return DocumentDetection(tuple(rows), about, people, _notes(study), texts or {})


def _row(path: Path, searcher: Searcher, texts: dict[str, str] | None) -> DetectedDocument:
    name = path_text(path.name)

    def keep(one: DocumentFinding, text: str) -> None:
        if texts is not None:
            texts[one.name_in(path.name)] = text

    try:
        return DetectedDocument(name, search_document(path, searcher, told=keep))
    except Exception as error:  # noqa: BLE001 - one document does not stop the others
        said = told(error)
        return DetectedDocument(name, error=said.problem, hint=said.hint)


def _notes(study: Study | None) -> tuple[str, ...]:
    if study is None:
        return ()
    roles = study.roles
    proposed = (
        f"Roles of variables are proposed from their CDISC names: quasi-identifiers {', '.join(roles.quasi)}"
        f"; direct {', '.join(roles.direct) or 'none'}; dates {', '.join(roles.dates) or 'none'}."
    )
    return (*study.data.notes, *((proposed,) if study.is_proposed else ()))
