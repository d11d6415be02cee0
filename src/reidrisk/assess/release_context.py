"""The context of a release file: read it as settings, and replace it by answers to the questionnaire."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from reidrisk.assess.editing import REMOVED, edit_release
from reidrisk.assess.form import SUBMISSION_FORM
from reidrisk.assess.paths import check_settings_inside
from reidrisk.assess.release_file import ReleaseContent, with_checklist, with_context
from reidrisk.context.form_reading import FilledForm, read_form, score_settings
from reidrisk.core.place import SettingPlace
from reidrisk.core.wording import path_text
from reidrisk.core.yaml_file import read_lined_yaml
from reidrisk.errors import InvalidSetting

ABOUT = (
    *("name", "purpose", "custodian", "recipient", "prepared_by", "date", "review_months"),
    *(f"submission.{name}" for name in SUBMISSION_FORM.entries),
    *("expert.name", "expert.qualification"),
)
"""What a release file says about the release itself; the settings of a section by section.name."""
STUDIES = "submission.studies"
MOST_TEXT = 2_000


def release_about(release: str | Path) -> dict[str, str]:
    """The section `release` of a release file, as the fields of a form."""
    content = read_lined_yaml(Path(release)).content
    about = content.get("release") if isinstance(content, Mapping) else None
    known = about if isinstance(about, Mapping) else {}
    return {name: _typed(known, name) for name in ABOUT}


def _typed(about: Mapping[str, Any], name: str) -> str:
    """A setting as somebody would type it; several studies with commas between them."""
    first, _, inner = name.partition(".")
    value = about.get(first)
    if inner:
        value = value.get(inner) if isinstance(value, Mapping) else None
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def about_changes(before: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, Any]:
    """The changes for `edit_release` that fields of a form stand for; an empty one removes a setting."""
    changes: dict[str, Any] = {}
    for name in ABOUT:
        typed = fields.get(name, before[name]).strip()
        if typed != before[name]:
            changes[f"release.{name}"] = _about_value(name, typed) if typed else REMOVED
    if changes.get("release.name") is REMOVED:
        raise InvalidSetting("The release has no name.", hint="Give it a name that others will recognize.")
    return changes


def _about_value(name: str, typed: str) -> Any:
    if len(typed) > MOST_TEXT:
        raise InvalidSetting(
            f"The {name.rpartition('.')[2]} is too long.", hint=f"Use at most {MOST_TEXT:,} letters."
        )
    if name == "date":
        try:
            return date.fromisoformat(typed)
        except ValueError:
            raise InvalidSetting("This is not a date.", hint="Write for example 2026-11-01.") from None
    if name == "review_months":
        if not typed.isdecimal() or not 1 <= int(typed) <= 120:
            raise InvalidSetting(
                "The months until the next review are not a number from 1 to 120.", hint="Write 12."
            )
        return int(typed)
    if name == STUDIES:
        return [one for part in typed.split(",") if (one := part.strip())]
    return typed


def release_context(release: str | Path, *, allow_outside: bool = False) -> dict[str, Any]:
    """The settings of the context of a release file, also where they are in files of their own.

    Only the context is read: the parts of the release may still be incomplete.
    """
    path = Path(release)
    lined = read_lined_yaml(path)
    if not isinstance(lined.content, Mapping):
        raise InvalidSetting(
            f"{path_text(path.name)} is not a mapping of settings.", hint="Begin with reidrisk: 1."
        )
    given = ReleaseContent(path_text(path.name), path.parent, lined.content, dict(lined.lines))
    if not allow_outside:
        check_settings_inside(given.content, given.folder, SettingPlace(given.source, (), given.lines))
    context = with_checklist(with_context(given).content.get("context"), given.folder)
    if not isinstance(context, Mapping | None):
        raise InvalidSetting(
            f"{path_text(path.name)}: the context is not a mapping of settings.",
            hint="Write for example access: non_public.",
        )
    return dict(context or {})


def show_context(release: str | Path, *, allow_outside: bool = False) -> FilledForm:
    """The questionnaire with the answers of a release file, and their score."""
    path = Path(release)
    return score_settings(release_context(path, allow_outside=allow_outside), folder=path.parent)


def try_context(release: str | Path, fields: Mapping[str, str], *, allow_outside: bool = False) -> FilledForm:
    """The questionnaire with the answers in the fields of a form, and their score; nothing is written."""
    path = Path(release)
    return read_form(fields, release_context(path, allow_outside=allow_outside), folder=path.parent)


def save_context(
    release: str | Path,
    fields: Mapping[str, str],
    *,
    expected_sha256: str,
    about: Mapping[str, str] | None = None,
    allow_outside: bool = False,
) -> tuple[FilledForm, str | None]:
    """Write the answers into the release file; the new hash of the file, or None if a problem prevents it.

    `about` has fields of the section `release`, such as the recipient. Only settings that differ are changed.
    ChangedMeanwhile if the file is not the one that was read.
    """
    before = release_context(release, allow_outside=allow_outside)
    filled = try_context(release, fields, allow_outside=allow_outside)
    if filled.score is None:
        return filled, None
    after = before if filled.settings == before else dict(filled.settings)
    changes: dict[str, Any] = {} if after is before else {"context": after}
    if about is not None:
        changes |= about_changes(release_about(release), about)
    sha256 = edit_release(release, changes, expected_sha256=expected_sha256, allow_outside=allow_outside)
    return filled, sha256
