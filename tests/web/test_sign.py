"""Signing and verifying: as the commands do it, refused where it would mean nothing; keys are not kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reidrisk.assess.run import assess
from reidrisk.assess.signature import read_signatures
from reidrisk.assess.state import release_state
from reidrisk.core.trail import read_trail
from reidrisk.web.accounts import Account, Accounts
from reidrisk.web.app import create_app
from reidrisk.web.security import Site
from tests.cli.running import Run
from tests.web.serving import HOST, Client, client_of
from tests.web.small_release import NAME, ended, small_release, words

SIGN, VERIFY = f"/r/{NAME}/sign", f"/r/{NAME}/verify"
PASSPHRASE = "a long passphrase"  # noqa: S105 - of keys that tests make


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_release(tmp_path)


def key_of(client: Client, name: str = "Ann Smith") -> str:
    answer = client.post(f"{SIGN}/key", data={"name": name, "passphrase": PASSPHRASE, "again": PASSPHRASE})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="ann-smith.key"'
    return str(answer.text)


def fields(folder: Path, **more: str) -> dict[str, str]:
    return {
        "name": "Ann Smith",
        "role": "approver",
        "meaning": "I approve this release",
        "root": str(release_state(folder).root),
        "passphrase": PASSPHRASE,
        **more,
    }


def test_a_signature_is_that_of_the_command_and_the_key_is_not_kept(folder: Path, command: Run) -> None:
    client = client_of(folder.parent)
    key = key_of(client)
    assert "ENCRYPTED PRIVATE KEY" in key
    answer = client.post(SIGN, data=fields(folder, key=key))
    assert (answer.status_code, answer.headers["location"]) == (303, SIGN)
    (made,) = read_signatures(folder / "assessment")
    assert (made.name, made.role, made.meaning) == ("Ann Smith", "approver", "I approve this release")
    assert "covers this assessment" in words(client.get(SIGN).text)
    secret = key.encode().splitlines()[1]
    for file in folder.parent.rglob("*"):
        assert not file.is_file() or (
            secret not in file.read_bytes() and PASSPHRASE.encode() not in file.read_bytes()
        )
    public = client.get(f"{SIGN}/public/1").text
    trusted = folder.parent / "ann.pub"
    trusted.write_text(public)
    code, out, _ = command("verify", folder / "assessment", "--trusted", trusted)
    assert code == 0
    assert out.startswith("VERIFIED")
    assert any("sign" in one["command"] for one in read_trail(folder / "assessment").entries)
    verified = client.post(VERIFY, data={"trusted": public})
    assert verified.headers["location"] == VERIFY
    assert ended(folder).acceptable is True
    text = words(client.get(VERIFY).text)
    assert "Verified It is what was signed." in text
    assert "Trusted key of Ann Smith" in text


def test_an_approval_without_a_signature_is_none(folder: Path) -> None:
    """No key, a wrong passphrase, a public key, no name, no meaning: nothing is written."""
    client = client_of(folder.parent)
    key = key_of(client)
    public = "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n"
    for wrong in (
        {},
        {"key": key, "passphrase": "wrong"},
        {"key": key, "passphrase": ""},
        {"key": public},
        {"key": key, "name": " "},
        {"key": key, "meaning": ""},
        {"key": key, "role": "owner"},
    ):
        answer = client.post(SIGN, data=fields(folder, **wrong))
        assert answer.status_code == 422, wrong
        assert 'role="alert"' in answer.text
        assert PASSPHRASE not in answer.text
        assert "--passphrase-file" not in answer.text
    assert read_signatures(folder / "assessment") == ()
    assert not (folder / "assessment" / "signatures").exists()


def test_a_stale_or_other_assessment_is_not_signed(folder: Path) -> None:
    client = client_of(folder.parent)
    key = key_of(client)
    assert client.post(SIGN, data=fields(folder, key=key, root="0" * 64)).status_code == 422
    release = folder / "release.yaml"
    release.write_text(release.read_text().replace("A small release", "A changed release"))
    page = client.get(SIGN).text
    assert "This cannot be signed now The assessment is out of date. release.yaml has changed." in words(page)
    assert "<fieldset disabled>" in page
    answer = client.post(SIGN, data=fields(folder, key=key))
    assert answer.status_code == 422
    assert "out of date" in words(answer.text)
    assert read_signatures(folder / "assessment") == ()


def test_a_part_that_could_not_be_judged_is_not_signed(tmp_path: Path) -> None:
    folder = small_release(tmp_path, is_assessed=False)
    (folder / "rx.csv").write_text("nothing\n")
    assess(folder / "release.yaml", out=folder / "assessment")
    client = client_of(tmp_path)
    assert "Not every part could be judged: records." in words(client.get(SIGN).text)
    assert client.post(SIGN, data=fields(folder, key=key_of(client))).status_code == 422


def test_with_accounts_the_name_is_that_of_the_account_and_two_people_sign(folder: Path) -> None:
    hashed = {"salt": "AAAA", "hashed": "AAAA"}
    accounts = Accounts([Account("Ann Smith", "preparer", **hashed), Account("Ben", "approver", **hashed)])
    app = create_app(folder.parent, Site(HOST), accounts=accounts)
    ann, ben = Client(app, "Ann Smith", ("preparer",)), Client(app, "Ben", ("approver",))
    twice = Client(app, "Ann Smith", ("approver",))
    key = key_of(ann)
    assert ann.post(SIGN, data=fields(folder, key=key)).status_code == 403
    assert ann.post(SIGN, data={}).status_code == 403
    assert ann.post(SIGN, data=fields(folder, key=key, role="preparer", name="Ben")).status_code == 303
    assert [one.name for one in read_signatures(folder / "assessment")] == ["Ann Smith"]
    refused = twice.post(SIGN, data=fields(folder, key=key))
    assert refused.status_code == 422
    assert "prepared this assessment, and cannot approve it, too" in words(refused.text)
    assert ben.post(SIGN, data=fields(folder, key=key)).status_code == 303
    assert [one.name for one in read_signatures(folder / "assessment")] == ["Ann Smith", "Ben"]


LONG = {"passphrase": "x" * 1100, "again": "x" * 1100}


def test_keys_need_a_passphrase_and_public_keys_a_signature(folder: Path) -> None:
    client = client_of(folder.parent)
    for wrong in ({"passphrase": "short"}, {"again": "another one"}, {"name": ""}, LONG):
        sent = {"name": "Ann", "passphrase": PASSPHRASE, "again": PASSPHRASE, **wrong}
        assert client.post(f"{SIGN}/key", data=sent).status_code == 422
    assert client.get(f"{SIGN}/public/1").status_code == 404
    assert client.get(f"{SIGN}/public/0").status_code == 422


def test_a_changed_folder_is_not_verified(folder: Path) -> None:
    client = client_of(folder.parent)
    assert client.post(VERIFY, data={"root": "abc"}).status_code == 422
    assert client.post(VERIFY, data={"trusted": "-----BEGIN PRIVATE KEY-----"}).status_code == 422
    file = folder / "assessment" / "assessment.json"
    file.write_text(re.sub(r'"acceptable": true', '"acceptable": false', file.read_text(), count=1))
    client.post(VERIFY, data={"quick": "yes"})
    assert ended(folder).acceptable is False
    text = words(client.get(VERIFY).text)
    assert "Not verified Something differs" in text
    assert "assessment.json" in text


def test_a_verification_without_keys_is_only_consistent(folder: Path) -> None:
    client = client_of(folder.parent)
    client.post(VERIFY, data={"quick": "yes"})
    ended(folder)
    assert "Consistent with itself" in words(client.get(f"{VERIFY}/status").text)
