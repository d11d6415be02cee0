"""The state of a release folder: its verdict, whether it still holds, who signed, and whether a run is alive.

Nothing is measured and no table is opened: files are hashed, and what earlier runs wrote is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from reidrisk.assess.inputs import FIRST_VERSION, hash_inputs, source_files
from reidrisk.assess.manifest import MANIFEST, manifest_bytes, parse_manifest, root_of
from reidrisk.assess.run_lock import is_running
from reidrisk.assess.signature import read_signatures
from reidrisk.core.regular_files import hash_regular
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.wording import one_line, path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnreadableFile

ASSESSMENT_FOLDER, RESULT = "assessment", "assessment.json"
"""Where `reidrisk assess` writes next to a release file, and the file with its result."""
StateVerdict = Literal["acceptable", "not_acceptable", "undecided", "failed"]
"""`failed` if a part could not be judged; `undecided` parts have too few documents."""
WORDS = {
    "acceptable": "acceptable",
    "not_acceptable": "not acceptable",
    "undecided": "undecided",
    "failed": "could not be judged",
}
_CONTEXT_FILES = re.compile(r".+\.ya?ml")


@dataclass(frozen=True, slots=True)
class PartState:
    """A part and its last verdict."""

    name: str
    kind: str
    verdict: StateVerdict | None = None
    """None if it was not assessed yet."""
    sentence: str | None = None
    risk: float | None = None
    """What is compared with the threshold."""
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class SignatureState:
    """Who signed, as what, and whether the signature covers the assessment as it is now.

    Only hashes are compared. Whether the key is trusted is told by `verify`.
    """

    name: str
    role: str
    meaning: str
    time: str
    covers: bool


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    """Why a release file, or the folder of its assessment, cannot be read."""

    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """What is known about a release without running it."""

    folder: str
    file: str
    sha256: str | None
    """Of the release file; `edit_release` expects it."""
    title: str
    parts: tuple[PartState, ...] = ()
    verdict: StateVerdict | None = None
    """None if it was not assessed yet."""
    sentence: str | None = None
    stale: tuple[str, ...] = ()
    """What changed since the assessment, in words; empty if it still holds."""
    running: bool = False
    signed: tuple[SignatureState, ...] = ()
    next_review: str | None = None
    """A date; None if the release file has no date, or no months until the review."""
    made: str | None = None
    """When the assessment was written, in UTC."""
    root: str | None = None
    """The root hash of the assessment."""
    problems: tuple[ReleaseProblem, ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether there is an assessment and nothing changed since."""
        return self.verdict is not None and not self.stale

    @property
    def unsignable(self) -> str | None:
        """Why the assessment should not be signed now; None if nothing stands against it.

        A release that is not acceptable can be signed: the signature then confirms the refusal.
        """
        if self.running:
            return "The release is being assessed. Wait until this has ended."
        if self.verdict is None:
            return "There is no assessment yet. Run one first."
        if self.stale:
            return f"The assessment is out of date. {' '.join(self.stale)} Run it again first."
        if self.verdict == "failed":
            failed = ", ".join(one.name for one in self.parts if one.verdict == "failed")
            return f"Not every part could be judged: {failed}. Correct this, and run the assessment again."
        return None

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"kind": "release_state", **json.loads(json.dumps(asdict(self)))}

    def __str__(self) -> str:
        words = "not assessed yet" if self.verdict is None else WORDS[self.verdict]
        marks = [words, *(["out of date"] if self.stale else []), *(["running"] if self.running else [])]
        marks += [f"signed by {one.name} ({one.role})" for one in self.signed if one.covers]
        marks += [f"next review {self.next_review}"] if self.next_review else []
        lines = [f"{self.title}: {', '.join(marks)}", f"  {self.folder}/{self.file}"]
        lines += [f"  - {one.name}: {WORDS[one.verdict] if one.verdict else words}" for one in self.parts]
        lines += [f"  - {text}" for text in (*self.stale, *(one.problem for one in self.problems))]
        return "\n".join(map(one_line, lines))


def list_releases(folder: str | Path) -> tuple[ReleaseState, ...]:
    """The releases in a folder and in the folders directly below it, by the names of their folders."""
    place = Path(folder)
    if not place.is_dir():
        raise UnreadableFile(f"{path_text(place)} is not a folder.", hint="Name a folder with releases.")
    below = sorted(one for one in place.iterdir() if one.is_dir() and not one.name.startswith("."))
    return tuple(release_state(one) for one in (place, *below) if is_release_folder(one))


def is_release_folder(folder: Path) -> bool:
    """Whether a folder has a release file; the copy in the folder of an assessment is none."""
    return (folder / RELEASE_FILE).is_file() and not (folder / MANIFEST).exists()


def release_state(
    folder: str | Path, *, file: str = RELEASE_FILE, assessment: str = ASSESSMENT_FOLDER
) -> ReleaseState:
    """The state of the release in a folder.

    `file` is its release file, and `assessment` the folder that `reidrisk assess` wrote, from there.
    Inputs are hashed; a file that has not changed since the last call of this process is not read again.
    """
    place = Path(folder)
    release, written = place / file, place / assessment
    if not release.is_file():
        raise UnreadableFile.missing(release, hint=FIRST_VERSION)
    problems: list[ReleaseProblem] = []
    sha256, _ = hash_regular(release, follow=True)
    content = _content(release, problems)
    case = _Case(place, file, sha256, content, written)
    found: dict[str, Any] = {}
    if (written / MANIFEST).exists():
        try:
            found = _assessed(case)
        except (BadData, InvalidSetting) as error:
            problems.append(ReleaseProblem(error.problem, error.hint))
    return ReleaseState(
        folder=path_text(place),
        file=file,
        sha256=sha256,
        title=_title(content, place),
        running=is_running(release),
        problems=tuple(problems),
        **{"parts": _named_parts(content), **found},
    )


@dataclass(frozen=True, slots=True)
class _Case:
    place: Path
    file: str
    sha256: str
    content: Mapping[str, Any]
    written: Path


def _content(release: Path, problems: list[ReleaseProblem]) -> Mapping[str, Any]:
    try:
        found = read_yaml(release)
    except ReidRiskError as error:
        problems.append(ReleaseProblem(error.problem, error.hint))
        return {}
    if isinstance(found, Mapping):
        return found
    text = f"{path_text(release.name)}, line 1: the file is not a mapping of settings."
    problems.append(ReleaseProblem(text, "Begin with reidrisk: 1."))
    return {}


def _title(content: Mapping[str, Any], place: Path) -> str:
    about = content.get("release")
    name = about.get("name") if isinstance(about, Mapping) else None
    return str(name) if name else path_text(place.resolve().name)


def _named_parts(content: Mapping[str, Any]) -> tuple[PartState, ...]:
    parts = content.get("parts")
    listed = [one for one in parts if isinstance(one, Mapping)] if isinstance(parts, list) else []
    return tuple(PartState(str(one.get("name", "")), str(one.get("kind", ""))) for one in listed)


def _assessed(case: _Case) -> dict[str, Any]:
    """Everything that the folder of an assessment says."""
    data = manifest_bytes(case.written)
    manifest, root = parse_manifest(data), root_of(data)
    result = case.written / RESULT
    summary = _summary(result, _stamp(result))
    time = datetime.fromtimestamp((case.written / MANIFEST).stat().st_mtime, UTC)
    return {
        **summary,
        "stale": tuple(dict.fromkeys(_changes(case, manifest))),
        "signed": tuple(
            SignatureState(one.name, one.role, one.meaning, one.time, one.root == root)
            for one in read_signatures(case.written)
        ),
        "made": time.isoformat(timespec="seconds"),
        "root": root,
    }


def _stamp(path: Path) -> tuple[int, int, int, int]:
    """What changes whenever a file is written."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0, 0)
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@lru_cache(maxsize=256)
def _summary(result: Path, _stamped: tuple[int, ...]) -> dict[str, Any]:
    """Verdict, parts and date of the next review."""
    try:
        found = json.loads(result.read_text(encoding="utf-8"))
        parts = tuple(_part(one) for one in found["parts"])
        is_failed = any(one.verdict == "failed" for one in parts)
        verdict = "failed" if is_failed else "acceptable" if found["acceptable"] else "not_acceptable"
        sentence, due = found["verdict"]["sentence"], found["release"]["review"]["due"]
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise UnreadableFile(
            f"{path_text(result)} cannot be read.", hint="Run `reidrisk assess` again."
        ) from None
    return {"verdict": verdict, "sentence": sentence, "parts": parts, "next_review": due}


def _part(one: Mapping[str, Any]) -> PartState:
    judged = one["judged"]
    return PartState(
        one["name"], one["kind"], _verdict(one), judged["sentence"], judged["overall"], judged["threshold"]
    )


def _verdict(one: Mapping[str, Any]) -> StateVerdict:
    if one["status"] == "failed":
        return "failed"
    if one["judged"].get("decision") == "undecided":
        return "undecided"
    return "acceptable" if one["judged"]["acceptable"] else "not_acceptable"


def _changes(case: _Case, manifest: Mapping[str, Any]) -> Iterator[str]:
    """What the assessment does not know yet."""
    about = manifest["release"]
    if about["file"] != path_text(case.file):
        yield f"The assessment is of {path_text(about['file'])}, not of {path_text(case.file)}."
    elif about["sha256"] != case.sha256:
        yield f"{path_text(case.file)} has changed."
    for entry in manifest["inputs"]:
        path = entry["path"]
        if entry["sha256"] is None:
            continue  # a table on a server may change without notice: `assess` always reads it
        files = source_files(path, case.place)
        if not files or not all(file.is_file() for file in files):
            yield f"{path_text(path)} is missing."
        elif _input_hash(path, case.place, tuple(map(_stamp, files))) != entry["sha256"]:
            yield f"{path_text(path)} has changed."
    made = (case.written / MANIFEST).stat().st_mtime
    for named in _context_files(case.content):
        file = case.place / named
        if not file.is_file():
            yield f"{path_text(named)} is missing."
        elif file.stat().st_mtime > made:
            yield f"{path_text(named)} may have changed."


@lru_cache(maxsize=4096)
def _input_hash(path: str, folder: Path, _stamps: tuple[Any, ...]) -> str | None:
    try:
        return hash_inputs([path], folder, shown=[path])[0].sha256
    except UnreadableFile:
        return None


def _context_files(content: Mapping[str, Any]) -> Iterator[str]:
    """Files of the context, whose hashes the manifest does not have."""
    context = content.get("context")
    named = [context.get("preset"), context.get("checklist")] if isinstance(context, Mapping) else [context]
    yield from (one for one in named if isinstance(one, str) and _CONTEXT_FILES.fullmatch(one))
