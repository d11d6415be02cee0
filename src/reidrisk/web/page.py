"""What every page needs. Read this before you write a page.

**A page** is a module in `web/pages` with `router = APIRouter()`, listed in `PAGES` of `web/app.py`. Write
plain `def` functions (they run in threads, the library may block), and import what is slow inside of them:

    @router.get("/r/{release}/table/{part}")
    def show(request: Request, folder: ReleaseFolder, part: str) -> Response:
        result = part_result(folder, part)          # 404 if there is no such part, None if not measured yet
        view = None if result is None else result_view(result, folder=folder)
        return render(request, "table.html", folder=folder, step="verdict", view=view)

**The release.** `ReleaseFolder` is the folder that `{release}` in the URL names; 404 if it is not a release
below the served folder. `release_name(request, folder)` is the way back, in templates `url_of(release,
"files")`. Any other file comes from `confined(folder, "assessment", name)`: 404 if it leaves the folder.
Everything that a page knows is in that folder, read anew for each request: `state_of(folder)`,
`release_content(folder)`, `assessment_of(folder)` and `part_result(folder, part)`.

**Results.** `result_view(result)` gives the blocks that the report has for this kind: verdict, warnings,
charts with a table for each, tables, facts. In a template: `{{ parts.result(view) }}`, or its pieces:
`report.banner(view.verdict)`, `parts.chart_card(card)`, `report.table(block)`. `chart_card_of(chart)` draws
one chart of `report/charts`, legal under the content security policy: never put other SVG into a page.

**Rights.** Call `need_role(request, "preparer")` first in a function that edits or runs, `"reviewer"` where
decisions on findings are taken, `"approver"` where somebody signs. `user_name(request)` is for logs.

**Values of patients** (texts, cells, leaks, page pictures) are shown only after a click on a button that
says so. The function that answers it calls `log_click(request, folder, "show leak 3 of notes")` first, with
no value.

**Changes.** Everything that writes does so under `with writing(request, folder, "roles confirmed"):`;
release files only by `assess.editing.edit_release` with the `expected_sha256` that the form carries
(`<input type="hidden" name="sha256" value="{{ state.sha256 }}">`). If somebody changed the file meanwhile,
ChangedMeanwhile becomes a page or fragment with status 409 that says what to do: raise it, do not catch it.
Afterwards `return go_to(request, folder, "roles")`.

**Errors.** Raise `ReidRiskError` with problem and hint, or let it through: it becomes a page, or for htmx
the fragment `error_fragment.html`, with status 409 (changed meanwhile, already running), 403, 404 or 422.
Any other exception becomes one sentence with a number. To keep what was typed, catch the error and render
your page again with `problem=error` and `{{ parts.problem(problem) }}`.

**Templates** extend `base.html` (blocks `title`, `main`, `scripts`); `parts` and `report` (macros of this
app, and of the reports) are imported by `{% import "parts.html" as parts with context %}` and `{% import
"report/parts.html" as report %}`. No inline script or style, no `style=`, no `hx-on`, no `js:`, no filters
of triggers: a test reads the templates. Forms that post have `{{ parts.csrf() }}`; htmx and
`reidrisk.send(url, {...})` of `static/app.js` send the secret themselves. htmx 4 inherits nothing and swaps
in answers with error codes, too. Bound every number that comes from outside: `Annotated[int, Query(ge=1,
le=500)]`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reidrisk.assess.state import RESULT, ReleaseProblem, ReleaseState, is_release_folder, release_state
from reidrisk.core.regular_files import read_regular
from reidrisk.core.trail import RELEASE_FILE, Recorder, log_viewed, recorded, system_user
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import AlreadyRunning, BadData, ChangedMeanwhile, MissingPackage, ReidRiskError
from reidrisk.web.security import OneTimeToken, Session, Sessions, Site, cookie_of
from reidrisk.web.uploads import UploadTooLarge

if TYPE_CHECKING:
    from fastapi import Depends

    from reidrisk.report.charts.canvas import Chart
    from reidrisk.report.parts import Table
    from reidrisk.report.section import Section
    from reidrisk.web.accounts import Accounts

ASSESSMENT, PARTS, PART_RESULT = "assessment", "parts", "result.json"
SELF = "@"
"""The name of the served folder itself in URLs, if it is a release."""
STEPS = (
    ("files", "Files"),
    ("roles", "Roles"),
    ("context", "Context"),
    ("run", "Run"),
    ("verdict", "Verdict"),
    ("report", "Report"),
    ("sign", "Sign"),
)
"""The path from files to a signed report: the last part of the URL, and what the rail calls it."""
PAGE_OF_KIND = {
    "text": "text",
    "table": "table",
    "deidentify": "table",
    "transform": "table",
    "attack": "table",
    "documents": "document",
    "population": "population",
    "relational": "relational",
}
"""The page of a part, by its kind."""
MOST_JSON_BYTES = 2**30
THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Served:
    """What one server serves; `request.app.state.served`."""

    root: Path
    site: Site
    sessions: Sessions
    token: OneTimeToken
    accounts: Accounts | None = None


class NotFound(ReidRiskError):
    """There is no such page; it does not say what there is instead."""

    def __init__(self) -> None:
        super().__init__("There is no such page.", hint="Go back, or to the list of releases.")


class NotAllowed(ReidRiskError):
    """The account has another role."""


def served(request: Request) -> Served:
    """What this server serves."""
    found: Served = request.app.state.served
    return found


# --- the release ---


def release_folder(request: Request, release: str) -> Path:
    """The folder of a release by its name in the URL; 404 if it is none directly below the served one."""
    root = served(request).root
    if release == SELF:
        found = root
    else:
        is_plain = release and release == Path(release).name and not release.startswith((".", "~"))
        if not is_plain or "\\" in release or "\0" in release or ":" in release:
            raise NotFound
        found = confined(root, release)
    if not is_release_folder(found) or not _stays(found / RELEASE_FILE, found):
        raise NotFound
    return found


if TYPE_CHECKING:
    ReleaseFolder = Annotated[Path, Depends(release_folder)]
    """The folder that `{release}` in the URL names."""


def __getattr__(name: str) -> Any:
    """`ReleaseFolder`, when a page asks for it: the first page does not wait for FastAPI."""
    if name != "ReleaseFolder":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fastapi import Depends

    return Annotated[Path, Depends(release_folder)]


def confined(folder: Path, *names: str) -> Path:
    """A path below a folder, also after every link is followed; 404 otherwise."""
    try:
        path = folder.joinpath(*names)
        is_inside = _stays(path, folder)
        path.exists()  # a name that is too long is an error of the system
    except (OSError, ValueError, RuntimeError):
        raise NotFound from None
    if not is_inside or any(name.startswith("/") or ".." in Path(name).parts for name in names):
        raise NotFound
    return path


def _stays(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def release_name(request: Request, folder: Path) -> str:
    """The name of a release in URLs, not yet quoted."""
    root = served(request).root
    return SELF if folder == root else folder.name


def url_of(release: str, *steps: str) -> str:
    """The URL of a page of a release.

    >>> url_of("my release", "part", "a/b")
    '/r/my%20release/part/a%2Fb'
    """
    return "/".join(("/r", *(quote(one, safe="@") for one in (release, *steps))))


def state_of(folder: Path) -> ReleaseState:
    """Verdict, what changed since, signatures, whether a run is alive, and the hash of the release file."""
    return release_state(folder)


def release_content(folder: Path) -> Mapping[str, Any]:
    """The release file as data; empty if it cannot be read (`state_of(folder).problems` says why)."""
    try:
        found = read_yaml(folder / RELEASE_FILE)
    except ReidRiskError:
        return {}
    return found if isinstance(found, Mapping) else {}


def assessment_of(folder: Path) -> dict[str, Any] | None:
    """The last assessment as `reidrisk assess --json` writes it; None if there is none."""
    return read_json(folder, ASSESSMENT, RESULT)


def part_names(folder: Path) -> tuple[str, ...]:
    """The parts that the release file names."""
    parts = release_content(folder).get("parts")
    listed = parts if isinstance(parts, list) else []
    return tuple(str(one.get("name", "")) for one in listed if isinstance(one, Mapping))


def part_settings(folder: Path, part: str) -> Mapping[str, Any]:
    """What the release file says about a part; 404 if it names no such part."""
    parts = release_content(folder).get("parts")
    for one in parts if isinstance(parts, list) else []:
        if isinstance(one, Mapping) and str(one.get("name", "")) == part:
            return one
    raise NotFound


def part_result(folder: Path, part: str) -> dict[str, Any] | None:
    """The stored result of a part; None if it was not measured, 404 if the release has no such part."""
    part_settings(folder, part)
    return read_json(folder, ASSESSMENT, PARTS, part, PART_RESULT)


def read_json(folder: Path, *names: str) -> dict[str, Any] | None:
    """A JSON file below a folder; None if it is not there."""
    path = confined(folder, *names)
    if not path.is_file():
        return None
    try:
        found = json.loads(read_regular(path, most=MOST_JSON_BYTES))
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadData(f"{path_text(path.name)} cannot be read.", hint="Run the assessment again.")
    return found


# --- results ---


@dataclass(frozen=True, slots=True)
class ChartCard:
    """A chart as a page shows it."""

    chart: Chart
    svg: str
    """Markup that is legal under the content security policy; empty if there is nothing to draw."""
    table: Table | None
    """The same as a table; None if there is nothing to draw."""


@dataclass(frozen=True, slots=True)
class ChartCards:
    """Small charts that belong together."""

    title: str
    explanation: str
    cards: tuple[ChartCard, ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    """One result, as the report has it."""

    section: Section
    cards: tuple[ChartCard, ...]
    blocks: tuple[Any, ...]
    """Tables and facts of the report, and ChartCards."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.section, name)


def chart_card_of(chart: Chart, *, prefix: str = "c") -> ChartCard:
    """Draw a chart; `prefix` makes its ids unique on the page."""
    from reidrisk.report.chart_table import chart_table
    from reidrisk.web.drawing import page_svg

    return ChartCard(chart, page_svg(chart, prefix=prefix), chart_table(chart))


def result_view(result: dict[str, Any], *, folder: Path | None = None, prefix: str = "r") -> ResultView:
    """Everything the report shows of a result of any kind.

    With the folder of its release, the drawings of the last assessment are used again, which is faster.
    `prefix` makes ids unique on the page.
    """
    from reidrisk.report.charts.drawings import drawings_from
    from reidrisk.report.section import Gallery
    from reidrisk.report.views import kind_of

    kind = kind_of(result)
    stored = None if folder is None else folder / ASSESSMENT
    with _DRAWING, drawings_from(stored if stored is not None and stored.is_dir() else None):
        section = kind.section(result, id=prefix, title=kind.titles([result])[0])
        cards = tuple(chart_card_of(one.chart, prefix=prefix) for one in section.pictures)
        blocks = tuple(
            ChartCards(
                one.title,
                one.explanation,
                tuple(chart_card_of(picture.chart, prefix=prefix) for picture in one.pictures),
            )
            if isinstance(one, Gallery)
            else one
            for one in section.blocks
        )
    return ResultView(section, cards, blocks)


_DRAWING = threading.Lock()
"""Charts are drawn one at a time: the settings of matplotlib belong to all threads."""


# --- people ---


def session_of(request: Request) -> Session | None:
    """The session of a request; only the pages before the session see None."""
    found: Session | None = request.scope["state"].get("session")
    return found


def user_name(request: Request) -> str:
    """Who asks: the account, or on the user's own machine the user of the system."""
    session = session_of(request)
    return (session.user if session is not None else None) or system_user()


def has_role(request: Request, role: str) -> bool:
    """Whether who asks may do what this role does."""
    session = session_of(request)
    return session is not None and role in session.roles


def need_role(request: Request, role: str) -> None:
    """Refuse with 403 unless who asks has this role."""
    if not has_role(request, role):
        raise NotAllowed(f"Only a {role} may do this.", hint="Ask somebody with that role, or log in as one.")


def log_click(request: Request, folder: Path, what: str) -> None:
    """Log that somebody looked at values: what, such as `show leak 3 of notes`, without any value."""
    log_viewed(folder, f"serve: {what}", name=user_name(request))


_WRITING = threading.RLock()


@contextmanager
def writing(request: Request, folder: Path, what: str) -> Iterator[None]:
    """Log what the block writes as `serve: what`; blocks of several requests follow each other."""
    release = folder / RELEASE_FILE
    inputs = (release.resolve(),) if release.is_file() else ()
    with _WRITING, recorded(Recorder(f"serve: {what}", name=user_name(request), inputs=inputs)):
        yield


# --- answers ---


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """The templates of this app, and those of the reports below `report/`."""
    found = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [
                jinja2.PackageLoader("reidrisk.web", "templates"),
                jinja2.PrefixLoader({"report": jinja2.PackageLoader("reidrisk.report", "templates")}),
            ]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"url_of": url_of, "steps": STEPS, "themes": THEMES}
    return found


def render(
    request: Request, template: str, *, folder: Path | None = None, status: int = 200, **values: Any
) -> HTMLResponse:
    """A page or a fragment.

    With `folder`, templates know `release` (its name for `url_of`), `state` and `rail`. `step` is the name
    of a step of STEPS that the page belongs to.
    """
    known = {**_shared(request), **(_of_release(request, folder, values) if folder is not None else {})}
    shown = {name: _without_root(request, value) for name, value in {**known, **values}.items()}
    text = environment().get_template(template).render(shown)
    return HTMLResponse(text, status_code=status)


def _without_root(request: Request, value: Any) -> Any:
    """Errors, and states with problems, as a page shows them."""
    if isinstance(value, ReidRiskError):
        return shown_problem(request, value)
    return shown_state(request, value) if isinstance(value, ReleaseState) else value


def shown_state(request: Request, state: ReleaseState) -> ReleaseState:
    """The state of a release with problems as a page shows them."""
    shown = [shown_problem(request, one) for one in state.problems]
    return replace(state, problems=tuple(ReleaseProblem(one.problem, one.hint) for one in shown))


def _shared(request: Request) -> dict[str, Any]:
    session = session_of(request)
    theme = cookie_of(request.scope, served(request).site.theme_cookie)
    return {
        "user": user_name(request) if session is not None else None,
        "roles": session.roles if session is not None else (),
        "csrf_secret": session.csrf if session is not None else "",
        "has_accounts": served(request).accounts is not None,
        "theme": theme if theme in THEMES else "",
        "here": request.url.path,
        "release": None,
        "state": None,
        "rail": (),
        "job": None,
        "step": None,
        "problem": None,
    }


def _of_release(request: Request, folder: Path, values: Mapping[str, Any]) -> dict[str, Any]:
    from reidrisk.assess.jobs import list_jobs

    state = values.get("state") or state_of(folder)
    alive = next((one for one in list_jobs(folder)[:1] if one.is_alive), None)
    return {
        "release": release_name(request, folder),
        "state": state,
        "rail": step_rail(state, release_content(folder)),
        "job": alive,
    }


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the rail."""

    name: str
    label: str
    is_done: bool


def step_rail(state: ReleaseState, content: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps from files to a signed report, and which of them are done."""
    parts = content.get("parts")
    tables = [
        one
        for one in (parts if isinstance(parts, list) else [])
        if isinstance(one, Mapping) and PAGE_OF_KIND.get(str(one.get("kind"))) == "table"
    ]
    is_assessed = state.holds and not state.problems
    done = {
        "files": bool(state.parts),
        "roles": bool(state.parts) and all(one.get("confirmed", True) is True for one in tables),
        "context": content.get("context") is not None and is_assessed,
        "run": is_assessed,
        "verdict": is_assessed,
        "report": is_assessed,
        "sign": is_assessed and any(one.covers for one in state.signed),
    }
    return tuple(Step(name, label, done[name]) for name, label in STEPS)


def go_to(request: Request, folder: Path, *steps: str) -> Response:
    """Answer a form: the browser goes on to a page of the release. htmx is told by a header."""
    return redirect(request, url_of(release_name(request, folder), *steps))


def redirect(request: Request, url: str) -> Response:
    """Answer a form: the browser goes on to another page of this app."""
    if is_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": url})
    return RedirectResponse(url, status_code=303)


def is_htmx(request: Request) -> bool:
    """Whether a fragment is wanted, not a page."""
    return request.headers.get("hx-request") == "true"


def status_of(error: ReidRiskError) -> int:
    """The status code of an error."""
    codes = {
        NotFound: 404,
        NotAllowed: 403,
        ChangedMeanwhile: 409,
        AlreadyRunning: 409,
        MissingPackage: 501,
        UploadTooLarge: 413,
    }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), 422)


def error_answer(request: Request, error: ReidRiskError) -> HTMLResponse:
    """Problem and hint of an error, as a page or as a fragment for htmx."""
    name = "error_fragment.html" if is_htmx(request) else "error.html"
    return render(request, name, status=status_of(error), problem=shown_problem(request, error), number=None)


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """Problem and hint of an error as a page shows them."""

    problem: str
    hint: str


def shown_problem(request: Request, error: ReidRiskError | ReleaseProblem) -> ShownProblem:
    """Problem and hint with paths below the served folder: where that folder is concerns nobody."""
    folders = {f"{root}/" for root in (served(request).root, served(request).root.resolve())}
    texts = [error.problem, error.hint]
    for folder in folders:
        texts = [text.replace(folder, "") for text in texts]
    return ShownProblem(*texts)


_LOCAL = re.compile(r"/(?![/\\])[^\x00-\x1f\x7f\\]*")


def local_url(given: str) -> str:
    """A URL of this app that a form sent; the first page if it leads elsewhere.

    >>> local_url("/r/a/files"), local_url("//evil.example/"), local_url("https://evil.example")
    ('/r/a/files', '/', '/')
    """
    return given if _LOCAL.fullmatch(given) else "/"
