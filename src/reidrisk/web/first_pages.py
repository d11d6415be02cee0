"""What a browser asks for first: the one-time link, the list of releases, and style and scripts.

These pages need no FastAPI, whose import takes as long as the rest of the start. They take the request and
texts of its URL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import reidrisk.report
from reidrisk.assess.state import WORDS, ReleaseState, list_releases
from reidrisk.core.wording import path_text
from reidrisk.web.page import NotAllowed, NotFound, release_name, render, served, shown_state
from reidrisk.web.security import EVERY_ROLE

if TYPE_CHECKING:
    from reidrisk.assess.demo_job import DemoState

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_NAME = re.compile(r"[a-z0-9_.-]+\.(?:css|js|svg)")
_LIGHT = re.compile(r"\.reidrisk \{\n(.*?)\n\}", re.DOTALL)
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*\.reidrisk \{\n(.*?)\n\s*\}\s*\}", re.DOTALL)


def open_link(request: Request, token: str = "") -> Response:
    """Turn the one-time token into a session.

    The answer is a page that goes on by itself, not a redirect: a browser that came from elsewhere would not
    send the new cookie with a redirect.
    """
    ours = served(request)
    if ours.accounts is not None:
        raise NotFound
    if not ours.token.use(token):
        raise NotAllowed(
            "This link was used already, or is not of this server.",
            hint="Stop `reidrisk serve`, start it again and open the new link.",
        )
    answer = render(request, "opened.html")
    answer.headers.append(
        "set-cookie", ours.site.set_cookie(ours.site.cookie, ours.sessions.begin(None, EVERY_ROLE))
    )
    return answer


@dataclass(frozen=True, slots=True)
class ListedRelease:
    """A line of the list."""

    name: str
    """In URLs."""
    state: ReleaseState
    word: str


def show_releases(request: Request) -> Response:
    """The list, as `reidrisk release list` has it."""
    root = served(request).root
    found = [
        ListedRelease(
            release_name(request, _folder(root, state)),
            shown_state(request, state),
            WORDS[state.verdict] if state.verdict else "not assessed yet",
        )
        for state in list_releases(root)
    ]
    return render(
        request, "releases.html", releases=found, folder_name=path_text(root.name), demo=demo_of(request)
    )


def _folder(root: Path, state: ReleaseState) -> Path:
    return root if Path(state.folder) == root else root / Path(state.folder).name


def demo_of(request: Request) -> DemoState | None:
    """How far the demo in the served folder is; None if nobody makes one."""
    from reidrisk.assess.demo_job import demo_state

    return demo_state(served(request).root)


def show_static(request: Request, name: str) -> Response:  # noqa: ARG001 - every page has it
    """A style sheet or script of the app; never a file of a release."""
    if name == "report.css":
        return Response(report_style(), media_type="text/css")
    path = STATIC / name
    if not _NAME.fullmatch(name) or not path.is_file():
        raise NotFound
    return Response(path.read_bytes(), media_type=TYPES[path.suffix])


@lru_cache(maxsize=1)
def report_style() -> str:
    """The style of the reports, and its two sets of colors for those who choose light or dark themselves."""
    folder = Path(str(reidrisk.report.__file__)).parent
    text = (folder / "templates" / "style.css").read_text(encoding="utf-8")
    light, dark = _LIGHT.search(text), _DARK.search(text)
    if light is None or dark is None:
        raise AssertionError("the style of the reports has no colors")
    own = "\n".join(line for line in light[1].splitlines() if line.strip().startswith("--rr-"))
    return (
        f'{text}\n:root[data-theme="light"] .reidrisk {{\n{own}\n}}\n'
        f':root[data-theme="dark"] .reidrisk {{\n{dark[1]}\n}}\n'
    )


PAGES: Mapping[str, Callable[..., Response]] = {
    "/": show_releases,
    "/open": open_link,
    "/static/{name}": show_static,
}
"""By path."""


def plain_routes() -> list[Route]:
    """The routes of these pages, without FastAPI."""
    return [Route(path, _answering(page)) for path, page in PAGES.items()]


def _answering(page: Callable[..., Response]) -> Callable[[Request], Response]:
    """The page, given what the URL says."""
    names = signature(page).parameters.keys()

    def answer(request: Request) -> Response:
        given = {**request.query_params, **request.path_params}
        return page(request, **{name: value for name, value in given.items() if name in names - {"request"}})

    return answer
