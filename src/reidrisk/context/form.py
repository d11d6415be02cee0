"""The questionnaire about a context, as data: every question, its answers, its source, and when it applies.

The command line asks these questions one by one; any other form is drawn from the same list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from reidrisk.context.attempt import PUBLISHED
from reidrisk.context.checklist import OTHERS, data, practices
from reidrisk.context.preset import NAMED, Preset, cell_size_presets, precedents, preset
from reidrisk.context.questionnaire import questionnaire
from reidrisk.context.sources import source

GENERAL = "Policy and recipient"
CHECKLIST = "checklist"
"""The answer to the question about controls that leads to the practices."""
KNOWN_PEOPLE = 150
"""How many people a person knows (Dunbar's number), which the model of acquaintances needs."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What to ask after an answer."""

    key: str
    """Where it stands next to the answer, such as `evidence`."""
    text: str
    required: bool


@dataclass(frozen=True, slots=True)
class FormChoice:
    """A possible answer."""

    value: Any
    text: str
    then: FollowUp | None = None


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question about the context of a release."""

    key: str
    """The setting of the context that it sets, such as `access` or `checklist.disposal`."""
    text: str
    group: str
    source: str
    choices: tuple[FormChoice, ...] = ()
    """Empty if the answer is a number from 0 to 1."""
    optional: bool = False
    """Whether it may be left open; an open question counts as the worst answer, or not at all."""
    answer_key: str | None = None
    """Where the answer stands if the setting is a mapping, such as `probability`."""
    then: FollowUp | None = None
    """What to ask after any answer."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Further settings that belong to an answer."""
    applies: bool = True
    """Whether it applies, given the answers so far."""
    answer: Any = None
    """The answer so far, as the settings have it; None if it is open."""

    @property
    def kind(self) -> Literal["choice", "number"]:
        """What an answer is."""
        return "choice" if self.choices else "number"

    def follow_up(self, value: Any) -> FollowUp | None:
        """What to ask after an answer."""
        chosen = next((one for one in self.choices if one.value == value), None)
        return self.then if chosen is None or chosen.then is None else chosen.then

    def setting(self, value: Any, more: str = "") -> Any:
        """The value of the setting for an answer and the answer to what was asked after it."""
        after = self.follow_up(value)
        key = self.answer_key or ("answer" if after is not None and more else None)
        if key is None:
            return value
        return {key: value, **({after.key: more} if after is not None and more else {}), **self.fixed}

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True, slots=True)
class ContextForm:
    """All questions in the order in which they are asked."""

    questions: tuple[FormQuestion, ...]

    @property
    def open(self) -> tuple[FormQuestion, ...]:
        """Questions that apply and have no answer yet."""
        return tuple(one for one in self.questions if one.applies and one.answer is None)

    def question(self, key: str) -> FormQuestion:
        """A question by the setting that it sets."""
        return next(one for one in self.questions if one.key == key)

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return {"kind": "context_form", "questions": [one.to_dict() for one in self.questions]}


def context_form(answers: Mapping[str, Any] | None = None, *, folder: Path | None = None) -> ContextForm:
    """The questionnaire; with settings of a context, their answers and which questions apply.

    `folder` is the folder from which the settings name files, such as a preset of your own.
    """
    given = dict(answers or {})
    policy = _policy(given, folder or Path())
    return ContextForm(tuple(_questions(given, policy)))


def with_answer(
    settings: Mapping[str, Any], question: FormQuestion, value: Any, more: str = ""
) -> dict[str, Any]:
    """The settings of a context with an answer; `more` answers what was asked after it."""
    found = dict(settings)
    if question.key == "controls" and value == CHECKLIST:
        return {**found, CHECKLIST: {}}
    first, _, rest = question.key.partition(".")
    if not rest:
        return {**found, first: question.setting(value, more)}
    below = found.get(first)
    return {
        **found,
        first: {**(below if isinstance(below, Mapping) else {}), rest: question.setting(value, more)},
    }


def _policy(given: Mapping[str, Any], folder: Path) -> Preset | None:
    name = given.get("preset")
    return None if name is None else preset(str(name), place="context.preset", folder=folder)[0]


def _questions(given: Mapping[str, Any], policy: Preset | None) -> Iterator[FormQuestion]:
    yield _preset_question(given)
    yield _variant_question(given, policy)
    fixed = policy.access if policy else None
    yield _access_question(given, applies=fixed is None)
    is_known = (fixed or given.get("access")) == "non_public"
    yield _controls_question(given, applies=is_known)
    yield from _practice_questions(given, applies=is_known)
    yield from _rated_questions("motives", given, applies=is_known)
    yield _acquaintance_question(given, applies=is_known)
    yield _breach_question(given, applies=is_known)
    yield from _rated_questions("invasion", given, applies=bool(policy and policy.by_invasion))
    yield _threshold_question(given, policy)


def _preset_question(given: Mapping[str, Any]) -> FormQuestion:
    named = [(name, preset(name, place="", folder=Path())[0]) for name in NAMED]
    choices = [FormChoice(name, one.title) for name, one in (*named, *cell_size_presets().items())]
    sources = [f"{name}: {one.about} {_cited(one.source)}" for name, one in named]
    sources.append(f"Cell sizes: {_cited('scaiano_2016')}")
    return FormQuestion(
        "preset",
        "Which policy applies?",
        GENERAL,
        "\n".join(sources),
        tuple(choices),
        answer=given.get("preset"),
    )


def _variant_question(given: Mapping[str, Any], policy: Preset | None) -> FormQuestion:
    variants = policy.variants if policy else {}
    return FormQuestion(
        "variant",
        "How should 0.09 be interpreted?",
        GENERAL,
        policy.about if policy else "",
        tuple(FormChoice(name, rung.threshold.reason) for name, rung in variants.items()),
        applies=bool(variants),
        answer=given.get("variant"),
    )


def _access_question(given: Mapping[str, Any], *, applies: bool) -> FormQuestion:
    choices = (
        FormChoice("public", "anyone"),
        FormChoice("semi_public", "anyone who accepts the terms of use"),
        FormChoice("non_public", "a known recipient who has signed an agreement"),
    )
    return FormQuestion(
        "access",
        "Who can get the data?",
        GENERAL,
        _cited("ipc_2016"),
        choices,
        applies=applies,
        answer=given.get("access"),
    )


def _controls_question(given: Mapping[str, Any], *, applies: bool) -> FormQuestion:
    levels = (FormChoice(level, f"the level is known: {level}") for level in ("low", "medium", "high"))
    return FormQuestion(
        "controls",
        "How well does the recipient protect the data?",
        GENERAL,
        _cited("el_emam_2009"),
        (FormChoice(CHECKLIST, "go through the practices; a higher threshold requires this"), *levels),
        applies=applies,
        answer=CHECKLIST if CHECKLIST in given else given.get("controls"),
    )


def _practice_questions(given: Mapping[str, Any], *, applies: bool) -> Iterator[FormQuestion]:
    sheet = given.get(CHECKLIST)
    answers = sheet if isinstance(sheet, Mapping) else {}
    evidence = FollowUp("evidence", "Evidence (press Enter if there is none yet)", required=False)
    choices = (
        FormChoice("yes", "in place", evidence),
        FormChoice("no", "not in place"),
        FormChoice(
            "not_applicable", "does not apply", FollowUp("reason", "Why does it not apply?", required=True)
        ),
    )
    every = practices()
    for place, one in enumerate(every, start=1):
        yield FormQuestion(
            f"{CHECKLIST}.{one.id}",
            f"{place} of {len(every)}. {one.text}",
            data()["groups"][one.group],
            f"El Emam et al. 2009, Table A1; named by {', '.join(one.marks) or 'no guideline'}",
            choices,
            optional=True,
            applies=applies and isinstance(sheet, Mapping) and "controls" not in given,
            answer=answers.get(one.id, answers.get(OTHERS)),
        )


def _rated_questions(name: str, given: Mapping[str, Any], *, applies: bool) -> Iterator[FormQuestion]:
    asked, stated = questionnaire(name), given.get(name)
    answers = stated if isinstance(stated, Mapping) else {}
    for one in asked.questions:
        yield FormQuestion(
            f"{name}.{one.id}",
            one.text,
            asked.title,
            f"{one.help} {_cited(asked.source)}",
            tuple(FormChoice(answer.id, answer.text) for answer in one.answers),
            optional=True,
            applies=applies and isinstance(stated, Mapping | None),
            answer=answers.get(one.id),
        )


def _acquaintance_question(given: Mapping[str, Any], *, applies: bool) -> FormQuestion:
    return FormQuestion(
        "acquaintance",
        "What share of the population has what all people in the data have in common, such as a disease? "
        "(such as 0.0019; press Enter if unknown)",
        GENERAL,
        _cited("kniola_2016"),
        optional=True,
        answer_key="prevalence",
        fixed={"known": KNOWN_PEOPLE},
        applies=applies,
        answer=given.get("acquaintance"),
    )


def _breach_question(given: Mapping[str, Any], *, applies: bool) -> FormQuestion:
    return FormQuestion(
        "breach",
        "How likely is a data breach at the recipient per year? (press Enter if unknown)",
        GENERAL,
        f"The published probability is {PUBLISHED}.",
        optional=True,
        answer_key="probability",
        then=FollowUp("source", "What is the source of this probability?", required=True),
        applies=applies,
        answer=given.get("breach"),
    )


def _threshold_question(given: Mapping[str, Any], policy: Preset | None) -> FormQuestion:
    name = given.get("preset", "")
    return FormQuestion(
        "threshold",
        f"The policy {name} does not set a number. Which cell size do you choose?",
        GENERAL,
        _cited("scaiano_2016"),
        tuple(FormChoice(one.cell_size, f"1/{one.cell_size}: {one.precedent}") for one in precedents()),
        answer_key="cell_size",
        then=FollowUp("reason", "Why?", required=True),
        applies=bool(policy and policy.proposals),
        answer=given.get("threshold"),
    )


def _cited(name: str) -> str:
    return f"Source: {source(name)}"
