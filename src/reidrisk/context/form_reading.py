"""Read a questionnaire that was filled in as a form: fields become settings, or a problem is named.

A form on a page has one field for each question, named by the setting that it sets, and one field `more.KEY`
for what is asked after an answer, such as evidence. Three fields of a page are not asked one by one: the
answer to all practices that are not listed, and the levels of motives and invasion where they are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.context.changes import without_contradictions
from reidrisk.context.checklist import OTHERS
from reidrisk.context.context import Context
from reidrisk.context.form import CHECKLIST, ContextForm, FollowUp, FormChoice, FormQuestion, context_form
from reidrisk.context.score import ContextScore, score_context
from reidrisk.context.settings import LEVELS, probability_of
from reidrisk.errors import InvalidSetting, ReidRiskError

MORE = "more."
"""Before the name of a question: what is asked after its answer."""
MOST_TEXT = 2_000
QUESTIONS = "questions"
"""The answer to a question about a level that leads to its questions."""
RATED = ("motives", "invasion")
STAGES: tuple[tuple[str, ...], ...] = (("preset",), ("variant", "access"), ("controls",), ())
"""Questions in the order in which they decide about others; the last stage has all others."""


@dataclass(frozen=True, slots=True)
class FilledForm:
    """What a person filled in: the settings of the context, and what is wrong or missing."""

    settings: Mapping[str, Any]
    problems: Mapping[str, str] = field(default_factory=dict)
    """By the key of the question; empty key: the answers together."""
    score: ContextScore | None = None
    """None if there is a problem."""
    form: ContextForm = field(default_factory=context_form)
    """The questions with these answers."""

    @property
    def extra(self) -> Mapping[str, FormQuestion]:
        """Questions of a page only."""
        return page_questions(self.settings)


def page_questions(settings: Mapping[str, Any]) -> dict[str, FormQuestion]:
    """The answer to all practices that are not listed, and levels instead of their questions."""
    sheet = settings.get(CHECKLIST)
    known = sheet.get(OTHERS) if isinstance(sheet, Mapping) else None
    evidence = FollowUp("evidence", "Evidence that covers all of them", required=False)
    found = {
        f"{CHECKLIST}.{OTHERS}": FormQuestion(
            f"{CHECKLIST}.{OTHERS}",
            "All practices without an answer of their own",
            "",
            "",
            (FormChoice("yes", "are in place", evidence), FormChoice("no", "are not in place")),
            optional=True,
            applies=isinstance(sheet, Mapping),
            answer=known,
        )
    }
    for name in RATED:
        stated = settings.get(name)
        levels = tuple(FormChoice(level, f"the level is known: {level}") for level in LEVELS)
        found[name] = FormQuestion(
            name,
            "Do you know the level, or do you answer the questions?",
            "",
            "",
            (FormChoice(QUESTIONS, "answer the questions"), *levels),
            answer=stated if isinstance(stated, str) else QUESTIONS,
        )
    return found


def score_settings(settings: Mapping[str, Any], *, folder: Path | None = None) -> FilledForm:
    """The form for settings of a context, with their score if they make sense together."""
    here, problems, score = folder or Path(), {}, None
    try:
        score = score_context(Context.of(settings, folder=here))
    except ReidRiskError as error:
        problems[""] = f"{error.problem} {error.hint}"
    form = context_form()
    with suppress(ReidRiskError):  # a preset that cannot be read is told above
        form = context_form(settings, folder=here)
    return FilledForm(settings, problems, score, form)


def read_form(
    fields: Mapping[str, str], before: Mapping[str, Any], *, folder: Path | None = None
) -> FilledForm:
    """The settings that a form stands for; settings without a field stay as they were.

    An empty field leaves its question open. Answers to questions that no longer apply because of the policy
    are dropped.
    """
    filling = _Filling(dict(fields), deepcopy(dict(before)), folder or Path())
    filling.run()
    found = score_settings(filling.settings, folder=folder)
    if not filling.problems:
        return found
    return FilledForm(filling.settings, filling.problems, None, found.form)


@dataclass
class _Filling:
    fields: dict[str, str]
    settings: dict[str, Any]
    folder: Path
    problems: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Fill in question by question: the policy decides which others apply."""
        if self.fields.get("preset") and self.fields["preset"] != self.settings.get("preset"):
            self.settings = without_contradictions(self.settings, {"preset"})
            self.settings.pop("threshold", None)
        for stage in STAGES:
            if stage == ():
                for name in RATED:
                    self._choose_level(name)
            for question in self._known(*stage):
                if question.applies:
                    self._fill(question)
                elif question.key in ("variant", "access"):
                    self.settings.pop(question.key, None)
        if isinstance(self.settings.get(CHECKLIST), Mapping):
            every = page_questions(self.settings)[f"{CHECKLIST}.{OTHERS}"]
            self._fill(every)

    def _known(self, *only: str) -> Iterator[FormQuestion]:
        try:
            form = context_form(self.settings, folder=self.folder)
        except ReidRiskError as error:
            self.problems["preset"] = f"{error.problem} {error.hint}"
            form = context_form()
        early = {key for stage in STAGES for key in stage}
        yield from (one for one in form.questions if (one.key in only if only else one.key not in early))

    def _choose_level(self, name: str) -> None:
        given = self.fields.get(name)
        if given in LEVELS:
            self.settings[name] = given
        elif given == QUESTIONS and isinstance(self.settings.get(name), str):
            del self.settings[name]

    def _fill(self, question: FormQuestion) -> None:
        if question.key not in self.fields:
            return
        first, _, rest = question.key.partition(".")
        if question.key == "controls":
            self._fill_controls(self.fields["controls"])
        elif rest and first in RATED and isinstance(self.settings.get(first), str):
            return  # the level is known, so that its questions do not count
        elif rest and first == CHECKLIST and not isinstance(self.settings.get(CHECKLIST), Mapping):
            return
        else:
            with self._naming(question.key):
                self._put(first, rest, self._setting(question))

    def _fill_controls(self, chosen: str) -> None:
        if chosen == CHECKLIST:
            self.settings.pop("controls", None)
            self.settings.setdefault(CHECKLIST, {})
        elif not chosen or chosen in LEVELS:
            self.settings.pop(CHECKLIST, None)
            self._put("controls", "", chosen or None)
        else:
            self.problems["controls"] = "This is not one of the answers."

    def _setting(self, question: FormQuestion) -> Any:
        """The setting for a field; None leaves the question open."""
        typed = self.fields[question.key].strip()
        more = self.fields.get(f"{MORE}{question.key}", "").strip()
        if not typed:
            return None
        if len(typed) > MOST_TEXT or len(more) > MOST_TEXT:
            raise InvalidSetting("The text is too long.", hint=f"Use at most {MOST_TEXT:,} letters.")
        value = _chosen(question, typed)
        after = question.follow_up(value)
        if after is not None and after.required and not more:
            raise InvalidSetting("Something is missing.", hint=after.text)
        return question.setting(value, more if after is not None else "")

    def _put(self, first: str, rest: str, value: Any) -> None:
        if not rest:
            if value is None:
                self.settings.pop(first, None)
            else:
                self.settings[first] = value
            return
        below = dict(self.settings.get(first) or {})
        if value is None:
            below.pop(rest, None)
        else:
            below[rest] = value
        if below or first == CHECKLIST or first in self.settings:
            self.settings[first] = below

    def _naming(self, key: str) -> _Naming:
        return _Naming(self.problems, key)


@dataclass
class _Naming:
    """An error inside becomes a problem of the question."""

    problems: dict[str, str]
    key: str

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        if not isinstance(error, InvalidSetting):
            return False
        self.problems[self.key] = f"{error.problem} {error.hint}"
        return True


def _chosen(question: FormQuestion, typed: str) -> Any:
    """The answer in a field."""
    if question.choices:
        for one in question.choices:
            if str(one.value) == typed:
                return one.value
        raise InvalidSetting("This is not one of the answers.", hint="Choose one from the list.")
    try:
        return probability_of(float(typed), place="The answer", hint="Write for example 0.27.")
    except ValueError:
        raise InvalidSetting("This is not a number from 0 to 1.", hint="Write for example 0.27.") from None


def field_values(form: ContextForm, settings: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form with these answers: the other direction.

    A practice that is only covered by the answer to all others has an empty field.
    """
    found: dict[str, str] = {}
    sheet = settings.get(CHECKLIST)
    own = sheet if isinstance(sheet, Mapping) else {}
    for question in (*form.questions, *page_questions(settings).values()):
        first, _, rest = question.key.partition(".")
        answer = own.get(rest) if first == CHECKLIST and rest else question.answer
        value, more = _typed(question, answer)
        found[question.key] = value
        if more:
            found[f"{MORE}{question.key}"] = more
    return found


def _typed(question: FormQuestion, answer: Any) -> tuple[str, str]:
    if isinstance(answer, Mapping):
        value = answer.get(question.answer_key or "answer")
        texts = [answer.get(name) for name in ("evidence", "reason", "source")]
        return _word(value), next((str(text) for text in texts if text), "")
    return _word(answer), ""


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
