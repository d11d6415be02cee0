"""The app: the gate in front, errors without values, and the pages."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match

from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.web import first_pages
from reidrisk.web.page import NotFound, Served, environment, error_answer, is_htmx, render
from reidrisk.web.security import (
    EVERY_ROLE,
    IDLE_SECONDS,
    Gate,
    OneTimeToken,
    Receive,
    Refusal,
    Scope,
    Send,
    Sessions,
    Site,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

    from reidrisk.web.accounts import Accounts

PAGES = (
    "session",
    "releases",
    "new",
    "files",
    "roles",
    "compare",
    "part",
    "job_bar",
    "context",
    "run",
    "verdict",
    "report",
    "sign",
    "verify",
    "log",
    "table",
    "table_hierarchies",
    "table_solutions",
    "document",
    "text",
    "population",
    "relational",
)
"""Modules of `web/pages`, each with a `router`."""
NO_TELEMETRY: Any = {
    "telemetry": {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
}
"""Newer versions of FastAPI would tell the names of releases to whom a variable of the environment says."""


class App:
    """The gate, and the pages behind it.

    Starlette answers what a browser asks for first. FastAPI and the other pages are loaded while somebody
    reads the first page, or when another one is asked for, and answer everything from then on.
    """

    def __init__(self, served: Served) -> None:
        self.state = State({"served": served})
        self.gate = Gate(served.site, served.sessions, has_accounts=served.accounts is not None)
        self.gate.refuse = _refusal_page
        self._first = Starlette(routes=first_pages.plain_routes(), exception_handlers=HANDLERS)
        self._first.state = self.state
        self._all: FastAPI | None = None
        self._loading = threading.Lock()

    @property
    def has_all_pages(self) -> bool:
        """Whether all pages are loaded."""
        return self._all is not None

    def load_pages(self) -> FastAPI:
        """All pages; they are loaded once."""
        with self._loading:
            if self._all is None:
                self._all = _all_pages(self.state)
            return self._all

    def openapi(self) -> dict[str, Any]:
        """The schema of all pages, for tests; the running app serves none."""
        return self.load_pages().openapi()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request that the gate lets through."""
        await self.gate(self._inside, scope, receive, send)

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_first = self._all is None and self._is_first(scope)
        app = self._first if is_first else await run_in_threadpool(self.load_pages)
        with suppress(ClientDisconnect):  # who went away wants no answer, and it is no defect
            await app(scope, receive, send)

    def _is_first(self, scope: Scope) -> bool:
        """Whether Starlette can answer this request."""
        if scope["type"] != "http":
            return True
        routes = self._first.routes
        return scope["method"] == "GET" and any(one.matches(scope)[0] is Match.FULL for one in routes)


def _all_pages(state: State) -> FastAPI:
    """FastAPI with all pages."""
    from fastapi import FastAPI
    from fastapi.exceptions import RequestValidationError

    app = FastAPI(
        openapi_url=None, docs_url=None, redoc_url=None, debug=False, redirect_slashes=False, **NO_TELEMETRY
    )
    app.state = state
    for kind, answer in {**HANDLERS, RequestValidationError: _invalid}.items():
        app.add_exception_handler(kind, answer)
    for path, page in first_pages.PAGES.items():
        app.get(path)(page)
    for name in PAGES:
        app.include_router(import_module(f"reidrisk.web.pages.{name}").router)
    return app


def create_app(
    folder: str | Path,
    site: Site,
    *,
    token: OneTimeToken | None = None,
    accounts: Accounts | None = None,
) -> App:
    """The app that serves the releases in a folder."""
    sessions = Sessions(idle=None if accounts is None else IDLE_SECONDS)
    return App(Served(Path(folder).resolve(), site, sessions, token or OneTimeToken(), accounts))


def open_session(app: App, user: str | None = None, roles: tuple[str, ...] = EVERY_ROLE) -> str:
    """Begin a session without a browser, for tests; returns what its cookie holds."""
    found: Served = app.state.served
    return found.sessions.begin(user, roles)


def _refusal_page(refusal: Refusal, _scope: Scope) -> tuple[int, bytes]:
    page = environment().get_template("refused.html").render(refusal=refusal)
    return refusal.status, page.encode()


async def _known_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ReidRiskError)  # noqa: S101 - for the type checker
    return error_answer(request, error)


async def _invalid(request: Request, _: Exception) -> Response:
    """FastAPI's own answer would repeat what was sent."""
    problem = InvalidSetting(
        "Something in this request is missing or out of range.", hint="Go back, correct it and try again."
    )
    return error_answer(request, problem)


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    if status == 404:
        return error_answer(request, NotFound())
    problem = InvalidSetting("This page does not take that request.", hint="Go back and try again.")
    answer = error_answer(request, problem)
    answer.status_code = status
    return answer


async def _defect(request: Request, _: Exception) -> HTMLResponse:
    """One sentence and a number, which the terminal shows with the place of the defect."""
    number = secrets.token_hex(4)
    request.scope["state"]["number"] = number
    problem = InvalidSetting(
        "Something went wrong in reidrisk; nothing was changed by this request.",
        hint=f"Try again. If it stays, report the number {number} and what the terminal says about it.",
    )
    name = "error_fragment.html" if is_htmx(request) else "error.html"
    return render(request, name, status=500, problem=problem, number=number)


HANDLERS: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    ReidRiskError: _known_error,
    HTTPException: _not_found,
    Exception: _defect,
}
"""What answers an error, by its class."""
