"""The checks that a result consists of: what was compared with which limit, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reidrisk.core.wording import plural
from reidrisk.errors import InvalidSetting
from reidrisk.report.numbers import probability

State = Literal["passed", "failed", "error", "undecided"]
"""Undecided means that too few documents were examined: it does not pass."""
ROLES = {"direct": "direct identifiers", "quasi": "quasi-identifiers"}
WORDS: dict[State, str] = {
    "passed": "passed",
    "failed": "FAILED",
    "error": "could not be judged",
    "undecided": "UNDECIDED",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison of a figure with its limit."""

    name: str
    """Stable, so that pipelines can follow it from run to run."""
    title: str
    state: State
    sentence: str
    risk: float | None = None
    limit: float | None = None

    @property
    def word(self) -> str:
        """How it ended, in words."""
        return WORDS[self.state]


@dataclass(frozen=True, slots=True)
class CheckList:
    """All checks of a result."""

    title: str
    checks: tuple[Check, ...]
    about: str = ""
    """The file that was judged, as it was named."""

    @property
    def failing(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(one for one in self.checks if one.state != "passed")

    @property
    def line(self) -> str:
        """The result in one line."""
        number, title = len(self.checks), " ".join(self.title.split())
        if not self.failing:
            return f"reidrisk: {title} passed ({plural(number, 'check')})."
        names = ", ".join(f"{one.name} {one.word}" for one in self.failing)
        return f"reidrisk: {title} did not pass ({len(self.failing)} of {plural(number, 'check')}: {names})."


def checks_of(result: dict[str, Any], *, against_baseline: bool = False, about: str = "") -> CheckList:
    """The checks of a text evaluation, a comparison of tools or an assessment.

    With `against_baseline`, a text evaluation is judged by its baseline alone, not by its limits. `about` is
    the file that was judged.
    """
    kind = result["kind"]
    if kind == "text_risk":
        own = [] if against_baseline else _text(result, "")
        return CheckList("text evaluation", (*own, *_baseline(result)), about)
    if kind == "text_comparison":
        every = [check for tool in result["tools"] for check in _text(tool, f"{tool['name']}.")]
        return CheckList("text evaluation", tuple(every), about)
    if kind == "assessment":
        return CheckList(_release_title(result), _assessment(result), about)
    raise InvalidSetting(
        f"There are no checks for results of the kind {kind}.",
        hint="Give a text evaluation or an assessment.",
    )


def _text(result: dict[str, Any], prefix: str) -> list[Check]:
    found = []
    for role, words in ROLES.items():
        part = result[role]
        if part["acceptable"] is None:
            continue
        state = _state(part["acceptable"], part.get("decision"))
        limit = "the benchmark's upper limit" if role == "direct" else "the threshold"
        sentence = (
            f"The upper limit of the risk from {words} is {probability(part['high'])}; {limit} is "
            f"{probability(part['threshold'])}."
        )
        title = f"Risk from {words}"
        found.append(Check(f"{prefix}{role}", title, state, sentence, part["high"], part["threshold"]))
    return found


def _baseline(result: dict[str, Any]) -> list[Check]:
    given: dict[str, Any] = result.get("baseline") or {}
    found = []
    for role, words in ROLES.items():
        part = given.get(role)
        if part is None:
            continue
        low, high = (probability(part["difference"][end]) for end in ("low", "high"))
        sentence = (
            f"The upper limit of the risk from {words} is {probability(part['high'])}; it was "
            f"{probability(part['baseline_high'])}. The difference on the same documents is {low} to {high}."
        )
        state: State = "failed" if part["worse"] else "passed"
        title = f"Risk from {words}, compared with {given['name']}"
        figures = (part["high"], part["baseline_high"])
        found.append(Check(f"baseline.{role}", title, state, sentence, *figures))
    return found


def _release_title(result: dict[str, Any]) -> str:
    name = (result["release"] or {}).get("name")
    return f"release {name}" if name else "release"


def _assessment(result: dict[str, Any]) -> tuple[Check, ...]:
    """One check per part, and one for what is about no single part and speaks against the release."""
    found = [_part(part) for part in result["parts"]]
    whole = [str(one["text"]) for one in result["reasons"] if one["part"] is None and one["holds"] is False]
    if not whole and result["acceptable"] is not True and all(one.state == "passed" for one in found):
        whole = [str(result["verdict"]["sentence"])]
    if whole:
        found.append(Check("release", "The release as a whole", "failed", " ".join(whole)))
    return tuple(found)


def _part(part: dict[str, Any]) -> Check:
    name, judged = str(part["name"]), part["judged"]
    title = f"{name} ({part['kind']})"
    if part["status"] == "failed" or not judged:
        return Check(name, title, "error", str((part["error"] or {}).get("problem") or "Not measured."))
    state = _state(judged["acceptable"], judged.get("decision"))
    risk = judged["risk"] if judged["overall"] is None else judged["overall"]
    return Check(name, title, state, str(judged["sentence"] or ""), risk, judged["threshold"])


def _state(acceptable: bool | None, decision: str | None) -> State:  # noqa: FBT001 - None is an answer too
    if acceptable:
        return "passed"
    return "undecided" if decision == "undecided" or acceptable is None else "failed"
