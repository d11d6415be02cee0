"""The GENERAL attacker as an upper bound, where nobody knows what an attacker's list contains."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reidrisk.report.kind import Show
from reidrisk.report.names import short_path
from reidrisk.report.parts import Fact, Facts
from reidrisk.report.plain_text import heading, printable

TITLE = "An upper bound"
WHY = (
    "What the attacker's list contains is not known everywhere, so the risk is unknown there. The GENERAL "
    "attacker knows every field that is released, about everybody: no list can do more. Measure it for an "
    "upper bound."
)
NAMED_POLICIES = {"Safe Harbor": "safe", "Limited Dataset": "limited"}
FIELDS = re.compile(r"\w+(, \w+)*")
"""The name of a policy that was given by its fields."""
STATES = re.compile(r"state ((?:[^,;]+, )*[^,; ]+)")


def upper_bound_show(verb: str) -> Show:
    """The block of a kind of result; `verb` is the command that made it."""
    return Show(
        lambda result: _facts(result, verb),
        lines=lambda result: _lines(result, verb),
    )


def _facts(result: dict[str, Any], verb: str) -> Facts | None:
    if not is_unknown_somewhere(result):
        return None
    return Facts(TITLE, WHY, (Fact("command", command(result, verb, place=short_path)),))


def _lines(result: dict[str, Any], verb: str) -> list[str]:
    if not is_unknown_somewhere(result):
        return []
    # On one line, so that it can be pasted.
    return [*heading(TITLE, WHY), f"  {printable(command(result, verb, place=str))}"]


def is_unknown_somewhere(result: dict[str, Any]) -> bool:
    """Whether the risk is unknown in all or in some areas because of the attacker's list."""
    risks = result.get("risks", [result])
    return any(_unknown(risk) for risk in risks) and result["attacker"]["name"] != "GENERAL"


def _unknown(risk: dict[str, Any]) -> bool:
    if "policies" in risk:
        return all(one["risk"] is None for one in risk["policies"])
    return bool(risk["unknown"]) or any(row["unknown"] for row in risk["by_area"])


def command(result: dict[str, Any], verb: str, *, place: Callable[[str], str]) -> str:
    """The command that measures the same policies against the GENERAL attacker.

    >>> command(
    ...     {
    ...         "settings": {"policy": "Safe Harbor", "by": "county", "population": "data/us.csv"},
    ...         "population": {"source": "data/us.csv", "chosen": "state 39"},
    ...     },
    ...     "risk",
    ...     place=short_path,
    ... )
    'reidrisk population risk us.csv --state 39 --policy safe --attacker general --by county'
    """
    settings = result["settings"]
    words = ["reidrisk", "population", verb, place(str(result["population"]["source"]))]
    states = STATES.fullmatch(str(result["population"].get("chosen") or ""))
    for state in states[1].split(", ") if states else ():
        words += ["--state", str(state)]
    for name in _policies(settings.get("policy")):
        words += ["--policy", name]
    words += ["--attacker", "general"]
    for option in ("by", "dataset"):
        if settings.get(option):
            words += [
                f"--{option}",
                place(str(settings[option])) if option == "dataset" else str(settings[option]),
            ]
    return shlex.join(words)


def _policies(given: str | Sequence[str] | None) -> Iterator[str]:
    for name in [given] if isinstance(given, str) else given or []:
        plain = str(name)
        if plain in NAMED_POLICIES:
            yield NAMED_POLICIES[plain]
        else:
            yield plain.replace(", ", ",") if FIELDS.fullmatch(plain) else "policy.yaml"
