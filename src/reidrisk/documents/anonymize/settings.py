"""How documents are anonymized."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from reidrisk.documents.document import Look
from reidrisk.documents.review.opinions import Rule, check_rule
from reidrisk.errors import InvalidSetting

Mode = Literal["redact", "replace"]
Unread = Literal["refuse", "allow"]
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class AnonymizeSettings:
    """What is done to findings, and how it looks."""

    mode: Mode = "redact"
    """A box over what was removed, or the value that the released data have instead."""
    look: Look = field(default_factory=Look)
    label: str = ""
    """What a box says: nothing for PPD or CCI, `type` for the type that was found, or a text of your own."""
    scanned: Unread = "refuse"
    """What to do with pages that are pictures and that nobody could read."""
    unreadable: Unread = "refuse"
    """What to do with pages whose fonts do not tell what they say."""
    per_page: bool = False
    """Whether pages that cannot be released are left out, with an explanation in their place."""
    rule: Rule = "careful"
    """What counts where reviewers differ."""
    same_values: bool = True
    """Whether a direct identifier that was found once goes everywhere in its document."""
    office: bool = False
    """Whether LibreOffice takes part in the proof of a DOCX."""

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise InvalidSetting.among("The mode", self.mode, get_args(Mode))
        for name in ("scanned", "unreadable"):
            if getattr(self, name) not in get_args(Unread):
                raise InvalidSetting.among(name, getattr(self, name), get_args(Unread))
        check_rule(self.rule)
        for name in ("personal", "confidential", "text"):
            if not _COLOUR.fullmatch(getattr(self.look, name)):
                raise InvalidSetting(
                    f"The color {name} cannot be {getattr(self.look, name)!r}.",
                    hint="Write it as #0000ff: red, green and blue.",
                )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "look"}
        return own | {name: getattr(self.look, name) for name in _LOOKS}


_LOOKS = ("personal", "confidential", "text", "labels")


def anonymize_settings(mode: Mode = "redact", changes: Mapping[str, str] | None = None) -> AnonymizeSettings:
    """Settings from names and texts, as --set gives them."""
    given = AnonymizeSettings(mode=mode)
    own = tuple(one.name for one in fields(given) if one.name not in ("mode", "look"))
    look: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for name, text in (changes or {}).items():
        if name not in (*own, *_LOOKS):
            raise InvalidSetting.among("A setting", name, (*own, *_LOOKS))
        value: Any = _truth(name, text) if name in ("labels", "same_values", "office", "per_page") else text
        (look if name in _LOOKS else chosen)[name] = value
    return replace(given, look=replace(given.look, **look), **chosen)


def _truth(name: str, text: str) -> bool:
    if text.casefold() not in _TRUTH:
        raise InvalidSetting.among(name, text, ("yes", "no"))
    return _TRUTH[text.casefold()]
