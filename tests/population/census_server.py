"""A server on this machine that answers in the documented shape of the Census Bureau's interface."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import numpy as np
from numpy.typing import NDArray

from tests.population.builders import CELLS, LETTERS

COUNTIES = ("001", "003")
MOST = 50


@dataclass
class Bureau:
    """What the server does, and what it was asked."""

    made: NDArray[np.int64]
    statuses: list[int] = field(default_factory=list)
    """Answers that come first, before the right ones."""
    body: bytes | None = None
    """Answered instead of the right thing."""
    bodies: list[bytes] = field(default_factory=list)
    """Answered first, before the right things."""
    cut: int = 0
    """So many answers end before their announced length."""
    drip: float = 0.0
    """Seconds between the bytes of an answer."""
    url: str = ""
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str) -> list[list[str | None]]:
        """As documented: a line of names, then one a county, all texts, the area at the end."""
        parts = urlsplit(path)
        question = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert question["for"] == "county:*"
        state = question["in"].removeprefix("state:")
        if parts.path.endswith("/2020/dec/dhc"):
            letter = question["get"].removeprefix("group(PCT12").removesuffix(")")
            names = [f"PCT12{letter}_{at:03d}N" for at in range(1, CELLS + 1)]
            header = ["GEO_ID", "NAME", *(own for name in names for own in (name, f"{name}A"))]
            table = self.made[LETTERS.index(letter)]
            lines: list[list[str | None]] = [
                [
                    f"0500000US{state}{county}",
                    "x",
                    *(cell for count in row for cell in (str(count), None)),
                    state,
                    county,
                ]
                for county, row in zip(COUNTIES, table, strict=True)
            ]
            return [[*header, "state", "county"], *lines]
        assert parts.path.endswith("/dec/sf1")
        wanted = question["get"].split(",")
        assert len(wanted) <= MOST
        places = [(LETTERS.index(name[6]), int(name[7:]) - 1) for name in wanted]
        found: list[list[str | None]] = [[*wanted, "state", "county"]]
        for at, county in enumerate(COUNTIES):
            found.append([*(str(self.made[table, at, cell]) for table, cell in places), state, county])
        return found


@contextmanager
def bureau(made: NDArray[np.int64], *, port: int = 0) -> Iterator[Bureau]:
    """The server, while it runs; at any free port, if none is given."""
    acts = Bureau(made)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            acts.asked.append(self.path)
            status = acts.statuses.pop(0) if acts.statuses else 200
            given = acts.bodies.pop(0) if acts.bodies else acts.body
            right = given is None and status == 200
            body = json.dumps(acts.answer(self.path)).encode() if right else given or b""
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{acts.url}/elsewhere")
            self.send_header("Content-Length", str(len(body) + (10 if acts.cut else 0)))
            self.close_connection = True
            acts.cut = max(acts.cut - 1, 0)
            self.end_headers()
            try:
                if not acts.drip:
                    self.wfile.write(body)
                for at in range(len(body) if acts.drip else 0):
                    self.wfile.write(body[at : at + 1])
                    self.wfile.flush()
                    time.sleep(acts.drip)
            except OSError:
                pass

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    acts.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield acts
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
