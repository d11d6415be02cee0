"""Mistakes that people make with any command: a file that is missing, an option of another program, a pipe
that ends early. Every command answers them in the same way."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from reidrisk.cli.cut_off import may_be_cut_off
from reidrisk.cli.help import OTHER_NAMES
from reidrisk.cli.input_path import InputPath
from reidrisk.cli.main import reidrisk
from reidrisk.core.shell import pip_install, shell_word, shell_words
from tests.cli.running import Run

MISSING = "gone.csv does not exist.\n\nHint: Check the spelling and the current folder."
WRITTEN = {
    *("out", "json", "html", "pdf", "docx", "markdown", "junit", "sarif", "leaks", "evidence", "conflicts"),
    *("codebook", "record_chances", "sheet", "prediction", "cache"),
    *("text deidentify key", "text deidentify findings", "table suggest hierarchies", "init kinds"),
    *("table deidentify profile", "document review gold"),
}
"""Parameters that name what is written, or what may be; the same name may be read by another command."""
MADE = {"table key", "key new", "account add", "demo", "release copy"}
"""Commands with an argument that names what is made."""
NO_PATHS = {"release set", "release apply", "release try", "release roles", "account remove", "schema"}
"""Commands with further arguments that are no paths."""
RUN = [sys.executable, "-c", "from reidrisk.cli.main import run; run()"]


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        else:
            yield " ".join((*path, name)), found


COMMANDS = dict(commands(reidrisk))


def called(name: str, command: click.Command, parameter: click.Parameter) -> list[str]:
    """The command with a missing file in the place of one parameter."""
    if isinstance(parameter, click.Option):
        return [*name.split(), parameter.opts[0], "gone.csv"]
    before = command.params[: command.params.index(parameter)]
    return [*name.split(), *("here" for one in before if isinstance(one, click.Argument)), "gone.csv"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_missing_file_is_the_same_error_everywhere(
    command: Run, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").write_text("x", encoding="utf-8")
    for parameter in COMMANDS[name].params:
        if not isinstance(parameter.type, InputPath):
            continue
        code, out, err = command(*called(name, COMMANDS[name], parameter))
        assert (code, out) == (1, ""), parameter.name
        assert err.startswith(f"Error: {MISSING}"), parameter.name
        assert err.count("gone.csv") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["here"]


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_reads_is_declared_as_read(name: str) -> None:
    paths = ("FILE", "DIR", "FOLDER", "PATH", "TABLE", "DOCUMENT", "POP", "KEYS")
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Argument):
            is_known = name in MADE | NO_PATHS
        else:
            metavar = parameter.metavar or ""
            is_known = not any(word in metavar for word in paths) or bool(
                {parameter.name, f"{name} {parameter.name}"} & WRITTEN
            )
        assert is_known or isinstance(parameter.type, InputPath), f"{name}: {parameter.name}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("table", "risk", "no*.csv", "--quasi", "a"), "No file has a name like no*.csv."),
        (("document", "detect", "no*.pdf", "--out", "f.json"), "No file has a name like no*.pdf."),
        (("table", "risk", "t.csv", "--quasi", "a", "--context", "."), ". is a folder."),
        (("verify", "t.csv"), "t.csv is not a folder."),
        (("assess", "."), "Name the file in it: release.yaml"),
        (("text", "convert", "t.csv#x", "--to", "jsonl", "--out", "o"), "t.csv#x does not exist."),
        (("population", "risk", "t.csv", "--policy", "my.yaml"), "my.yaml does not exist."),
        (("text", "evaluate", "t.csv", "t.csv", "--types", "types.yaml"), "types.yaml does not exist."),
        (("text", "evaluate", "t.csv", "t.csv", "--ignore-words", "none", "--types", "A=direct"), "format"),
    ],
)
def test_patterns_folders_and_names(
    command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a\n1\n", encoding="utf-8")
    (tmp_path / "release.yaml").write_text("reidrisk: 1\n", encoding="utf-8")
    code, _, err = command(*words)
    assert (code, said in err) == (1, True), err


def test_a_word_in_place_of_a_number_is_said_in_words(command: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n", encoding="utf-8")
    code, _, err = command("table", "risk", tmp_path / "t.csv", "--quasi", "a", "--cell-size", "five")
    assert (code, "'five' is not a whole number" in err) == (2, True), err


@pytest.mark.parametrize(
    "text", ["postgresql://me@host/base#t", "hive:base.table", "C:/none/t.csv", "t.db#x"]
)
def test_what_is_no_path_of_this_disk_is_left_to_the_reader(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.db").write_bytes(b"x")
    if text.startswith("C:"):
        with pytest.raises(Exception, match="does not exist"):
            InputPath("table").convert(text, None, None)
    else:
        assert InputPath("table").convert(text, None, None) == text
    assert InputPath("path").convert("x" * 5000, None, None) == "x" * 5000, "no name of a file"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("table", "risk", "t.csv", "--k", "5"), "--cell-size"),
        (("table", "risk", "t.csv", "-k", "5"), "--cell-size"),
        (("table", "deidentify", "t.csv", "--quasi-identifiers", "sex"), "--quasi"),
        (("table", "deidentify", "t.csv", "-o", "x.csv"), "--out"),
        (("text", "evaluate", "--k_anonymity", "5"), "--cell-size"),
        (("tabel",), "table"),
        (("text", "evalute"), "evaluate"),
    ],
)
def test_the_option_that_was_meant_is_named(command: Run, words: tuple[str, ...], meant: str) -> None:
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert f"Did you mean '{meant}'?" in err
    assert err.count("Error:") == 1


def test_an_option_that_the_command_lacks_is_not_suggested(command: Run) -> None:
    code, _, err = command("check", "--k", "5")
    assert (code, "--cell-size" in err) == (2, False)


def test_every_suggested_option_exists() -> None:
    known = {name for one in COMMANDS.values() for parameter in one.params for name in parameter.opts}
    assert {f"--{meant}" for meant in OTHER_NAMES.values()} <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_wrong_usage_has_exit_code_2(command: Run, name: str) -> None:
    code, out, err = command(*name.split(), "--no-such-option")
    assert (code, out, err.count("Error:")) == (2, "", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_stops_early_changes_no_exit_code(tmp_path: Path, unbuffered: str) -> None:
    """The reader is gone before the first line is written; a verdict keeps its code, an error its own."""
    (tmp_path / "t.csv").write_text("a,b\n1,1\n", encoding="utf-8")
    own = shlex.join(RUN)
    wanted = {"init --schema": 0, "table risk t.csv --quasi a": 3, "table risk 2>&1": 2}
    for words, code in wanted.items():
        line = f"{{ read _ <&3; {own} {words}; echo $? >code; }} 3<go | {{ exec 0<&-; echo go >go; }}"
        (tmp_path / "go").unlink(missing_ok=True)
        os.mkfifo(tmp_path / "go")
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        assert (tmp_path / "code").read_text(encoding="utf-8").strip() == str(code), words


def test_only_pipes_may_be_cut_off(tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("w", encoding="utf-8") as file:
        assert may_be_cut_off(file) is file
    assert may_be_cut_off(text := io.TextIOWrapper(io.BytesIO())) is text


def test_commands_in_messages_can_be_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["my file.csv", "it's", "a&b", 'say "x"', "plain-1.csv"]
    assert shlex.split(shell_words(words)) == words
    assert pip_install("report") == 'pip install "reidrisk[report]"'
    monkeypatch.setattr(sys, "platform", "win32")
    assert shell_words(words) == '"my file.csv" "it\'s" "a&b" "say \\"x\\"" plain-1.csv'
    assert shell_word("C:\\my data\\") == '"C:\\my data\\\\"'


def test_suggested_commands_quote_names(
    command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that `table suggest` ends with runs as it is, though file and column have spaces."""
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"P{at:03},{'FM'[at % 2]},{40 + at % 7}" for at in range(40))
    (tmp_path / "my file.csv").write_text(f"patient id,the sex,age in years\n{rows}\n", encoding="utf-8")
    _, out, _ = command("table", "suggest", "my file.csv")
    line = next(line.strip() for line in out.splitlines() if line.strip().startswith("reidrisk table risk"))
    code, _, err = command(*shlex.split(line)[1:], "--quiet")
    assert (code, err) == (3, "")


def test_a_part_that_fails_is_told_once(
    command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age\n40\n41\n", encoding="utf-8")
    command("init", "t.csv", "--out", "release.yaml")
    (tmp_path / "t.csv").write_text('age,sex\n40,F,1,2\n"x', encoding="utf-8")
    code, out, err = command("assess", "--set", "parts.t.confirmed=true")
    assert code == 1
    assert " ".join((out + err).split()).count("the row has not as many fields as the header") == 1
