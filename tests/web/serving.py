"""A server for tests: the real one, in a thread or as a process, on a folder of releases."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from reidrisk.web.app import App, create_app, open_session
from reidrisk.web.security import EVERY_ROLE, Site
from reidrisk.web.server import Serving, _listen, link_of, make_app, server_config

with warnings.catch_warnings():  # a newer httpx would be another package
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

__all__ = ["HOST", "ORIGIN", "Client", "Running", "TestClient", "client_of", "running"]
HOST = "127.0.0.1:8123"
ORIGIN = f"http://{HOST}"


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers."""

    app: App
    root: Path
    """The folder that it serves."""

    @property
    def origin(self) -> str:
        return str(self.app.state.served.site.origin)

    @property
    def link(self) -> str:
        """The link that works once."""
        return link_of(self.app)

    def cookie(self, user: str | None = None, roles: tuple[str, ...] = EVERY_ROLE) -> dict[str, str]:
        """A new session, as Playwright adds cookies to a context."""
        return {
            "name": self.app.state.served.site.cookie,
            "value": open_session(self.app, user, roles),
            "url": self.origin,
        }


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    """The real server on a free port, in a thread; use it with the browser."""
    serving = Serving(folder)
    listening = _listen(serving)
    app = make_app(serving, listening.getsockname()[1])
    app.load_pages()  # before the thread: FastAPI changes the filters of warnings, which all threads share
    server = uvicorn.Server(server_config(app, serving))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Running(app, folder)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Client(TestClient):
    """A client with a session, which sends what our own pages send."""

    def __init__(self, app: App, user: str | None = None, roles: tuple[str, ...] = EVERY_ROLE) -> None:
        super().__init__(app, base_url=ORIGIN, raise_server_exceptions=False, follow_redirects=False)
        name = open_session(app, user, roles)
        served = app.state.served
        session = served.sessions.find(name)
        assert session is not None
        self.app_served = served
        self.cookies.set(served.site.cookie, name)
        self.headers.update({"Origin": ORIGIN, "X-CSRF-Token": session.csrf})


def client_of(folder: Path, user: str | None = None, roles: tuple[str, ...] = EVERY_ROLE) -> Client:
    """A client of an app that serves a folder, in this process and without a browser."""
    return Client(create_app(folder, Site(HOST)), user, roles)
