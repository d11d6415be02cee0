"""The page of a table: its columns, its risk and what can be downloaded; other tabs are in other modules.

Figures and sentences come from the results and from `report`; these modules find files and call functions.
What takes long to count (values, classes, profiles) is kept in memory by the identity of the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from reidrisk.core.shared_settings import CELL_SIZE
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting
from reidrisk.web.page import (
    ASSESSMENT,
    NotFound,
    ReleaseFolder,
    chart_card_of,
    confined,
    go_to,
    log_click,
    part_result,
    part_settings,
    release_name,
    render,
)
from reidrisk.web.table_part import (
    Kept,
    identity,
    part_of,
    profile_file,
    show_tab,
    source_of,
)

if TYPE_CHECKING:
    from reidrisk.tables.classes import CountedClasses

router = APIRouter()
LISTED_CLASSES = 12
DEIDENTIFIED, MEASURED_TABLE = "table_deidentified", "table_risk"
_CLASSES = Kept(2)


@router.get("/r/{release}/table/{part}")
def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """On to the first tab that has something to say."""
    has_profile = profile_file(folder, part).is_file()
    return go_to(request, folder, "table", part, "solutions" if has_profile else "columns")


# --- columns ---


@router.get("/r/{release}/table/{part}/columns")
def columns(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """What each column is, and what happens to it."""
    result = part_result(folder, part)
    blocks: list[Any] = []
    if result is not None:
        from reidrisk.report.blocks import inventory
        from reidrisk.report.blocks.deidentified_release import codebook, layout

        if result["kind"] == DEIDENTIFIED:
            blocks = [codebook(result), *([layout(result)] if result["solution"] else [])]
        found = inventory.inventory(result)
        blocks += [found] if found is not None else []
    return show_tab(request, folder, part, "columns", result=result, blocks=blocks)


# --- risk ---


def _classes_of(folder: Path, part: str) -> CountedClasses:
    """The classes of the table, counted once."""
    from reidrisk.assess.kinds.deidentify import DeidentifyPart
    from reidrisk.tables.classes import count_classes

    found = part_of(folder, part)
    key = identity(Path(source_of(found)), folder / RELEASE_FILE)

    def make() -> CountedClasses:
        table = source_of(found)
        if isinstance(found, DeidentifyPart):
            return count_classes(
                table, found.schema, found.hierarchies, options=found.options, reading=found.config.reading
            )
        return count_classes(table, found.schema, reading=getattr(found, "reading", None))  # type: ignore[attr-defined]

    classes: CountedClasses = _CLASSES.get(key, make)
    return classes


def _class_settings(result: dict[str, Any] | None, *, released: bool) -> dict[str, Any]:
    """Which columns and levels are explained: those of the solution, or the exact values."""
    if result is None or result["kind"] != DEIDENTIFIED or not result["variables"]:
        return {}
    columns = [row["column"] for row in result["variables"]]
    numbers = [row["level_number"] for row in result["variables"]]
    if not released or None in numbers:
        return {"columns": columns}
    return {"columns": columns, "levels": dict(zip(columns, numbers, strict=True))}


@router.get("/r/{release}/table/{part}/risk")
def risk(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The risk as it was measured; the classes come when they are counted."""
    result = part_result(folder, part)
    view = None
    if result is not None:
        from reidrisk.report.kinds import table_risk
        from reidrisk.report.views import kind_of

        cards = [chart_card_of(one, prefix="k") for one in kind_of(result).charts(result)]
        tables = []
        if result["kind"] == DEIDENTIFIED:
            from reidrisk.report.blocks.deidentified_cost import risks

            tables = [risks(result)] if result["solution"] else []
        elif result["kind"] == MEASURED_TABLE:
            tables = [table_risk.attacks(result), *filter(None, [table_risk.drivers(result)])]
        view = {"cards": cards, "tables": tables}
    is_generalized = bool(_class_settings(result, released=True).get("levels"))
    return show_tab(request, folder, part, "risk", view=view, is_generalized=is_generalized)


@router.get("/r/{release}/table/{part}/risk/classes")
def classes(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    number: Annotated[int, Query(ge=1, le=1000)] = 1,
    released: Annotated[int, Query(ge=0, le=1)] = 0,
) -> Response:
    """The riskiest classes, and the waterfall of one of them; no values."""
    return _class_fragment(request, folder, part, number, released=bool(released), values=False)


@router.post("/r/{release}/table/{part}/risk/values")
def class_values(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    number: Annotated[int, Form(ge=1, le=1000)] = 1,
    released: Annotated[int, Form(ge=0, le=1)] = 0,
) -> Response:
    """The values of one class, for somebody who asked for them; logged without the values."""
    log_click(request, folder, f"show values of class {number} of {part}")
    return _class_fragment(request, folder, part, number, released=bool(released), values=True)


def _class_fragment(
    request: Request, folder: Path, part: str, number: int, *, released: bool, values: bool
) -> Response:
    from reidrisk.report.kinds import table_classes as kind

    counted = _classes_of(folder, part)
    chosen = _class_settings(part_result(folder, part), released=released)
    size = _cell_size(folder, part)
    listed = counted.riskiest(cell_size=size, most=LISTED_CLASSES, **chosen).to_dict()
    one = counted.riskiest(cell_size=size, only=number, values=values, **chosen).to_dict()
    return render(
        request,
        "table_classes.html",
        release=release_name(request, folder),
        part=part,
        listed=listed,
        table=kind.classes(listed),
        number=number,
        released=int(released),
        waterfall=kind.waterfall_table(one["classes"][0], one["records"]),
        steps=kind.waterfall_steps(one["classes"][0], one["records"]),
        path=kind.path_text(one["classes"][0]),
        has_values=values,
    )


def _cell_size(folder: Path, part: str) -> int:
    result = part_result(folder, part)
    threshold = (result or {}).get("threshold")
    return int(threshold["cell_size"] if isinstance(threshold, Mapping) else CELL_SIZE.default)


# --- download ---


@router.get("/r/{release}/table/{part}/download")
def download(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """What can be downloaded, and why not if nothing can."""
    result, out = part_result(folder, part), _released_file(folder, part)
    has_codebook = result is not None and result["kind"] == DEIDENTIFIED and result["solution"] is not None
    return show_tab(
        request,
        folder,
        part,
        "download",
        result=result,
        file=out if out is not None and out.is_file() else None,
        bytes=out.stat().st_size if out is not None and out.is_file() else 0,
        named=out,
        has_codebook=has_codebook,
    )


def _released_file(folder: Path, part: str) -> Path | None:
    """Where the released table is written; None if the release file names no file inside its folder."""
    given = part_settings(folder, part).get("out")
    return confined(folder, str(given)) if given and "://" not in str(given) else None


@router.get("/r/{release}/table/{part}/download/table")
def download_table(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The released table, only if the last assessment wrote it and it did not change since."""
    from fastapi.responses import FileResponse

    from reidrisk.assess.inputs import file_hash
    from reidrisk.assess.manifest import read_manifest

    path = _released_file(folder, part)
    listed = (read_manifest(folder / ASSESSMENT) or {}).get("outputs", [])
    known = next((one for one in listed if one["part"] == part), None)
    if path is None or not path.is_file() or known is None:
        raise NotFound
    if file_hash(path)[0] != known["sha256"]:
        raise InvalidSetting(
            "The released table was changed after the assessment wrote it.", hint="Run the assessment again."
        )
    log_click(request, folder, f"download the released table of {part}")
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.get("/r/{release}/table/{part}/download/codebook")
def download_codebook(folder: ReleaseFolder, part: str) -> Response:
    """The codebook for recipients, as `reidrisk table deidentify` writes it."""
    from reidrisk.report.codebook import codebook_text

    result = part_result(folder, part)
    if result is None or result["kind"] != DEIDENTIFIED or result["solution"] is None:
        raise NotFound
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in part)
    headers = {"Content-Disposition": f'attachment; filename="{name}.codebook.md"'}
    return Response(codebook_text(result), media_type="text/markdown; charset=utf-8", headers=headers)
