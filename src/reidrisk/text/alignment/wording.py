"""How sure it is what released texts mask, in sentences for the result. They name places, never text."""

from __future__ import annotations

from reidrisk.core.wording import plural
from reidrisk.text.evidence import Alignment
from reidrisk.text.settings import TextSettings


def alignment_notes(alignment: Alignment | None, settings: TextSettings) -> tuple[str, ...]:
    """What was done, and what was in doubt."""
    if alignment is None:
        return ()
    notes = [
        f"The tool gave text without offsets: {plural(alignment.documents, 'released text')} laid beside "
        f"the originals, {plural(alignment.masked, 'masked place')} found."
    ]
    if alignment.doubtful:
        notes.append(_doubts(alignment))
    if alignment.white_space:
        notes.append(
            f"{plural(alignment.white_space, 'released text')} agree with the originals only when line ends "
            "and other white space are made equal."
        )
    if alignment.kept_in_part and settings.survivors == "word":
        notes.append(
            f"{plural(alignment.kept_in_part, 'identifier')} kept some words and lost others: by chance, or "
            "the tool missed a part. They count as leaked; with --set survivors=instance as caught."
        )
    return tuple(notes)


def _doubts(alignment: Alignment) -> str:
    first, documents = alignment.places[0], plural(alignment.doubtful_documents, "document")
    return (
        f"{plural(alignment.doubtful, 'ambiguous place')} in {documents}: "
        f"the released text fits the original in more than one way, first in document {first.document!r} "
        f"from {first.start} to {first.end}. Nothing was guessed: only what every way masks counts as masked."
    )
