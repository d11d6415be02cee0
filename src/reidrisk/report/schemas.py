"""The JSON Schemas of results: what a program that reads them can rely on.

They are made by `python -m tests.results.schemas` from results of every kind. Required names stay; more names
may be added in later versions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reidrisk.errors import InvalidSetting

FOLDER = Path(__file__).parent / "data" / "schemas"
ID = "urn:reidrisk:result:{kind}"


def schema_kinds() -> tuple[str, ...]:
    """The kinds of results that have a schema."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def result_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the results of one kind, such as `table_risk`.

    >>> "acceptable" in result_schema("table_risk")["required"]
    True
    """
    kinds = schema_kinds()
    if kind not in kinds:
        raise InvalidSetting.among("A kind of result", kind, kinds)
    found: dict[str, Any] = json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))
    return found
