"""Signatures on an assessment: who signed what, and every change after signing by its name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import reidrisk as rr
from reidrisk.assess.manifest import MANIFEST, json_text, root_of
from reidrisk.assess.signature import DOMAIN, signed_bytes
from reidrisk.core.work_folder import PREFIX, SUFFIX
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.report.assessment_folder import write_reports
from tests.assess.builders import write_data, write_file
from tests.assess.trusted import change, forge, read, write_assessed
from tests.sharing import made_once

ANN = {"name": "Ann Smith", "role": "preparer", "meaning": "I prepared this assessment"}
ZOE = {"name": "Zoë Li", "role": "approver", "meaning": "I approve this release"}


def write_signed(place: Path) -> None:
    """An assessment that two people signed; their keys are beside it, in `keys`."""
    write_assessed(place)
    keys = place / "keys"
    keys.mkdir()
    for name, signer in (("ann", ANN), ("zoe", ZOE)):
        rr.new_key(keys / f"{name}.key", "signing", name=signer["name"])
        rr.sign(place / "out", **signer, key=keys / f"{name}.key")


@pytest.fixture(scope="session")
def both_signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "reidrisk-signed", write_signed)


@pytest.fixture
def out(both_signed: Path, tmp_path: Path) -> Path:
    shutil.copytree(both_signed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "out"


def keys(out: Path) -> Path:
    return out.parent / "keys"


def files(out: Path) -> list[Path]:
    return sorted((out / "signatures").iterdir())


def test_a_signed_assessment_is_verified_by_the_keys_that_are_trusted(out: Path) -> None:
    found = rr.verify(out, trusted=keys(out))
    assert found.differences == ()
    assert found.state == "verified"
    assert str(found).startswith("VERIFIED")
    first, second = found.signatures
    assert (first.trusted_as, second.trusted_as) == ("Ann Smith", "Zoë Li")
    assert "preparer, " in str(first)
    assert "by the signer's clock" in str(first)
    assert '"I approve this release"' in str(second)
    assert [path.name for path in files(out)] == ["001-preparer-ann-smith.json", "002-approver-zoe-li.json"]


def test_without_trusted_keys_nobody_vouches(out: Path) -> None:
    found = rr.verify(out)
    assert (found.holds, found.state) == (True, "consistent")
    assert str(found).startswith("CONSISTENT WITH ITSELF")
    assert "signed by an unknown key" in str(found)
    assert "--trusted KEYS" in str(found)


def test_a_signature_by_an_unknown_key_is_named(out: Path) -> None:
    found = rr.verify(out, trusted=keys(out) / "ann.key.pub", quick=True)
    assert [text for text in found.differences if "signed by an unknown key" in text]
    assert found.signatures[0].problems == ()
    assert found.signatures[1].trusted_as is None


def test_the_report_shows_root_hash_and_signatures(out: Path) -> None:
    page = (out / "report.html").read_text(encoding="utf-8")
    root = rr.verify(out, quick=True).root
    first = page[: page.index("</header>")]
    assert f"Root hash: {root}" in first
    assert "Signed electronically by: Ann Smith (preparer), Zoë Li (approver)" in first
    assert "I approve this release" in page
    assert "(the signer's clock)" in unescape(page)
    first = pdf_text(out / "report.pdf", 0)
    assert f"Roothash:{root}" in first
    assert "Signedelectronicallyby:AnnSmith(preparer),ZoëLi(approver)" in first
    last = pdf_text(out / "report.pdf", -1)
    assert "Iapprovethisrelease" in last
    assert "signer" in last


def pdf_text(path: Path, page: int) -> str:
    """The letters of a page, without places where a line may break."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    text = document[page % len(document)].get_textpage().get_text_range()
    return "".join(
        letter for letter in text if letter.isprintable() and not letter.isspace() and letter != "\u200b"
    )


def forged(out: Path, how: Callable[[Any], None]) -> None:
    """A change of the assessment with all hashes, and reports that fit."""
    change(out / "assessment.json", how)
    forge(out)


def another_state(out: Path) -> None:
    """A new and consistent assessment of the same data with other settings, under the old signatures."""
    data = out.parent / "data"
    made = write_file(data, "records", "made", context={"preset": "cell_size_3"})
    shutil.copytree(out / "signatures", out.parent / "kept")
    shutil.rmtree(out / "signatures")
    shutil.rmtree(out / ".reidrisk")
    rr.assess(made, out=out)
    write_reports(out)
    shutil.copytree(out.parent / "kept", out / "signatures")


def resign(path: Path, key: Path, **changes: Any) -> None:
    """Write a signature anew with some key."""
    from reidrisk.core.key import read_signing_key
    from reidrisk.core.signing_key import SigningKey

    private = SigningKey.of(read_signing_key(key), None, place="key")
    content = {**read(path), **changes, "public_key": private.public}
    content["signature"] = private.sign(signed_bytes(content))
    path.write_text(json_text(content), encoding="utf-8")


def by_a_stranger(out: Path) -> None:
    rr.new_key(out.parent / "stranger.key", "signing")
    resign(files(out)[1], out.parent / "stranger.key")


def swap(out: Path) -> None:
    first, second = files(out)
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)


def cut_log(out: Path) -> None:
    (out / ".reidrisk" / "log.jsonl").write_text("")


def without_reports(out: Path) -> None:
    for name in ("report.html", "report.pdf", "reports.json"):
        (out / name).unlink()


def acceptable(content: Any) -> None:
    content["verdict"]["sentence"] = "Acceptable."


MANIPULATIONS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a forged verdict": (
        lambda out: forged(out, acceptable),
        "Signature 1 (Ann Smith, preparer) covers another state of the assessment. Changed since: "
        "assessment.json.",
    ),
    "another assessment under the old signatures": (
        another_state,
        "Signature 2 (Zoë Li, approver) covers another state of the assessment. Changed since: release, "
        "assessment.json",
    ),
    "an edited meaning": (
        lambda out: change(files(out)[1], lambda one: one.update(meaning="I only looked at it")),
        "Signature 2 (Zoë Li, approver) was edited: it does not fit its content.",
    ),
    "an edited time": (
        lambda out: change(files(out)[0], lambda one: one.update(time="2020-01-01T00:00:00+00:00")),
        "Signature 1 (Ann Smith, preparer) was edited",
    ),
    "the first signature removed": (
        lambda out: files(out)[0].unlink(),
        "Signature 2 (Zoë Li, approver) is number 2, but 0 signatures precede it: one was removed.",
    ),
    "the last signature removed": (
        lambda out: files(out)[1].unlink(),
        "signatures/002-approver-zoe-li.json was removed: the log names it in line 3.",
    ),
    "all signatures removed": (
        lambda out: shutil.rmtree(out / "signatures"),
        "There is no signature: it was not signed, or the signatures were removed.",
    ),
    "signatures in another order": (
        swap,
        "Signature 2 (Zoë Li, approver) has been renamed to signatures/001-",
    ),
    "a signature by a stranger": (
        by_a_stranger,
        "Signature 2 (Zoë Li, approver) is signed by an unknown key, ",
    ),
    "a signature with the key of somebody else": (
        lambda out: resign(files(out)[1], keys(out) / "ann.key"),
        "Signature 2 (Zoë Li, approver) is signed with the key of Ann Smith.",
    ),
    "a changed report": (
        lambda out: (out / "report.pdf").write_bytes((out / "report.pdf").read_bytes() + b"\n"),
        "report.pdf was changed.",
    ),
    "reports removed with their list": (
        without_reports,
        "report.html was removed: signature 2 names it.",
    ),
    "an emptied log": (
        cut_log,
        "Signature 2 (Zoë Li, approver) covers 2 lines of the log, which has only 0.",
    ),
    "a malformed signature": (
        lambda out: files(out)[1].write_text('{"kind": "signature"}'),
        "signatures/002-approver-zoe-li.json is malformed",
    ),
    "an edited list of files in a signature": (
        lambda out: change(files(out)[0], lambda one: one["manifest"].update(seed=1)),
        "Signature 1 (Ann Smith, preparer) was edited: its list of files does not have the root hash",
    ),
}


@pytest.mark.parametrize("name", MANIPULATIONS)
def test_each_manipulation_of_a_signed_assessment_is_named(out: Path, name: str) -> None:
    manipulate, said = MANIPULATIONS[name]
    manipulate(out)
    found = rr.verify(out, trusted=keys(out), quick=True)
    assert not found.holds
    assert said in str(found)


def test_a_signed_assessment_is_not_replaced(out: Path) -> None:
    with pytest.raises(InvalidSetting, match="is signed and is not replaced"):
        rr.assess(out.parent / "data" / "release.yaml", out=out)
    assert rr.verify(out, trusted=keys(out), quick=True).holds


def test_only_a_consistent_assessment_is_signed(out: Path) -> None:
    (out / "note.txt").write_text("x")
    with pytest.raises(BadData, match=r"cannot be signed: note\.txt does not belong"):
        rr.sign(out, **ANN, key=keys(out) / "ann.key")
    assert len(files(out)) == 2


def test_what_a_killed_run_left_is_no_difference(out: Path) -> None:
    for folder in (out, out / "charts", out / "signatures"):
        left = folder / f"{PREFIX}0123456789ab{SUFFIX}"
        folder.mkdir(exist_ok=True)
        left.mkdir(mode=0o700)
        (left / "half").write_text("x")
    assert not rr.verify(out, quick=True).holds
    rr.sign(out, **ANN, key=keys(out) / "ann.key")
    assert rr.verify(out, quick=True).holds


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"role": "boss"}, "The role of a signer cannot be 'boss'"),
        ({"name": " "}, "The name of a signature"),
        ({"meaning": ""}, "The meaning of a signature"),
    ],
)
def test_what_makes_no_sense_is_refused(out: Path, given: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidSetting, match=said):
        rr.sign(out, **{**ANN, **given}, key=keys(out) / "ann.key")


def test_an_assessment_without_reports_can_be_signed(tmp_path: Path) -> None:
    write_data(tmp_path)
    rr.assess(write_file(tmp_path, "records"), out=tmp_path / "out")
    rr.new_key(tmp_path / "ann.key", "signing", name="Ann Smith")
    made = rr.sign(tmp_path / "out", **ANN, key=tmp_path / "ann.key")
    assert made.reports == []
    assert rr.verify(tmp_path / "out", trusted=tmp_path / "ann.key.pub").state == "verified"


def test_a_signature_can_be_checked_by_anybody(out: Path) -> None:
    """By its description in the docs, with nothing of ours."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    content = read(files(out)[1])
    public, signature = (bytes.fromhex(content.pop(name)) for name in ("public_key", "signature"))
    content["public_key"] = public.hex()
    message = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    Ed25519PublicKey.from_public_bytes(public).verify(signature, b"reidrisk signature 1\n" + message)
    assert DOMAIN == b"reidrisk signature 1\n"
    assert content["root"] == root_of((out / MANIFEST).read_bytes())


def test_trusted_keys_are_a_file_or_a_folder_and_nothing_else(out: Path, tmp_path: Path) -> None:
    many = tmp_path / "trusted.txt"
    many.write_text("".join(path.read_text() for path in sorted(keys(out).glob("*.pub"))))
    assert rr.verify(out, trusted=many, quick=True).holds
    with pytest.raises(InvalidSetting, match="is a private key"):
        rr.verify(out, trusted=keys(out) / "ann.key")
    with pytest.raises(InvalidSetting, match="has no public key"):
        rr.verify(out, trusted=tmp_path / "data")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        rr.verify(out, trusted=tmp_path / "nobody.pub")
    twice = keys(out) / "other.pub"
    twice.write_text((keys(out) / "ann.key.pub").read_text().replace("Ann Smith", "Somebody"))
    with pytest.raises(InvalidSetting, match="gives one key two names"):
        rr.verify(out, trusted=keys(out))
