"""Where tables are: a file of this machine, or a table that a URL or a name leads to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

POSTGRES = ("postgresql://", "postgres://")
"""How the URL of a table in PostgreSQL begins."""
HIVE = "hive:"
"""How the name of a Hive table begins, which Spark reads and writes."""
POSTGRES = ("postgresql://", "postgres://")
"""How the URL of a table in PostgreSQL begins."""


def is_hive(place: Any) -> bool:
    """Whether this names a Hive table."""
    return isinstance(place, str | Path) and str(place).startswith(HIVE)


def is_file(place: str | Path) -> bool:
    """Whether a place is a file or folder of this machine.

    >>> is_file("out/rx.parquet"), is_file("hive:care.rx"), is_file("postgresql://db/clinic?table=rx")
    (True, False, False)
    """
    return "://" not in str(place) and not is_hive(place)


def place_text(place: str | Path) -> str:
    """A place as it may be shown: without user and password.

    >>> place_text("postgresql://ann:secret@db/clinic?password=secret&table=care.rx")
    'postgresql://db/clinic?table=care.rx'
    """
    if is_file(place):
        return str(place)
    without_user = re.sub(r"//[^/]*@", "//", str(place), count=1)
    return re.sub(r"(?<=[?&])(user|password)=[^&#]*&?", "", without_user).rstrip("?&")
