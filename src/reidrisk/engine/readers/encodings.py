"""Text in any encoding, as a file the database can read."""

from __future__ import annotations

import codecs
import gzip
import shutil
import zlib
from pathlib import Path

from reidrisk.core.encoding import HEAD, byte_order_mark
from reidrisk.engine.session import Session
from reidrisk.errors import UnreadableFile


def encoding_of(path: Path, given: str | None, *, otherwise: str | None = None) -> str:
    """The encoding named, or what the first bytes say; `otherwise` if the text is not in that."""
    if given is not None:
        return codecs.lookup(given).name
    with path.open("rb") as file:
        found = byte_order_mark(file.read(HEAD))
    if found.encoding in ("utf-16-le", "utf-16-be"):
        return "utf-16"
    return "utf-8" if otherwise is None or _is_utf_8(path) else codecs.lookup(otherwise).name


def _is_utf_8(path: Path) -> bool:
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="") as file:
            while file.read(1 << 20):
                pass
    except (UnicodeError, OSError, EOFError, zlib.error):
        return False
    return True


def readable(session: Session, path: Path, encoding: str) -> Path:
    """The file itself, or its text as UTF-8 in the work folder.

    The database would read a compressed file that was cut short without a word; Python notices.
    """
    packed = path.suffix.lower() == ".gz"
    if encoding == "utf-8" and not packed:
        return path
    copy = session.work_file(".csv")
    opened = gzip.open if packed else open
    try:
        with (
            opened(path, "rt", encoding=encoding, newline="") as source,
            copy.open("w", encoding="utf-8", newline="") as target,
        ):
            shutil.copyfileobj(source, target, 1 << 20)
    except UnicodeError:
        raise UnreadableFile(
            f"{path}: the text is not in the encoding {encoding}.",
            hint="Try cp1252, latin-1 or utf-8.",
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check that it is complete.") from None
    return copy
