"""The log page: what `reidrisk log` shows, and a broken chain."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import Run
from tests.web.conftest import DEMO
from tests.web.serving import Client, client_of
from tests.web.small_release import NAME, small_release, words


def test_every_line_of_the_command_is_on_the_page(client: Client, demo_releases: Path, command: Run) -> None:
    text = words(client.get(f"/r/{DEMO}/log").text)
    for place in (demo_releases / DEMO, demo_releases / DEMO / "assessment"):
        code, out, _ = command("log", place, "--json", "-")
        assert code == 0
        log = json.loads(out)
        assert log["head"] in text
        for entry in log["entries"]:
            assert " ".join((entry["command"], *entry["options"])) in text
    assert "every line follows from the one before" in text


def test_a_changed_line_is_told(tmp_path: Path) -> None:
    folder = small_release(tmp_path)
    log = folder / "assessment" / ".reidrisk" / "log.jsonl"
    assert log.is_file()
    log.write_text(log.read_text().replace('"number": 1', '"number": 2'))
    assert "the log was changed" in words(client_of(tmp_path).get(f"/r/{NAME}/log").text)


def test_a_release_without_a_log_says_so(tmp_path: Path) -> None:
    small_release(tmp_path, is_assessed=False)
    assert "Nothing is logged here yet." in words(client_of(tmp_path).get(f"/r/{NAME}/log").text)
