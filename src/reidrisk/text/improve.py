"""What would make the risk acceptable: a higher recall of one type, of several, or more documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from reidrisk.text.improve_roles import DirectRole, QuasiRole, Search
from reidrisk.text.rows import number

if TYPE_CHECKING:
    from reidrisk.text.result import RiskPart, TextRisk

MOST_DOCUMENTS = 100_000
"""Beyond, nobody annotates."""


@dataclass(frozen=True, slots=True)
class TypeImprovement:
    """What a better recall of one type alone would do."""

    type: str
    recall: float
    """All-or-nothing recall of a direct type, recall of instances of a quasi-identifier type."""
    needed_recall: float | None
    """The least recall that makes the risk from this role acceptable; None if none does."""
    high_if_perfect: float
    """The upper limit of the risk if nothing of the type leaked."""
    makes_acceptable: bool
    """Whether the whole verdict turns, the other role being acceptable already."""


@dataclass(frozen=True, slots=True)
class RoleImprovements:
    """What would make the risk from one role acceptable."""

    acceptable: bool
    by_type: tuple[TypeImprovement, ...]
    """The type that lowers the risk most comes first; types without a leak are left out."""
    together: tuple[tuple[str, float, float], ...]
    """If no type suffices alone: types with recall now and recall needed, in the order of their effect."""
    suffices: bool
    """Whether the types together suffice; if not, too few documents were examined."""
    needed_documents: int | None
    """Documents at which the interval were narrow enough, all recalls being the same."""
    reason: str
    """Why there is no such number."""

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        names = ("type", "recall", "needed_recall")
        return {
            "acceptable": self.acceptable,
            "by_type": [asdict(one) | {"recall": number(one.recall)} for one in self.by_type],
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


def improvements(risk: TextRisk) -> Improvements:
    """Ask of every type how good it must become, and of the documents how many they must be.

    Improved documents are those that leak other identifiers too, first: where an improvement
    helps least. What need not improve, because its risk is acceptable, has no answers.
    """
    missing = risk.settings.unevaluated == "accept"
    verdicts = [missing if part is None else part.acceptable for part in (risk.direct, risk.quasi)]
    return Improvements(
        _of_role(risk.direct, lambda: DirectRole(risk), others=verdicts[1]),
        _of_role(risk.quasi, lambda: QuasiRole(risk), others=verdicts[0]),
    )


def _of_role(part: RiskPart | None, search: Callable[[], Search], *, others: bool) -> RoleImprovements | None:
    if part is None:
        return None
    if part.acceptable:
        return RoleImprovements(
            acceptable=True,
            by_type=(),
            together=(),
            suffices=True,
            needed_documents=None,
            reason="The risk is acceptable as it is.",
        )
    role = search()
    types = sorted((_alone(role, kind, others=others) for kind in role.leaking), key=_effect)
    single = any(one.needed_recall is not None for one in types)
    together, suffices = ((), True) if single else _together(role)
    documents = _documents(role)
    return RoleImprovements(
        acceptable=False,
        by_type=tuple(types),
        together=together,
        suffices=suffices,
        needed_documents=documents,
        reason="" if documents else "Even with very many documents the risk at these recalls is too high.",
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
    """Make one type after the other perfect, each time that which helps most; the last as far as needed."""
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
    """The fewest improvements of a type that suffice beside those chosen; None if all do not."""
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
