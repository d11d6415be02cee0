"""Find the marks of a redacted text: everything that may replace something hidden.

Too many marks cost only certainty, while a missing mark makes alignment impossible. So brackets and runs
that are already in the original count as marks too; alignment detects them later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from reidrisk.text.alignment.result import NO_LABEL

_LETTER = r"[^\W\d_]"
_PATTERNS = (
    r"\[\*\*.{0,200}?\*\*\]",  # [**Last Name (STitle) 102**]
    r"<<[^<>]{1,200}>>",  # <<PATIENT:Ann Lee>>
    r"\{\{[^{}]{1,80}\}\}",
    r"\[\[[^\[\]]{1,80}\]\]",
    rf"\[{_LETTER}[^\[\]\n]{{0,80}}\]",  # [NAME], [Date 3]
    rf"<{_LETTER}[^<>\n]{{0,80}}>",
    rf"\{{{_LETTER}[^{{}}\n]{{0,80}}\}}",
    r"[█■▇▉▓▒░]+",
    r"\*{2,}",
    r"_{2,}",
    r"\#{3,}",
    rf"(?<!{_LETTER})(?:X{{2,}}|x{{3,}})(?!{_LETTER})",
)
_SINGLE = {
    r"(?<!\[)\*\*(?!\])": r"\*",
    "__": "_",
    rf"(?<!{_LETTER})X{{2,}}(?!{_LETTER})": rf"(?<!{_LETTER})X(?!{_LETTER})",
}
"""If runs hide character by character, a word of one letter is a run of length one."""
_MARK = re.compile("|".join(_PATTERNS), re.DOTALL)
_DISTINCTIVE = re.compile(
    r"\[\*\*.{0,200}?\*\*\]|<<[^<>]{1,200}>>|\{\{[^{}]{1,80}\}\}|[\[<{][A-Z][A-Z0-9_ -]{1,60}[\]>}]"
    r"|[█■▇▉▓▒░]+|\*{3,}|_{3,}|(?<!\w)X{3,}(?!\w)",
    re.DOTALL,
)
_SIGNS = ("[", "<", "{", "█", "■", "▇", "▉", "▓", "▒", "░", "***", "___", "XXX")
_BRACKETS = "[]<>{}* \r\n"
_NUMBERING = re.compile(r"[\W_]*\d+\W*\Z")


@dataclass(frozen=True, slots=True)
class RedactionMark:
    """A piece of a redacted text that may hide something."""

    start: int
    end: int
    text: str = field(repr=False)

    @property
    def value(self) -> str:
        """The value that a mark such as `<<NAME:Ann>>` shows; empty for other marks."""
        return self.text[2:-2].partition(":")[2] if self.text.startswith("<<") else ""

    @property
    def inner(self) -> str:
        """The text between the brackets."""
        return self.text.strip(_BRACKETS)

    def label(self, known: Iterable[str]) -> str:
        """The type that the mark names, if it is known.

        Marks may contain names of people, and labels appear in reports: an unknown label is not repeated.
        """
        name = self.inner.partition(":")[0].strip()
        for candidate in (name, _NUMBERING.sub("", name)):
            upper = candidate.upper().replace(" ", "_")
            if candidate in known or upper in known:
                return candidate if candidate in known else upper
        return NO_LABEL


def find_marks(text: str, *, like: str | None = None) -> list[RedactionMark]:
    """All marks of a text, in order; `like` is the redacted text that shows what marks look like."""
    shown = text if like is None else like
    singles = [single for run, single in _SINGLE.items() if re.search(run, shown)]
    pattern = re.compile("|".join((*_PATTERNS, *singles)), re.DOTALL) if singles else _MARK
    return [RedactionMark(*found.span(), found[0]) for found in pattern.finditer(text)]


def shows_marks(text: str) -> bool:
    """Whether a text looks redacted: it has a mark that is rare in original clinical notes."""
    if not any(sign in text for sign in _SIGNS):  # a quick check: most texts have none of them
        return False
    return _DISTINCTIVE.search(text) is not None
