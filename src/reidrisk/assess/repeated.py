"""Run an assessment again from its release file and inputs, and compare with what a folder holds."""

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
    released_parts,
    write_files,
)
from reidrisk.assess.inputs import output_hash
from reidrisk.assess.kind import RunControl
from reidrisk.assess.manifest import (
    MANIFEST,
    REPORTS,
    manifest_bytes,
    parse_manifest,
    parse_object,
    parse_reports,
    root_of,
)
from reidrisk.assess.measurement import MeasurementStore, measure_parts
from reidrisk.assess.release_file import (
    ReleaseFile,
    limits_to_repeat,
    read_content,
    read_release_again,
)
from reidrisk.assess.result import ASSESSMENT, Assessment
from reidrisk.assess.run import judge_measurements
from reidrisk.assess.signature import (
    read_signatures,
)
from reidrisk.core.file_set import at_once
from reidrisk.core.limits import limits_now, within
from reidrisk.core.regular_files import read_regular
from reidrisk.core.scratch import work_folder_here
from reidrisk.core.trail import MOST_BYTES
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_yaml
from reidrisk.errors import BadData, InvalidSetting, ReidRiskError, UnwritableFile

PASSWORD_MARK = ":…@"  # noqa: S105 - what replaces a password in a URL
CANNOT_REPEAT = "The assessment cannot be repeated"
MOST_RESULT = 2**30


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
class ListedFolder:
    """A folder whose manifest is well-formed."""

    place: Path
    data: bytes = field(repr=False)
    manifest: Mapping[str, Any]
    reports: Mapping[str, Any] | None
    allow_outside: bool = False
    """Whether the release file may name files outside its folder."""

    @classmethod
    def of(cls, place: Path, *, allow_outside: bool) -> ListedFolder:
        """The folder with its lists; malformed lists are errors."""
        data = manifest_bytes(place)
        listed = None
        if (place / REPORTS).exists() or (place / REPORTS).is_symlink():
            listed = parse_reports(read_regular(place / REPORTS, most=MOST_BYTES))
        return cls(place, data, parse_manifest(data), listed, allow_outside)

    @property
    def root(self) -> str:
        """The one hash that stands for the assessment."""
        return root_of(self.data)

    @property
    def release_folder(self) -> Path:
        """Where the release file is."""
        return self.place / str(self.manifest["release"]["folder"])

    @property
    def listed(self) -> dict[str, str]:
        """The hash of every file that the lists name."""
        entries = [*self.manifest["files"], *(self.reports or {}).get("files", [])]
        return {entry["path"]: entry["sha256"] for entry in entries}


def compare_with_new_run(
    given: ListedFolder, control: RunControl, threads: int, render: Render
) -> Iterator[str]:
    """Run again from the release file and the inputs, in a temporary folder, and compare both ways."""
    try:
        release = _release(given)
        with within(limits_to_repeat(release)), _beside(given.place) as scratch:
            again = _Again.of(given, release, control, threads, scratch)
            found = list(_compare_manifests(given.manifest, again.manifest))
            found += _compare_files(given, again, scratch / "again")
            yield from found or _compare_reports(given, again, render)  # of another run, all would differ
    except UnwritableFile:
        raise  # this machine cannot repeat it, which says nothing about the folder
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


def _release(given: ListedFolder) -> ReleaseFile:
    """The release file that was run; its copy in the folder if it was given as content."""
    about = given.manifest["release"]
    if about["sha256"] is not None:
        path = given.release_folder / about["file"]
        return read_release_again(path, allow_outside=given.allow_outside)
    copy = given.place / AS_RUN
    if PASSWORD_MARK in copy.read_text(encoding="utf-8"):
        raise InvalidSetting("passwords are not stored.", hint="Run `reidrisk assess` and compare.")
    return read_content(
        read_yaml(copy),
        folder=given.release_folder,
        source=about["file"],
        allow_outside=given.allow_outside,
    )


@dataclass(frozen=True, slots=True)
class _Again:
    """What a new run writes."""

    assessment: Assessment
    manifest: Mapping[str, Any]
    names: frozenset[str]

    @classmethod
    def of(
        cls, given: ListedFolder, release: ReleaseFile, control: RunControl, threads: int, scratch: Path
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
    for one, writer in released_parts(assessment):
        path = str(writer.given["out"])
        place = scratch / writer.name
        place.mkdir()
        written = place / Path(path).name
        writer.write_file(control, written)
        digest = output_hash(written)
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


def _compare_files(given: ListedFolder, again: _Again, draft: Path) -> Iterator[str]:
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


def _compare_reports(given: ListedFolder, again: _Again, render: Render) -> Iterator[str]:
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
