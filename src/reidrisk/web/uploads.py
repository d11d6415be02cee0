"""Files that a browser sends: counted while they arrive, checked by their content, never named by a path."""

from __future__ import annotations

import os
import re
import secrets
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

from reidrisk.core.input_limits import check_archive
from reidrisk.core.trail import RELEASE_FILE, log_written
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError

MOST_BYTES = 2 * 10**9
"""Of one file."""
MOST_FILES = 200
"""In one release."""
LONGEST_NAME = 150
SNIFFED = 4096
ARRIVING = ".upload-"
"""How the name of a file begins while it arrives."""
TEXT = (
    *(".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson", ".xml", ".xmi"),
    *(".yaml", ".yml", ".ann", ".html", ".htm", ".rtf"),
)
BEGINNINGS = {
    ".pdf": (b"%PDF-",),
    ".docx": (b"PK",),
    ".xlsx": (b"PK",),
    ".xlsm": (b"PK",),
    ".xlsb": (b"PK",),
    ".ods": (b"PK",),
    ".zip": (b"PK",),
    ".gz": (b"\x1f\x8b",),
    ".xls": (b"\xd0\xcf\x11\xe0", b"\x09"),
    ".parquet": (b"PAR1",),
    ".pq": (b"PAR1",),
    ".arrow": (b"ARROW1", b"\xff\xff\xff\xff"),
    ".feather": (b"ARROW1", b"FEA1"),
    ".ipc": (b"ARROW1", b"\xff\xff\xff\xff"),
    ".sqlite": (b"SQLite format 3\0",),
    ".sqlite3": (b"SQLite format 3\0",),
    ".db": (b"SQLite format 3\0",),
    ".sav": (b"$FL2", b"$FL3"),
    ".zsav": (b"$FL3",),
    ".xpt": (b"HEADER RECORD",),
    ".dta": (b"<stata_dta>", b"\x71", b"\x72", b"\x73", b"\x74", b"\x75", b"\x76", b"\x77"),
    ".sas7bdat": (b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60",),
}
"""How files begin, by their suffix."""
ARCHIVES = (".docx", ".xlsx", ".xlsm", ".xlsb", ".ods", ".zip")
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\:*?\"<>|]+")


class UploadTooLarge(ReidRiskError):
    """The file or the number of files is above the limit."""


def safe_name(given: str) -> str:
    """The name of a file that arrives; refused if it could be a path or hide.

    >>> safe_name("visits 2024.csv")
    'visits 2024.csv'
    """
    is_plain = (
        _NAME.fullmatch(given) is not None
        and not given.startswith((".", "~"))
        and not given.endswith((".", " "))
        and len(given.encode("utf-8", "replace")) <= LONGEST_NAME
        and given.lower() != RELEASE_FILE
    )
    if not is_plain:
        raise InvalidSetting(
            "A file cannot have this name here.",
            hint=f"Rename it: at most {LONGEST_NAME} letters, without slashes, not beginning with a dot.",
        )
    return given


def check_beginning(name: str, beginning: bytes) -> None:
    """Refuse a file whose content is not what its name says."""
    suffix = Path(name).suffix.lower()
    if suffix in TEXT:
        is_fine = b"\0" not in beginning or beginning.startswith((b"\xff\xfe", b"\xfe\xff"))
        is_fine = is_fine and not beginning.startswith((b"%PDF-", b"PK\x03\x04", b"\x7fELF", b"MZ\x90"))
    elif suffix in BEGINNINGS:
        is_fine = beginning.startswith(BEGINNINGS[suffix])
    else:
        known = ", ".join(sorted({*TEXT, *BEGINNINGS}))
        raise BadData(f"{name} has an unknown suffix.", hint=f"Known suffixes are: {known}")
    if not beginning:
        raise BadData(f"{name} is empty.", hint="Leave it out.")
    if not is_fine:
        raise BadData(
            f"The content of {name} is not what its suffix says.",
            hint="Save it again by the program that made it, or correct its suffix.",
        )


async def arrive(chunks: AsyncIterator[bytes], folder: Path, name: str, *, most: int = MOST_BYTES) -> Path:
    """Take a file in, piece by piece, under a temporary name; nothing is left of one that is refused."""
    if sum(1 for _ in folder.iterdir()) >= MOST_FILES:
        raise UploadTooLarge(f"There are {MOST_FILES} files already.", hint="Leave some out, or join them.")
    part = folder / f"{ARRIVING}{secrets.token_hex(8)}"
    size, beginning, is_checked = 0, b"", False
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > most:
                    raise UploadTooLarge(
                        f"{name} is larger than {most / 10**9:g} GB.",
                        hint="Put it into the folder of the release yourself, and use `reidrisk init`.",
                    )
                if len(beginning) < SNIFFED:
                    beginning += chunk[: SNIFFED - len(beginning)]
                if not is_checked and len(beginning) >= SNIFFED:
                    check_beginning(name, beginning)
                    is_checked = True
                file.write(chunk)
        if not is_checked:
            check_beginning(name, beginning)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def place(part: Path, name: str) -> Path:
    """Give a file that has arrived its name; an archive that grows out of all proportion is refused."""
    target = part.with_name(name)
    try:
        if target.suffix.lower() in ARCHIVES:
            _check_archive(part, name)
        os.link(part, target)  # never replaces a file
    except FileExistsError:
        raise InvalidSetting(
            f"There is a file {name} already.", hint="Rename the new one, or remove the other first."
        ) from None
    finally:
        part.unlink(missing_ok=True)
    log_written(target)
    return target


def _check_archive(part: Path, name: str) -> None:
    try:
        with zipfile.ZipFile(part) as opened:
            check_archive(opened.infolist(), name)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
        if isinstance(error, ReidRiskError):
            raise
        raise BadData(f"{name} is damaged.", hint="Save it again by the program that made it.") from None
