"""The page of a text part: verdict, recall by type, what-ifs, leaks as places, other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting
from reidrisk.web.page import (
    ASSESSMENT,
    PARTS,
    NotFound,
    ReleaseFolder,
    confined,
    log_click,
    part_result,
    part_settings,
    release_content,
    render,
    result_view,
)

if TYPE_CHECKING:
    from reidrisk.assess.kinds.text import TextPart
    from reidrisk.assess.release_file import ReleaseFile

router = APIRouter()
KIND = "text"
RECALL = "recall."
"""Begins the name of a field with the recall of a type."""
MOST_TYPES = 500
LEAKS_ON_A_PAGE = 25
MOST_LEAKS = 10_000_000
TOOL_SUFFIXES = (".jsonl", ".ndjson", ".xml", ".zip")
MOST_TOOLS = 50


@router.get("/r/{release}/text/{part}")
def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """Verdict, intervals against limits, recall by type; the rest of the page is loaded from here."""
    from reidrisk.report.blocks import text_counts, text_improvements
    from reidrisk.report.blocks.text_guide import WHAT_TO_DO

    settings = _settings(folder, part)
    result = part_result(folder, part)
    if result is None:
        return render(
            request, "text.html", folder=folder, step="verdict", part=part, settings=settings, view=None
        )
    first = [text_improvements.needed_recalls(result), text_counts.recall_by_type(result)]
    shown = [one for one in (*first, text_counts.type_mapping_of_documents(result)) if one is not None]
    view = result_view(result, folder=folder)
    titles = {one.title for one in shown}
    return render(
        request,
        "text.html",
        folder=folder,
        step="verdict",
        part=part,
        settings=settings,
        view=view,
        shown=shown,
        others=[one for one in view.blocks if one.title not in titles],
        todo=WHAT_TO_DO,
        has_documents=not settings.get("counts"),
        tools=_other_tools(folder, part),
    )


@router.get("/r/{release}/text/{part}/what-if")
def what_if(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """Sliders for the recall of each type and for recognition, and the answer."""
    from reidrisk.context.recognition import PUBLISHED
    from reidrisk.report.numbers import percent

    _settings(folder, part)
    result = _what_if(request, folder, part)
    types = sorted(result["types"], key=lambda one: (one["role"], one["recall"] or 0.0, one["type"]))
    recognition = result["recognition"]["before"]
    return render(
        request,
        "text_what_if.html",
        folder=folder,
        part=part,
        result=result,
        leaking=[one for one in types if one["recall"] is not None and one["recall"] < 1],
        perfect=[one for one in types if one["recall"] == 1],
        recognition=recognition if isinstance(recognition, float | int) else None,
        published=PUBLISHED,
        percent=percent,
        view=result_view(result, prefix="w"),
    )


@router.get("/r/{release}/text/{part}/what-if/answer")
def what_if_answer(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """The answer alone, as sliders move."""
    _settings(folder, part)
    result = _what_if(request, folder, part)
    return render(
        request,
        "text_what_if_answer.html",
        folder=folder,
        result=result,
        view=result_view(result, prefix="w"),
    )


def _what_if(request: Request, folder: Path, part: str) -> dict[str, Any]:
    from reidrisk.text.scenario import text_what_if

    place = confined(folder, ASSESSMENT, PARTS, part)
    fields = [(name, value) for name, value in request.query_params.multi_items() if value]
    recalls = {name.removeprefix(RECALL): _share(value) for name, value in fields if name.startswith(RECALL)}
    if len(recalls) > MOST_TYPES:
        raise InvalidSetting("These are too many types.", hint="Change fewer types at once.")
    recognition = next((_share(value) for name, value in fields if name == "recognition"), None)
    return text_what_if(place, recall=recalls, recognition=recognition).to_dict()


def _share(value: str) -> float:
    """A number from 0 to 1."""
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise InvalidSetting("This must be a number from 0 to 1.", hint="Move the slider again.")
    return found


@router.get("/r/{release}/text/{part}/leaks")
def leaks(
    request: Request,
    folder: ReleaseFolder,
    part: str,
    page: Annotated[int, Query(ge=1, le=MOST_LEAKS)] = 1,
) -> Response:
    """Where the tool leaks: documents by number, types and positions, without any text."""
    found = _part(folder, part)[1].leaks().leaks
    pages = max(-(-len(found) // LEAKS_ON_A_PAGE), 1)
    at = min(page, pages)
    first = (at - 1) * LEAKS_ON_A_PAGE
    rows = list(enumerate(found))[first : first + LEAKS_ON_A_PAGE]
    return render(
        request,
        "text_leaks.html",
        folder=folder,
        part=part,
        rows=rows,
        number=len(found),
        documents=len({one.document_number for one in found}),
        page=at,
        pages=pages,
    )


@router.post("/r/{release}/text/{part}/leaks/{number}")
def leak(request: Request, folder: ReleaseFolder, part: str, number: int) -> Response:
    """The text of one leak, which somebody asked for by a click; the log has the click, not the text."""
    if not 0 <= number <= MOST_LEAKS:
        raise NotFound
    _, own = _part(folder, part)
    log_click(request, folder, f"show the text of leak {number + 1} of {part}")
    context = own.leaks(context_of=number).context
    if context is None:
        raise NotFound
    return render(request, "text_leak.html", folder=folder, part=part, number=number, context=context)


@router.get("/r/{release}/text/{part}/compare")
def compare(
    request: Request, folder: ReleaseFolder, part: str, tool: Annotated[str, Query(max_length=500)]
) -> Response:
    """This tool and another one on the same gold standard."""
    tools = _other_tools(folder, part)
    if tool not in tools:
        raise NotFound
    confined(folder, tools[tool])
    release, own = _part(folder, part)
    found = own.compare_with({tool: tools[tool]}, release.score, seed=release.seed)
    view = result_view(found.to_dict(), prefix="k")
    return render(request, "text_compare.html", folder=folder, part=part, view=view)


def _settings(folder: Path, part: str) -> Any:
    """What the release file says about the part; 404 if it is not a text part."""
    found = part_settings(folder, part)
    if found.get("kind") != KIND:
        raise NotFound
    return found


def _part(folder: Path, part: str) -> tuple[ReleaseFile, TextPart]:
    from reidrisk.assess.kinds.text import TextPart
    from reidrisk.assess.release_file import read_release

    _settings(folder, part)
    release = read_release(confined(folder, RELEASE_FILE))
    own = next(one for one in release.parts if one.name == part)
    if not isinstance(own, TextPart):
        raise NotFound
    return release, own


def _other_tools(folder: Path, part: str) -> dict[str, str]:
    """Outputs of other tools: those of parts with the same gold standard, and other files."""
    own = _settings(folder, part)
    if own.get("counts"):
        return {}
    parts = release_content(folder).get("parts")
    found = {
        str(one["name"]): str(one["tool"])
        for one in (parts if isinstance(parts, list) else [])
        if isinstance(one, dict) and one.get("kind") == KIND and one.get("gold") == own.get("gold")
        if one.get("name") != part and one.get("tool")
    }
    known = {str(own.get("gold")), str(own.get("tool")), *found.values()}
    places = [folder, folder / "uploads"]
    files = [path for place in places if place.is_dir() for path in sorted(place.iterdir())]
    for path in files:
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.suffix.lower() in TOOL_SUFFIXES and name not in known:
            found.setdefault(name, name)
    return dict(list(found.items())[:MOST_TOOLS])
