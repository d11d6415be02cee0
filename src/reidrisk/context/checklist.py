"""The practices of the recipient, one by one: which are in place, and what level of controls they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, get_args

from reidrisk.context.settings import Level, settings_of
from reidrisk.context.sources import packaged
from reidrisk.errors import InvalidSetting

State = Literal["yes", "no", "not_applicable"]
STATES: tuple[State, ...] = get_args(State)
GUIDELINES = ("CIHI", "CIHR", "COACH", "ICES")
OTHERS = "others"
"""The answer of every practice that is not listed."""


@dataclass(frozen=True, slots=True)
class Practice:
    """One practice of the hospital study, in our words."""

    id: str
    group: str
    text: str
    clause: str
    """For a data-sharing agreement; ours."""
    marks: tuple[str, ...]
    """The guidelines that name it."""
    open: tuple[str, ...] = ()
    """The guidelines that only ask an open question about it."""
    boards: float | None = None
    """The share of research ethics boards that ask for it, where one is given."""
    boards_note: str = ""

    @property
    def is_core(self) -> bool:
        """Whether all four guidelines name it."""
        return len(self.marks) == len(GUIDELINES)


@dataclass(frozen=True, slots=True)
class PracticeAnswer:
    """What is said of one practice."""

    state: State
    evidence: str = ""
    reason: str = ""

    @classmethod
    def of(cls, given: Any, *, place: str) -> PracticeAnswer:
        """From yes, no, or an answer with its evidence or reason."""
        plain = {"answer": given} if isinstance(given, str | bool) else given
        hint = "Write yes, no, or {answer: not_applicable, reason: ...}."
        spec = settings_of(plain, place=place, hint=hint)
        spec.allow(("answer", "evidence", "reason"))
        said = spec.need("answer", hint=f"Choose one of: {', '.join(STATES)}.")
        said = {True: "yes", False: "no"}[said] if isinstance(said, bool) else said
        if said not in STATES:
            raise InvalidSetting.among(place, str(said), STATES)
        found = cls(said, spec.text("evidence", "").strip(), spec.text("reason", "").strip())
        if found.state == "not_applicable" and not found.reason:
            raise InvalidSetting(
                f"{place} does not apply, but no reason is given.",
                hint="Write {answer: not_applicable, reason: ...}.",
            )
        return found

    def said(self) -> Any:
        """As it would be typed again."""
        extra = {name: text for name in ("evidence", "reason") if (text := getattr(self, name))}
        return {"answer": self.state, **extra} if extra else self.state


@dataclass(frozen=True, slots=True)
class Checklist:
    """The practices with their answers."""

    answers: Mapping[str, PracticeAnswer]

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", MappingProxyType(dict(self.answers)))

    @classmethod
    def of(cls, given: Any, *, place: str) -> Checklist:
        """From answers by practice; what is not listed has the answer of `others`, or none."""
        hint = "Write a practice and its answer on each line, for example training: yes."
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
        """Answered with yes."""
        return self._among("yes")

    @property
    def not_applicable(self) -> tuple[Practice, ...]:
        """Said, with a reason, not to apply."""
        return self._among("not_applicable")

    @property
    def missing(self) -> tuple[Practice, ...]:
        """Neither in place nor said not to apply."""
        settled = {one.id for one in (*self.in_place, *self.not_applicable)}
        return tuple(one for one in practices() if one.id not in settled)

    @property
    def unproved(self) -> tuple[Practice, ...]:
        """In place as is said, but without evidence."""
        return tuple(one for one in self.in_place if not self.answers[one.id].evidence)

    @property
    def unanswered(self) -> tuple[Practice, ...]:
        """Not spoken of, which counts as missing."""
        return tuple(one for one in practices() if one.id not in self.answers)

    @property
    def level(self) -> Level:
        """High: everything applicable with evidence; medium: everything core; low otherwise. Ours."""
        if not self.in_place:
            return "low"
        if not self.missing and not self.unproved:
            return "high"
        return "low" if any(one.is_core for one in self.missing) else "medium"

    def needed_for(self, level: Level) -> tuple[tuple[Practice, str], ...]:
        """What stands between this checklist and a level: a practice, and whether it or its proof lacks."""
        if level == "low":
            return ()
        lacking = [(one, "practice") for one in self.missing if level == "high" or one.is_core]
        proofs = [(one, "evidence") for one in self.unproved] if level == "high" else []
        return (*lacking, *proofs)

    def said(self) -> dict[str, Any]:
        """As it would be typed again."""
        return {name: answer.said() for name, answer in self.answers.items()}


@lru_cache(maxsize=1)
def practices() -> tuple[Practice, ...]:
    """The practices in the order of the study."""
    return tuple(
        Practice(**{**one, "marks": tuple(one["marks"]), "open": tuple(one.get("open", ()))})
        for one in data()["practices"]
    )


@lru_cache(maxsize=1)
def data() -> dict[str, Any]:
    """The data file: groups, guidelines and the rule of levels."""
    found: dict[str, Any] = packaged("checklist.yaml")
    return found
