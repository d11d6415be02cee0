"""The verdict: one sentence, its reasons, a line for each part, and what would make it acceptable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath
from fastapi.responses import Response

from reidrisk.errors import AlreadyRunning, InvalidSetting, ReidRiskError, UnreadableFile
from reidrisk.web.page import (
    NotFound,
    ReleaseFolder,
    assessment_of,
    go_to,
    is_htmx,
    need_role,
    render,
    result_view,
    state_of,
    status_of,
    user_name,
    writing,
)
from reidrisk.web.pages.context import form_fields

if TYPE_CHECKING:
    from reidrisk.assess.jobs import JobState
    from reidrisk.assess.state import ReleaseState
    from reidrisk.report.parts import Table

router = APIRouter()
EVIDENCE = "evidence."
"""Before the names of fields with evidence."""
OPEN_BLOCKS = ("Released without being measured", "Since the last assessment")
"""Blocks of the report that are unfolded."""
OWN_BLOCKS = ("Parts", "What would make it acceptable")
"""Blocks that this page shows in its own way."""
MOST_OPEN = 3
"""Remedies that are unfolded; the best ones come first."""
Rank = Annotated[int, InPath(ge=1, le=1000)]
Fields = Annotated[dict[str, str], Depends(form_fields)]


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part, and its row of the report's table."""

    name: str
    acceptable: bool | None
    cells: Mapping[str, str]
    sentence: str


@dataclass(frozen=True, slots=True)
class RemedyCard:
    """A remedy, what it asks for, and how its trial stands."""

    remedy: Mapping[str, Any]
    effect: str
    questions: tuple[tuple[str, str], ...]
    """Settings that need evidence or a reason, and their questions."""
    given: Mapping[str, str]
    """What was typed."""
    trial: JobState | None = None
    table: Table | None = None
    """What the trial found."""
    acceptable: bool | None = None
    problem: ReidRiskError | None = None
    is_primary: bool = False
    """Whether it is the first thing to do: the best remedy that is a setting."""

    @property
    def is_enough(self) -> bool:
        """Whether it makes at least one part acceptable."""
        return bool(self.remedy["acceptable_after"] or self.remedy["part_acceptable_after"])

    @property
    def is_setting(self) -> bool:
        """Whether the app can try and apply it."""
        return bool(self.remedy["trial"])


@router.get("/r/{release}/verdict")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """The last verdict, if there is one."""
    state, result = state_of(folder), assessment_of(folder)
    if result is None or state.verdict is None:
        return render(request, "verdict.html", folder=folder, step="verdict", state=state, result=None)
    view = result_view(result, folder=folder, prefix="v")
    cards = _cards(folder, state, result)
    blocks = [one for one in view.blocks if one.title not in OWN_BLOCKS]
    return render(
        request,
        "verdict.html",
        folder=folder,
        step="verdict",
        state=state,
        result=result,
        view=view,
        lines=_lines(result),
        unfolded=[one for one in blocks if one.title in OPEN_BLOCKS],
        folded=[one for one in blocks if one.title not in OPEN_BLOCKS],
        cards=cards,
        is_rerun=_is_rerun(folder, state),
        most_open=MOST_OPEN,
    )


def _lines(result: Mapping[str, Any]) -> list[PartLine]:
    from reidrisk.report.kinds import assessment

    table = assessment.parts(dict(result))
    names = [column.name for column in table.columns]
    return [
        PartLine(
            part["name"],
            part["judged"]["acceptable"],
            dict(zip(names, row, strict=True)),
            part["judged"]["sentence"],
        )
        for part, row in zip(result["parts"], table.rows, strict=True)
    ]


def _cards(folder: Path, state: ReleaseState, result: Mapping[str, Any]) -> list[RemedyCard]:
    from reidrisk.assess.jobs import list_jobs

    made = state.made or ""
    trials: dict[int, JobState] = {}
    for one in list_jobs(folder):
        if one.task == "try" and one.remedy is not None and one.started[:19] >= made[:19]:
            trials.setdefault(one.remedy, one)
    cards = [_card(folder, remedy, trials.get(remedy["rank"])) for remedy in result["remedies"]]
    best = next((one for one in cards if one.is_setting and one.is_enough and state.holds), None)
    return [replace(one, is_primary=one is best) for one in cards]


def _is_rerun(folder: Path, state: ReleaseState) -> bool:
    """Whether the release is being assessed again; trials and verifications leave the verdict as it is."""
    from reidrisk.assess.jobs import list_jobs

    alive = next((one for one in list_jobs(folder) if one.is_alive), None)
    return alive.task == "assess" if alive is not None else state.running


def _card(
    folder: Path,
    remedy: Mapping[str, Any],
    trial: JobState | None,
    given: Mapping[str, str] | None = None,
    problem: ReidRiskError | None = None,
) -> RemedyCard:
    from reidrisk.assess.jobs import job_result
    from reidrisk.assess.remedies import evidence_questions
    from reidrisk.report.kinds import assessment

    found = job_result(folder, trial.id) if trial is not None and trial.status == "done" else None
    return RemedyCard(
        remedy,
        assessment.remedy_effect(dict(remedy)),
        tuple(evidence_questions(remedy)),
        given or {},
        trial,
        None if found is None else assessment.trial(found),
        None if found is None else found["acceptable"],
        problem,
    )


@router.post("/r/{release}/verdict/try/{rank}")
def try_it(request: Request, folder: ReleaseFolder, rank: Rank, fields: Fields) -> Response:
    """Assess the release with a remedy in a process of its own; nothing is written."""
    from reidrisk.assess.jobs import job_state
    from reidrisk.assess.trial import start_remedy_trial

    need_role(request, "preparer")
    evidence = _evidence(fields)
    remedy = _remedy(folder, rank)
    try:
        job = start_remedy_trial(folder, rank, evidence, by=user_name(request))
    except AlreadyRunning as error:
        return _refused(request, folder, _card(folder, remedy, None, evidence, error))
    if not is_htmx(request):
        return go_to(request, folder, "verdict")
    return _fragment(request, folder, _card(folder, remedy, job_state(folder, job), evidence))


@router.get("/r/{release}/verdict/trial/{rank}/{job}")
def trial(request: Request, folder: ReleaseFolder, rank: Rank, job: str) -> Response:
    """How a trial stands; it asks for itself again while the trial runs."""
    from reidrisk.assess.jobs import cancel_job, job_state

    try:
        state = job_state(folder, job)
    except ReidRiskError:
        raise NotFound from None
    if state.task != "try" or state.remedy != rank:
        raise NotFound
    if state.status == "stopping":
        state = cancel_job(folder, job)
    return _fragment(request, folder, _card(folder, _remedy(folder, rank), state), "trial.html")


@router.post("/r/{release}/verdict/apply/{rank}")
def apply(request: Request, folder: ReleaseFolder, rank: Rank, fields: Fields) -> Response:
    """Write a remedy into the release file, and run the assessment again."""
    from reidrisk.assess.jobs import start_job
    from reidrisk.assess.remedies import apply_remedy

    need_role(request, "preparer")
    evidence, remedy = _evidence(fields), _remedy(folder, rank)
    try:
        if state_of(folder).running:
            raise AlreadyRunning("The release is being assessed.", hint="Wait until this has ended.")
        with writing(request, folder, "apply a remedy"):
            apply_remedy(folder, rank, evidence)
    except (InvalidSetting, UnreadableFile, AlreadyRunning) as error:
        return _refused(request, folder, _card(folder, remedy, None, evidence, error))
    start_job(folder, by=user_name(request))
    return go_to(request, folder, "run")


def _evidence(fields: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(EVIDENCE): text.strip()[:2000]
        for name, text in fields.items()
        if name.startswith(EVIDENCE)
    }


def _remedy(folder: Path, rank: int) -> Mapping[str, Any]:
    from reidrisk.assess.remedies import remedy_of

    try:
        return remedy_of(folder, rank)
    except ReidRiskError:
        raise NotFound from None


def _refused(request: Request, folder: Path, card: RemedyCard) -> Response:
    """The remedy with what was typed, and why nothing was done."""
    assert card.problem is not None  # noqa: S101 - for the type checker
    if not is_htmx(request):
        raise card.problem
    return _fragment(request, folder, card, status=status_of(card.problem))


def _fragment(
    request: Request, folder: Path, card: RemedyCard, template: str = "remedy.html", *, status: int = 200
) -> Response:
    return render(request, template, folder=folder, card=card, status=status)
