"""`reidrisk key`, `sign`, `verify --trusted` and `log` as a team types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reidrisk.core.key import read_key
from tests.assess.builders import HIDDEN, write_data, write_file
from tests.cli.running import Run

SIGN = ("--as", "Ann Smith", "--role", "approver", "--meaning", "I approve this release")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_data(tmp_path)
    write_file(tmp_path, "records")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def secret(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_sign_and_verify(command: Run, folder: Path) -> None:
    assert command("assess", "--quiet")[0] == 0
    secret(folder / "pass", "open sesame\n")
    code, out, _ = command(
        "key", "new", "ann.key", "--for", "signing", "--name", "Ann Smith", "--passphrase-file", "pass"
    )
    assert code == 0
    assert "Public key: ann.key.pub" in out
    key = ("--key", "ann.key", "--passphrase-file", "pass")
    code, out, err = command("sign", "assessment", *SIGN, *key)
    assert (code, err) == (0, "")
    assert "Signature 1: Ann Smith, approver, " in out
    assert "by the signer's clock" in out
    code, out, _ = command("verify", "assessment", "--trusted", "ann.key.pub")
    assert (code, out.startswith("VERIFIED: assessment is what was signed")) == (0, True)
    assert '"I approve this release" (trusted key ' in out
    code, out, _ = command("verify", "assessment", "--quick", "--json", "-")
    shown = json.loads(out)
    assert (code, shown["state"], shown["signatures"][0]["name"]) == (0, "consistent", "Ann Smith")
    code, _, err = command("assess", "--quiet")
    assert code == 2
    assert "is signed and is not replaced" in err
    assert command("assess", "--quiet", "--set", "context.access=public")[0] in (0, 3), (
        "a what-if writes nothing"
    )


def test_the_log_tells_every_command_and_no_value(command: Run, folder: Path) -> None:
    command("assess", "--quiet", "--out", "assessment")
    command("key", "new", "ann.key", "--for", "signing", "--no-passphrase")
    command("sign", "assessment", *SIGN, "--key", "ann.key", "--quiet")
    command("report", "assessment", "--html", "assessment/extra.html", "--quiet")
    code, out, _ = command("log", "assessment")
    assert code == 0
    assert "3 lines; every line is chained to the one before" in out
    assert "Ann Smith (" in out
    assert "sign --as --role --meaning --key --quiet -> " in out
    text = (folder / "assessment" / ".reidrisk" / "log.jsonl").read_text()
    for value in (HIDDEN, "I approve", "ann.key", 'extra.html", "--', "general"):
        assert value not in text
    entries = json.loads(command("log", "assessment", "--json", "-")[1])["entries"]
    assert [one["command"] for one in entries] == ["assess", "sign", "report"]
    assert [line["path"] for line in entries[0]["inputs"]] == ["../release.yaml"]
    assert {line["path"] for line in entries[2]["outputs"]} == {"extra.html"}
    code, out, _ = command("verify", "assessment", "--quick")
    assert code == 3
    assert "extra.html does not belong to the assessment." in out


@pytest.mark.parametrize(
    "words", [("table", "risk", "rx.csv", "--quasi", "sex", "--json"), ("init", "rx.csv", "--out")]
)
def test_other_commands_log_into_a_release_folder(command: Run, folder: Path, words: tuple[str, ...]) -> None:
    assert command(*words, "written.yaml")[0] in (0, 3)
    code, out, _ = command("log", ".")
    assert code == 0
    assert f"{' '.join(word for word in words[:2] if word != 'rx.csv')} " in out
    assert out.count("-> written.yaml") == 1


def test_a_command_that_writes_elsewhere_leaves_no_log(command: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "release.yaml").unlink()
    assert command("table", "risk", "rx.csv", "--quasi", "sex", "--json", "r.json")[0] in (0, 3)
    assert not (tmp_path / ".reidrisk").exists()
    code, _, err = command("log", ".")
    assert code == 1
    assert "has no log" in err


def test_a_broken_log_is_a_failure(command: Run, folder: Path) -> None:
    for name in ("a.json", "b.json"):
        command("table", "risk", "rx.csv", "--quasi", "sex", "--json", name)
    path = folder / ".reidrisk" / "log.jsonl"
    path.write_text(path.read_text().replace("a.json", "x.json"))
    code, out, _ = command("log", ".")
    assert code == 1
    assert "BROKEN" in out
    assert "Line 2 does not follow from the line before" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("key", "new", "k"), 2, "--for"),
        (("key", "new", "k", "--for", "signing"), 2, "--no-passphrase"),
        (
            ("key", "new", "k", "--for", "signing", "--no-passphrase", "--passphrase-file", "right"),
            2,
            "contradict",
        ),
        (("key", "new", "k", "--for", "signing", "--passphrase-file", "none"), 1, "none does not exist"),
        (("key", "new", "k", "--for", "signing", "--passphrase-file", "empty"), 2, "no text"),
        (("key", "new", "k", "--for", "signing", "--passphrase-file", "rx.csv"), 2, "chmod 600 rx.csv"),
        (("key", "new", "k", "--for", "pseudonyms", "--name", "x"), 2, "no name and no passphrase"),
        (("key", "new", "rx.csv", "--for", "pseudonyms"), 1, "cannot be created"),
        (("sign", "assessment", *SIGN, "--key", "none"), 1, "none does not exist"),
        (("sign", "assessment", *SIGN, "--key", "pseudo"), 2, "is a key for pseudonyms, not for signing"),
        (("sign", "assessment", *SIGN, "--key", "open"), 2, "chmod 600 open"),
        (("sign", "assessment", *SIGN, "--key", "locked"), 2, "The key has a passphrase"),
        (
            ("sign", "assessment", *SIGN, "--key", "locked", "--passphrase-file", "wrong"),
            1,
            "wrong passphrase",
        ),
        (("sign", ".", *SIGN, "--key", "plain"), 1, "contains no assessment"),
        (("sign", "assessment", *SIGN), 2, "--key"),
        (("verify", "assessment", "--trusted", "plain"), 2, "is a private key"),
    ],
)
def test_wrong_usage(command: Run, folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    for name, text in (("empty", "\n"), ("wrong", "wrong"), ("right", "right")):
        secret(folder / name, text)
    command("key", "new", "pseudo", "--for", "pseudonyms")
    for name, how in (
        ("plain", ("--no-passphrase",)),
        ("open", ("--no-passphrase",)),
        ("locked", ("--passphrase-file", "right")),
    ):
        command("key", "new", name, "--for", "signing", *how)
    (folder / "open").chmod(0o644)
    (folder / "assessment").mkdir()
    ended, out, err = command(*words)
    assert (ended, out) == (code, "")
    assert said in err
    assert not (folder / "k").exists()


def test_the_alias_makes_the_same_kind_of_key(command: Run, folder: Path) -> None:
    assert (
        command("table", "key", "one")[1].replace("Key: one", "Key: two")
        == command("key", "new", "two", "--for", "pseudonyms")[1]
    )
    assert len(read_key("one")) == len(read_key("two")) == 64
    code, _, err = command(
        "table",
        "deidentify",
        "rx.csv",
        "--quasi",
        "sex",
        "--direct",
        "name=pseudonym",
        "--out",
        "o.csv",
        "--key",
        "one.pub",
    )
    assert code == 1
    command("key", "new", "sig", "--for", "signing", "--no-passphrase")
    code, _, err = command(
        "table",
        "deidentify",
        "rx.csv",
        "--quasi",
        "sex",
        "--direct",
        "name=pseudonym",
        "--out",
        "o.csv",
        "--key",
        "sig",
    )
    assert code == 2
    assert "is a key for signing, not for pseudonyms" in err


def test_a_passphrase_is_asked_for_on_a_terminal(
    command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: list[str] = []

    def ask(prompt: str) -> str:
        typed.append(prompt)
        return "open sesame"

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.hidden_prompt_func", ask)
    code, out, _ = command("key", "new", "k", "--for", "signing")
    assert code == 0
    assert len(typed) == 2, "asked for twice"
    assert "open sesame" not in out
    assert b"ENCRYPTED PRIVATE KEY" in Path("k").read_bytes()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "manifest"}', '{"a": 1, "a": 2}'])
def test_a_malformed_manifest_is_one_message_and_exit_code_1(command: Run, folder: Path, text: str) -> None:
    (folder / "assessment").mkdir()
    (folder / "assessment" / "manifest.json").write_text(text)
    code, out, err = command("verify", "assessment")
    assert (code, out) == (1, "")
    assert err.startswith("Error: manifest.json is malformed: ")
    assert "defect" not in err
