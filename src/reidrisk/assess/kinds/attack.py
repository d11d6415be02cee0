"""A table part that is attacked: what our own adversary achieves against the table to be released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from math import ceil
from typing import Any, ClassVar

from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.kinds.table import given_hierarchies, hierarchy_files
from reidrisk.assess.verdict import PartVerdict, Remedy, RiskFigure, verdict_words
from reidrisk.context.rule import ATTACK, RuleDecision
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.place import SettingPlace
from reidrisk.core.reading import TableReading
from reidrisk.core.settings import (
    PART_NAME,
    Choice,
    Entry,
    SettingGroup,
    TextSetting,
    form_entries,
)
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import probability
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.run import attack_table
from reidrisk.tables.attack.settings import AGAINST, PART_NUMBERS, PART_SETTINGS, SENSITIVE
from reidrisk.tables.settings import QUASI, READING_SETTINGS

COUNTED = ("table", *(one.name for one in (*PART_SETTINGS, *READING_SETTINGS) if one != SENSITIVE))
"""The settings that the result depends on, besides the sensitive columns."""

ATTACK_FORM = SettingGroup(
    {
        "name": PART_NAME,
        "kind": Entry(Choice(("table",)), "A data set that is attacked before its release.", needed=True),
        "table": Entry(
            TextSetting("path, folder, pattern or URL"), "The table as it would be released.", needed=True
        ),
        **form_entries((*PART_SETTINGS, *READING_SETTINGS)),
        **{one.name: replace(one.entry, needed=True) for one in (AGAINST, QUASI)},
    },
    title="A table part, attacked",
    about="As on the command line of `reidrisk table attack`; a part with `against` is attacked. The upper "
    "limit of the most successful attack is compared with the threshold.",
)


class AttackPart(ReleasePart):
    """A table as it would be released, and the people it is attacked with."""

    kind: ClassVar[str] = "table"
    task: ClassVar[str] = "attack"
    form: ClassVar[SettingGroup] = ATTACK_FORM

    @property
    def sensitive(self) -> Any:
        """The columns to infer; `secret` is the former name of the setting."""
        return self.given.get("sensitive") or self.given.get("secret")

    @property
    def plan(self) -> AttackPlan:
        """What the adversary knows, wants and tries."""
        given, known = self.given, self.given.get("known")
        numbers = {one.name: given[one.name] for one in PART_NUMBERS if given.get(one.name) is not None}
        return AttackPlan(
            quasi=tuple(given["quasi"]),
            secret=tuple(self.sensitive or ()),
            known=None if known is None else tuple(known),
            sets=given.get("sets"),
            id=given.get("id"),
            unit=given.get("unit"),
            **numbers,
        )

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Check files and the plan."""
        if self.given.get("sensitive") and self.given.get("secret"):
            raise place.at("secret").wrong(
                "is the former name of sensitive, which is also set.", hint="Leave out secret."
            )
        self.check_sources(place)
        with place.names_line(self.name):
            _ = self.plan, TableReading.of(self.given)

    def sources(self) -> tuple[str, ...]:
        """The tables, and files of hierarchies."""
        names = [self.given.get(name) for name in ("table", "against", "control")]
        return (*(name for name in names if name), *hierarchy_files(self.given.get("hierarchies")))

    def counted(self) -> Mapping[str, Any]:
        """Columns, tables and numbers of the plan."""
        return {**{name: self.given.get(name) for name in COUNTED}, "secret": self.sensitive}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Attack the table and count successes."""
        control.report(self.name, "attacks")
        others = self.given.get("control")
        found = attack_table(
            self.path(self.given["table"]),
            self.path(self.given["against"]),
            self.plan,
            control=None if others is None else self.path(others),
            hierarchies=given_hierarchies(self.given.get("hierarchies"), self.folder, place=self.name),
            seed=control.seed,
            reading=TableReading.of(self.given),
        )
        result: dict[str, Any] = self.with_short_paths(found.to_dict())
        return result

    def judge(
        self,
        measured: Mapping[str, Any],
        score: ContextScore,
        *,
        seed: int,  # noqa: ARG002 - part of the contract
        quick: bool = False,  # noqa: ARG002
    ) -> PartVerdict:
        """The verdict by the upper limit of the most successful attack."""
        return judge_attack(measured, score)

    def leaves(self, parts: Sequence[ReleasePart]) -> Inventory:
        """The table, unless another part releases it: an attack does not look at every column."""
        target = (self.folder / str(self.given["table"])).resolve()
        others = (one for one in parts if one.kind == self.kind and one.task != self.task)
        for one in others:
            source = (one.folder / str(one.given["table"])).resolve()
            if target in (one.out.resolve() if one.out else None, source):
                reason = f"the part {one.name} measures its columns"
                return Inventory((InventoryItem(self.name, "table", "attacked", "measured", reason),))
        reason = "it was only attacked; add a part of kind table that gives each of its columns a role"
        return Inventory((InventoryItem(self.name, "table", "kept", "unmeasured", reason),))

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Leave out what is inferred; larger classes protect against every attack."""
        if case.verdict.overall is None:
            return
        yield from _drop_sensitive(measured, case)
        yield self._larger_classes(measured, case)

    def _larger_classes(self, measured: Mapping[str, Any], case: PartCase) -> Remedy:
        """Classes as large as the threshold needs, or larger by the factor of the risk above it."""
        verdict = case.verdict
        now = round(1 / measured["predicted"]["prosecutor"]["highest"])
        needed = Threshold(case.score.rule_for("attack").largest, "of the data").cell_size
        size = needed if needed > now else ceil(now * verdict.ratio - 1e-9)
        maker = self._maker(case)
        if maker is None:
            how, change = "write it with a part that has deidentify: true", None
        else:
            how, change = f"the part {maker.name} writes it", {f"parts.{maker.name}.cell_size": size}
        text = (
            f"Release the table in classes of at least {size:,} records (the smallest now has {now:,}): "
            f"{how}. Only another attack can show the effect."
        )
        return case.untested_remedy("generalize", text, change, 4)

    def _maker(self, case: PartCase) -> ReleasePart | None:
        """The part of the release that de-identifies the table and writes it."""
        target = (self.folder / str(self.given["table"])).resolve()
        makers = (one for one in case.parts if one.task == "deidentify" and one.out)
        return next((one for one in makers if one.out and one.out.resolve() == target), None)


def judge_attack(measured: Mapping[str, Any], score: ContextScore) -> PartVerdict:
    """Every attack counts, by what the release adds to its control; no attack at all proves nothing."""
    rule, limit = score.rule_for("attack"), score.threshold
    risks = dict(_attack_risks(measured))
    worst = max(risks, key=lambda name: risks[name]["high"], default=None)
    risk = risks[worst] if worst is not None else None
    high = None if risk is None else risk["high"]
    decision = None if high is None else rule.decide(highest=high)
    acceptable = decision is not None and decision.acceptable
    sentence = f"{_sentence(worst, decision)}: {verdict_words(acceptable)}."
    return PartVerdict(
        acceptable=acceptable,
        statistic=ATTACK,
        risk=high,
        attempt=rule.attempt,
        overall=None if decision is None else decision.overall,
        threshold=limit.probability,
        cell_size=limit.cell_size,
        sentence=sentence,
        low=None if risk is None else risk["low"],
        high=high,
        final=RiskFigure(ATTACK, high),
        result=_full_result(measured, limit, sentence, acceptable=acceptable),
    )


def _full_result(
    measured: Mapping[str, Any], limit: Threshold, sentence: str, *, acceptable: bool
) -> dict[str, Any]:
    return {
        **measured,
        "acceptable": acceptable,
        "decided": True,
        "threshold": {**asdict(limit), "cell_size": limit.cell_size},
        "reasons": [*measured["reasons"], sentence],
        "holds": [*measured["holds"], acceptable],
    }


def _attack_risks(measured: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    linkage = measured["linkage"].values()
    for one in (*linkage, *measured["singling_out"], measured["linkability"], *measured["inference"]):
        if one["risk"] is not None:
            yield one["attack"], one["risk"]


def _sentence(worst: str | None, decision: RuleDecision | None) -> str:
    if worst is None or decision is None:
        return "No attack could be carried out, which proves nothing"
    success = probability(decision.risk)
    return f"The most successful attack, {worst}, has a success rate of at most {success}; {decision.why}"


def _drop_sensitive(measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
    """Leave out a sensitive column; the effect is computed, because no other attack uses the column."""
    settings = measured["settings"]
    columns = [name for name in settings["secret"] if name not in settings["quasi"]]
    pairs = dict(zip(settings["secret"], measured["inference"], strict=False))
    for gone in [(name,) for name in columns] + ([tuple(columns)] if len(columns) > 1 else []):
        left = [one for name, one in pairs.items() if name not in gone]
        without = {**measured, "inference": left}
        text = f"Leave out {', '.join(gone)}, which {'is' if len(gone) == 1 else 'are'} inferred"
        yield from case.remedy("drop", text, partial(judge_attack, without), None, 7 + len(gone))
