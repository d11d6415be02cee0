"""Electronic signatures on an assessment: who signed what, as what, when, and after whom.

A signature binds the name, the role, the time, the meaning, the root hash, the log so far and the signature
before it (21 CFR 11.50 and 11.70). It contains the manifest that was signed, so that a later change can be
named. Keys that somebody trusts are outside the folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reidrisk.assess.manifest import (
    SIGNATURES,
    json_text,
    manifest_bytes,
    parse_manifest,
    parse_object,
    read_reports,
    root_of,
)
from reidrisk.core.file_set import together
from reidrisk.core.files import write_text
from reidrisk.core.regular_files import folder_entries, read_regular
from reidrisk.core.signing_key import SigningKey, clean_name, fingerprint, is_signed
from reidrisk.core.trail import LOG_PATH, Trail, read_trail
from reidrisk.core.wording import path_text, plural
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile

ROLES = ("preparer", "reviewer", "approver")
DOMAIN = b"reidrisk signature 1\n"
"""Signed before the content, so that a signature cannot stand for anything else."""
CLOCK = "the signer's clock"
FILE = re.compile(r"(?P<number>\d{3})-[a-z0-9-]+\.json")
MOST_BYTES = 32 * 2**20
MOST_TEXT = 2_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
_HEX = re.compile(r"[0-9a-f]+")
KEYS = {
    *("kind", "number", "name", "role", "meaning", "time", "clock", "root", "previous", "log", "reports"),
    *("public_key", "manifest", "signature"),
}


@dataclass(frozen=True, slots=True)
class ElectronicSignature:
    """A signature as its file states it."""

    file: str
    """The path in the folder."""
    sha256: str
    """The hash of the file, by which the next signature names it."""
    number: int
    name: str
    role: str
    meaning: str
    time: str
    clock: str
    root: str
    previous: str | None
    log: Mapping[str, Any] | None
    """How many lines the log had, and the hash of the last one."""
    reports: Sequence[str]
    public_key: str
    content: Mapping[str, Any] = field(repr=False)
    """Everything in the file, with the manifest that was signed."""

    @classmethod
    def of(cls, file: str, content: Mapping[str, Any], sha256: str) -> ElectronicSignature:
        """The signature in a well-formed file."""
        own = {name: value for name, value in content.items() if name in cls.__dataclass_fields__}
        return cls(file=file, sha256=sha256, content=content, **own)

    def to_dict(self) -> dict[str, Any]:
        """What a report shows of it."""
        shown = ("number", "name", "role", "meaning", "time", "clock", "root")
        return {**{name: self.content[name] for name in shown}, "key": fingerprint(self.public_key)}


def signed_bytes(content: Mapping[str, Any]) -> bytes:
    """What is signed: everything in the file but the signature, as JSON with sorted names and no spaces."""
    bound = {name: value for name, value in content.items() if name != "signature"}
    text = json.dumps(bound, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return DOMAIN + text.encode("ascii")


@dataclass(frozen=True, slots=True)
class Signer:
    """Who signs, as what, and what that means."""

    name: str
    role: str
    meaning: str

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise InvalidSetting.among("The role of a signer", str(self.role), ROLES)
        for what, text in (("name", self.name), ("meaning", self.meaning)):
            if not isinstance(text, str) or not text.strip() or len(text) > MOST_TEXT:
                raise InvalidSetting(
                    f"The {what} of a signature is a text of at most {MOST_TEXT:,} letters.",
                    hint='Write for example --as "Ann Smith" --meaning "I approve this release".',
                )


def check_other_person(folder: Path, signer: Signer) -> None:
    """Refuse an approver who prepared the same assessment: two people must agree."""
    if signer.role != "approver":
        return
    root = root_of(manifest_bytes(folder))
    for one in read_signatures(folder):
        is_same = _letters(one.name) == _letters(signer.name)
        if is_same and one.role == "preparer" and one.root == root:
            raise InvalidSetting(
                f"{one.name} prepared this assessment, and cannot approve it, too.",
                hint="Ask another person to approve it.",
            )


def make_signature(folder: Path, signer: Signer, key: SigningKey) -> ElectronicSignature:
    """The next signature on the assessment in a folder; nothing is written yet."""
    before = read_signatures(folder)
    manifest = manifest_bytes(folder)
    content: dict[str, Any] = {
        "kind": "signature",
        "number": len(before) + 1,
        "name": clean_name(signer.name),
        "role": signer.role,
        "meaning": clean_name(signer.meaning),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "clock": CLOCK,
        "root": root_of(manifest),
        "previous": before[-1].sha256 if before else None,
        "log": _log_state(folder),
        "reports": _reports(folder),
        "public_key": key.public,
        "manifest": parse_manifest(manifest),
    }
    content["signature"] = key.sign(signed_bytes(content))
    name = f"{SIGNATURES}/{content['number']:03}-{signer.role}-{_slug(content['name'])}.json"
    return ElectronicSignature.of(name, content, hashlib.sha256(json_text(content).encode()).hexdigest())


def write_signature(folder: Path, signature: ElectronicSignature) -> None:
    """Write a signature into the folder of an assessment."""
    with together() as files:
        files.make_folder(folder / SIGNATURES)
        write_text(folder / signature.file, json_text(signature.content))


def _slug(name: str) -> str:
    """The name as it stands in the name of a file.

    >>> _slug("Dr. Zoë O'Neil"), _slug("李")
    ('dr-zoe-o-neil', 'signer')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "signer"


def _letters(name: str) -> str:
    """The letters and digits of a name, by which two spellings of it are the same.

    >>> _letters("Ann Smith") == _letters("ann-smith"), _letters("李") == _letters("王")
    (True, False)
    """
    return "".join(one for one in unicodedata.normalize("NFKD", name).casefold() if one.isalnum())


def _log_state(folder: Path) -> dict[str, Any] | None:
    """How long the log is, and the hash of its last line; None without a log."""
    if not (folder / LOG_PATH).exists():
        return None
    trail = read_trail(folder)
    return {"lines": len(trail.hashes), "sha256": trail.head}


def _reports(folder: Path) -> list[str]:
    """The reports that the folder has; charts belong to them."""
    listed = (read_reports(folder) or {}).get("files", [])
    return [entry["path"] for entry in listed if "/" not in entry["path"]]


def signature_files(folder: Path) -> list[str]:
    """The files of the folder for signatures that have the name of one, in order."""
    place = folder / SIGNATURES
    if place.is_symlink() or not place.is_dir():
        return []
    found = [one.path for one in folder_entries(place) if one.kind == "file" and FILE.fullmatch(one.path)]
    return [f"{SIGNATURES}/{name}" for name in sorted(found)]


def read_signatures(folder: Path) -> tuple[ElectronicSignature, ...]:
    """Every signature in its order; UnreadableFile if one is malformed."""
    return tuple(_read(folder, name) for name in signature_files(folder))


def _read(folder: Path, name: str) -> ElectronicSignature:
    data = read_regular(folder / name, most=MOST_BYTES)
    content = parse_object(data, where=name)
    if set(content) != KEYS or not _is_well_formed(content):
        raise UnreadableFile(
            f"{name} is malformed: it is not a signature that reidrisk wrote.",
            hint="It was changed. Ask the signer to sign again in a new folder.",
        )
    return ElectronicSignature.of(name, content, hashlib.sha256(data).hexdigest())


def _is_well_formed(content: Mapping[str, Any]) -> bool:
    texts = ("kind", "name", "role", "meaning", "time", "clock")
    log, previous = content["log"], content["previous"]
    return (
        all(isinstance(content[name], str) for name in texts)
        and content["kind"] == "signature"
        and type(content["number"]) is int
        and all(_is_hex(content[name], 64) for name in ("root", "public_key"))
        and _is_hex(content["signature"], 128)
        and (previous is None or _is_hex(previous, 64))
        and (log is None or (isinstance(log, dict) and type(log.get("lines")) is int))
        and isinstance(content["reports"], list)
        and all(isinstance(one, str) for one in content["reports"])
        and isinstance(content["manifest"], dict)
    )


def _is_hex(value: Any, length: int) -> bool:
    return isinstance(value, str) and len(value) == length and _HEX.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class SignatureCheck:
    """A signature, whose key it is, and what is wrong with it."""

    signature: ElectronicSignature
    trusted_as: str | None
    """The name of its key among those that are trusted; None for an unknown key."""
    problems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "file": self.signature.file,
            **self.signature.to_dict(),
            "trusted_as": self.trusted_as,
            "holds": not self.problems,
            "problems": list(self.problems),
        }

    def __str__(self) -> str:
        one = self.signature
        key = fingerprint(one.public_key)
        trusted = f"trusted key {key} of {self.trusted_as}"
        whose = trusted if self.trusted_as else f"signed by an unknown key, {key}"
        state = "; NOT VALID" if self.problems else ""
        what = f'{one.number}. {one.name}, {one.role}, {one.time} by {one.clock}: "{one.meaning}"'
        return f"{what} ({whose}){state}"


def check_signatures(
    folder: Path, manifest: bytes, *, trusted: Mapping[str, str] | None, trail: Trail | None
) -> tuple[tuple[SignatureCheck, ...], tuple[str, ...]]:
    """Each signature with its problems, and problems of files that are no signature."""
    found: list[ElectronicSignature] = []
    problems: list[str] = []
    for name in signature_files(folder):
        try:
            found.append(_read(folder, name))
        except BadData as error:
            problems.append(error.problem)
    checks = []
    for at, one in enumerate(found):
        before = found[at - 1] if at else None
        own = tuple(_problems(one, at, before, manifest, trusted, trail))
        checks.append(SignatureCheck(one, (trusted or {}).get(one.public_key), own))
    if trusted is not None and not found:
        problems.append("There is no signature: it was not signed, or the signatures were removed.")
    return tuple(checks), tuple(problems)


def _problems(
    one: ElectronicSignature,
    at: int,
    before: ElectronicSignature | None,
    manifest: bytes,
    trusted: Mapping[str, str] | None,
    trail: Trail | None,
) -> Iterator[str]:
    what = f"Signature {one.number} ({one.name}, {one.role})"
    if not is_signed(signed_bytes(one.content), public=one.public_key, signature=one.content["signature"]):
        yield f"{what} was edited: it does not fit its content."
    if trusted is not None and one.public_key not in trusted:
        yield f"{what} is signed by an unknown key, {fingerprint(one.public_key)}."
    elif trusted is not None and _letters(trusted[one.public_key]) != _letters(one.name):
        yield f"{what} is signed with the key of {trusted[one.public_key]}."
    yield from _order(one, at, before, what)
    if one.root != root_of(json_text(one.content["manifest"]).encode()):
        yield f"{what} was edited: its list of files does not have the root hash that it signs."
    elif one.root != root_of(manifest):
        yield f"{what} covers another state of the assessment. Changed since: {_changes(one, manifest)}."
    yield from _log_problems(one, what, trail)


def _order(one: ElectronicSignature, at: int, before: ElectronicSignature | None, what: str) -> Iterator[str]:
    """Whether the signatures before this one are all there, in their order."""
    if not one.file.startswith(f"{SIGNATURES}/{one.number:03}-"):
        yield f"{what} has been renamed to {one.file}: the order was changed."
    if one.number != at + 1:
        missing = one.number - at - 1
        yield (
            f"{what} is number {one.number}, but {plural(at, 'signature')} precede it: "
            f"{'one was removed' if missing > 0 else 'the order was changed'}."
        )
    elif one.previous != (before.sha256 if before else None):
        yield f"{what} does not follow from the signature before it, which was changed or replaced."


def _log_problems(one: ElectronicSignature, what: str, trail: Trail | None) -> Iterator[str]:
    state = one.log
    if state is None or not state["lines"]:
        return
    hashes: Sequence[str] = () if trail is None else trail.hashes
    if len(hashes) < state["lines"]:
        yield f"{what} covers {plural(state['lines'], 'line')} of the log, which has only {len(hashes)}."
    elif hashes[state["lines"] - 1] != state.get("sha256"):
        yield f"{what} covers a log whose lines were changed since."


def _changes(one: ElectronicSignature, manifest: bytes) -> str:
    """What differs between the manifest that was signed and the one in the folder."""
    try:
        was, now = parse_manifest(json_text(one.content["manifest"]).encode()), parse_manifest(manifest)
    except UnreadableFile:
        return "the manifest"
    found = [f"{name}" for name in ("version", "versions", "seed", "release") if was[name] != now[name]]
    for name, title in (("files", ""), ("inputs", "input "), ("outputs", "released table ")):
        old, new = (
            {(entry.get("part"), entry["path"]): entry for entry in content[name]} for content in (was, now)
        )
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        found += [f"{title}{path_text(path)}" for _, path in keys]
    shown = ", ".join(found[:8]) + (f" and {len(found) - 8} more" if len(found) > 8 else "")
    return shown or "the form of the manifest"
