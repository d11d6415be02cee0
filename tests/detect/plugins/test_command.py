from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from reidrisk.detect.detector import build_detector
from reidrisk.detect.plugins import CommandDetector
from reidrisk.detect.settings import DetectSettings
from reidrisk.errors import BadData, InvalidSetting

ANSWER = 'print(\'{"id": "1", "findings": [%s]}\', flush=True); input()'
GOOD = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    at = asked["text"].find("zebra")
    found = [] if at < 0 else [{"start": at, "end": at + 5, "type": "ANIMAL", "score": 0.8}]
    print(json.dumps({"id": asked["id"], "findings": found}), flush=True)
"""


def command(folder: Path, program: str) -> str:
    path = folder / "tool.py"
    path.write_text(program, encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_a_program_is_asked_text_by_text(tmp_path: Path) -> None:
    settings = DetectSettings(model=None, plugins=(f"command:{command(tmp_path, GOOD)}",))
    detector = build_detector(settings)
    assert [(one.start, one.type, one.source) for one in detector.find("a zebra\nhere")] == [
        (2, "ANIMAL", "command")
    ]
    assert detector.find("none here") == []


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("", "did not answer"),
        ("import time; time.sleep(60)", "longer than"),
        ("print('no json', flush=True); input()", "cannot be used"),
        (ANSWER % '{"start": 0, "end": 99, "type": "X"}', "cannot be used"),
        (ANSWER % '{"start": 0, "end": 2, "type": "X", "score": 7}', "cannot be used"),
        ('print(\'{"id": "7", "findings": []}\', flush=True); input()', "cannot be used"),
    ],
)
def test_a_program_that_misbehaves_is_refused_without_its_words(
    tmp_path: Path, program: str, problem: str
) -> None:
    with pytest.raises(BadData, match=problem) as caught:
        CommandDetector(command(tmp_path, program), limit=1.0).find("secret text")
    assert "secret" not in str(caught.value)


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadData, match="cannot be started"):
        CommandDetector("no-such-program-anywhere").find("x")


@pytest.mark.parametrize("name", ["command:", "command:'open", "spacy:", "stanza"])
def test_plug_ins_are_named_in_full(name: str) -> None:
    with pytest.raises(InvalidSetting):
        build_detector(DetectSettings(model=None, plugins=(name,)))


def test_what_a_program_says_besides_is_not_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = "import sys; print(sys.stdin.readline(), file=sys.stderr, flush=True); sys.exit(4)"
    with pytest.raises(BadData, match="code 4") as caught:
        CommandDetector(command(tmp_path, program)).find("secret text")
    assert "run the program by hand on a harmless text" in str(caught.value)
    assert "secret" not in "".join(capfd.readouterr())
