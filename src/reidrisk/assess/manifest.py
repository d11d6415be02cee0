"""The manifest of an assessment: hashes of everything it consists of, and the root hash over them.

The root hash is the SHA-256 of the file `manifest.json`. The manifest has the hashes of all files that the
run wrote into the folder, of the release file, of the inputs and of the tables that were released, with
versions and seed. Reports show the root hash and signatures sign it, so it cannot cover them: reports and
charts are listed in `reports.json` and are drawn again from files that the root hash covers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NoReturn

from reidrisk.core.regular_files import hash_regular, read_regular
from reidrisk.core.wording import path_text
from reidrisk.errors import UnreadableFile

MANIFEST, REPORTS = "manifest.json", "reports.json"
SIGNATURES = "signatures"
MOST_BYTES = 16 * 2**20
NO_ASSESSMENT_HINT = "Name a folder that `reidrisk assess --out` wrote."
_SHA256 = re.compile(r"[0-9a-f]{64}")

Check = Callable[[Any], bool]


def json_text(content: Mapping[str, Any]) -> str:
    """The text of a JSON file in the folder."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def root_of(manifest: bytes) -> str:
    """The root hash of an assessment with this manifest."""
    return hashlib.sha256(manifest).hexdigest()


def is_inner_path(path: Any) -> bool:
    """Whether a path names a file below the folder, without tricks.

    >>> [is_inner_path(path) for path in ("parts/a/x.csv", "../x", "/etc/x", "a//b", "a/./b", "C:x", "", 5)]
    [True, False, False, False, False, False, False, False]
    """
    if not isinstance(path, str) or not path or "\\" in path or not path.isprintable():
        return False
    pure = PurePosixPath(path)
    is_plain = pure.as_posix() == path and ".." not in pure.parts and not pure.is_absolute() and path != "."
    return is_plain and not PureWindowsPath(path).drive


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_outer_folder(value: Any) -> bool:
    """Whether a path leads from the folder of the assessment to that of the release file."""
    return _is_text(value) and not PurePosixPath(value).is_absolute() and not PureWindowsPath(value).drive


def _is_versions(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(one) for one in value.values())


_FILE: Mapping[str, Check] = {"path": is_inner_path, "sha256": _is_hash, "bytes": _is_count}
_RELEASE: Mapping[str, Check] = {"file": _is_text, "folder": _is_outer_folder, "sha256": _or_null(_is_hash)}
_INPUT: Mapping[str, Check] = {
    "part": _is_text,
    "path": _is_text,
    "sha256": _or_null(_is_hash),
    "bytes": _or_null(_is_count),
}
_OUTPUT: Mapping[str, Check] = {
    "part": _is_text,
    "path": _is_text,
    "sha256": _is_hash,
    "key": _is_text,
    "secret": _or_null(_is_text),
}
_CODEBOOK: Mapping[str, Check] = {"part": _is_text, "path": _is_text, "sha256": _is_hash}
_MANIFEST: Mapping[str, Check] = {
    "kind": lambda value: value == "manifest",
    "version": _is_text,
    "audience": _is_text,
    "versions": _is_versions,
    "seed": lambda value: isinstance(value, int) and not isinstance(value, bool),
}
_MANIFEST_LISTS = {"files": _FILE, "inputs": _INPUT, "outputs": _OUTPUT}
_REPORTS: Mapping[str, Check] = {
    "kind": lambda value: value == "reports",
    "audience": _is_text,
    "root": _is_hash,
    "versions": _is_versions,
}
_REPORT_LISTS = {"files": _FILE, "codebooks": _CODEBOOK}


def parse_manifest(content: bytes, *, where: str = MANIFEST) -> dict[str, Any]:
    """The content of a manifest; anything that reidrisk does not write is refused by its place."""
    found = _object(content, where)
    release = found.get("release")
    _check_keys(found, {*_MANIFEST, "release", *_MANIFEST_LISTS}, where)
    _check_values(found, _MANIFEST, where)
    if not isinstance(release, dict):
        _refuse(where, "release is not a mapping")
    _check_keys(release, set(_RELEASE), f"{where}, release")
    _check_values(release, _RELEASE, f"{where}, release")
    _check_lists(found, _MANIFEST_LISTS, where)
    return found


def parse_reports(content: bytes, *, where: str = REPORTS) -> dict[str, Any]:
    """The content of the list of reports."""
    found = _object(content, where)
    _check_keys(found, {*_REPORTS, *_REPORT_LISTS}, where)
    _check_values(found, _REPORTS, where)
    _check_lists(found, _REPORT_LISTS, where)
    return found


def parse_object(content: bytes, *, where: str) -> dict[str, Any]:
    """A JSON object without duplicate names, NaN or endless nesting."""
    return _object(content, where)


def _object(content: bytes, where: str) -> dict[str, Any]:
    try:
        found = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=lambda pairs: _without_duplicates(pairs, where),
            parse_constant=lambda _: _refuse(where, "it has a number that JSON does not know"),
        )
    except UnicodeDecodeError:
        _refuse(where, "it is not UTF-8")
    except (ValueError, RecursionError):
        _refuse(where, "it is not JSON")
    if not isinstance(found, dict):
        _refuse(where, "it is not a mapping")
    return found


def _without_duplicates(pairs: list[tuple[str, Any]], where: str) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse(where, "a name occurs twice in it")
    return found


def _check_keys(found: Mapping[str, Any], known: set[str], where: str) -> None:
    for name in sorted(known - set(found)):
        _refuse(where, f"{name} is missing")
    if set(found) - known:
        _refuse(where, "it has entries that reidrisk does not write")


def _check_values(found: Mapping[str, Any], checks: Mapping[str, Check], where: str) -> None:
    for name, check in checks.items():
        if not check(found[name]):
            _refuse(where, f"{name} is not what reidrisk writes there")


def _check_lists(found: Mapping[str, Any], lists: Mapping[str, Mapping[str, Check]], where: str) -> None:
    for name, checks in lists.items():
        if not isinstance(found[name], list):
            _refuse(where, f"{name} is not a list")
        for number, entry in enumerate(found[name], start=1):
            place = f"{where}, {name}, entry {number}"
            if not isinstance(entry, dict):
                _refuse(place, "it is not a mapping")
            _check_keys(entry, set(checks), place)
            _check_values(entry, checks, place)
    paths = [entry["path"] for entry in found["files"]]
    if len(set(paths)) < len(paths):
        _refuse(where, "a file is listed twice")


def _refuse(where: str, why: str) -> NoReturn:
    raise UnreadableFile(
        f"{where} is malformed: {why}.",
        hint="It was changed, or an earlier version of reidrisk wrote it. Run `reidrisk assess` again.",
    )


def manifest_bytes(folder: Path) -> bytes:
    """The file `manifest.json` of a folder; UnreadableFile if there is none."""
    if not (folder / MANIFEST).exists() and not (folder / MANIFEST).is_symlink():
        raise UnreadableFile(f"{path_text(folder)} contains no assessment.", hint=NO_ASSESSMENT_HINT)
    return read_regular(folder / MANIFEST, most=MOST_BYTES)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None if there is none or it cannot be read."""
    try:
        return parse_manifest(manifest_bytes(folder))
    except UnreadableFile:
        return None


def read_reports(folder: Path) -> dict[str, Any] | None:
    """The list of reports of a folder; None if there is none or it cannot be read."""
    try:
        return parse_reports(read_regular(folder / REPORTS, most=MOST_BYTES))
    except UnreadableFile:
        return None


def has_signatures(folder: Path) -> bool:
    """Whether anything is in the folder for signatures."""
    place = folder / SIGNATURES
    return place.is_dir() and any(place.iterdir())


def file_entries(files: Mapping[str, Path]) -> list[dict[str, Any]]:
    """Hash and size of files, by their names."""
    hashes = {name: hash_regular(path) for name, path in sorted(files.items())}
    return [{"path": name, "sha256": digest, "bytes": size} for name, (digest, size) in hashes.items()]


def content_entries(contents: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """The same for contents that are not written yet."""
    return [
        {"path": name, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        for name, content in sorted(contents.items())
    ]


def folders_of(paths: Iterable[str]) -> set[str]:
    """All folders that the paths of files go through."""
    return {str(parent) for path in paths for parent in PurePosixPath(path).parents} - {"."}
