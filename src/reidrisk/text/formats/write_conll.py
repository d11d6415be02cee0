"""Writer of CoNLL files with the text beside them."""

from __future__ import annotations

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.place import misaligned, placed
from reidrisk.text.formats.reader import BYTE_ORDER_MARK
from reidrisk.text.formats.tokens import owners, pieces
from reidrisk.text.formats.writer import FILE_NAME, WORD, Carries, FileEach


def _conll(document: Document) -> dict[str, str]:
    """Token, tab, IOB2 tag; the text itself lies beside, since tokens do not say what is between them."""
    text = document.text or ""
    for number, one in enumerate(document.annotations, 1):
        if text[one.start].isspace() or text[one.end - 1].isspace():
            hint = "Let annotations begin and end with a word; tokens are no white space."
            problem = "it begins or ends with white space, which conll cannot hold"
            raise placed(misaligned(problem, hint=hint), document.place(number))
    lines: list[str] = []
    last = 0
    before: Annotation | None = None
    for (start, end), mark in owners(pieces(text, document.annotations), document.annotations):
        if text[start:end].isspace():
            continue
        if lines and "\n" in text[last:start]:
            lines.append("")
        tag = "O" if mark is None else f"{'I' if mark is before else 'B'}-{mark.type}"
        lines.append(f"{text[start:end]}\t{tag}")
        last, before = end, mark
    # the reader takes the first byte order mark for one of the file
    mark_of_file = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    table = mark_of_file + "".join(f"{line}\n" for line in lines)
    return {f"{document.id}.conll": table, f"{document.id}.txt": text}


CONLL = FileEach("conll", "conll", Carries(overlaps=False, types=WORD, names=FILE_NAME), _conll)
