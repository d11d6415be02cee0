"""Verify the folder of an assessment: run it again, compare both ways, and tell who signed what.

What the folder should contain follows from the run, not from its manifest. Without a signature by a trusted
key, or a root hash that was written down elsewhere, the folder is at best consistent with itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.assess.folder import (
    AS_RUN,
    PREVIOUS,
    AssessmentFiles,
    ReleasedTable,
    manifest_of,
    write_files,
)
from reidrisk.assess.inputs import hash_inputs, is_server, source_exists
from reidrisk.assess.kind import Progress, RunControl
from reidrisk.assess.manifest import (
    MANIFEST,
    REPORTS,
    SIGNATURES,
    folders_of,
    json_text,
    manifest_bytes,
    parse_manifest,
    parse_object,
    parse_reports,
    root_of,
)
from reidrisk.assess.measurement import WAITING, MeasurementStore, measure_parts
from reidrisk.assess.release_file import (
    IN_MEMORY,
    ReleaseFile,
    limits_to_repeat,
    read_content,
    read_release_again,
)
from reidrisk.assess.result import ASSESSMENT, Assessment
from reidrisk.assess.run import judge_measurements
from reidrisk.assess.signature import (
    SignatureCheck,
    check_signatures,
    read_signatures,
    signature_files,
)
from reidrisk.core.file_set import at_once
from reidrisk.core.limits import limits_now, within
from reidrisk.core.regular_files import folder_entries, hash_regular, read_regular
from reidrisk.core.scratch import work_folder_here
from reidrisk.core.signing_key import read_trusted
from reidrisk.core.trail import LOG_PATH, MOST_BYTES, Trail, check_trail
from reidrisk.core.wording import one_line, path_text, plural
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError

PASSWORD_MARK = ":…@"  # noqa: S105 - what replaces a password in a URL
CANNOT_REPEAT = "The assessment cannot be repeated"
MOST_RESULT = 2**30
REPORT_FILES = ("report.html", "report.pdf", REPORTS)
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


@dataclass(frozen=True, slots=True)
class ReportSource:
    """Everything that the reports of a folder are drawn from."""

    assessment: Mapping[str, Any]
    root: str
    signatures: Sequence[Mapping[str, Any]]
    outputs: Sequence[Mapping[str, Any]]
    """The released tables of the manifest, which have codebooks."""
    has_pages: bool
    """Whether the folder has a report, and not only codebooks."""


Render = Callable[[ReportSource], dict[str, bytes]]
"""Draws every file that `reports.json` lists, and that file."""


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
class _Folder:
    """A folder whose manifest is well-formed."""

    place: Path
    data: bytes = field(repr=False)
    manifest: Mapping[str, Any]
    reports: Mapping[str, Any] | None

    @classmethod
    def of(cls, place: Path) -> _Folder:
        data = manifest_bytes(place)
        listed = None
        if (place / REPORTS).exists() or (place / REPORTS).is_symlink():
            listed = parse_reports(read_regular(place / REPORTS, most=MOST_BYTES))
        return cls(place, data, parse_manifest(data), listed)

    @property
    def root(self) -> str:
        return root_of(self.data)

    @property
    def release_folder(self) -> Path:
        return self.place / str(self.manifest["release"]["folder"])

    @property
    def listed(self) -> dict[str, str]:
        """The hash of every file that the lists name."""
        entries = [*self.manifest["files"], *(self.reports or {}).get("files", [])]
        return {entry["path"]: entry["sha256"] for entry in entries}


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


def verify_folder(
    folder: str | Path,
    render: Render,
    anchors: Anchors,
    *,
    quick: bool = False,
    progress: Progress | None = None,
    threads: int = 1,
) -> Verification:
    """Compare hashes and signatures; unless `quick`, run again, draw the reports again, and compare all."""
    given = _Folder.of(Path(folder))
    trail, found = _trail(given.place)
    checks, problems = _check_signed(given, anchors, trail)
    found += problems
    changed = [*_check_entries(given), *_check_lists(given), *_check_outside(given)]
    is_repeated = not quick and not changed
    if is_repeated:
        changed += _repeat(given, RunControl(given.manifest["seed"], progress), threads, render)
    is_vouched = anchors.root is not None or any(one.trusted_as for one in checks)
    notes = [] if is_repeated else [NOT_RUN if quick else STOPPED]
    if not is_vouched and not found and not changed:
        notes.append(NOBODY_TRUSTED if checks and anchors.keys is None else NOT_SIGNED)
    notes += [] if trail is None else [f"Log: {text}" for text in trail.notes]
    return Verification(
        path_text(given.place),
        given.root,
        len(given.listed),
        len(given.manifest["inputs"]),
        is_repeated,
        tuple(dict.fromkeys([*found, *changed])),
        checks,
        tuple(notes),
        is_vouched,
    )


def _check_signed(
    given: _Folder, anchors: Anchors, trail: Trail | None
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


def _check_entries(given: _Folder) -> Iterator[str]:
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


def _check_lists(given: _Folder) -> Iterator[str]:
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


def _check_outside(given: _Folder) -> Iterator[str]:
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
        if hash_regular(path, follow=True)[0] != entry["sha256"]:
            yield f"{what} has changed."
    except BadData as error:
        yield error.problem


def _repeat(given: _Folder, control: RunControl, threads: int, render: Render) -> Iterator[str]:
    """Run again from the release file and the inputs, in a temporary folder, and compare both ways."""
    try:
        release = _release(given)
        with within(limits_to_repeat(release)), _beside(given.place) as scratch:
            again = _Again.of(given, release, control, threads, scratch)
            found = list(_compare_manifests(given.manifest, again.manifest))
            found += _compare_files(given, again, scratch / "again")
            yield from found or _compare_reports(given, again, render)  # of another run, all would differ
    except ReidRiskError as error:
        yield f"{CANNOT_REPEAT}: {error.problem}"


@contextmanager
def _beside(place: Path) -> Iterator[Path]:
    """A work folder for the new run."""
    try:
        work = work_folder_here(limits_now().temp or place.resolve().parent)
    except OSError:
        raise BadData("the folder beside it cannot be written.", hint="Copy it elsewhere.") from None
    try:
        with at_once():  # what is written here is compared at once
            yield work.path
    finally:
        work.remove()


def _release(given: _Folder) -> ReleaseFile:
    """The release file that was run; its copy in the folder if it was given as content."""
    about = given.manifest["release"]
    if about["sha256"] is not None:
        return read_release_again(given.release_folder / about["file"])
    copy = given.place / AS_RUN
    if PASSWORD_MARK in copy.read_text(encoding="utf-8"):
        raise InvalidSetting("passwords are not stored.", hint="Run `reidrisk assess` and compare.")
    return read_content(read_yaml(copy), folder=given.release_folder, source=about["file"])


@dataclass(frozen=True, slots=True)
class _Again:
    """What a new run writes."""

    assessment: Assessment
    manifest: Mapping[str, Any]
    names: frozenset[str]

    @classmethod
    def of(
        cls, given: _Folder, release: ReleaseFile, control: RunControl, threads: int, scratch: Path
    ) -> _Again:
        seeded = RunControl(release.seed, control.progress)
        measurements = measure_parts(release.parts, seeded, MeasurementStore(None), threads=threads)
        assessment = judge_measurements(release, measurements, previous=_previous(given.place))
        draft = scratch / "again"
        draft.mkdir()
        files = AssessmentFiles(assessment, measurements, _released(assessment, seeded, scratch))
        names = list(write_files(files, draft))
        return cls(assessment, manifest_of(files, draft, names, given.place), frozenset(names))


def _previous(place: Path) -> Mapping[str, Any] | None:
    """The earlier assessment with which it was compared."""
    path = place / PREVIOUS
    return parse_object(read_regular(path, most=MOST_RESULT), where=PREVIOUS) if path.is_file() else None


def _released(assessment: Assessment, control: RunControl, scratch: Path) -> tuple[ReleasedTable, ...]:
    """Write every released table again, into the temporary folder."""
    found = []
    for one in assessment.judgement.parts:
        writer = one.part.writer()
        if one.acceptable and writer is not None and writer.out is not None:
            place = scratch / writer.name
            place.mkdir()
            writer.write(control, place / writer.out.name)
            digest, _ = hash_regular(place / writer.out.name)
            path = str(writer.given["out"])
            found.append(ReleasedTable(writer.name, path, digest, one.measurement.key, writer.fingerprint))
    return tuple(found)


def _compare_manifests(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What the manifest states beside the hashes of files."""
    yield from _compare_versions(f"{MANIFEST} states", then, now)
    if then["version"] != now["version"]:
        yield f"{MANIFEST} states reidrisk {then['version']}; this is {now['version']}."
    for name in ("seed", "release", "audience"):
        if then[name] != now[name]:
            yield f"{MANIFEST} differs when it is run again, in: {name}."
    for name, title in (("inputs", "input"), ("outputs", "table")):
        old, new_ones = ({(one["part"], one["path"]): one for one in side[name]} for side in (then, now))
        for part, path in {**old, **new_ones}:
            yield from _compare_entry(
                f"The {title} {path} of {part}", old.get((part, path)), new_ones.get((part, path))
            )
        if old.keys() == new_ones.keys() and [*old] != [*new_ones]:
            yield f"{MANIFEST} lists {name} in another order."


def _compare_versions(what: str, then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in {**then["versions"], **now["versions"]}:
        was, new = (side["versions"].get(name, "without a version") for side in (then, now))
        if was != new:
            yield f"{what} {name} {was}; this run used {name} {new}."


def _compare_entry(what: str, then: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> Iterator[str]:
    if then is None:
        yield f"{what} is missing from {MANIFEST}."
    elif now is None:
        yield f"{what} does not belong to the release."
    elif then.get("secret") != now.get("secret"):
        yield f"{what} was written with another key."
    elif then != now:
        yield f"{what} differs when it is run again."


def _compare_files(given: _Folder, again: _Again, draft: Path) -> Iterator[str]:
    then = {entry["path"] for entry in given.manifest["files"]}
    for name in sorted(again.names - then):
        yield f"{name} is missing: the run writes it."
    for name in sorted(then - again.names):
        yield f"{name} is not written when it is run again."
    for name in sorted(then & again.names):
        old, new = (read_regular(folder / name, most=MOST_RESULT) for folder in (given.place, draft))
        if old != new:
            where = _differing_keys(old, new) if name == ASSESSMENT else ""
            yield f"{name} differs when it is run again{where}."
    if not then ^ again.names and [*given.manifest["files"]] != sorted(
        given.manifest["files"], key=lambda entry: str(entry["path"])
    ):
        yield f"{MANIFEST} lists files in another order."


def _differing_keys(old: bytes, new: bytes) -> str:
    try:
        then, now = parse_object(old, where=ASSESSMENT), json.loads(new)
    except BadData:
        return ""
    keys = [str(key) for key in {**then, **now} if then.get(key) != now.get(key)]
    return f", in: {path_text(', '.join(keys[:8]))}" if keys else ""


def _compare_reports(given: _Folder, again: _Again, render: Render) -> Iterator[str]:
    """Draw reports, charts and codebooks again from the new run and compare every byte."""
    if given.reports is None:
        return
    drawn = render(
        ReportSource(
            again.assessment.to_dict(),
            given.root,
            [one.to_dict() for one in read_signatures(given.place)],
            again.manifest["outputs"],
            has_pages=bool(given.reports["files"]),
        )
    )
    now: Mapping[str, Any] = json.loads(drawn[REPORTS])
    yield from _compare_versions("The report was drawn with", given.reports, now)
    for name, content in drawn.items():
        path = given.place / name
        if not path.exists():
            yield f"{name} is missing: it is drawn with the report."
        elif read_regular(path, most=MOST_RESULT) != content:
            yield f"{name} differs when it is drawn again."
    for name in sorted({entry["path"] for entry in given.reports["files"]} - set(drawn)):
        yield f"{name} is not drawn with the report."
