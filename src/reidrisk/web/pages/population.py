"""The page of a population part: policies side by side at one g, curves, areas ranked, the frontier."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    chart_card_of,
    confined,
    part_result,
    part_settings,
    render,
    result_view,
)

router = APIRouter()
KIND = "population"
USUAL_G = 5
AnyG = Annotated[int, Query(ge=1, le=50)]
TOTAL = "total"


@router.get("/r/{release}/population/{part}")
def show(request: Request, folder: ReleaseFolder, part: str, g: AnyG = USUAL_G) -> Response:
    """Policies at one g with a slider, curves, areas, and the frontier on request."""
    from reidrisk.report.blocks.population_at_g import NOT_STORED, WHAT_TO_DO, largest_g, range_chart

    settings = _settings(folder, part)
    result = part_result(folder, part)
    common: dict[str, Any] = {"folder": folder, "step": "verdict", "part": part, "settings": settings}
    if result is None:
        return render(request, "population.html", view=None, **common)
    view = result_view(result, folder=folder)
    chart = range_chart(result)
    return render(
        request,
        "population.html",
        view=view,
        at=_at(result, g) if largest_g(result) else None,
        not_stored=NOT_STORED,
        curve=None if chart is None else chart_card_of(chart, prefix="g"),
        todo=WHAT_TO_DO,
        measures=[TOTAL, *map(str, _asked(result))],
        **common,
    )


@router.get("/r/{release}/population/{part}/at")
def at_g(request: Request, folder: ReleaseFolder, part: str, g: AnyG) -> Response:
    """Policies and areas at another g."""
    from reidrisk.report.blocks.population_at_g import largest_g

    _settings(folder, part)
    result = part_result(folder, part)
    if result is None or not largest_g(result):
        raise NotFound
    return render(request, "population_at.html", part=part, at=_at(result, g))


@router.get("/r/{release}/population/{part}/explore")
def explore(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    measure: Annotated[str, Query(pattern=r"total|[1-9][0-9]{0,11}")] = TOTAL,
) -> Response:
    """Every policy between the coarser and the finer one, and those that no other one beats."""
    from reidrisk.assess.kinds.population import PopulationPart
    from reidrisk.assess.release_file import read_release
    from reidrisk.report.blocks.population_at_g import WHAT_TO_DO

    _settings(folder, part)
    release = read_release(confined(folder, RELEASE_FILE))
    own = next(one for one in release.parts if one.name == part)
    if not isinstance(own, PopulationPart):
        raise NotFound
    view = result_view(own.explore(measure).to_dict(), prefix="e")
    return render(request, "population_explore.html", part=part, view=view, todo=WHAT_TO_DO)


def _at(result: dict[str, Any], g: int) -> dict[str, Any]:
    """What the page shows at one g."""
    from reidrisk.report.blocks.population_at_g import (
        area_table,
        largest_g,
        meaning_of,
        policies_at,
        policy_table,
    )

    return {
        "g": min(g, largest_g(result)),
        "largest": largest_g(result),
        "meaning": meaning_of(g),
        "policies": policies_at(result, g),
        "table": policy_table(result, g),
        "areas": area_table(result, g),
    }


def _asked(result: dict[str, Any]) -> list[int]:
    """The values of g that the part asks for."""
    asked = result["settings"]["g"]
    return asked if isinstance(asked, list) else []


def _settings(folder: Path, part: str) -> Any:
    """What the release file says about the part; 404 if it is not a population part."""
    found = part_settings(folder, part)
    if found.get("kind") != KIND:
        raise NotFound
    return found
