"""Search for what would make a risk acceptable: higher recall of one type or several, or more documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

from reidrisk.text.evidence import number_or_none
from reidrisk.text.models import TextCase
from reidrisk.text.observed_what_if import ObservedDirectRole, ObservedQuasiRole
from reidrisk.text.verdict import RiskPart, part_holds
from reidrisk.text.what_if import DirectRole, QuasiRole, Search

MOST_DOCUMENTS = 100_000
"""The search ends here: nobody annotates more."""


@dataclass(frozen=True, slots=True)
class TypeImprovement:
    """The effect of a higher recall of one type alone."""

    type: str
    recall: float
    """All-or-nothing recall of a direct type, recall of instances of a quasi-identifier type."""
    needed_recall: float | None
    """The lowest recall that makes the risk from this role acceptable; None if none does."""
    high_if_perfect: float
    """The upper limit of the risk if nothing of the type leaked."""
    makes_acceptable: bool
    """Whether the whole verdict becomes acceptable, because the other role already is."""


@dataclass(frozen=True, slots=True)
class RoleImprovements:
    """What would make the risk from one role acceptable."""

    acceptable: bool
    by_type: tuple[TypeImprovement, ...]
    """The type that lowers the risk most comes first; types without leaks are left out."""
    together: tuple[tuple[str, float, float], ...]
    """If no type suffices alone: types with current and needed recall, largest effect first."""
    suffices: bool
    """Whether these types together suffice; if not, too few documents were examined."""
    needed_documents: int | None
    """Number of documents at which the interval would be narrow enough, at the same recalls."""
    reason: str
    """Why there is no such number; empty if there is one."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        names = ("type", "recall", "needed_recall")
        return {
            "acceptable": self.acceptable,
            "by_type": [asdict(one) | {"recall": number_or_none(one.recall)} for one in self.by_type],
            "together": [dict(zip(names, step, strict=True)) for step in self.together],
            "together_suffices": self.suffices,
            "needed_documents": self.needed_documents,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Improvements:
    """What would make the risk acceptable, for each role; None where a role is not evaluated."""

    direct: RoleImprovements | None
    quasi: RoleImprovements | None

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {
            "direct": None if self.direct is None else self.direct.to_dict(),
            "quasi": None if self.quasi is None else self.quasi.to_dict(),
        }


def improvements(case: TextCase, direct: RiskPart | None, quasi: RiskPart | None) -> Improvements:
    """Find the recall that each type needs, and the number of documents that would suffice.

    Leaks are fixed first in documents that also leak other identifiers, where a fix helps least. A role
    whose risk is already acceptable needs no improvement.
    """
    by_model = case.settings.limit == "model"
    first: Callable[[TextCase, float], Search] = DirectRole if by_model else ObservedDirectRole
    second: Callable[[TextCase, float], Search] = QuasiRole if by_model else ObservedQuasiRole
    return Improvements(
        _of_role(direct, case, first, others=part_holds(quasi, case.settings)),
        None
        if case.evidence.only_counts
        else _of_role(quasi, case, second, others=part_holds(direct, case.settings)),
    )


def _of_role(
    part: RiskPart | None, case: TextCase, search: Callable[[TextCase, float], Search], *, others: bool
) -> RoleImprovements | None:
    if part is None:
        return None
    if part.acceptable:
        return RoleImprovements(
            acceptable=True,
            by_type=(),
            together=(),
            suffices=True,
            needed_documents=None,
            reason="The risk is already acceptable.",
        )
    role = search(case, part.threshold)
    types = sorted((_alone(role, kind, others=others) for kind in role.leaking), key=_effect)
    single = any(one.needed_recall is not None for one in types)
    together, suffices = ((), True) if single else _together(role)
    documents = _stated_documents(part) or _documents(role)
    return RoleImprovements(
        acceptable=False,
        by_type=tuple(types),
        together=together,
        suffices=suffices,
        needed_documents=documents,
        reason="" if documents else "At these recalls the risk is too high even with very many documents.",
    )


def _effect(one: TypeImprovement) -> tuple[float, str]:
    return one.high_if_perfect, one.type


def _alone(role: Search, kind: str, *, others: bool) -> TypeImprovement:
    everything = role.leaking[kind]
    needed = role.recall(kind, steps) if (steps := _least(role, {}, kind)) is not None else None
    return TypeImprovement(
        type=kind,
        recall=role.recall(kind, 0),
        needed_recall=needed,
        high_if_perfect=role.high({kind: everything}),
        makes_acceptable=needed is not None and others,
    )


def _together(role: Search) -> tuple[tuple[tuple[str, float, float], ...], bool]:
    """Make types perfect one by one, the one that helps most first; the last only as far as needed."""
    chosen: dict[str, int] = {}
    left = dict(role.leaking)
    while left:
        best = min(left, key=lambda kind: (role.high({**chosen, kind: left[kind]}), kind))
        steps = _least(role, chosen, best)
        chosen[best] = left.pop(best) if steps is None else steps
        if steps is not None:
            return _steps(role, chosen), True
    return _steps(role, chosen), False


def _steps(role: Search, chosen: dict[str, int]) -> tuple[tuple[str, float, float], ...]:
    return tuple((kind, role.recall(kind, 0), role.recall(kind, steps)) for kind, steps in chosen.items())


def _least(role: Search, chosen: dict[str, int], kind: str) -> int | None:
    """The fewest fixes of a type that suffice in addition to those chosen; None if not even all do."""
    low, high = 0, role.leaking[kind]
    if not role.suffices({**chosen, kind: high}):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if role.suffices({**chosen, kind: middle}):
            high = middle
        else:
            low = middle
    while not role.confirms({**chosen, kind: high}):
        if high == role.leaking[kind]:
            return None
        high += 1
    return high


def _stated_documents(part: RiskPart) -> int | None:
    """The number that an undecided risk states already, if it counts documents and not clusters."""
    if part.needed is None or part.examined[1] != "documents":
        return None
    return part.needed.if_share_stays


def _documents(role: Search) -> int | None:
    low, high = role.documents, MOST_DOCUMENTS
    if low >= high or not role.suffices_with(high):
        return None
    while high - low > max(1, ceil(low / 200)):
        middle = ceil((low * high) ** 0.5) if high > 2 * low else (low + high) // 2
        if role.suffices_with(middle):
            high = middle
        else:
            low = middle
    return high
