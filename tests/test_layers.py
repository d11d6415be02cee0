"""Imports go downward only, and the package's public face is complete."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import reidrisk

SOURCE = Path(reidrisk.__file__).parent
LEVELS = (
    {"errors"},
    {"core"},
    {"stats", "engine"},
    {"context"},
    {"text", "tables", "population"},
    {"detect"},
    {"resynthesis"},
    {"documents"},
    {"assess", "demo"},
    {"report"},
    {"validate"},
    {"cli", "web"},
)
RANK = {room: rank for rank, rooms in enumerate(LEVELS) for room in rooms}
UPWARD = {("core/result.py", "reidrisk.report.views")}
"""The one call from below into the report room; it imports when called, by name."""
MOST_NAMES = 50
MODULES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            assert node.module is not None
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name for name in found if name.split(".")[0] == "reidrisk"}


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(SOURCE)) for path in MODULES])
def test_imports_go_downward(path: Path) -> None:
    own = room_of(path)
    if own == "__init__":
        return
    for name in imports(path):
        assert name != "reidrisk", "nobody inside imports the package itself"
        other = name.split(".")[1]
        assert other == own or RANK[other] < RANK[own], f"{own} imports {name}"


def test_the_only_upward_call_is_the_one_that_is_listed() -> None:
    by_name = {
        (str(path.relative_to(SOURCE)), node.args[0].value)
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "import_module"
        and isinstance(node.args[0], ast.Constant)
        and str(node.args[0].value).startswith("reidrisk.")
        and RANK.get(str(node.args[0].value).split(".")[1], 0) >= RANK.get(room_of(path), 99)
    }
    assert by_name == UPWARD


DOORS = {"opening", "packages", "plans", "protocol", "results", "settings"}
"""The modules of the engine that others may import."""
JOBS = {"session", "failures", "parquet_parts"}
"""The modules of engine/spark that jobs over texts may import."""
DATABASES = {"duckdb", "pyspark", "py4j", "adbc_driver_postgresql", "adbc_driver_manager"}
SQL = re.compile(
    r"\b(SELECT|CAST|GROUP BY|ORDER BY|PARTITION BY|DISTINCT FROM|VARCHAR|BIGINT|HUGEINT|TIMESTAMP)\b"
)
SHOWN = {"tables/utility/plan.py", "tables/utility/queries.py", "tables/utility/settings.py"}
"""Where users are told how to write SQL of their own."""
OWN = {"resynthesis/work_file.py"}
"""Keeps what it knows in a file of SQLite, which is no engine of tables."""


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(SOURCE)) for path in MODULES])
def test_the_engine_is_entered_by_its_doors(path: Path) -> None:
    """Outside nobody imports its insides or a database, writes SQL or names a type of a database."""
    if room_of(path) == "engine":
        return
    inside = {name for name in imports(path) if name.startswith("reidrisk.engine.")}
    if path.parent.name == "spark":
        inside -= {f"reidrisk.engine.spark.{name}" for name in JOBS}
    assert {name.split(".")[2] for name in inside} <= DOORS, inside
    packages = {name.split(".")[0] for name in all_imports(path)}
    assert not packages & DATABASES
    if str(path.relative_to(SOURCE)) not in SHOWN | OWN:
        assert not [text for text in code_texts(path) if SQL.search(text)]


def all_imports(path: Path) -> set[str]:
    nodes = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names} | {
        node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module
    }


def code_texts(path: Path) -> list[str]:
    """Texts of a module, without those that document it."""
    notes = {
        id(node.value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes
    ]


def test_few_names_of_the_engine_are_used_outside() -> None:
    names = {
        (node.module, alias.name)
        for path in MODULES
        if room_of(path) not in ("engine", "__init__")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("reidrisk.engine.")
        for alias in node.names
    }
    assert len(names) <= MOST_NAMES, sorted(names)


def test_every_room_has_its_place() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms <= set(RANK)


@pytest.mark.parametrize("name", reidrisk.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert (getattr(reidrisk, name).__doc__ or "").strip()


def test_the_public_names_are_sorted_and_complete() -> None:
    assert reidrisk.__all__ == sorted(reidrisk.__all__)
    assert set(dir(reidrisk)) == {*reidrisk.__all__, "__version__"}
    with pytest.raises(AttributeError, match="no attribute"):
        _ = reidrisk.evaluate_texts


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, reidrisk, reidrisk.cli.main\n"
        "heavy = {'numpy', 'scipy', 'matplotlib', 'jinja2', 'yaml'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_module_says_what_it_is_for() -> None:
    for path in MODULES:
        assert ast.get_docstring(tree(path)), path


def test_a_class_of_documents_shares_its_name_with_no_other() -> None:
    rooms: dict[str, list[str]] = {}
    for path in MODULES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                rooms.setdefault(node.name, []).append(room_of(path))
    assert not [name for name, own in rooms.items() if "documents" in own and len(own) > 1]


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    for path in MODULES:
        assert path.stem not in ("utils", "misc", "helpers", "common"), path


def test_the_tree_of_errors_is_drawn_completely() -> None:
    errors = import_module("reidrisk.errors")
    drawn = errors.ReidRiskError.__doc__
    for name in dir(errors):
        kind = getattr(errors, name)
        if isinstance(kind, type) and issubclass(kind, errors.ReidRiskError):
            assert name in drawn
