"""Open a PDF, or say why that cannot be done; what lies over the pages becomes part of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.errors import MissingPackage, ReidRiskError, UnreadableFile

if TYPE_CHECKING:
    from pikepdf import Pdf

_HEAD = 1024
_STUMBLES = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
_ANOTHER = {
    b"PK\x03\x04": "a zip file, as DOCX is",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


@contextmanager
def opened(path: str | Path) -> Iterator[Pdf]:
    """The document, with form fields and drawn notes laid into the pages as they are seen."""
    try:
        import pikepdf
    except ImportError as error:
        raise MissingPackage.of_extra("pikepdf", "documents") from error
    _check(Path(path))
    try:
        pdf = pikepdf.open(path)
    except pikepdf.PasswordError as error:
        raise UnreadableFile(
            f"{path} is encrypted and needs a password.",
            hint="Save a copy without a password, for instance with qpdf --decrypt, and give that.",
        ) from error
    except (pikepdf.PdfError, RuntimeError, OSError) as error:
        raise _damaged(path) from error
    with pdf, _said(path):
        if not len(pdf.pages):
            raise _damaged(path)
        _flatten(pdf)
        yield pdf


@contextmanager
def _said(path: str | Path) -> Iterator[None]:
    """A file may hold anything anywhere: what stumbles over it says that the file is damaged."""
    import pikepdf

    try:
        yield
    except ReidRiskError:
        raise
    except _STUMBLES as error:
        raise _damaged(path) from error
    except pikepdf.PdfError as error:
        raise _damaged(path) from error


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from error
    if not head:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    if b"%PDF-" not in head:
        kind = next((name for start, name in _ANOTHER.items() if head.startswith(start)), "something else")
        raise UnreadableFile(
            f"{path} is no PDF but {kind}.", hint="Give it the extension of what it is, or export it as PDF."
        )


def _damaged(path: str | Path) -> UnreadableFile:
    return UnreadableFile(
        f"{path} is damaged: its pages cannot be found.",
        hint="Export the document again, or repair it with qpdf.",
    )


def _flatten(pdf: Pdf) -> None:
    """Filled fields and drawn notes are seen on the page: they become text of the page."""
    if not any("/Annots" in page for page in pdf.pages):
        return
    if "/AcroForm" in pdf.Root:
        pdf.generate_appearance_streams()
    pdf.flatten_annotations("all")
