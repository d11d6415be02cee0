"""Every option of a document risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from reidrisk.context.qualitative import DEGREES, Degree
from reidrisk.context.recognition import parse_probability, plain
from reidrisk.errors import InvalidSetting
from reidrisk.stats.caught import COMBINES, Combine
from reidrisk.stats.uncertain import Triangular
from reidrisk.tables.settings import MOST_KNOWN
from reidrisk.text.settings import TextSettings
from reidrisk.text.settings import settings as text_settings

Scenario = Literal["redacted", "replaced", "ipd", "ipd_mentioned", "qualitative"]
SCENARIOS: tuple[Scenario, ...] = get_args(Scenario)
CatchFrom = Literal["everybody", "mentioned"]
DirectLimit = Literal["strictest", "benchmark", "threshold"]
KNOWN_EVENTS = 1
"""Events that the adversary knows, unless something else is said."""


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """How the risk of documents is computed."""

    combine: Combine = "eq8"
    """How the risks through what leaked and through what was caught become one."""
    catch: CatchFrom = "everybody"
    """Whose classes are the risk through what was caught: everybody's on all quasi-identifiers, or those
    of the participants who are mentioned, each on what appears."""
    given_catch: Triangular | None = None
    """The risk through what was caught, if it is not to be measured."""
    direct_limit: DirectLimit = "strictest"
    """What the risk of direct identifiers must not exceed: the benchmark, the threshold, or the lower."""
    remaining: Degree | None = None
    """How many identifiers are left after treatment, for the qualitative scenario."""
    known: int = KNOWN_EVENTS
    """Events of a participant that the adversary knows besides the quasi-identifiers."""
    known_reason: str | None = None
    """Why no event is known; needed where `known` is 0."""
    show_subjects: bool = False
    """Whether the result names participants, by the number of their row."""
    text: TextSettings = field(default_factory=lambda: TextSettings(limit="model"))
    """How the risk through what leaked is computed, as for any text."""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise InvalidSetting.among(f"The option {name}", str(getattr(self, name)), known)
        if self.remaining is not None and self.remaining not in DEGREES:
            raise InvalidSetting.among("The option remaining", str(self.remaining), DEGREES)
        if self.text.limit != "model":
            raise InvalidSetting(
                "The risk of documents is computed by the model, because only some pages are reviewed.",
                hint="Use limit=model.",
            )
        self._check_known()

    def _check_known(self) -> None:
        if (
            isinstance(self.known, bool)
            or not isinstance(self.known, int)
            or not 0 <= self.known <= MOST_KNOWN
        ):
            raise InvalidSetting(
                f"The number of known events cannot be {self.known}.", hint=f"Choose 0 to {MOST_KNOWN}."
            )
        if self.known == 0 and not (self.known_reason or "").strip():
            raise InvalidSetting(
                "That an adversary knows no event of a participant needs a reason.",
                hint="Add --set known_reason=REASON, or known_reason: in a file; the result prints it.",
            )
        if self.known and self.known_reason is not None:
            raise InvalidSetting(
                f"known_reason says why no event is known, but {self.known} are.", hint="Leave it out."
            )

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        own = {
            "combine": self.combine,
            "catch": self.catch,
            "given_catch": None if self.given_catch is None else plain(self.given_catch),
            "direct_limit": self.direct_limit,
            "remaining": self.remaining,
            "known": self.known,
            "known_reason": self.known_reason,
            "show_subjects": self.show_subjects,
        }
        return own | {"text": asdict(self.text)}


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "combine": COMBINES,
    "catch": get_args(CatchFrom),
    "direct_limit": get_args(DirectLimit),
}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def document_settings(
    profile: str = "recommended", options: Mapping[str, Any] | None = None
) -> DocumentSettings:
    """The settings of a profile with single options changed; others are those of a text evaluation."""
    own: dict[str, Any] = {"combine": "literal"} if profile == "paper" else {}
    rest: dict[str, Any] = {}
    for name, value in (options or {}).items():
        if name == "given_catch":
            own[name] = _catch(value)
        elif name == "show_subjects":
            own[name] = _truth(name, value)
        elif name == "known":
            own[name] = _number(name, value)
        elif name in (*_CHOICES, "remaining", "known_reason"):
            own[name] = value
        else:
            rest[name] = value
    return DocumentSettings(**own, text=text_settings(profile, {"limit": "model"} | rest))


def _catch(value: Any) -> Triangular:
    if isinstance(value, Triangular):
        return value
    found = parse_probability(str(value), "risk through what was caught")
    if not isinstance(found, Triangular):
        raise InvalidSetting(
            "given_catch is a probability, or low,mode,high.", hint="Write given_catch=0.09, for example."
        )
    return found


def _number(name: str, value: Any) -> int:
    if str(value).strip().isdecimal():
        return int(value)
    raise InvalidSetting(f"{name} is a whole number.", hint=f"Write {name}=1.")


def _truth(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).casefold() not in _TRUTHS:
        raise InvalidSetting(f"{name} is yes or no.", hint=f"Write {name}=yes.")
    return _TRUTHS[str(value).casefold()]
