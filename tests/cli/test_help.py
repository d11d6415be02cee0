"""Help: headings, whole sentences, the width of the terminal, and color."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from reidrisk.cli.color import color_error, color_result, has_color
from reidrisk.cli.help import HEADINGS, Option, first_sentence
from reidrisk.cli.main import reidrisk
from tests.cli.running import Run
from tests.cli.test_commands import everything

PATHS = everything(reidrisk)
RUN = [sys.executable, "-c", "from reidrisk.cli.main import run; run()"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def found(path: tuple[str, ...]) -> click.Command:
    current: click.Command = reidrisk
    for name in path:
        assert isinstance(current, click.Group)
        current = current.get_command(click.Context(current), name) or current
    return current


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_headings_are_the_same_and_in_the_same_order_everywhere(path: tuple[str, ...]) -> None:
    options = [one for one in found(path).params if isinstance(one, Option)]
    places = [HEADINGS.index(one.heading) for one in options]
    assert places == sorted(places)


def test_every_option_of_a_large_command_has_a_heading(command: Run) -> None:
    _, out, _ = command("table", "deidentify", "--help")
    headings = re.findall(r"^([A-Z][a-z ]+):$", out, re.MULTILINE)
    assert headings == [
        *("Input", "What intruders know", "Limits", "Method", "Sensitive columns"),
        *("Events", "Utility", "How the table is read", "Resources", "Output", "Other"),
    ]
    assert " ".join(out.split("Other:")[1].split()) == "-h, --help Show this message and exit."


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
@pytest.mark.parametrize("columns", [80, 200])
def test_help_fits_the_terminal_and_lists_whole_sentences(
    command: Run, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = command(*path, "--help")
    assert max(map(len, out.splitlines())) <= min(columns, 110)
    assert "..." not in out.split("\n", 1)[1]
    assert not {"\u00a0", "\u2011"} & set(out)
    group = found(path)
    if isinstance(group, click.Group):
        text = " ".join(out.split())
        for name in group.list_commands(click.Context(group)):
            inner = group.get_command(click.Context(group), name)
            assert inner is not None
            assert f"{name} {first_sentence(inner)}" in text


def test_ranges_and_defaults_are_in_words(command: Run) -> None:
    _, out, _ = command("table", "deidentify", "--help")
    text = " ".join(out.split())
    assert "Smallest equivalence class you accept. [default: 5; at least 1]" in text
    assert "in addition to the cell size. [above 0, up to 1]" in text
    assert "x>=" not in text


def test_color_needs_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert has_color(Terminal())
    assert not has_color(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "")
    assert has_color(Terminal()), "an empty NO_COLOR means nothing"
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_color(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not has_color(Terminal())


RESULT = "Risk of x.csv\n\nNOT ACCEPTABLE\n  [ok] one\n  [no] two\n\nTABLE\n  [ok] three"


def test_the_verdict_and_the_marks_have_a_color(monkeypatch: pytest.MonkeyPatch) -> None:
    assert color_result(RESULT, acceptable=False) == RESULT, "no terminal, no color"
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    red = color_result(RESULT, acceptable=False)
    assert click.style("NOT ACCEPTABLE", fg="red", bold=True) in red
    assert red.count(click.style("[ok]", fg="green")) == 2
    assert click.style("[no]", fg="red") in red
    assert click.unstyle(red) == RESULT
    good = "T\n\nACCEPTABLE\n  [ok] one"
    assert click.style("ACCEPTABLE", fg="green", bold=True) in color_result(good, acceptable=True)
    nothing = "T\n\nATTACKED\n     - one"
    for acceptable in (True, None):
        assert click.style("ATTACKED", bold=True) in color_result(nothing, acceptable=acceptable)
    assert (
        color_result("VERIFIED: x", acceptable=True) == f"{click.style('VERIFIED', fg='green', bold=True)}: x"
    )


def test_the_word_error_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    assert color_error("Error: x") == "Error: x"
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert color_error("Usage: y\n\nError: x").endswith(f"{click.style('Error:', fg='red', bold=True)} x")


def read_terminal(arguments: list[str], **environment: str) -> str:
    """What the program writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    names = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    subprocess.run(
        [*RUN, *arguments], stdout=theirs, stderr=theirs, env={**names, **environment}, check=False
    )
    os.close(theirs)
    text = os.read(ours, 100_000).decode()
    os.close(ours)
    return text


def test_a_real_terminal_shows_color_unless_told_not_to(tmp_path: Path) -> None:
    bold = click.style("Usage:", bold=True)
    assert read_terminal(["--help"], TERM="xterm").startswith(bold)
    assert "\033[" not in read_terminal(["--help"], TERM="xterm", NO_COLOR="1")
    assert "\033[" not in read_terminal(["--help"], TERM="dumb")
    red = click.style("Error:", fg="red", bold=True)
    missing = ["table", "risk", str(tmp_path / "none.csv"), "--quasi", "a"]
    assert red in read_terminal(missing, TERM="xterm")
    assert "\033[" not in read_terminal(missing, TERM="xterm", NO_COLOR="1")


def test_a_pipe_has_no_color() -> None:
    done = subprocess.run([*RUN, "table", "--help"], capture_output=True, text=True, check=True)
    assert "\033[" not in done.stdout


def test_the_old_name_of_an_option_still_works(command: Run, tmp_path: Path) -> None:
    """`table attack --secret` is now `--sensitive`."""
    table = tmp_path / "t.csv"
    rows = [f"{'FM'[at % 2]},{20 + at % 7},{'AB'[at % 3 == 0]}" for at in range(60)]
    table.write_text("\n".join(["sex,age,disease", *rows]) + "\n", encoding="utf-8")
    start = (
        "table",
        "attack",
        table,
        "--against",
        table,
        "--quasi",
        "sex,age",
        "--guesses",
        20,
        "--json",
        "-",
    )
    new, old = (command(*start, name, "disease") for name in ("--sensitive", "--secret"))
    assert new == old
    assert "disease" in new[1]
