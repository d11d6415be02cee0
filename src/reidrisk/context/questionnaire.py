"""Questionnaires: the points of the answers add up to a level. They are read from data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from reidrisk.context.settings import LEVELS, Level, level_of
from reidrisk.context.sources import read_data_file, source
from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting

Origin = Literal["stated", "questions", "checklist", "assumed"]


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """A possible answer to a question, and its points."""

    id: str
    text: str
    points: int


@dataclass(frozen=True, slots=True)
class RatingQuestion:
    """A question with its possible answers."""

    id: str
    text: str
    help: str
    answers: tuple[AnswerOption, ...]

    @property
    def worst(self) -> AnswerOption:
        """The answer with the most points, which counts if the question is not answered."""
        return max(self.answers, key=lambda answer: answer.points)

    def answer(self, given: Any, place: str) -> AnswerOption:
        """Find the answer that the user gave; true and false mean yes and no."""
        name = {True: "yes", False: "no"}.get(given, given) if isinstance(given, bool) else given
        for answer in self.answers:
            if answer.id == name:
                return answer
        raise InvalidSetting.among(place, str(name), [answer.id for answer in self.answers])


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """The questions about one subject, and how their points become a level."""

    name: str
    version: int
    title: str
    source: str
    questions: tuple[RatingQuestion, ...]
    rule: str
    """A description of how points become a level; our own rule."""
    floors: Mapping[Level, int]
    """The fewest points of each level."""

    def level(self, points: int) -> Level:
        """The level for a number of points."""
        return max((level for level in LEVELS if points >= self.floors[level]), key=LEVELS.index)


@dataclass(frozen=True, slots=True)
class Rating:
    """A level, and where it comes from."""

    level: Level
    origin: Origin
    answers: Mapping[str, str] = field(default_factory=dict)
    """Answers by question, if the level comes from questions."""
    unanswered: tuple[str, ...] = ()
    points: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", MappingProxyType(dict(self.answers)))

    @classmethod
    def of(cls, given: Any, asked: Questionnaire, *, place: str, assumed: Level) -> Rating:
        """Read a level or answers; without either, the level is assumed."""
        if given is None:
            return cls(assumed, "assumed")
        if not isinstance(given, Mapping):
            return cls(level_of(given, place), "stated")
        spec = Spec.of(given, place=place)
        spec.allow(question.id for question in asked.questions)
        found = {
            question.id: question.answer(spec.content[question.id], spec.at(question.id))
            for question in asked.questions
            if spec.content.get(question.id) is not None
        }
        points = sum(found.get(question.id, question.worst).points for question in asked.questions)
        left = tuple(question.id for question in asked.questions if question.id not in found)
        answers = {name: answer.id for name, answer in found.items()}
        return cls(asked.level(points), "questions", answers, left, points)

    def asked(self, questions: Questionnaire) -> list[dict[str, Any]]:
        """Each question with its answer, for reports."""
        if self.origin != "questions":
            return []
        rows = []
        for question in questions.questions:
            given = self.answers.get(question.id)
            answer = question.worst if given is None else question.answer(given, question.id)
            rows.append(
                {
                    "question": question.id,
                    "text": question.text,
                    "answer": given,
                    "meaning": answer.text,
                    "points": answer.points,
                }
            )
        return rows

    def to_settings(self) -> Any:
        """The rating as it would be typed."""
        return {"assumed": None, "questions": dict(self.answers)}.get(self.origin, self.level)

    def to_dict(self, questions: Questionnaire) -> dict[str, Any]:
        """For JSON."""
        return {
            "level": self.level,
            "from": self.origin,
            "answers": dict(self.answers),
            "unanswered": list(self.unanswered),
            "points": self.points,
            "questions": self.asked(questions),
            "rule": questions.rule,
            "ours": self.origin == "questions",
            "source": str(source(questions.source)),
        }


@lru_cache
def questionnaire(name: str) -> Questionnaire:
    """One of our questionnaires: `motives` or `invasion`."""
    data = read_data_file(f"{name}.yaml")
    questions = tuple(
        RatingQuestion(
            one["id"], one["text"], one["help"], tuple(AnswerOption(**answer) for answer in one["answers"])
        )
        for one in data["questions"]
    )
    levels = data["levels"]
    floors = MappingProxyType({level: int(levels[level]) for level in LEVELS})
    return Questionnaire(
        data["name"], data["version"], data["title"], data["source"], questions, levels["rule"], floors
    )
