"""The JSON Schemas of results, from examples of every kind.

    python -m tests.results.schemas [FOLDER]   # FOLDER has more results, such as a demo-output

The schemas are made from the stored results, from those that the tests of the report make, and from the
results in FOLDER. What every example has is required. Everything may be null, and more may be added: a schema
tells what a reader can rely on. Names that depend on the data, such as columns, are listed in `MAPS`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reidrisk.report.schemas import FOLDER, ID
from reidrisk.report.views import KINDS
from tests.results.compare import VARYING, stored

MAPS = frozenset(
    {
        *(
            "answers",
            "areas",
            "average_of",
            "by_column",
            "cluster_gaps",
            "codes",
            "correlation_with_original",
        ),
        *("fields", "from", "g_distinct", "gate_comparison", "granularity", "hierarchies", "level_numbers"),
        *("level_shares", "levels", "roles", "tables", "undefined", "unmatched"),
    }
)
"""Objects whose keys depend on the data or the settings."""
OPEN = frozenset({"settings", "versions"})
"""Objects whose content is described elsewhere."""
FIRST = ("kind", "version", "audience", "acceptable", "settings", "seed", "versions")
NAME = re.compile(r"[a-z][a-z0-9_]*")
TYPES = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
MOST_KEYS = 60


def complete(value: Any) -> Any:
    """A stored result, with words for its sentences, of which only the numbers are stored.

    What is not stored because it depends on the machine is filled in.
    """
    if isinstance(value, list):
        return [complete(one) for one in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"numbers"}:
        return "words"
    found = {name: complete(inner) for name, inner in value.items()}
    own = {"version": "0", "versions": {}} if is_result(value) else {}
    return {**own, **found}


def is_result(value: Any) -> bool:
    """Whether a value is a result with a schema of its own."""
    return isinstance(value, dict) and value.get("kind") in KINDS and "acceptable" in value


def nested(value: Any) -> Iterator[dict[str, Any]]:
    """The results inside a value, itself included."""
    if isinstance(value, dict):
        if is_result(value):
            yield value
        for inner in value.values():
            yield from nested(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nested(inner)


def is_map(name: str, examples: list[dict[str, Any]]) -> bool:
    """Whether the keys of an object are data."""
    keys = {key for one in examples for key in one}
    return name in MAPS or len(keys) > MOST_KEYS or not all(NAME.fullmatch(key) for key in keys)


def schema_of(name: str, examples: list[Any]) -> dict[str, Any]:
    """What all examples of a value have in common."""
    kinds = {type(one) for one in examples} - {type(None)}
    if not kinds:
        return {}
    found: dict[str, Any] = {"type": sorted({TYPES[kind] for kind in kinds} | {"null"})}
    objects = [one for one in examples if isinstance(one, dict)]
    if objects and name not in OPEN:
        found |= object_schema(name, objects)
    items = [inner for one in examples if isinstance(one, list) for inner in one]
    if items:
        found["items"] = schema_of(f"{name}[]", items)
    return found


def object_schema(name: str, examples: list[dict[str, Any]]) -> dict[str, Any]:
    """The properties of an object, or of every value of a map."""
    if all(is_result(one) for one in examples):
        return {"required": ["kind"], "description": "A result with a schema of its own."}
    if is_map(name, examples):
        values = [inner for one in examples for inner in one.values()]
        return {"additionalProperties": schema_of("", values)} if values else {}
    return fields(examples)


def fields(examples: list[dict[str, Any]]) -> dict[str, Any]:
    """The properties that examples have; those of all of them are required."""
    keys = sorted({key for one in examples for key in one})
    required = [key for key in keys if key not in VARYING and all(key in one for one in examples)]
    properties = {key: schema_of(key, [one[key] for one in examples if key in one]) for key in keys}
    return {"properties": properties} | ({"required": required} if required else {})


def result_schema(kind: str, examples: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema of a kind of result."""
    own = fields(examples)
    order = [*(name for name in FIRST if name in own["properties"]), *own["properties"]]
    properties = {name: own["properties"][name] for name in dict.fromkeys(order)}
    properties |= {"kind": {"const": kind}, "version": {"type": "string"}}
    required = {"kind", "version", *own["required"]} - {"audience", "evidence", "weakest_grade"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID.format(kind=kind),
        "title": kind,
        "type": "object",
        "required": [name for name in properties if name in required],
        "properties": properties,
        "additionalProperties": True,
    }


def examples(more: Path | None = None) -> dict[str, list[dict[str, Any]]]:
    """Examples by kind."""
    from tests.report.kinds import KINDS as MADE

    found = defaultdict(list)
    sources: list[Any] = [complete(one) for one in stored().values()]
    sources += [json.loads(json.dumps(make())) for make in MADE.values()]
    for path in sorted(more.rglob("*.json")) if more else ():
        sources.append(json.loads(path.read_text(encoding="utf-8")))
    for source in sources:
        for one in nested(source):
            found[one["kind"]].append(one)
    return found


def main() -> int:
    """Write the schemas anew."""
    given = examples(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    FOLDER.mkdir(exist_ok=True)
    for kind, own in sorted(given.items()):
        text = json.dumps(result_schema(kind, own), indent=1, ensure_ascii=False)
        (FOLDER / f"{kind}.json").write_text(f"{text}\n", encoding="utf-8")
    missing = sorted(set(KINDS) - set(given))
    sys.stdout.write(f"{len(given)} schemas written; no example of: {', '.join(missing) or 'none'}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
