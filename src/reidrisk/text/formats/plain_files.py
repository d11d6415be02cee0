"""Text files of a folder that are documents of their own, not the texts of other files."""

from __future__ import annotations

from collections.abc import Sequence

from reidrisk.text.formats.source import SourceFile

_SUFFIXES = "ann jsonl ndjson json xml xmi conll bio iob iob2 tsv spacy bdocjs text deid phi phrase"
_ANNOTATIONS = frozenset(f".{name}" for name in _SUFFIXES.split())
_ABOUT = ("readme", "license", "licence", "changelog")


def plain_texts(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The .txt files, where the folder holds no files that are annotations by their name.

    A folder of annotation files may hold texts that belong to them, or a README.
    """
    if any(path.suffix.lower() in _ANNOTATIONS for path in files):
        return []
    texts = [path for path in files if path.suffix.lower() == ".txt"]
    return [path for path in texts if not path.stem.lower().startswith(_ABOUT)]
