"""Clean a whole document before its texts are read, so that reading and writing see the same."""

from __future__ import annotations

from collections.abc import Mapping

from reidrisk.documents.docx.clean.choices import keep_one_choice
from reidrisk.documents.docx.clean.controls import forget_controls
from reidrisk.documents.docx.clean.definitions import settle_definitions
from reidrisk.documents.docx.clean.fields import unlink_fields
from reidrisk.documents.docx.clean.media import clean_media
from reidrisk.documents.docx.clean.references import settle_references
from reidrisk.documents.docx.clean.revisions import accept_revisions
from reidrisk.documents.docx.clean.traces import bookmark_names, remove_traces, tidy_namespaces
from reidrisk.documents.docx.package import Package
from reidrisk.documents.docx.reading import drop_unread

_OBJECTS = (
    "oleObject",
    "package",
    "control",
    "activeXControlBinary",
    "ink",
    "model3d",
    "video",
    "audio",
    "media",
)


def clean(package: Package) -> tuple[str, ...]:
    """Accept what was tracked and take out all that is not needed to show the document.

    Gives, in words, what its owner should know.
    """
    parts = [part for part in package.parts.values() if part.tree is not None]
    accepted = 0
    for part in parts:
        keep_one_choice(part.tree)
        accepted += accept_revisions(part.tree)
        forget_controls(part.tree)
    bookmarks = bookmark_names([part.tree for part in parts])
    for part in parts:
        unlink_fields(part.tree, bookmarks)
        remove_traces(part.tree, bookmarks, extensions=part.kind.startswith("diagram"))
        settle_references(part)
        tidy_namespaces(part.tree)
    drop_unread(package)
    settle_definitions(package)
    comments = sum(len(part.tree) for part in package.of_kind("comments"))
    return tuple(_notes(package.left_out, accepted, comments, clean_media(package)))


def _notes(left_out: Mapping[str, int], accepted: int, comments: int, pictures: int) -> list[str]:
    objects = sum(left_out.get(kind, 0) for kind in _OBJECTS)
    documents = left_out.get("aFChunk", 0) + left_out.get("subDocument", 0)
    said = {
        f"{_count(accepted, 'tracked change')} accepted; the history was left out": accepted,
        f"{_count(objects, 'embedded object')} left out": objects,
        f"{_count(documents, 'inserted document')} left out: the text is missing": documents,
        f"{_count(comments, 'comment')} kept without the author": comments,
        f"{_count(pictures, 'picture')} kept, which nobody searched for text": pictures,
    }
    return [note for note, count in said.items() if count]


def _count(number: int, what: str) -> str:
    return f"1 {what} was" if number == 1 else f"{number} {what}s were"
