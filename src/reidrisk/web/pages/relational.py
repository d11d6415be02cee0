"""Linked tables: tables and keys, risk by table, treatments; and what several parts tell together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from reidrisk.web.page import (
    ASSESSMENT,
    PART_RESULT,
    PARTS,
    NotFound,
    ReleaseFolder,
    ResultView,
    ShownProblem,
    assessment_of,
    part_result,
    part_settings,
    read_json,
    render,
    result_view,
)

router = APIRouter()
KIND, TOGETHER = "relational", "joint"


@router.get("/r/{release}/relational/{part}")
def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The tables with their keys, what each adds to the risk, and what becomes of every variable."""
    from reidrisk.report.blocks.relational import MAIN_BLOCKS, WHAT_TO_DO

    if part_settings(folder, part).get("kind") != KIND:
        raise NotFound
    result = part_result(folder, part)
    view = None if result is None else result_view(result, folder=folder)
    return render(
        request,
        "relational.html",
        folder=folder,
        step="verdict",
        part=part,
        view=view,
        cards={} if view is None else _cards(view),
        main={} if view is None else {one.title: one for one in view.blocks if one.title in MAIN_BLOCKS},
        others=[] if view is None else [one for one in view.blocks if one.title not in MAIN_BLOCKS],
        groups=_groups_with(folder, part),
        todo=WHAT_TO_DO,
        failed=_failure(folder, part),
    )


@router.get("/r/{release}/together/{part}")
def together(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """What the parts of a group tell together, as a waterfall, and without each of them."""
    from reidrisk.report.blocks.relational import WHAT_TO_DO

    found = _assessed(folder).get(part)
    if found is None or found.get("kind") != TOGETHER:
        raise NotFound
    result = read_json(folder, ASSESSMENT, PARTS, part, PART_RESULT)
    return render(
        request,
        "together.html",
        folder=folder,
        step="verdict",
        part=part,
        view=None if result is None else result_view(result, folder=folder),
        members=[] if result is None else result["settings"]["parts"],
        todo=WHAT_TO_DO,
        failed=_failure(folder, part),
    )


def _cards(view: ResultView) -> dict[str, Any]:
    return {card.chart.name: card for card in view.cards}


def _assessed(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The parts of the last assessment by their names."""
    parts = (assessment_of(folder) or {}).get("parts")
    listed = parts if isinstance(parts, list) else []
    return {str(one.get("name")): one for one in listed if isinstance(one, Mapping)}


def is_group(folder: Path, part: str) -> bool:
    """Whether a name is that of parts that were judged together."""
    return _assessed(folder).get(part, {}).get("kind") == TOGETHER


def _groups_with(folder: Path, part: str) -> list[tuple[str, ResultView]]:
    """The groups of parts that a part was judged with."""
    found: list[tuple[str, ResultView]] = []
    for name, one in _assessed(folder).items():
        if one.get("kind") != TOGETHER:
            continue
        result = read_json(folder, ASSESSMENT, PARTS, name, PART_RESULT)
        if result is not None and part in result["settings"]["parts"]:
            found.append((name, result_view(result, folder=folder, prefix=f"g{len(found)}")))
    return found


def _failure(folder: Path, part: str) -> ShownProblem | None:
    """Why the part could not be measured in the last run."""
    error = _assessed(folder).get(part, {}).get("error")
    if not isinstance(error, Mapping):
        return None
    return ShownProblem(str(error.get("problem", "")), str(error.get("hint", "")))
