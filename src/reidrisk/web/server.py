"""Start the app: a free port, the one-time link, the browser."""

from __future__ import annotations

import gc
import ipaddress
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.collector import pause_collector
from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, MissingPackage, UnreadableFile
from reidrisk.web.security import headers_of

if TYPE_CHECKING:
    import uvicorn

    from reidrisk.web.app import App

LOOPBACK = "127.0.0.1"
PAUSE = 1.0
"""Seconds without a request, after which modules are loaded ahead."""
LOADED_AHEAD = (
    *("reidrisk.documents.study.read", "reidrisk.documents.review.desk", "reidrisk.documents.page_view"),
    *("pypdfium2", "PIL.PngImagePlugin", "pikepdf", "pdfminer.cmapdb"),
    *("reidrisk.report.views", "reidrisk.report.chart_table", "reidrisk.web.drawing"),
)
"""Modules that take long to import, those of pictures of pages first."""
EVERYWHERE = ("0.0.0.0", "::", "*", "")  # noqa: S104 - these are refused


@dataclass(frozen=True, slots=True)
class Serving:
    """How the app is served."""

    folder: Path
    port: int = 0
    """0 for any free one."""
    host: str = LOOPBACK
    auth: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host == LOOPBACK

    def check(self) -> None:
        """Refuse what would let strangers in."""
        if not self.folder.is_dir():
            raise UnreadableFile(
                f"{path_text(self.folder)} is not a folder.", hint="Name the folder that has your releases."
            )
        if self.host in EVERYWHERE:
            raise InvalidSetting(
                "--host must be the name or address that people type into the browser.",
                hint="Name one address of this computer, not all of them.",
            )
        given = (self.auth, self.tls_cert, self.tls_key)
        if not self.is_local and None in given:
            raise InvalidSetting(
                "With --host, others can reach the app: it needs accounts and an encrypted connection.",
                hint="Add --auth FILE, --tls-cert FILE and --tls-key FILE; to make the first: "
                "reidrisk account add FILE NAME --role preparer",
            )
        if (self.tls_cert is None) != (self.tls_key is None):
            raise InvalidSetting("--tls-cert and --tls-key belong together.", hint="Give both, or none.")
        for file in (self.tls_cert, self.tls_key):
            if file is not None and not file.is_file():
                raise UnreadableFile.missing(file)


def serve(serving: Serving, *, say: Callable[[str], None], browser: bool = True) -> None:
    """Serve the releases in a folder until the process is stopped."""
    serving.check()
    with pause_collector():  # a tenth of the start would be spent on modules, which are never garbage
        for name in ("fastapi", "python_multipart", "uvicorn"):
            if find_spec(name) is None:
                raise MissingPackage.of_extra(name, "web")
        import uvicorn

        listening = _listen(serving)
        app = make_app(serving, listening.getsockname()[1])
        gc.freeze()
    link = link_of(app)
    say(f"Open {link}")
    if app.state.served.accounts is None:
        say("The link works once. Stop with Ctrl-C.")
    else:
        say("Log in with an account. Stop with Ctrl-C.")
    if browser and serving.is_local:
        _open_browser(link)
    server = uvicorn.Server(server_config(app, serving))
    threading.Thread(target=_load_ahead, args=(server, app), daemon=True, name="load ahead").start()
    server.run(sockets=[listening])


def _load_ahead(server: uvicorn.Server, app: App) -> None:
    """Import what the pages of a release need, while somebody reads the first page."""
    seen = 0
    while not seen or server.server_state.total_requests > seen:  # the first page, its style and scripts
        seen = server.server_state.total_requests
        time.sleep(PAUSE)
    app.load_pages()
    for name in LOADED_AHEAD:
        with suppress(ImportError):  # of an extra that is not installed: the page that needs it says so
            import_module(name)


def server_config(app: App, serving: Serving) -> uvicorn.Config:
    """How uvicorn serves the app: it logs nothing about requests, and believes no proxy."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    site = app.state.served.site

    class GuardedProtocol(H11Protocol):
        """Requests that are not even HTTP get the headers of all answers, too."""

        def send_400_response(self, msg: str) -> None:
            import h11

            plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
            answer = h11.Response(status_code=400, headers=headers_of(plain, site, ""), reason=b"Bad Request")
            for event in (answer, h11.Data(data=msg.encode("ascii", "replace")), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
            self.transport.close()

    return uvicorn.Config(
        app,
        http=GuardedProtocol,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=3,
        ssl_certfile=None if serving.tls_cert is None else str(serving.tls_cert),
        ssl_keyfile=None if serving.tls_key is None else str(serving.tls_key),
    )


def make_app(serving: Serving, port: int) -> App:
    """The app for this address."""
    from reidrisk.web.app import create_app
    from reidrisk.web.security import Site

    accounts = None
    if serving.auth is not None:
        from reidrisk.web.accounts import Accounts, read_accounts

        accounts = Accounts(read_accounts(serving.auth))
    site = Site(f"{_shown_host(serving.host)}:{port}", is_tls=serving.tls_cert is not None)
    return create_app(serving.folder, site, accounts=accounts)


def link_of(app: App) -> str:
    """What to open in a browser."""
    served = app.state.served
    start = f"{served.site.origin}/"
    return start if served.accounts is not None else f"{start}open?token={served.token.text}"


def _shown_host(host: str) -> str:
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host.lower()


def _listen(serving: Serving) -> socket.socket:
    try:
        kind, _, _, _, address = socket.getaddrinfo(serving.host, serving.port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(kind, socket.SOCK_STREAM)
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "the address is not one of this computer"
        raise InvalidSetting(
            f"The app cannot be served on port {serving.port}: {reason}.",
            hint="Choose another port, or leave out --port for any free one.",
        ) from None
    return found


def _open_browser(link: str) -> None:
    """Open the link in the background: a browser may take its time."""
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
