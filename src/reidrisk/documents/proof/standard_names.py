"""Names that every PDF uses: a person may be called Lang or Page, and a file still says so of itself."""

from __future__ import annotations

import re
from importlib.resources import files

STANDARD = frozenset((files("reidrisk.documents.proof") / "standard_names.txt").read_text("ascii").split())
_FOLDED = frozenset(name.casefold() for name in STANDARD)
_NAME = re.compile(r"/([A-Za-z0-9]+)")


def is_standard(word: str) -> bool:
    """Whether a word is one that PDF itself uses."""
    return word.casefold() in _FOLDED


def without_standard(content: str) -> str:
    """The text of a stream without the names that PDF itself uses."""
    return _NAME.sub(lambda found: " " if found[1] in STANDARD else found[0], content)
