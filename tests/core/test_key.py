"""Key files: two kinds that do not stand for each other, and that only their owner may read."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

import reidrisk as rr
from reidrisk.core.key import make_key, read_key, read_signing_key
from reidrisk.core.signing_key import SigningKey, is_signed, read_trusted
from reidrisk.errors import InvalidSetting, UnreadableFile


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_for_signing_has_a_public_key_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "ann.key"
    assert rr.new_key(path, "signing", name="Ann  Smith\n") == tmp_path / "ann.key.pub"
    assert mode(path) == 0o600
    assert (tmp_path / "ann.key.pub").read_text().startswith("Name: Ann Smith\n-----BEGIN PUBLIC KEY-----")
    key = SigningKey.of(read_signing_key(path), None, place="key")
    assert read_trusted(tmp_path) == {key.public: "Ann Smith"}
    signature = key.sign(b"message")
    assert is_signed(b"message", public=key.public, signature=signature)
    assert not is_signed(b"massage", public=key.public, signature=signature)
    assert key.public not in repr(key)


def test_without_a_name_the_file_names_the_owner(tmp_path: Path) -> None:
    rr.new_key(tmp_path / "ann.key", "signing")
    assert list(read_trusted(tmp_path).values()) == ["ann"]


def test_a_passphrase_locks_the_key(tmp_path: Path) -> None:
    rr.new_key(tmp_path / "k", "signing", passphrase="open sesame")  # noqa: S106
    pem = read_signing_key(tmp_path / "k")
    assert b"ENCRYPTED" in pem
    assert SigningKey.of(pem, "open sesame", place="k").public
    with pytest.raises(InvalidSetting, match="needs a passphrase"):
        SigningKey.of(pem, None, place="k")
    with pytest.raises(UnreadableFile, match="wrong passphrase"):
        SigningKey.of(pem, "close", place="k")
    rr.new_key(tmp_path / "open", "signing")
    with pytest.raises(InvalidSetting, match="has no passphrase"):
        SigningKey.of(read_signing_key(tmp_path / "open"), "x", place="open")


def test_one_kind_is_refused_where_the_other_is_needed(tmp_path: Path) -> None:
    rr.new_key(tmp_path / "s", "signing")
    rr.new_key(tmp_path / "p", "pseudonyms")
    assert mode(tmp_path / "p") == 0o600
    assert len(read_key(tmp_path / "p")) == 64
    with pytest.raises(InvalidSetting, match="is a key for signing, not for pseudonyms"):
        read_key(tmp_path / "s")
    with pytest.raises(InvalidSetting, match="is a key for pseudonyms, not for signing"):
        read_signing_key(tmp_path / "p")
    (tmp_path / "s.pub").chmod(0o600)
    with pytest.raises(InvalidSetting, match="is a public key"):
        read_signing_key(tmp_path / "s.pub")


@pytest.mark.parametrize("open_to", [0o640, 0o604, 0o660, 0o601])
def test_a_key_that_others_can_read_is_refused_with_what_to_type(tmp_path: Path, open_to: int) -> None:
    for purpose, read in (("signing", read_signing_key), ("pseudonyms", read_key)):
        path = tmp_path / f"my {purpose}.key"
        rr.new_key(path, purpose)
        path.chmod(open_to)
        with pytest.raises(InvalidSetting, match="Other users of this computer") as error:
            read(path)
        assert error.value.hint.endswith(f"chmod 600 '{path}'")
        path.chmod(0o600)
        assert read(path)


def test_nothing_is_replaced(tmp_path: Path) -> None:
    make_key(tmp_path / "k")
    before = (tmp_path / "k").read_bytes()
    for purpose in ("signing", "pseudonyms"):
        with pytest.raises(UnreadableFile, match="cannot be created"):
            rr.new_key(tmp_path / "k", purpose)
    (tmp_path / "n.pub").write_text("x")
    with pytest.raises(UnreadableFile, match="already exists"):
        rr.new_key(tmp_path / "n", "signing")
    assert (tmp_path / "k").read_bytes() == before
    assert not (tmp_path / "n").exists()


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match="The purpose of a key"):
        rr.new_key(tmp_path / "k", "sining")
    with pytest.raises(InvalidSetting, match="has no passphrase and no name"):
        rr.new_key(tmp_path / "k", "pseudonyms", name="Ann")
    with pytest.raises(InvalidSetting, match="The name is empty"):
        rr.new_key(tmp_path / "k", "signing", name="\n")
    (tmp_path / "bad").write_text("-----BEGIN PRIVATE KEY-----\nno key\n-----END PRIVATE KEY-----\n")
    (tmp_path / "bad").chmod(0o600)
    with pytest.raises(UnreadableFile, match="cannot be opened"):
        SigningKey.of(read_signing_key(tmp_path / "bad"), None, place="bad")
    (tmp_path / "bad.pub").write_text("-----BEGIN PUBLIC KEY-----\nno key\n-----END PUBLIC KEY-----\n")
    with pytest.raises(UnreadableFile, match="not an Ed25519 key"):
        read_trusted(tmp_path / "bad.pub")


def test_an_old_key_of_any_text_still_works(tmp_path: Path) -> None:
    path = tmp_path / "old.key"
    path.write_bytes(b"\nab12" * 8 + b"\r\n")
    path.chmod(0o600)
    assert read_key(path) == (b"\nab12" * 8).strip(b"\r\n")
