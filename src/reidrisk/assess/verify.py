"""Verify the folder of an assessment: run it again, compare both ways, and tell who signed what.

What the folder should contain follows from the run, not from its manifest. Without a signature by a trusted
key, or a root hash that was written down elsewhere, the folder is at best consistent with itself.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reidrisk.assess.inputs import hash_inputs, is_server, output_hash, source_exists
from reidrisk.assess.kind import Progress, RunControl
from reidrisk.assess.manifest import (
    MANIFEST,
    REPORTS,
    SIGNATURES,
    folders_of,
    json_text,
)
from reidrisk.assess.measurement import WAITING
from reidrisk.assess.paths import check_part_inside
from reidrisk.assess.release_file import (
    IN_MEMORY,
)
from reidrisk.assess.repeated import ListedFolder, Render, compare_with_new_run
from reidrisk.assess.signature import (
    SignatureCheck,
    check_signatures,
    signature_files,
)
from reidrisk.core.place import SettingPlace
from reidrisk.core.regular_files import folder_entries, hash_regular, read_regular
from reidrisk.core.signing_key import read_trusted
from reidrisk.core.trail import LOG_PATH, MOST_BYTES, Trail, check_trail
from reidrisk.core.wording import one_line, path_text, plural
from reidrisk.errors import BadData

REPORT_FILES = ("report.html", "report.pdf", "annex.html", "annex.pdf", REPORTS)
VERIFIED, CONSISTENT, FAILED = "verified", "consistent", "failed"
STOPPED = "It was not run again, because of these differences."
NOBODY_TRUSTED = "Nobody vouches for the signatures yet: name the keys that you trust with --trusted KEYS."
NOT_SIGNED = (
    "It is not signed: whoever can write to the folder can make another one that is as consistent. Compare "
    "the root hash with one that was written down elsewhere (--root), or sign it (reidrisk sign)."
)
NOT_RUN = (
    "Not done: it was not run again, and its reports were not drawn again. A change of a file and of its "
    "hash together is not noticed, unless a signature that you trust covers the root hash."
)
NO_INPUTS = "Not done: inputs, released tables and codebooks were not compared, only the files of the folder."


def verification_words(found: Mapping[str, Any]) -> tuple[str, str]:
    """The headline and a sentence for the JSON of a verification."""
    how = "The assessment was run again" if found["repeated"] else "Only hashes were compared"
    checked = f"{how}: {plural(found['files'], 'file')} and {plural(found['inputs'], 'input')}."
    is_signed = any(one["trusted_as"] for one in found["signatures"])
    what = "It is what was signed." if is_signed else "It has the root hash that you gave."
    heads = {
        VERIFIED: ("Verified", f"{what} {checked}"),
        CONSISTENT: ("Consistent with itself", f"Everything came out as it is. {checked}")
        if found["repeated"]
        else ("Consistent with itself", f"Every hash is right. {checked}"),
        FAILED: ("Not verified", f"Something differs from what was assessed or signed. {checked}"),
    }
    return heads[found["state"]]


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether an assessment comes out again as it is, and who signed it."""

    folder: str
    root: str
    """The root hash: SHA-256 of the manifest."""
    files: int
    inputs: int
    is_repeated: bool
    differences: tuple[str, ...]
    signatures: tuple[SignatureCheck, ...] = ()
    notes: tuple[str, ...] = ()
    """What was not checked, and what needs no action."""
    is_anchored: bool = False
    """Whether a trusted key or a root hash from elsewhere vouches for it."""

    @property
    def holds(self) -> bool:
        """Whether there is no difference."""
        return not self.differences

    @property
    def state(self) -> str:
        """`verified` by a key or a hash from outside the folder, `consistent` with itself, or `failed`."""
        if not self.holds:
            return FAILED
        return VERIFIED if self.is_anchored and self.is_repeated else CONSISTENT

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "kind": "verification",
            "folder": self.folder,
            "holds": self.holds,
            "state": self.state,
            "root": self.root,
            "files": self.files,
            "inputs": self.inputs,
            "repeated": self.is_repeated,
            "differences": list(self.differences),
            "signatures": [one.to_dict() for one in self.signatures],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        how = "run again" if self.is_repeated else "hashes only"
        checked = f"{plural(self.files, 'file')}, {plural(self.inputs, 'input')}; {how}"
        is_signed = any(one.trusted_as for one in self.signatures)
        what = "is what was signed" if is_signed else "has the root hash that you gave"
        heads = {
            VERIFIED: f"VERIFIED: {self.folder} {what} ({checked}).",
            CONSISTENT: f"CONSISTENT WITH ITSELF: {self.folder} ({checked}).",
            FAILED: f"NOT VERIFIED: {self.folder} ({checked}).",
        }
        lines = [heads[self.state], *(f"  - {one_line(text)}" for text in self.differences)]
        lines += [f"Root hash: {self.root}"]
        lines += (
            ["Signatures:", *(f"  {one_line(str(one))}" for one in self.signatures)]
            if self.signatures
            else []
        )
        return "\n".join([*lines, *self.notes])


@dataclass(frozen=True, slots=True)
class Anchors:
    """What vouches for an assessment from outside its folder."""

    keys: Mapping[str, str] | None = None
    """Names by public key; None if no keys were given."""
    root: str | None = None
    """A root hash that was written down elsewhere."""

    @classmethod
    def of(cls, trusted: str | Path | None, root: str | None) -> Anchors:
        """The keys of a file or folder, and a root hash."""
        return cls(None if trusted is None else read_trusted(trusted), root and root.strip().lower())


def verify_folder(  # noqa: PLR0913 - what, against what, how
    folder: str | Path,
    render: Render,
    anchors: Anchors,
    *,
    quick: bool = False,
    folder_only: bool = False,
    progress: Progress | None = None,
    threads: int = 1,
    allow_outside: bool = False,
) -> Verification:
    """Compare hashes and signatures; unless `quick`, run again, draw the reports again, and compare all.

    With `folder_only`, the folder is a copy without the inputs: only its own files are compared.
    """
    quick = quick or folder_only
    given = ListedFolder.of(Path(folder), allow_outside=allow_outside)
    if not allow_outside:
        _check_inside(given)
    trail, found = _trail(given.place)
    checks, problems = _check_signed(given, anchors, trail)
    found += problems
    outside = [] if folder_only else list(_check_outside(given))
    changed = [*_check_entries(given), *_check_lists(given), *outside]
    is_repeated = not quick and not changed
    if is_repeated:
        changed += compare_with_new_run(given, RunControl(given.manifest["seed"], progress), threads, render)
    is_vouched = anchors.root is not None or any(one.trusted_as for one in checks)
    notes = [] if is_repeated else [NOT_RUN if quick else STOPPED]
    notes += [NO_INPUTS] if folder_only else _about_a_copy(outside, given)
    if not is_vouched and not found and not changed:
        notes.append(NOBODY_TRUSTED if checks and anchors.keys is None else NOT_SIGNED)
    notes += [] if trail is None else [f"Log: {text}" for text in trail.notes]
    return Verification(
        path_text(given.place),
        given.root,
        len(given.listed),
        0 if folder_only else len(given.manifest["inputs"]),
        is_repeated,
        tuple(dict.fromkeys([*found, *changed])),
        checks,
        tuple(notes),
        is_vouched,
    )


def _about_a_copy(outside: Sequence[str], given: ListedFolder) -> list[str]:
    """What to do with a folder that was sent without its inputs."""
    if not outside or not all(text.endswith(" is missing.") for text in outside):
        return []
    return [
        "Is this a copy of the folder without its inputs? To verify it alone, run: "
        f"reidrisk verify {shlex.quote(path_text(given.place))} --folder-only"
    ]


def _check_signed(
    given: ListedFolder, anchors: Anchors, trail: Trail | None
) -> tuple[tuple[SignatureCheck, ...], list[str]]:
    """Every signature, and what is wrong with signatures and root hash."""
    checks, problems = check_signatures(given.place, given.data, trusted=anchors.keys, trail=trail)
    found = [*problems, *(text for one in checks for text in one.problems)]
    found += _check_removed(given.place, trail, checks)
    if anchors.root is not None and anchors.root != given.root:
        found.append(f"The root hash is {given.root}, not the one that you gave.")
    return checks, found


def _trail(place: Path) -> tuple[Trail | None, list[str]]:
    if not (place / LOG_PATH).exists():
        return None, []
    try:
        trail = check_trail(read_regular(place / LOG_PATH, most=MOST_BYTES), path_text(place))
    except BadData as error:
        return None, [error.problem]
    return trail, [f"The log {LOG_PATH} was changed: {text}" for text in trail.problems]


def _check_removed(place: Path, trail: Trail | None, checks: Sequence[SignatureCheck]) -> Iterator[str]:
    """Signatures and reports that the log or a signature names and that are gone."""
    kept: dict[str, str] = {}
    for entry in () if trail is None else trail.entries:
        paths = [line["path"] for line in entry["outputs"]]
        if MANIFEST in paths:
            kept = {path: who for path, who in kept.items() if path.startswith(f"{SIGNATURES}/")}
        named = [path for path in paths if path.startswith(f"{SIGNATURES}/") or path in REPORT_FILES]
        kept |= dict.fromkeys(named, f"the log names it in line {entry['number']}")
    for one in checks:
        kept |= dict.fromkeys(one.signature.reports, f"signature {one.signature.number} names it")
    for path, who in kept.items():
        if not (place / path).exists():
            yield f"{path_text(path)} was removed: {who}."


def _check_inside(given: ListedFolder) -> None:
    """Before anything is read: the inputs and tables that are named are in the folder of the release."""
    place = SettingPlace(given.manifest["release"]["file"])
    for entry in (*given.manifest["inputs"], *given.manifest["outputs"]):
        check_part_inside([entry["path"]], {}, given.release_folder, place)


def _check_entries(given: ListedFolder) -> Iterator[str]:
    """Everything in the folder: only regular files that belong to the assessment."""
    files = {*given.listed, MANIFEST, LOG_PATH, *signature_files(given.place)}
    if given.reports is not None:
        files.add(REPORTS)
    folders = folders_of(files)
    for entry in folder_entries(given.place):
        name = path_text(entry.path)
        if entry.kind not in ("file", "folder"):
            yield f"{name} is {entry.kind}, which does not belong to the assessment."
        elif entry.path not in (files if entry.kind == "file" else folders):
            left = " (a run that was stopped left it)" if name.split("/")[0] == WAITING else ""
            yield f"{name} does not belong to the assessment{left}."


def _check_lists(given: ListedFolder) -> Iterator[str]:
    """The hashes of the files that the lists name."""
    for name, digest in given.listed.items():
        path = given.place / name
        if not path.exists() and not path.is_symlink():
            yield f"{name} is missing."
            continue
        try:
            if hash_regular(path)[0] != digest:
                yield f"{name} was changed."
        except BadData as error:
            yield error.problem
    if json_text(given.manifest).encode() != given.data:
        yield f"{MANIFEST} was changed: it is not written as reidrisk writes it."
    if given.reports is not None and given.reports["root"] != given.root:
        yield "The reports show another root hash: they belong to another state of the assessment."


def _check_outside(given: ListedFolder) -> Iterator[str]:
    """The hashes of the release file, inputs, and tables that were released."""
    release, below = given.manifest["release"], given.release_folder
    if release["sha256"] is None and release["file"] != IN_MEMORY:
        yield f"{MANIFEST} names the release file {release['file']} without its hash."
    elif release["sha256"] is not None:
        yield from _compare_hash(f"The release file {release['file']}", below / release["file"], release)
    for entry in given.manifest["inputs"]:
        source = entry["path"]
        if is_server(source):
            continue
        what = f"The input {source} of {entry['part']}"
        if not source_exists(source, below):
            yield f"{what} is missing."
            continue
        try:
            if hash_inputs([source], below, shown=[source])[0].sha256 != entry["sha256"]:
                yield f"{what} has changed."
        except BadData as error:
            yield f"{what} cannot be read: {error.problem}"
    for entry in given.manifest["outputs"]:
        yield from _compare_hash(
            f"The table {entry['path']} of {entry['part']}", below / entry["path"], entry
        )
    for entry in (given.reports or {}).get("codebooks", []):
        yield from _compare_hash(
            f"The codebook {entry['path']} of {entry['part']}", below / entry["path"], entry
        )


def _compare_hash(what: str, path: Path, entry: Mapping[str, Any]) -> Iterator[str]:
    if not path.exists():
        yield f"{what} is missing."
        return
    try:
        if output_hash(path) != entry["sha256"]:
            yield f"{what} has changed."
    except BadData as error:
        yield error.problem
