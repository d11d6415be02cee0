"""Settings of replacement, shared by all worker processes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args, get_type_hints

from reidrisk.errors import InvalidSetting
from reidrisk.text.values import DateOrder

Mode = Literal["redact", "label", "mask", "surrogate"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class ResynthesisSettings:
    """What replaces an identifier, and how far surrogates may be from the original."""

    mode: Mode = "surrogate"
    """[REDACTED], the type in brackets, blocks of the same length, or an invented value."""
    date_days: int = 60
    """All dates of a person shift by the same number of days, at most this many forward or back."""
    keep_weekday: bool = False
    """Whether dates shift by whole weeks, so that a Monday stays a Monday."""
    date_order: DateOrder = "mdy"
    """How 03/04/2019 is read."""
    age_years: int = 2
    """All ages of a person shift by the same number of years, at most this many up or down."""
    age_top: int = 89
    """Ages above this are replaced by an age slightly below it."""
    places: Literal["region", "anywhere"] = "region"
    """Whether states, countries and postal codes stay in their region."""
    names: Literal["set", "person"] = "set"
    """Whether a name has one surrogate in the whole set, or a different one per person."""

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            choices = get_args(kind)
            if choices and getattr(self, name) not in choices:
                raise InvalidSetting.among(name, str(getattr(self, name)), choices)
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise InvalidSetting(
                    f"{name} must be between {least:,} and {most:,}.", hint="Leave it out for the default."
                )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON types."""
        return asdict(self)


_RANGES = {"date_days": (14, 3650), "age_years": (1, 20), "age_top": (60, 120)}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def resynthesis_settings(mode: str, options: dict[str, str]) -> ResynthesisSettings:
    """The settings from NAME=VALUE options."""
    chosen: dict[str, Any] = {"mode": mode}
    kinds = get_type_hints(ResynthesisSettings)
    for name, text in options.items():
        if name not in kinds or name == "mode":
            raise InvalidSetting.among("A replacement option", name, [one for one in kinds if one != "mode"])
        chosen[name] = _read(name, text, kinds[name])
    return replace(ResynthesisSettings(), **chosen)


def _read(name: str, text: str, kind: Any) -> Any:
    try:
        if kind is bool:
            return _TRUTHS[text.casefold()]
        return int(text) if kind is int else text
    except (KeyError, ValueError):
        wanted = "yes or no" if kind is bool else "a whole number"
        raise InvalidSetting(
            f"{name} must be {wanted}, not {text!r}.", hint="Use --set NAME=VALUE."
        ) from None
