"""The solutions of a table at any cell size and suppression limit, from the profile of its lattice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import JSONResponse, Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web.page import (
    ReleaseFolder,
    chart_card_of,
    need_role,
    part_result,
    redirect,
    release_name,
    render,
    url_of,
    writing,
)
from reidrisk.web.table_part import (
    Kept,
    deidentified_part,
    identity,
    kind_of_part,
    profile_file,
    show_tab,
    source_of,
)

if TYPE_CHECKING:
    from reidrisk.assess.kinds.deidentify import ExploredSolution
    from reidrisk.tables.deidentify.explored import TableExploration
    from reidrisk.tables.deidentify.profile import LatticeProfile

router = APIRouter()
CellSize = Annotated[int, Query(ge=2, le=50)]
Share = Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)]
NodeText = Annotated[str, Query(max_length=400, pattern=r"^([0-9]{1,3}(-[0-9]{1,3}){0,63})?$")]
LayoutName = Annotated[str, Query(max_length=200)]
_PROFILES, _TRIED = Kept(8), Kept(8)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an explorer asks for; by default the limits of the search, and the best combination there."""

    cell_size: int | None
    max_suppression: float | None
    node: str
    """Level numbers, joined by hyphens."""
    layout: str


def asked_for(
    cell_size: CellSize | None = None,
    max_suppression: Share | None = None,
    node: NodeText = "",
    layout: LayoutName = "",
) -> Asked:
    """Read it from the URL."""
    return Asked(cell_size, max_suppression, node, layout)


Explored = Annotated[Asked, Depends(asked_for)]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A combination of levels to be used, and the release file that it was chosen for."""

    asked: Asked
    sha256: str


def chosen_by(
    cell_size: Annotated[int, Form(ge=2, le=50)],
    max_suppression: Annotated[float, Form(ge=0, le=1, allow_inf_nan=False)],
    sha256: Annotated[str, Form(max_length=64)],
    node: Annotated[str, Form(max_length=400, pattern=r"^[0-9]{1,3}(-[0-9]{1,3}){0,63}$")],
    layout: Annotated[str, Form(max_length=200)] = "",
) -> Chosen:
    """Read it from a form."""
    return Chosen(Asked(cell_size, max_suppression, node, layout), sha256)


def profile_of(folder: Path, part: str) -> LatticeProfile:
    """The profile of the last run."""
    from reidrisk.tables.deidentify.profile import read_lattice_profile

    path = profile_file(folder, part)
    if not path.is_file():
        raise InvalidSetting("This part was not measured yet.", hint="Run the assessment first.")
    found: LatticeProfile = _PROFILES.get(identity(path), lambda: read_lattice_profile(path))
    return found


def explored(profile: LatticeProfile, asked: Asked) -> TableExploration:
    """The exploration that a page asks for; the best combination unless it names one."""
    size, share = asked.cell_size, asked.max_suppression
    plain = profile.explore(cell_size=size, max_suppression=share, layout=asked.layout or None)
    if not asked.node:
        return plain
    numbers = [int(level) for level in asked.node.split("-")]
    if len(numbers) != len(plain.layout.quasi):
        raise InvalidSetting("This combination of levels is not in the profile.", hint="Choose another.")
    levels = dict(zip(plain.layout.quasi, numbers, strict=True))
    return profile.explore(cell_size=size, max_suppression=share, layout=plain.layout.name, levels=levels)


def _explorer(request: Request, folder: Path, part: str, result: dict[str, Any]) -> dict[str, Any]:
    """What the explorer shows: dots, the described combination, tables."""
    from reidrisk.report.blocks.deidentified_search import candidates
    from reidrisk.report.charts.explorer import candidate_plot, curve_plot, node_text
    from reidrisk.report.kinds import table_exploration as kind

    chosen = result["selected"]
    return {
        "release": release_name(request, folder),
        "part": part,
        "result": result,
        "verdict": kind.verdict(result),
        "notes": result["notes"],
        "plot": candidate_plot(result),
        "curve": curve_plot(result),
        "curve_table": kind.curve_table(result),
        "facts": kind.selected(result),
        "levels": kind.levels(result),
        "candidates": candidates(result),
        "thresholds": kind.thresholds(result),
        "node": node_text(chosen["level_numbers"]) if chosen else "",
        "usable": bool(chosen and chosen["acceptable"] and (chosen["minimal"] or chosen["best"])),
        "share_needed": kind.share_needed(result),
    }


@router.get("/r/{release}/table/{part}/solutions")
def solutions(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    asked: Explored,
    used: Annotated[int, Query(ge=0, le=1)] = 0,
) -> Response:
    """The explorer."""
    missing = None
    if kind_of_part(folder, part) != "deidentify" or not profile_file(folder, part).is_file():
        return show_tab(request, folder, part, "solutions", explorer=None, missing=missing, used=used)
    try:
        profile = profile_of(folder, part)
    except ReidRiskError as error:
        return show_tab(request, folder, part, "solutions", explorer=None, missing=error, used=used)
    result = explored(profile, asked).to_dict()
    return show_tab(
        request,
        folder,
        part,
        "solutions",
        explorer=_explorer(request, folder, part, result),
        missing=missing,
        layouts=[one.name for one in profile.layouts],
        layout=asked.layout,
        used=used,
    )


@router.get("/r/{release}/table/{part}/solutions/view")
def solutions_view(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    asked: Explored,
) -> Response:
    """The explorer at other limits: what a slider shows while it moves."""
    result = explored(profile_of(folder, part), asked).to_dict()
    return render(request, "table_explorer.html", **_explorer(request, folder, part, result))


@router.get("/r/{release}/table/{part}/solutions/figures")
def solutions_figures(folder: ReleaseFolder, part: str, asked: Explored) -> Response:
    """The figures as `reidrisk table explore --json` writes them."""
    return JSONResponse(explored(profile_of(folder, part), asked).to_dict())


def _solution(folder: Path, part: str, asked: Asked) -> ExploredSolution:
    from reidrisk.assess.kinds.deidentify import ExploredSolution

    found = explored(profile_of(folder, part), asked)
    result = found.to_dict()["selected"]
    if result is None or not result["acceptable"] or not (result["minimal"] or result["best"]):
        raise InvalidSetting(
            "This combination of levels is not a candidate at these limits.", hint="Choose one of the dots."
        )
    return ExploredSolution(result["levels"], found.nodes.cell_size, found.nodes.limit, found.layout.name)


@router.get("/r/{release}/table/{part}/solutions/distributions")
def distributions(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    asked: Explored,
) -> Response:
    """The values before and after: of the released combination as it was measured, else counted now."""
    from reidrisk.assess.kind import RunControl
    from reidrisk.assess.release_file import read_release
    from reidrisk.report.blocks.deidentified_cost import distributions as charts
    from reidrisk.report.blocks.deidentified_cost import risks

    solution = _solution(folder, part, asked)
    result = part_result(folder, part)
    is_released = result is not None and _is_released(result, solution)
    if not is_released:
        found = deidentified_part(folder, part)
        seed = read_release(folder / RELEASE_FILE).seed
        paths = (Path(source_of(found)), folder / RELEASE_FILE)
        key = (identity(*paths), str(solution))
        result = _TRIED.get(key, lambda: found.try_levels(RunControl(seed), solution))
    if result is None or result["solution"] is None:
        raise InvalidSetting(
            "With these levels there is no solution: another limit of the release prevents it.",
            hint="Choose another candidate.",
        )
    cards = [chart_card_of(one, prefix="d") for one in charts(result)]
    return render(
        request, "table_distributions.html", cards=cards, risks=risks(result), is_released=is_released
    )


def _is_released(result: Mapping[str, Any], solution: ExploredSolution) -> bool:
    found = result.get("solution")
    return (
        found is not None
        and found["levels"] == dict(solution.levels)
        and result["threshold"]["cell_size"] == solution.cell_size
        and result["settings"]["max_suppression"] == solution.max_suppression
    )


@router.post("/r/{release}/table/{part}/solutions/use")
def use_solution(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    chosen: Annotated[Chosen, Depends(chosen_by)],
) -> Response:
    """Write a combination of levels into the release file; the next run finds it."""
    need_role(request, "preparer")
    from reidrisk.assess.editing import edit_release

    solution = _solution(folder, part, chosen.asked)
    changes = deidentified_part(folder, part).changes_for(solution)
    with writing(request, folder, f"solution chosen for {part}"):
        edit_release(folder / RELEASE_FILE, changes, expected_sha256=chosen.sha256)
    there = url_of(release_name(request, folder), "table", part, "solutions")
    limits = f"cell_size={solution.cell_size}&max_suppression={solution.max_suppression:g}"
    return redirect(request, f"{there}?{limits}&used=1")
