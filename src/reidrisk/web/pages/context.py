"""Who gets the data: the questionnaire as a form, with threshold and attempt as answers change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile
from reidrisk.web.page import ReleaseFolder, environment, go_to, need_role, render, writing

if TYPE_CHECKING:
    from reidrisk.context.form import FormQuestion
    from reidrisk.context.form_reading import FilledForm
    from reidrisk.report.parts import Table, Verdict

router = APIRouter()
REDRAWN = ("variant", "threshold")
"""Questions whose answers depend on the policy."""
ABOUT = "about."
"""Before the names of fields about the release itself."""
MOST_FIELDS = 500


async def form_fields(request: Request) -> dict[str, str]:
    """The texts of a form, each once."""
    form = await request.form(max_fields=MOST_FIELDS, max_files=0)
    return {name: value for name, value in form.items() if isinstance(value, str)}


Fields = Depends(form_fields)


@dataclass(frozen=True, slots=True)
class ScorePanel:
    """What follows from the answers, as the report words it."""

    verdict: Verdict | None
    notes: tuple[str, ...]
    missing: Table | None
    agreement: Table | None
    groups: Mapping[str, str]
    problems: tuple[str, ...]


@router.get("/r/{release}/context")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The form with the answers of the release file."""
    from reidrisk.assess.release_context import release_about, show_context
    from reidrisk.context.form_reading import field_values

    try:
        filled = show_context(folder / RELEASE_FILE)
        about = release_about(folder / RELEASE_FILE)
    except ReidRiskError as error:
        return render(
            request, "context.html", folder=folder, step="context", status=422, problem=error, filled=None
        )
    return _page(request, folder, filled, field_values(filled.form, filled.settings), about)


@router.post("/r/{release}/context/score")
def score(request: Request, folder: ReleaseFolder, fields: dict[str, str] = Fields) -> Response:
    """What would follow from these answers; nothing is written."""
    from reidrisk.assess.release_context import try_context

    filled = try_context(folder / RELEASE_FILE, fields)
    parts = _template_module(request)
    questions = {one.key: one for one in filled.form.questions}
    return JSONResponse(
        {
            "panel": str(parts.panel(_panel(filled))),
            "applies": {one.key: one.applies for one in filled.form.questions},
            "levels": {name: isinstance(filled.settings.get(name), str) for name in ("motives", "invasion")},
            "problems": dict(filled.problems),
            "groups": dict(_panel(filled).groups),
            "redrawn": {
                key: str(parts.question(questions[key], fields, dict(filled.problems)))
                for key in REDRAWN
                if key in questions
            },
        }
    )


@router.post("/r/{release}/context")
def save(request: Request, folder: ReleaseFolder, fields: dict[str, str] = Fields) -> Response:
    """Write the answers into the release file, and go on to the run."""
    from reidrisk.assess.release_context import save_context, try_context

    need_role(request, "preparer")
    release = folder / RELEASE_FILE
    about = {name.removeprefix(ABOUT): text for name, text in fields.items() if name.startswith(ABOUT)}
    try:
        with writing(request, folder, "context"):
            filled, sha256 = save_context(
                release, fields, expected_sha256=fields.get("sha256", ""), about=about
            )
    except (InvalidSetting, UnreadableFile) as error:
        return _page(request, folder, try_context(release, fields), fields, about, error)
    if sha256 is None:
        problem = InvalidSetting(
            "The answers are not complete yet, so nothing was saved.", hint="Correct what is marked below."
        )
        return _page(request, folder, filled, fields, about, problem)
    return go_to(request, folder, "run")


def _page(
    request: Request,
    folder: Path,
    filled: FilledForm,
    fields: Mapping[str, str],
    about: Mapping[str, str],
    problem: ReidRiskError | None = None,
) -> Response:
    from reidrisk.context.form import CHECKLIST, GENERAL

    groups: dict[str, list[FormQuestion]] = {}
    for one in filled.form.questions:
        groups.setdefault(one.group, []).append(one)
    practices = {title: rows for title, rows in groups.items() if rows[0].key.startswith(f"{CHECKLIST}.")}
    rated = {
        rows[0].key.split(".")[0]: (title, rows)
        for title, rows in groups.items()
        if title not in practices and title != GENERAL
    }
    return render(
        request,
        "context.html",
        folder=folder,
        step="context",
        status=200 if problem is None else 422,
        problem=problem,
        filled=filled,
        fields=fields,
        about=about,
        general={one.key: one for one in groups[GENERAL]},
        practices=practices,
        rated=rated,
        extra=filled.extra,
        panel=_panel(filled),
    )


def _panel(filled: FilledForm) -> ScorePanel:
    problems = tuple(dict.fromkeys(filled.problems.values()))
    if filled.score is None:
        return ScorePanel(None, (), None, None, {}, problems)
    from reidrisk.report.kinds import context_score

    result = filled.score.to_dict()
    return ScorePanel(
        context_score.verdict(result),
        tuple(result["notes"]),
        context_score.missing(result),
        context_score.agreement(result),
        context_score.practice_groups(result),
        problems,
    )


def _template_module(request: Request) -> Any:
    del request
    return environment().get_template("context_parts.html").module
