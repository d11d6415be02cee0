"""Imports go downward only, and the package's public face is complete."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
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
    {"relational"},
    {"documents"},
    {"assess", "demo"},
    {"report"},
    {"validate"},
    {"web"},
    {"cli"},
)
RANK = {room: rank for rank, rooms in enumerate(LEVELS) for room in rooms}
UPWARD = {("core/result.py", "reidrisk.report.views")}
"""The one call from below into the report room; it imports when called, by name."""
MOST_NAMES = 80
MODULES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@dataclass(frozen=True)
class Module:
    """What the tests look at in a module; its tree is large and is not kept."""

    path: str
    room: str
    is_documented: bool
    imports: frozenset[str]
    imported: frozenset[tuple[str, str]]
    called: frozenset[str]
    classes: tuple[str, ...]
    texts: tuple[str, ...]

    @property
    def own(self) -> set[str]:
        """Modules of the package that it imports."""
        return {name for name in self.imports if name.split(".")[0] == "reidrisk"}


@cache
def modules() -> tuple[Module, ...]:
    return tuple(map(module_of, MODULES))


def module_of(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    by_name = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert not [node for node in by_name if node.level or node.module is None], f"{path}: modules in full"
    whole = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    notes = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return Module(
        path=str(path.relative_to(SOURCE)),
        room=room_of(path),
        is_documented=bool(ast.get_docstring(tree)),
        imports=frozenset([*whole, *(str(node.module) for node in by_name)]),
        imported=frozenset((str(node.module), alias.name) for node in by_name for alias in node.names),
        called=frozenset(
            str(node.args[0].value)
            for node in nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "import_module"
            and isinstance(node.args[0], ast.Constant)
        ),
        classes=tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef)),
        texts=tuple(
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes
        ),
    )


def test_imports_go_downward() -> None:
    wrong = []
    for module in modules():
        own = module.room
        for name in module.own if own != "__init__" else ():
            assert name != "reidrisk", f"nobody inside imports the package itself: {module.path}"
            other = name.split(".")[1]
            if other != own and RANK[other] >= RANK[own]:
                wrong.append(f"{module.path} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_every_module_can_be_imported() -> None:
    for path in MODULES:
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        import_module(".".join(parts).removesuffix(".__init__"))


def test_the_only_upward_call_is_the_one_that_is_listed() -> None:
    by_name = {
        (module.path, name)
        for module in modules()
        for name in module.called
        if name.startswith("reidrisk.") and RANK.get(name.split(".")[1], 0) >= RANK.get(module.room, 99)
    }
    assert by_name == UPWARD


DOORS = {"linked", "opening", "packages", "plans", "protocol", "results", "settings"}
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


def test_the_engine_is_entered_by_its_doors() -> None:
    """Outside nobody imports its insides or a database, writes SQL or names a type of a database."""
    for module in modules():
        if module.room == "engine":
            continue
        inside = {name for name in module.own if name.startswith("reidrisk.engine.")}
        if Path(module.path).parent.name == "spark":
            inside -= {f"reidrisk.engine.spark.{name}" for name in JOBS}
        assert {name.split(".")[2] for name in inside} <= DOORS, (module.path, inside)
        assert not {name.split(".")[0] for name in module.imports} & DATABASES, module.path
        if module.path not in SHOWN | OWN:
            assert not [text for text in module.texts if SQL.search(text)], module.path


def test_few_names_of_the_engine_are_used_outside() -> None:
    names = {
        (name, imported)
        for module in modules()
        if module.room not in ("engine", "__init__")
        for name, imported in module.imported
        if name.startswith("reidrisk.engine.")
    }
    assert len(names) <= MOST_NAMES, sorted(names)


def test_every_room_has_its_place() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms <= set(RANK)


def test_every_public_name_is_there_and_documented() -> None:
    for name in reidrisk.__all__:
        assert (getattr(reidrisk, name).__doc__ or "").strip(), name


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
    for module in modules():
        assert module.is_documented, module.path


def test_a_class_of_documents_shares_its_name_with_no_other() -> None:
    rooms: dict[str, list[str]] = {}
    for module in modules():
        for name in module.classes:
            rooms.setdefault(name, []).append(module.room)
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
