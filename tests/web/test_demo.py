"""The demo from the empty page; its start and its cancellation in the browser are in test_releases.py."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of


def end(folder: Path, **told: object) -> Client:
    """A client of a folder whose demo has ended."""
    place = folder / ".reidrisk" / "demo"
    place.mkdir(parents=True)
    (place / "job.json").write_text('{"started": "2020-01-01T00:00:00+00:00"}', encoding="utf-8")
    (place / "done.json").write_text(json.dumps(told), encoding="utf-8")
    return client_of(folder)


def test_the_finished_demo_is_opened(tmp_path: Path, demo_releases: Path) -> None:
    shutil.copytree(demo_releases / DEMO, tmp_path / DEMO)
    client = end(tmp_path, status="done", release=DEMO)
    answer = client.get("/demo/status", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, f"/r/{DEMO}")
    assert client.get(f"/r/{DEMO}").headers["location"] == f"/r/{DEMO}/verdict"
    assert "Try the demo" not in client.get("/").text


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"status": "cancelled"}, "The demo was cancelled"),
        ({"status": "failed", "problem": "It is broken.", "hint": "Mend it."}, "It is broken."),
    ],
)
def test_an_unfinished_demo_can_be_started_again(tmp_path: Path, told: dict[str, object], words: str) -> None:
    page = end(tmp_path, **told).get("/").text
    assert words in page
    assert "Try the demo" in page


def test_only_a_preparer_starts_it(tmp_path: Path) -> None:
    client = client_of(tmp_path, "rita", ("reviewer",))
    assert client.post("/demo/start").status_code == 403
    assert client.post("/demo/cancel").status_code == 403
    assert not (tmp_path / ".reidrisk").exists()
