"""Draft a release for existing files: as data, and as a commented file for a person to read and complete."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from reidrisk.assess.form import VERSION
from reidrisk.assess.kind import JOINABLE, all_part_classes
from reidrisk.assess.sketch import DraftedColumn, DraftFile, PartSketch
from reidrisk.core.about import own_version
from reidrisk.core.file_set import at_once
from reidrisk.core.files import write_text
from reidrisk.core.regular_files import hash_regular
from reidrisk.core.trail import FOLDER as HIDDEN
from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.wording import path_text
from reidrisk.core.written_files import is_own_file
from reidrisk.core.yaml_file import parse_lined_yaml
from reidrisk.errors import InvalidSetting, ReidRiskError, UnreadableFile

UPLOADS, DRAFTS = "uploads", "drafts"
"""Where files of a release may be, and where `.reidrisk` keeps what they were recognized as."""
DOCUMENT_SUFFIXES = (".pdf", ".docx", ".rtf")
HEAD = """\
# A release, its context and its parts. Written by `reidrisk init`: read every line and correct it.
# To check it and get a verdict:  reidrisk assess release.yaml --out assessment
# A table is not acceptable before a person has read the roles of its columns and written confirmed: true.
reidrisk: {version}                  # the version of this form

release:
  name: {name}
  # purpose: "..."           # what the data are for
  # custodian: "..."         # who is responsible for the data
  # recipient: "..."         # who receives the data
  # prepared_by: "..."       # who makes this assessment
  # date: 2026-11-01         # of the assessment; today's date is not filled in
  review_months: 12          # months until the next review
  # submission: {{product: "...", procedure: "...", sponsor: "...", studies: ["..."], version: "1.0"}}
  # expert: {{name: "...", qualification: "..."}}     # of a determination under HIPAA

context:                     # or the path of a file written by: reidrisk context score
  preset: hospital           # or ema, health_canada, hipaa, ipc, cell_size_3 to cell_size_30, or a file
  access: public             # public, semi_public (terms of use), or non_public (a known recipient)
  # controls: medium         # for a known recipient: low, medium or high; better, a checklist of practices:
  # checklist: checklist.yaml
  # motives: low             # of the recipient: low, medium or high
  # threshold: {{cell_size: 5, reason: "who chose it and why"}}

seed: 7                      # the same seed gives the same result

parts:
"""


@dataclass(frozen=True, slots=True)
class DraftedPart:
    """A part that files were recognized as."""

    name: str
    kind: str
    files: tuple[str, ...]
    """As the release file names them."""
    reason: str
    """Why the files are taken for a part of this kind."""
    columns: tuple[DraftedColumn, ...]
    """Of a table: every column with its role and the reason."""
    lines: tuple[str, ...] = field(repr=False)
    """The part as the draft of the release file has it."""

    @property
    def settings(self) -> dict[str, Any]:
        """The part as settings of a release file."""
        found: dict[str, Any] = parse_lined_yaml("\n".join(("parts:", *self.lines)), "draft").content[
            "parts"
        ][0]
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        found = json.loads(json.dumps({**asdict(self), "settings": self.settings}, default=str))
        return {name: value for name, value in found.items() if name != "lines"}


@dataclass(frozen=True, slots=True)
class UnknownFile:
    """A file that cannot be part of a release as it is, and what to do."""

    file: str
    problem: str
    hint: str


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """The parts that files were recognized as, and the files that are left."""

    parts: tuple[DraftedPart, ...]
    unknown: tuple[UnknownFile, ...] = ()
    joint: str = ""
    """The section of the release file about what the parts tell together."""

    @property
    def text(self) -> str:
        """The release file, with comments."""
        title = json.dumps(f"Release of {', '.join(one.name for one in self.parts)}", ensure_ascii=False)
        parts = "\n\n".join("\n".join(one.lines) for one in self.parts)
        return f"{HEAD.format(version=VERSION, name=title)}{parts}\n{self.joint}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "kind": "release_draft",
            "parts": [one.to_dict() for one in self.parts],
            "unknown": [asdict(one) for one in self.unknown],
        }


def draft_release(files: Sequence[str | Path], *, folder: str | Path | None = None) -> str:
    """The YAML of a release file for these files; it contains no cell and no text of them.

    Table parts are complete: they can be assessed without an edit. `folder` is the folder of the release
    file, to which its paths are relative; by default the current one.
    """
    return draft_files(files, folder=folder).text


def draft_files(
    files: Sequence[str | Path],
    *,
    folder: str | Path | None = None,
    kinds: Mapping[str, str] | None = None,
) -> ReleaseDraft:
    """The same as data; a file that cannot be part of a release is refused.

    `kinds` says what files are, where they are taken for something else.
    """
    if not files:
        raise InvalidSetting("No file is named.", hint="Name the files to be released.")
    here = None if folder is None else Path(folder)
    known = kinds or {}
    for name in known:
        if name not in map(str, files):
            raise InvalidSetting.among("A file whose kind is named", name, map(str, files))
    sketches = [sketch_file(file, here, kind=known.get(str(file))) for file in files]
    named = [DraftFile(file, here) for file in files]
    apart = {one.written for one in named if one.name in known}
    return _drafted(_with_linked(sketches, named, apart), Path() if here is None else here)


def draft_parts(
    folder: str | Path,
    files: Sequence[str | Path] | None = None,
    *,
    kinds: Mapping[str, str] | None = None,
) -> ReleaseDraft:
    """The draft of a release file in a folder, as data.

    Without `files`, the files in its folder `uploads` are meant, or if there is none, those in the folder
    itself that reidrisk did not write. Files that cannot be part of a release are listed, not refused. What
    a file was recognized as is kept in the folder by the hash of the file: it is not read a second time.
    `kinds` says what files are, by their names in the folder, where they are taken for something else.
    """
    place = Path(folder)
    if not place.is_dir():
        raise UnreadableFile(f"{path_text(place)} is not a folder.", hint="Name the folder of the release.")
    chosen = _own_files(place) if files is None else [Path(one) for one in files]
    sketches: list[PartSketch] = []
    unknown: list[UnknownFile] = []
    for file in chosen:
        try:
            kind = (kinds or {}).get(DraftFile(file, place).written)
            sketches.append(sketch_file(file, place, kind=kind) if kind else _kept_sketch(file, place))
        except ReidRiskError as error:
            written = DraftFile(file, place).written
            problem = error.problem.replace(path_text(file), written)  # no path of this machine
            unknown.append(UnknownFile(written, problem, error.hint))
    named = [DraftFile(file, place) for file in chosen]
    return replace(_drafted(_with_linked(sketches, named, kinds or {}), place), unknown=tuple(unknown))


def _with_linked(
    sketches: Sequence[PartSketch], files: Sequence[DraftFile], apart: Iterable[str]
) -> list[PartSketch]:
    """The sketches with one for all tables that refer to each other, but for files whose kind is `apart`."""
    tables = {one.path for one in sketches if one.kind == "table"} - set(apart)
    paths = {one.written: one.path for one in files if one.written in tables and not one.is_url}
    if len(paths) < 2:
        return list(sketches)
    from reidrisk.assess.linked_sketch import sketch_linked

    found = sketch_linked(paths)
    if found is None:
        return list(sketches)
    return [found, *(one for one in sketches if one.path not in found.files)]


def _drafted(sketches: Sequence[PartSketch], folder: Path) -> ReleaseDraft:
    names = _PartNames()
    parts = []
    for sketch in _pair_sketches(sketches):
        name = names.add(sketch.wanted_name)
        lines = tuple(line for text in sketch.lines(name) for line in text.split("\n"))
        parts.append(DraftedPart(name, sketch.kind, sketch.files, sketch.reason, sketch.columns, lines))
    own = [one.settings for one in parts if one.kind in JOINABLE]
    if len(own) < 2:
        return ReleaseDraft(tuple(parts))
    from reidrisk.assess.joint_draft import joint_lines

    return ReleaseDraft(tuple(parts), joint=joint_lines(own, folder))


def _own_files(place: Path) -> list[Path]:
    """Files that somebody put into the folder of a release."""
    uploads = place / UPLOADS
    source = uploads if uploads.is_dir() else place
    return sorted(
        one
        for one in source.iterdir()
        if one.is_file()
        and not one.name.startswith(".")
        and one.name != RELEASE_FILE
        and not is_own_file(one)
    )


@dataclass(frozen=True)
class _KeptSketch(PartSketch):
    """A sketch that was made before."""

    made: Mapping[str, Any]

    @property
    def kind(self) -> str:  # type: ignore[override]
        return str(self.made["kind"])

    @property
    def wanted_name(self) -> str:
        return str(self.made["wanted_name"])

    @property
    def reason(self) -> str:
        return str(self.made["reason"])

    @property
    def columns(self) -> tuple[DraftedColumn, ...]:
        return tuple(DraftedColumn(**one) for one in self.made["columns"])

    def lines(self, name: str) -> Iterator[str]:
        for line in self.made["lines"]:
            is_named = line.startswith(("  - name: ", "    out: "))
            yield line.replace(self.wanted_name, name, 1) if is_named else line


def _kept_sketch(file: Path, place: Path) -> PartSketch:
    """The sketch of a file, from the store if a file with the same content and name was drafted before."""
    if not file.is_file():
        return sketch_file(file, place)
    written = DraftFile(file, place).written
    known = "\n".join((hash_regular(file, follow=True)[0], written, own_version()))
    store = place / HIDDEN / DRAFTS / f"{hashlib.sha256(known.encode()).hexdigest()}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        return _KeptSketch(written, json.loads(store.read_text(encoding="utf-8")))
    sketch = sketch_file(file, place)
    if not sketch.is_paired:
        made = {
            "kind": sketch.kind,
            "wanted_name": sketch.wanted_name,
            "reason": sketch.reason,
            "columns": [asdict(one) for one in sketch.columns],
            "lines": list(sketch.lines(sketch.wanted_name)),
        }
        with suppress(OSError, UnreadableFile), at_once():  # without a store it only takes longer
            store.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
            write_text(store, json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    return sketch


def sketch_file(path: str | Path, folder: Path | None = None, *, kind: str | None = None) -> PartSketch:
    """The sketch of the first kind that recognizes the file, or of the named kind."""
    file = DraftFile(path, folder)
    if not file.is_url and not file.path.exists():
        raise UnreadableFile.missing(file.name)
    if file.name.lower().endswith(DOCUMENT_SUFFIXES):
        raise UnreadableFile(
            f"{file.name} is a document, whose risk depends on the data of the trial.",
            hint="Describe both in a study file, and name that file instead. `reidrisk demo` writes an "
            "example: demo-output/study/study.yaml.",
        )
    names = sorted({one.kind for one in all_part_classes()})
    if kind is not None and kind not in names:
        raise InvalidSetting.among("The kind of a file", kind, names)
    for found in sorted(all_part_classes(), key=lambda one: one.sketch_order):
        if kind in (None, found.kind) and (sketch := found.sketch(file)) is not None:
            return sketch
    raise UnreadableFile(
        f"{file.name} cannot be part of a release{'' if kind is None else f' as {kind}'}.",
        hint="Name tables, a folder of linked tables, annotations or a study.yaml.",
    )


def possible_kinds(path: str | Path, folder: Path | None = None) -> tuple[str, ...]:
    """The kinds of parts that a file can be, the one it is taken for first; none if it cannot be any."""
    file = DraftFile(path, folder)
    found = []
    for one in sorted(all_part_classes(), key=lambda known: known.sketch_order):
        with suppress(ReidRiskError):
            if one.sketch(file) is not None:
                found.append(one.kind)
    return tuple(dict.fromkeys(found))


def _pair_sketches(sketches: Sequence[PartSketch]) -> list[PartSketch]:
    """Sketches of parts that take several files first, then the others in the order of the files."""
    paired = dict.fromkeys(type(one) for one in sketches if one.is_paired)
    together = [one for kind in paired for one in kind.pair(sketches)]
    return [*together, *(one for one in sketches if not one.is_paired)]


class _PartNames:
    """Unique names for parts."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def add(self, wanted: str) -> str:
        """The wanted name, with a number if it is taken."""
        name, number = wanted, 2
        while name.lower() in (other.lower() for other in self.taken):
            name, number = f"{wanted}-{number}", number + 1
        self.taken.append(name)
        return name
