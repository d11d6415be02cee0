"""Of contents that are there twice, for new and for old programs, one is kept."""

from __future__ import annotations

from reidrisk.documents.docx.names import MC, A, Element, M, V, W, take_out, unwrap

_TELLING = (f"{W}t", f"{A}t", f"{M}t", f"{V}textpath", f"{W}instrText", f"{W}delText")


def keep_one_choice(root: Element) -> None:
    """Keep the first choice; one for old programs only where it holds no text of its own."""
    for both in list(root.iter(f"{MC}AlternateContent")):
        choices = both.findall(f"{MC}Choice")
        for other in choices[1:]:
            take_out(other)
        fallback = both.find(f"{MC}Fallback")
        if not choices and fallback is not None:
            unwrap(both, fallback)
        elif not choices:
            take_out(both)
        elif fallback is not None and next(fallback.iter(*_TELLING), None) is not None:
            take_out(fallback)
