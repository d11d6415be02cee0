"""The checklist of security and privacy practices, and the level of controls that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, get_args

from reidrisk.context.settings import Level, settings_of
from reidrisk.context.sources import read_data_file
from reidrisk.errors import InvalidSetting

State = Literal["yes", "no", "not_applicable"]
STATES: tuple[State, ...] = get_args(State)
GUIDELINES = ("CIHI", "CIHR", "COACH", "ICES")
OTHERS = "others"
"""The key that answers every practice not listed."""


@dataclass(frozen=True, slots=True)
class Practice:
    """One practice of the hospital study, in our words."""

    id: str
    group: str
    text: str
    clause: str
    """The sentence for a data-sharing agreement; our own wording."""
    marks: tuple[str, ...]
    """The guidelines that name it."""
    open: tuple[str, ...] = ()
    """The guidelines that only ask an open question about it."""
    boards: float | None = None
    """The share of research ethics boards that ask for it; None if the study does not report it."""
    boards_note: str = ""

    @property
    def is_core(self) -> bool:
        """Whether all four guidelines name it."""
        return len(self.marks) == len(GUIDELINES)


@dataclass(frozen=True, slots=True)
class PracticeAnswer:
    """The answer to one practice."""

    state: State
    evidence: str = ""
    reason: str = ""

    @classmethod
    def of(cls, given: Any, *, place: str) -> PracticeAnswer:
        """Read yes, no, or an answer with evidence or a reason."""
        plain = {"answer": given} if isinstance(given, str | bool) else given
        hint = "Write yes, no, or {answer: not_applicable, reason: ...}."
        spec = settings_of(plain, place=place, hint=hint)
        spec.allow(("answer", "evidence", "reason"))
        state = spec.need("answer", hint=f"Choose one of: {', '.join(STATES)}.")
        state = {True: "yes", False: "no"}[state] if isinstance(state, bool) else state
        if state not in STATES:
            raise InvalidSetting.among(place, str(state), STATES)
        found = cls(state, spec.text("evidence", "").strip(), spec.text("reason", "").strip())
        if found.state == "not_applicable" and not found.reason:
            raise InvalidSetting(
                f"{place} is answered with not_applicable, but without a reason.",
                hint="Write {answer: not_applicable, reason: ...}.",
            )
        return found

    def to_settings(self) -> Any:
        """The answer as it would be typed."""
        extra = {name: text for name in ("evidence", "reason") if (text := getattr(self, name))}
        return {"answer": self.state, **extra} if extra else self.state


@dataclass(frozen=True, slots=True)
class Checklist:
    """Answers by practice."""

    answers: Mapping[str, PracticeAnswer]

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", MappingProxyType(dict(self.answers)))

    @classmethod
    def of(cls, given: Any, *, place: str) -> Checklist:
        """Read answers by practice; `others` answers the practices that are not listed."""
        hint = "Write one practice with its answer per line, for example training: yes."
        spec = settings_of(given, place=place, hint=hint)
        spec.allow((*(practice.id for practice in practices()), OTHERS))
        listed = {name: PracticeAnswer.of(one, place=spec.at(name)) for name, one in spec.content.items()}
        rest = listed.pop(OTHERS, None)
        names = [practice.id for practice in practices()]
        found = {name: listed.get(name, rest) for name in names}
        return cls({name: answer for name, answer in found.items() if answer is not None})

    def _among(self, state: State) -> tuple[Practice, ...]:
        return tuple(
            one for one in practices() if one.id in self.answers and self.answers[one.id].state == state
        )

    @property
    def in_place(self) -> tuple[Practice, ...]:
        """Practices answered with yes."""
        return self._among("yes")

    @property
    def not_applicable(self) -> tuple[Practice, ...]:
        """Practices that do not apply, each with a reason."""
        return self._among("not_applicable")

    @property
    def missing(self) -> tuple[Practice, ...]:
        """Practices that apply but are not in place."""
        settled = {one.id for one in (*self.in_place, *self.not_applicable)}
        return tuple(one for one in practices() if one.id not in settled)

    @property
    def unproved(self) -> tuple[Practice, ...]:
        """Practices in place for which no evidence is given."""
        return tuple(one for one in self.in_place if not self.answers[one.id].evidence)

    @property
    def unanswered(self) -> tuple[Practice, ...]:
        """Practices without an answer; they count as missing."""
        return tuple(one for one in practices() if one.id not in self.answers)

    @property
    def level(self) -> Level:
        """The level of controls, by our own rule.

        High: every applicable practice is in place with evidence. Medium: every core practice is in place.
        """
        if not self.in_place:
            return "low"
        if not self.missing and not self.unproved:
            return "high"
        return "low" if any(one.is_core for one in self.missing) else "medium"

    def needed_for(self, level: Level) -> tuple[tuple[Practice, str], ...]:
        """What a level still needs: each practice, and whether the practice or its evidence is missing."""
        if level == "low":
            return ()
        lacking = [(one, "practice") for one in self.missing if level == "high" or one.is_core]
        proofs = [(one, "evidence") for one in self.unproved] if level == "high" else []
        return (*lacking, *proofs)

    def to_settings(self) -> dict[str, Any]:
        """The checklist as it would be typed."""
        return {name: answer.to_settings() for name, answer in self.answers.items()}


@lru_cache(maxsize=1)
def practices() -> tuple[Practice, ...]:
    """All practices in the order of the study."""
    return tuple(
        Practice(**{**one, "marks": tuple(one["marks"]), "open": tuple(one.get("open", ()))})
        for one in data()["practices"]
    )


@lru_cache(maxsize=1)
def data() -> dict[str, Any]:
    """The data file: practices, groups, guidelines and the rule for levels."""
    found: dict[str, Any] = read_data_file("checklist.yaml")
    return found
