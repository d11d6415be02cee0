"""How a browser gets in with an account, and what it remembers about itself."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from reidrisk.web.accounts import LOCKED
from reidrisk.web.page import THEMES, NotFound, local_url, render, served, session_of

router = APIRouter()


@router.get("/login")
def login_page(request: Request) -> Response:
    """The form; there is none without accounts."""
    if served(request).accounts is None:
        raise NotFound
    return render(request, "login.html", name="")


@router.post("/login")
def login(
    request: Request,
    name: Annotated[str, Form(max_length=200)],
    password: Annotated[str, Form(max_length=1000)],
) -> Response:
    """Begin a new session for an account."""
    ours = served(request)
    if ours.accounts is None:
        raise NotFound
    account, problem = ours.accounts.check(name, password)
    if account is None or problem is not None:
        return render(
            request, "login.html", status=429 if problem == LOCKED else 401, name=name, problem=problem
        )
    ours.sessions.end(request.scope["state"].get("session_name"))
    answer: HTMLResponse = render(request, "opened.html")
    begun = ours.sessions.begin(account.name, (account.role,))
    answer.headers.append("set-cookie", ours.site.set_cookie(ours.site.cookie, begun))
    return answer


@router.post("/logout")
def logout(request: Request) -> Response:
    """End the session."""
    ours = served(request)
    ours.sessions.end(request.scope["state"].get("session_name"))
    answer = RedirectResponse("/login" if ours.accounts is not None else "/", status_code=303)
    answer.headers.append("set-cookie", ours.site.drop_cookie(ours.site.cookie))
    return answer


@router.get("/csrf")
def secret(request: Request) -> Response:
    """The secret of the session, for pages that were open while the server started again."""
    session = session_of(request)
    return JSONResponse({"csrf": session.csrf if session is not None else ""})


@router.post("/theme")
def choose_theme(
    request: Request,
    theme: Annotated[str, Form(max_length=20)],
    back: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Remember light or dark; anything else means as the system has it."""
    site = served(request).site
    answer = RedirectResponse(local_url(back), status_code=303)
    name = site.theme_cookie
    cookie = (
        f"{site.set_cookie(name, theme)}; Max-Age=31536000" if theme in THEMES else site.drop_cookie(name)
    )
    answer.headers.append("set-cookie", cookie)
    return answer
