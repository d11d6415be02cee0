"""Look at files to see which part of a release they could be; of tables only names of columns are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.engine.table import open_table
from reidrisk.errors import ReidRiskError, UnreadableFile
from reidrisk.population.area_names import AREAS
from reidrisk.population.readers.long import LongForm
from reidrisk.tables.suggest import Suggestion, suggest_roles
from reidrisk.text.read import read_documents

Kind = Literal["text", "table", "population", "documents"]
GOLD = re.compile(r"gold|truth|reference|manual|annotat", re.IGNORECASE)
TOOL = re.compile(r"tool|system|pred|output|auto|masked|result", re.IGNORECASE)
SUFFIXES_OF_REPORTS = (".pdf", ".docx", ".rtf")
TABLES_ONLY = (
    ".csv",
    ".tsv",
    ".tab",
    ".parquet",
    ".pq",
    ".xlsx",
    ".sas7bdat",
    ".xpt",
    ".dta",
    ".sav",
    ".duckdb",
)


@dataclass(frozen=True, slots=True)
class Looked:
    """A file and what it seems to be."""

    path: str
    kind: Kind
    suggestion: Suggestion | None = None
    """Of a table."""
    areas: tuple[str, ...] = ()
    """Of a population, the finest last."""
    fields: tuple[str, ...] = ()
    """Of a population, what is told beside areas and ages."""


def look(path: str | Path) -> Looked:
    """Annotations, a population's counts, or a table; in this order."""
    name = path_text(path)
    if not Path(path).exists() and "://" not in name:
        raise UnreadableFile(f"{name} does not exist.", hint="Check the spelling and the current folder.")
    if name.lower().endswith(SUFFIXES_OF_REPORTS):
        raise UnreadableFile(
            f"{name} is a document, whose risk depends on the data of the trial.",
            hint="Describe both in a study.yaml, and name that file.",
        )
    if _is_study(Path(path)):
        return Looked(name, "documents")
    if not name.lower().endswith(TABLES_ONLY) and "://" not in name and _is_text(Path(path)):
        return Looked(name, "text")
    with open_table(name if "://" in name else path) as opened:
        columns = opened.columns
    people = _population(columns, name)
    if people is not None:
        return Looked(name, "population", areas=people.areas, fields=people.fields)
    return Looked(name, "table", suggest_roles(name if "://" in name else path))


def _is_study(path: Path) -> bool:
    """Whether a YAML file describes a study: it names data of participants."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        return False
    try:
        content = read_yaml(path)
    except ReidRiskError:
        return False
    return isinstance(content, Mapping) and "ipd" in content


def _is_text(path: Path) -> bool:
    try:
        next(iter(read_documents(path)), None)
    except ReidRiskError:
        return False
    return True


def _population(columns: Sequence[str], source: str) -> LongForm | None:
    """Which column is what, if they are those of counts of people."""
    names = {name.strip().casefold() for name in columns}
    if "n" not in names or not names & {"age_lo", "age"} or not names & set(AREAS):
        return None
    try:
        return LongForm.of(columns, areas=None, fields=None, source=source)
    except ReidRiskError:
        return None


def sides(texts: Sequence[Looked]) -> list[tuple[Looked, Looked | None]]:
    """Gold standards with their tools, by their names; what cannot be told is taken in turn."""
    gold = [one for one in texts if GOLD.search(Path(one.path).name)]
    tool = [one for one in texts if one not in gold and TOOL.search(Path(one.path).name)]
    rest = [one for one in texts if one not in gold and one not in tool]
    while rest:
        (gold if len(gold) <= len(tool) else tool).append(rest.pop(0))
    if not gold:
        gold, tool = tool[:1], tool[1:]
    pairs: list[tuple[Looked, Looked | None]] = []
    for at, one in enumerate(gold):
        pairs.append((one, tool[at] if at < len(tool) else None))
    return pairs + [(gold[0], one) for one in tool[len(gold) :]]
