"""`draft_release`: a commented release file for existing files, for a person to read and complete."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from reidrisk.assess.form import VERSION
from reidrisk.assess.kind import all_part_classes
from reidrisk.assess.sketch import DraftFile, PartSketch
from reidrisk.errors import InvalidSetting, UnreadableFile

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


def draft_release(files: Sequence[str | Path], *, folder: str | Path | None = None) -> str:
    """The YAML of a release file for these files; it contains no cell and no text of them.

    Table parts are complete: they can be assessed without an edit. `folder` is the folder of the release
    file, to which its paths are relative; by default the current one.
    """
    if not files:
        raise InvalidSetting("No file is named.", hint="Name the files to be released.")
    names = _PartNames()
    lines: list[str] = []
    here = None if folder is None else Path(folder)
    for sketch in _pair_sketches([sketch_file(file, here) for file in files]):
        lines += [*sketch.lines(names.add(sketch.wanted_name)), ""]
    title = json.dumps(f"Release of {', '.join(names.taken)}", ensure_ascii=False)
    return HEAD.format(version=VERSION, name=title) + "\n".join(lines[:-1]) + "\n"


def sketch_file(path: str | Path, folder: Path | None = None) -> PartSketch:
    """The sketch of the first kind that recognizes the file."""
    file = DraftFile(path, folder)
    if not file.is_url and not file.path.exists():
        raise UnreadableFile(
            f"{file.name} does not exist.", hint="Check the spelling and the current folder."
        )
    if file.name.lower().endswith(DOCUMENT_SUFFIXES):
        raise UnreadableFile(
            f"{file.name} is a document, whose risk depends on the data of the trial.",
            hint="Describe both in a study.yaml, and name that file.",
        )
    for kind in sorted(all_part_classes(), key=lambda one: one.sketch_order):
        if (sketch := kind.sketch(file)) is not None:
            return sketch
    raise UnreadableFile(
        f"{file.name} cannot be part of a release.", hint="Name tables, annotations or a study.yaml."
    )


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
