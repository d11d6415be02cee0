"""Are the results of this version the same as those of an earlier one?

    python -m tests.results.compare --store   # before a change that must not alter a number
    python -m tests.results.compare           # after it; exit code 1 and a list of paths if anything differs

The results are those of `reidrisk demo` with its assessment, and those that the tests of the report make, one
or more of every kind. Sentences may be reworded, but they must contain the same numbers. Nothing may be
missing, and the only fields that may be new are `holds`, `audience`,
`sampled_search`, `evidence`, `weakest_grade` and `g_range`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("stored.json.gz")
NEW_FIELDS = frozenset({"holds", "audience", "sampled_search", "evidence", "weakest_grade", "g_range"})
VARYING = frozenset({"version", "versions", "seconds", "sha256", "bytes", "reidrisk"})
"""Fields that depend on the machine, or on the wording of other files."""
PROSE = frozenset({"treatment"})
"""Fields whose text may be one word."""
PATH = re.compile(r"/\S+/")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
DIGITS = 1e-9
"""Relative; sums in another order differ by less."""


def reduced(value: Any) -> Any:
    """A result without what may change: sentences become their numbers, paths their last part.

    >>> reduced({"risk": 0.5, "reasons": ["The risk, 0.5, exceeds 1/5."], "version": "0.1"})
    {'risk': 0.5, 'reasons': [{'numbers': ['0.5', '1', '5']}]}
    """
    if isinstance(value, dict):
        return {
            name: reduced(f"{inner} ." if name in PROSE and isinstance(inner, str) else inner)
            for name, inner in value.items()
            if name not in VARYING
        }
    if isinstance(value, list | tuple):
        return [reduced(inner) for inner in value]
    if isinstance(value, str):
        if " " in value.strip():
            return {"numbers": sorted(NUMBER.findall(PATH.sub("", value)))}
        return value.rpartition("/")[2] if value.count("/") > 1 or value.startswith("/") else value
    return value


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Every place where two reduced results differ, without their values."""
    if isinstance(before, dict) and isinstance(after, dict):
        yield from (f"{path}.{name}: missing" for name in before.keys() - after.keys())
        yield from (f"{path}.{name}: new" for name in after.keys() - before.keys() - NEW_FIELDS)
        for name in sorted(before.keys() & after.keys()):
            yield from differences(before[name], after[name], f"{path}.{name}")
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield f"{path}: {len(before)} entries before, {len(after)} after"
        for at, (first, second) in enumerate(zip(before, after, strict=False)):
            yield from differences(first, second, f"{path}[{at}]")
    elif not same(before, after):
        yield f"{path}: differs"


def same(before: Any, after: Any) -> bool:
    """Numbers to nine digits, everything else exactly."""
    if isinstance(before, float) and isinstance(after, float):
        return isclose(before, after, rel_tol=DIGITS, abs_tol=1e-15)
    return bool(type(before) is type(after) and before == after)


def results() -> dict[str, Any]:
    """Every result that is compared, by name."""
    from tests.results.cases import fixtures

    found = {name: reduced(json.loads(json.dumps(make()))) for name, make in fixtures().items()}
    with tempfile.TemporaryDirectory() as folder:
        found |= demo(Path(folder) / "demo-output")
    return found


def demo(folder: Path) -> dict[str, Any]:
    """The JSON files of `reidrisk demo`."""
    from click.testing import CliRunner

    from reidrisk.cli.demo import command

    done = CliRunner().invoke(command, [str(folder)])
    if done.exit_code:
        raise SystemExit(f"reidrisk demo failed with exit code {done.exit_code}.")
    files = [path for path in sorted(folder.rglob("*.json")) if not is_about_files(path)]
    return {
        f"demo: {path.relative_to(folder)}": reduced(json.loads(path.read_text("utf-8"))) for path in files
    }


def is_about_files(path: Path) -> bool:
    """Whether a file holds hashes of other files, a signature over them, or times."""
    return (
        path.name in ("manifest.json", "reports.json", "certificate.json") or path.parent.name == "signatures"
    )


def stored() -> dict[str, Any]:
    """The results of the earlier version."""
    found: dict[str, Any] = json.loads(gzip.decompress(STORED.read_bytes()))
    return found


def main() -> int:
    """Store or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", action="store_true", help="write the stored results anew")
    parser.add_argument("--to", type=Path, default=STORED, help="with --store: the file to write")
    given = parser.parse_args()
    found = results()
    if given.store:
        text = json.dumps(found, sort_keys=True, separators=(",", ":"))
        given.to.write_bytes(gzip.compress(text.encode(), mtime=0))
        sys.stdout.write(f"{len(found)} results stored.\n")
        return 0
    wrong = list(differences(stored(), found))
    sys.stdout.write("\n".join([*wrong, f"{len(found)} results compared, {len(wrong)} differences."]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
