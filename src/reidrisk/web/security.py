"""Who may ask for what: every request passes the gate before it reaches a page.

In this order: the Host header must be exactly ours; nobody is told by another site to ask (Sec-Fetch-Site,
Origin); the session of the cookie is known; and a request that changes something carries the session's own
secret. Every answer, errors too, leaves with the same headers.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Inner = Callable[[Scope, Receive, Send], Awaitable[None]]

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src 'self'; "
    "object-src 'none'"
)
PREVIEW_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
"""Of a report that is shown in a frame: it brings its own style, and can run and load nothing."""
PREVIEW = b"x-reidrisk-preview"
"""A page sets this header on the answer that is a report; it does not leave the app."""
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
CSRF_HEADER, CSRF_FIELD = b"x-csrf-token", "csrf"
SAFE = ("GET", "HEAD")
OPEN, LOGIN = "/open", "/login"
STYLES = ("/static/app.css", "/static/report.css", "/static/icon.svg")
"""What the pages before the session need."""
MOST_FORM_BYTES, MOST_FIELDS = 2**20, 20_000
IDLE_SECONDS = 30 * 60.0
MOST_SESSIONS = 1000
EVERY_ROLE = ("preparer", "reviewer", "approver")


@dataclass(slots=True)
class Session:
    """A browser that showed the token, or a person who logged in."""

    user: str | None
    """The account; None on the user's own machine, where the system knows who it is."""
    roles: tuple[str, ...]
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    seen: float = field(default_factory=time.monotonic)


class Sessions:
    """The sessions of this server; they end with it."""

    def __init__(self, *, idle: float | None) -> None:
        self._idle = idle
        self._found: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, user: str | None, roles: Iterable[str]) -> str:
        """Start a session; returns what its cookie holds."""
        name = secrets.token_urlsafe(32)
        with self._lock:
            self._drop_idle()
            while len(self._found) >= MOST_SESSIONS:
                del self._found[min(self._found, key=lambda one: self._found[one].seen)]
            self._found[name] = Session(user, tuple(roles))
        return name

    def find(self, name: str | None) -> Session | None:
        """The session of a cookie, unless it was idle for too long."""
        with self._lock:
            self._drop_idle()
            session = self._found.get(name or "")
            if session is not None:
                session.seen = time.monotonic()
            return session

    def end(self, name: str | None) -> None:
        """Log out."""
        with self._lock:
            self._found.pop(name or "", None)

    def _drop_idle(self) -> None:
        if self._idle is None:
            return
        old = time.monotonic() - self._idle
        for name in [name for name, one in self._found.items() if one.seen < old]:
            del self._found[name]


class OneTimeToken:
    """The secret in the link that `reidrisk serve` prints; it opens one session."""

    def __init__(self) -> None:
        self.text = secrets.token_urlsafe(32)
        self._is_used = False
        self._lock = threading.Lock()

    def use(self, given: str) -> bool:
        """Whether this is the token and nobody used it before."""
        is_right = hmac.compare_digest(given.encode("utf-8", "replace"), self.text.encode())
        with self._lock:
            if not is_right or self._is_used:
                return False
            self._is_used = True
            return True


@dataclass(frozen=True, slots=True)
class Site:
    """Where the app is served, and how its cookie is called."""

    host: str
    """Exactly what the Host header must be, with the port."""
    is_tls: bool = False

    @property
    def origin(self) -> str:
        """What the Origin header must be."""
        return f"{'https' if self.is_tls else 'http'}://{self.host}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: cookies ignore ports, so each server has a name of its own."""
        port = self.host.rpartition(":")[2]
        return f"{'__Host-' if self.is_tls else ''}reidrisk-{port}"

    @property
    def theme_cookie(self) -> str:
        """The name of the cookie that remembers light or dark."""
        return f"{self.cookie}-theme"

    def set_cookie(self, name: str, value: str) -> str:
        """A header that sets a cookie."""
        secure = "; Secure" if self.is_tls else ""
        return f"{name}={value}; HttpOnly; SameSite=Strict; Path=/{secure}"

    def drop_cookie(self, name: str) -> str:
        """A header that removes a cookie."""
        return f"{self.set_cookie(name, '')}; Max-Age=0"


class Refusal(Exception):
    """Why the gate does not let a request through."""

    def __init__(self, status: int, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.status, self.problem, self.hint = status, problem, hint


class Gate:
    """Lets requests through to the pages, and puts the headers on every answer."""

    def __init__(self, site: Site, sessions: Sessions, *, has_accounts: bool) -> None:
        self.site, self.sessions, self.has_accounts = site, sessions, has_accounts
        self.refuse: Callable[[Refusal, Scope], tuple[int, bytes]] = _plain
        """Draws the page of a refusal."""

    async def __call__(self, inner: Inner, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await inner(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets
        answer = _Answer(send, self.site, scope["path"])
        try:
            self._check_asked(scope)
            self._check_session(scope)
            receive = await self._check_change(scope, receive)
        except Refusal as refusal:
            await answer.whole(*self.refuse(refusal, scope))
            return
        try:
            await inner(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001 - its text may quote data
            tell_defect(error, scope.get("state", {}).get("number"))
            if not answer.is_begun:
                defect = Refusal(500, "Something went wrong in reidrisk.", "Go back and try again.")
                await answer.whole(*self.refuse(defect, scope))

    def _check_asked(self, scope: Scope) -> None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1:
            raise Refusal(400, "The request names no host, or several.", "Open the link again.")
        if hosts[0] != self.site.host:
            raise Refusal(421, "This server is not called that.", f"Open {self.site.origin}/ instead.")
        sites = _values(scope, b"sec-fetch-site")
        is_own = all(one in ("same-origin", "none") for one in sites)
        is_opening = scope["path"] == OPEN and scope["method"] in SAFE
        if not is_own and not is_opening:
            raise Refusal(
                403, "Another site asked for this page.", "Type the address, or open the link again."
            )

    def _check_session(self, scope: Scope) -> None:
        state = scope.setdefault("state", {})
        name = cookie_of(scope, self.site.cookie)
        state["session_name"] = name
        state["session"] = session = self.sessions.find(name)
        path = scope["path"]
        is_public = (
            path in STYLES
            or (path == OPEN and not self.has_accounts)
            or (path == LOGIN and self.has_accounts)
        )
        if session is None and not is_public:
            hint = (
                "Log in first."
                if self.has_accounts
                else "Open the link that `reidrisk serve` printed. It works once: start it again for another."
            )
            raise Refusal(401, "This browser may not see this page.", hint)

    async def _check_change(self, scope: Scope, receive: Receive) -> Receive:
        """Whether a request that may change something was made by our own page."""
        if scope["method"] in SAFE:
            return receive
        if _values(scope, b"origin") != [self.site.origin]:
            raise Refusal(403, "The request does not come from this app.", "Reload the page and try again.")
        session: Session | None = scope["state"]["session"]
        if session is None:  # nobody is logged in, so nobody's rights can be used
            return receive
        given = _values(scope, CSRF_HEADER)
        if not given and _is_form(scope):
            body = await _form_body(scope, receive)
            given, receive = _form_secret(body), _again(body, receive)
        if len(given) != 1 or not hmac.compare_digest(given[0].encode(), session.csrf.encode()):
            raise Refusal(403, "This page is from an earlier session.", "Reload the page and try again.")
        return receive


def headers_of(own: Iterable[tuple[bytes, bytes]], site: Site, path: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer: its own, and those that all have."""
    given = [(name.lower(), value) for name, value in own]
    is_preview = any(name == PREVIEW for name, _ in given)
    # elsewhere our own pages are told: a form without a referrer would be sent without its origin, too
    referrer = b"no-referrer" if path == OPEN else b"same-origin"
    mine = [
        *HEADERS,
        (b"referrer-policy", referrer),
        (b"content-security-policy", (PREVIEW_CSP if is_preview else CSP).encode()),
        *(() if is_preview else ((b"x-frame-options", b"DENY"),)),
        *(((b"strict-transport-security", b"max-age=31536000"),) if site.is_tls else ()),
    ]
    replaced = {name for name, _ in mine} | {PREVIEW, b"server"}
    return [*(one for one in given if one[0] not in replaced), *mine]


class _Answer:
    """Sends an answer with the headers that all have."""

    def __init__(self, send: Send, site: Site, path: str) -> None:
        self._send, self._site, self._path = send, site, path
        self.is_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_begun = True
            message = {**message, "headers": headers_of(message.get("headers", ()), self._site, self._path)}
        await self._send(message)

    async def whole(self, status: int, body: bytes) -> None:
        own = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": own})
        await self.send({"type": "http.response.body", "body": body})


def _plain(refusal: Refusal, _scope: Scope) -> tuple[int, bytes]:
    return refusal.status, f"{refusal.problem} {refusal.hint}".encode()


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def cookie_of(scope: Scope, name: str) -> str | None:
    """The value of a cookie of a request."""
    for text in _values(scope, b"cookie"):
        try:
            found = SimpleCookie(text).get(name)
        except CookieError:
            continue
        if found is not None:
            return found.value
    return None


def _is_form(scope: Scope) -> bool:
    kinds = _values(scope, b"content-type")
    return len(kinds) == 1 and kinds[0].split(";")[0].strip().lower() == "application/x-www-form-urlencoded"


def _form_secret(body: bytes) -> list[str]:
    try:
        return parse_qs(body.decode("utf-8", "replace"), max_num_fields=MOST_FIELDS).get(CSRF_FIELD, [])[:1]
    except ValueError:
        raise Refusal(400, "The form has too many fields.", "Reload the page and try again.") from None


async def _form_body(scope: Scope, receive: Receive) -> bytes:
    """The fields of a form, which are few; files come with the header instead."""
    said = _values(scope, b"content-length")
    body = bytearray()
    if len(said) == 1 and said[0].isdigit() and int(said[0]) > MOST_FORM_BYTES:  # do not wait for it
        raise Refusal(413, "The form is too large.", "Shorten what you typed.")
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refusal(400, "The request ended too early.", "Try again.")
        body += message.get("body", b"")
        if len(body) > MOST_FORM_BYTES:
            raise Refusal(413, "The form is too large.", "Shorten what you typed.")
        if not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read to the page, too."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def once() -> Message:
        return left.pop() if left else await receive()

    return once


def tell_defect(error: Exception, number: str | None) -> None:
    """Print the type and place of an unexpected error. Its message may quote data and is not shown."""
    import sys
    from pathlib import Path

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    mark = f" (number {number})" if number else ""
    sys.stderr.write(f"A defect in reidrisk{mark}: {type(error).__name__} at {place}.\n")
