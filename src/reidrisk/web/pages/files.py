"""The files of a release: what each is taken for and why, more files, and what it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import JSONResponse, Response

from reidrisk.core.trail import RELEASE_FILE
from reidrisk.core.yaml_file import KeyPath
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.web.page import (
    ReleaseFolder,
    confined,
    go_to,
    need_role,
    part_settings,
    release_content,
    render,
    writing,
)
from reidrisk.web.pages.new import UPLOADS, make_keys, take_file
from reidrisk.web.uploads import MOST_BYTES

router = APIRouter()
FILE_KEYS = ("gold", "tool", "types", "table", "folder", "config", "population", "study", "findings")
"""Settings of a part that name a file."""
KIND_WORDS = {
    "text": "texts with annotations",
    "table": "a table with people or visits",
    "population": "counts of a population",
    "documents": "documents of a study",
    "relational": "linked tables about the same people",
}
Hash = Annotated[str, Form(pattern="[0-9a-f]{64}")]
Name = Annotated[str, Form(max_length=300)]


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a part names."""

    key: str
    path: str
    size: int | None
    """None if it is not there."""


@dataclass(frozen=True, slots=True)
class FilesOfPart:
    """A part and its files."""

    name: str
    kind: str
    words: str
    files: tuple[NamedFile, ...]


def files_of(folder: Path, settings: Mapping[str, Any]) -> FilesOfPart:
    """The files that a part names."""
    named = []
    for key in FILE_KEYS:
        value = settings.get(key)
        if isinstance(value, str):
            named.append(NamedFile(key, value, _size(folder, value)))
    tables = settings.get("tables")
    for name, value in tables.items() if isinstance(tables, Mapping) else ():
        named.append(NamedFile(str(name), str(value), _size(folder, str(value))))
    kind = str(settings.get("kind", ""))
    return FilesOfPart(str(settings.get("name", "")), kind, KIND_WORDS.get(kind, kind), tuple(named))


def _size(folder: Path, name: str) -> int | None:
    from reidrisk.assess.paths import is_inside

    path = folder / name
    try:
        if not is_inside(path, folder):
            return None
        if path.is_dir():
            return sum(one.stat().st_size for one in path.iterdir() if one.is_file())
        return path.stat().st_size if path.is_file() else None
    except (OSError, ValueError):
        return None


@router.get("/r/{release}/files")
def show(request: Request, folder: ReleaseFolder) -> Response:
    """Every part with its files."""
    parts = release_content(folder).get("parts")
    listed = [one for one in parts if isinstance(one, Mapping)] if isinstance(parts, list) else []
    found = [files_of(folder, one) for one in listed]
    return render(request, "files.html", folder=folder, step="files", parts_found=found, most=MOST_BYTES)


@router.get("/r/{release}/files/{part}/why")
def why(request: Request, folder: ReleaseFolder, part: str) -> Response:
    """Why the files are taken for this, and what else they could be."""
    from reidrisk.assess.drafting import draft_parts, possible_kinds

    settings = part_settings(folder, part)
    found = files_of(folder, settings)
    is_linked = found.kind == "relational"
    own = [
        folder / one.path
        for one in found.files
        if is_linked or one.key in ("gold", "tool", "table", "population", "study")
    ]
    there = [confined(folder, str(one.relative_to(folder))) for one in own if one.exists()]
    draft = draft_parts(folder, there) if there else None
    kinds = possible_kinds(there[0], folder) if there and not is_linked else ()
    others = [(kind, KIND_WORDS.get(kind, kind)) for kind in kinds if kind != found.kind]
    return render(request, "files_why.html", folder=folder, part=found, draft=draft, others=others)


@router.post("/r/{release}/files/{part}/kind")
def take_for(request: Request, folder: ReleaseFolder, part: str, kind: Name, sha256: Hash) -> Response:
    """Draft a part anew as another kind."""
    need_role(request, "preparer")
    from reidrisk.assess.drafting import draft_parts
    from reidrisk.assess.editing import edit_release

    found = files_of(folder, part_settings(folder, part))
    files = [
        confined(folder, one.path)
        for one in found.files
        if one.key in ("gold", "table", "population", "study")
    ]
    kinds = {str(one.relative_to(folder)): kind for one in files}
    draft = draft_parts(folder, files[:1], kinds=kinds)
    if not draft.parts:
        first = draft.unknown[0] if draft.unknown else None
        raise BadData(
            first.problem if first else "The part has no file.", hint=first.hint if first else "Add it."
        )
    with writing(request, folder, "part taken for another kind"):
        change: dict[KeyPath, Any] = {("parts", part): {**draft.parts[0].settings, "name": part}}
        edit_release(folder / RELEASE_FILE, change, expected_sha256=sha256)
    return go_to(request, folder, "files")


@router.post("/r/{release}/files/{part}/leave")
def leave_out(request: Request, folder: ReleaseFolder, part: str, sha256: Hash) -> Response:
    """Remove a part from the release; its files stay where they are."""
    need_role(request, "preparer")
    from reidrisk.assess.editing import REMOVED, edit_release

    part_settings(folder, part)
    with writing(request, folder, "part left out"):
        gone: dict[KeyPath, Any] = {("parts", part): REMOVED}
        edit_release(folder / RELEASE_FILE, gone, expected_sha256=sha256)
    return go_to(request, folder, "files")


@router.put("/r/{release}/files/file")
async def upload(
    request: Request, folder: ReleaseFolder, name: Annotated[str, Query(max_length=1000)]
) -> Response:
    """Take one more file in."""
    need_role(request, "preparer")
    uploads = folder / UPLOADS
    uploads.mkdir(mode=0o700, exist_ok=True)
    await take_file(request, confined(folder, UPLOADS), name)
    return JSONResponse({"name": name})


@router.post("/r/{release}/files/add")
def add(
    request: Request,
    folder: ReleaseFolder,
    sha256: Hash,
    name: Annotated[list[str], Form(max_length=200)],
) -> Response:
    """Draft parts for files that have just arrived, and append them."""
    need_role(request, "preparer")
    from reidrisk.assess.drafting import draft_parts
    from reidrisk.assess.editing import edit_release

    files = [confined(folder, UPLOADS, one) for one in name]
    draft = draft_parts(folder, files)
    if draft.unknown:
        first = draft.unknown[0]
        confined(folder, first.file).unlink(missing_ok=True)
        raise BadData(first.problem, hint=first.hint)
    parts = release_content(folder).get("parts")
    count = len(parts) if isinstance(parts, list) else 0
    taken = {str(one.get("name")) for one in parts or () if isinstance(one, Mapping)}
    changes: dict[Any, Any] = {}
    for at, one in enumerate(draft.parts):
        if one.name in taken:
            raise InvalidSetting(f"There is a part {one.name} already.", hint="Rename the file.")
        changes[("parts", count + at)] = one.settings
    with writing(request, folder, "parts added"):
        make_keys(folder, draft.parts)
        edit_release(folder / RELEASE_FILE, changes, expected_sha256=sha256)
    return go_to(request, folder, "files")
