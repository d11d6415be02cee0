"""The hierarchies of a table: what each level does, the maximum of each column, and changes of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.yaml_file import KeyPath
from reidrisk.errors import ReidRiskError
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    go_to,
    need_role,
    render,
    writing,
)
from reidrisk.web.table_part import (
    Kept,
    deidentified_part,
    identity,
    kind_of_part,
    show_tab,
    source_of,
)

if TYPE_CHECKING:
    from reidrisk.assess.kinds.deidentify import DeidentifyPart
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.hierarchy.preview import CountedValues

router = APIRouter()
Name = Annotated[str, Form(max_length=300)]
_VALUES = Kept(4)


@dataclass(frozen=True, slots=True)
class TypedLevels:
    """The levels of a column as somebody typed them."""

    column: str
    kind: str
    levels: str
    unit: str


def typed_query(
    column: Annotated[str, Query(max_length=300)],
    kind: Annotated[str, Query(max_length=40)],
    levels: Annotated[str, Query(max_length=400)] = "",
    unit: Annotated[str, Query(max_length=20)] = "years",
) -> TypedLevels:
    """Read them from the URL."""
    return TypedLevels(column, kind, levels, unit)


def typed_form(
    column: Name,
    kind: Annotated[str, Form(max_length=40)],
    levels: Annotated[str, Form(max_length=400)] = "",
    unit: Annotated[str, Form(max_length=20)] = "years",
) -> TypedLevels:
    """Read them from a form."""
    return TypedLevels(column, kind, levels, unit)


def _raw_hierarchies(part: DeidentifyPart) -> dict[str, Any]:
    """The settings of the hierarchies as the files have them, by column."""
    from reidrisk.core.yaml_file import read_yaml

    found: dict[str, Any] = {}
    named = part.given.get("config")
    content = read_yaml(Path(part.path(named))) if named else {}
    places = [(content, Path(part.path(named)).parent if named else part.folder), (part.given, part.folder)]
    for given, folder in places:
        rules = given.get("hierarchies") if isinstance(given, Mapping) else None
        if isinstance(rules, str) and rules.endswith((".yaml", ".yml")):
            rules = read_yaml(folder / rules)
        if isinstance(rules, Mapping):
            found |= {str(name): one for name, one in rules.items()}
    return found


def _values_of(part: DeidentifyPart, hierarchies: Mapping[str, Hierarchy]) -> CountedValues:
    """The counted values of columns, for previews; counted anew if they must be read in another way."""
    from reidrisk.tables.hierarchy.preview import count_values

    rules = tuple(sorted((name, type(one.rule).__name__) for name, one in hierarchies.items()))
    key = (identity(Path(source_of(part))), rules)

    def make() -> CountedValues:
        return count_values(source_of(part), hierarchies, reading=part.config.reading)

    found: CountedValues = _VALUES.get(key, make)
    return found


def _limited(part: DeidentifyPart, column: str, hierarchy: Hierarchy) -> Hierarchy:
    """The hierarchy with the maximum level that the release file sets for this run."""
    from reidrisk.tables.deidentify.problem import limited_hierarchy

    return limited_hierarchy(column, {column: hierarchy}, part.options.max_level)


def _preview_of(part: DeidentifyPart, hierarchies: Mapping[str, Hierarchy]) -> dict[str, Any]:
    """The preview of hierarchies, as `reidrisk table preview` has it."""
    from reidrisk.tables.hierarchy.preview import preview_hierarchies

    counted = _values_of(part, hierarchies)
    return preview_hierarchies(counted, hierarchies, cell_size=part.cell_sizes[0]).to_dict()


@router.get("/r/{release}/table/{part}/hierarchies")
def hierarchies(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The frame of the hierarchies; the page asks for them, because counting may take some seconds."""
    is_deidentified = kind_of_part(folder, part) == "deidentify"
    has_any = is_deidentified and bool(_own_hierarchies(deidentified_part(folder, part)))
    return show_tab(request, folder, part, "hierarchies", has_any=has_any)


def _own_hierarchies(part: DeidentifyPart) -> dict[str, Hierarchy]:
    """The hierarchies of columns of the source, without those of derived variables."""
    made = {one.name for one in part.config.derived}
    return {name: one for name, one in part.hierarchies.items() if name not in made}


@router.get("/r/{release}/table/{part}/hierarchies/cards")
def hierarchy_cards(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The levels of every column, what each does, and how far a column may be generalized."""
    from reidrisk.tables.hierarchy.form import KIND_WORDS, UNITS

    found = deidentified_part(folder, part)
    own = _own_hierarchies(found)
    limited = {name: _limited(found, name, one) for name, one in own.items()}
    preview, raw = _preview_of(found, limited), _raw_hierarchies(found)
    cards = [
        {"column": one, "form": _form_of(raw.get(one["column"])), "table": _preview_table(one, preview)}
        for one in preview["columns"]
    ]
    return render(
        request,
        "table_hierarchy_cards.html",
        folder=folder,
        part=part,
        cards=cards,
        derived=sorted(set(found.hierarchies) - set(own)),
        kinds=KIND_WORDS,
        units=UNITS,
        cell_size=preview["settings"]["cell_size"],
        can_edit=not isinstance(found.given.get("hierarchies"), str),
    )


def _form_of(settings: Any) -> Any:
    from reidrisk.tables.hierarchy.form import HierarchyForm

    return HierarchyForm.of(settings)


def _preview_table(column: dict[str, Any], preview: dict[str, Any]) -> Any:
    from reidrisk.report.kinds.table_hierarchies import columns as tables

    return tables({**preview, "columns": [column]})[0]


def _edited(found: DeidentifyPart, typed: TypedLevels) -> dict[str, Any]:
    """The settings of a hierarchy as a form describes them."""
    from reidrisk.tables.hierarchy.form import HierarchyForm

    before = _raw_hierarchies(found).get(typed.column)
    form = HierarchyForm(typed.kind, typed.levels, typed.unit, suppress=HierarchyForm.of(before).suppress)
    return form.settings(before)


@router.get("/r/{release}/table/{part}/hierarchies/preview")
def preview(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    typed: Annotated[TypedLevels, Depends(typed_query)],
) -> Response:
    """What the levels in the form would do, before they are saved."""
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy

    found = deidentified_part(folder, part)
    column = _known_column(found, typed.column)
    settings = _edited(found, typed)
    settings.pop("max_level", None)
    hierarchy = Hierarchy.of(column, settings, folder=found.folder)
    result = _preview_of(found, {column: hierarchy})
    return render(
        request,
        "table_levels.html",
        one=result["columns"][0],
        table=_preview_table(result["columns"][0], result),
        is_draft=True,
    )


def _known_column(part: DeidentifyPart, column: str) -> str:
    if column not in _own_hierarchies(part):
        raise NotFound
    return column


@router.post("/r/{release}/table/{part}/hierarchies/levels")
def save_levels(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    typed: Annotated[TypedLevels, Depends(typed_form)],
    sha256: Annotated[str, Form(max_length=64)],
) -> Response:
    """Write the levels of a column into the release file."""
    need_role(request, "preparer")
    from reidrisk.assess.editing import edit_release
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy

    found = deidentified_part(folder, part)
    column = _known_column(found, typed.column)
    settings = _edited(found, typed)
    new = Hierarchy.of(column, settings, folder=found.folder)
    if "max_level" in settings:
        try:
            _preview_of(found, {column: new})
        except ReidRiskError:  # the maximum names a level that is gone
            settings.pop("max_level")
    with writing(request, folder, f"levels of {column} in {part}"):
        changes: dict[KeyPath, Any] = {("parts", part, "hierarchies", column): settings}
        edit_release(folder / RELEASE_FILE, changes, expected_sha256=sha256)
    return go_to(request, folder, "table", part, "hierarchies")


@router.post("/r/{release}/table/{part}/hierarchies/most")
def save_most(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    column: Name,
    level: Name,
    sha256: Annotated[str, Form(max_length=64)],
) -> Response:
    """Write the maximum acceptable generalization of a column into the release file."""
    need_role(request, "preparer")
    from reidrisk.assess.editing import edit_release

    found = deidentified_part(folder, part)
    _known_column(found, column)
    _preview_of(found, {column: replace(found.hierarchies[column], max_level=level)})
    with writing(request, folder, f"maximum level of {column} in {part}"):
        changes: dict[KeyPath, Any] = {("parts", part, "max_level", column): level}
        edit_release(folder / RELEASE_FILE, changes, expected_sha256=sha256)
    return go_to(request, folder, "table", part, "hierarchies")
