"""What several parts tell together: the section `joint` of a release file, judged like a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from reidrisk.assess.joint_people import people_of_part
from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.moved_dates import check_one_offset
from reidrisk.assess.verdict import PartVerdict, Remedy, RiskFigure, verdict_words
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.place import SettingPlace
from reidrisk.core.settings import Choice, Entry, ListOf, MappingOf, SettingGroup, TextSetting, WholeNumber
from reidrisk.core.wording import probability
from reidrisk.relational.joint import JointPart, JointRisk, JointSettings, joint_risk

STATISTIC = "upper limit of the highest risk over all parts"
JOINT_FORM = SettingGroup(
    {
        "parts": Entry(ListOf(TextSetting()), "Parts that hold the same people.", needed=True),
        "people": Entry(
            MappingOf(TextSetting()),
            "By part: the column or field that names the person, before anybody is renamed.",
        ),
        "same": Entry(
            MappingOf(ListOf(TextSetting())),
            "By attribute: where it stands, as PART.NAME. A told value that a table shows adds nothing.",
        ),
        "known": Entry(
            WholeNumber(most=5), "Events of a person that the adversary knows, from all parts together.  [2]"
        ),
        "leaks": Entry(
            Choice(("model", "observed")),
            "Whether values leak with their probability, or as the evaluated texts show.  [model]",
        ),
        "recipients": Entry(
            MappingOf(ListOf(TextSetting())),
            "By recipient: the parts that this one receives, if not all go to the same.",
        ),
        "apart": Entry(
            TextSetting(),
            "Why recipients cannot put together what they receive. Without it, they may, and all parts are "
            "judged together too.",
        ),
        "none": Entry(
            TextSetting(), "Why the people of these parts are in no other part; they are not joined then."
        ),
    },
    title="`joint`",
    about="A list of groups of parts that hold the same people. If no parts do, write "
    "`joint: {none: REASON}`. Parts for different recipients are judged apart, and together unless `apart` "
    "says why not. A part that no group names stops an acceptable verdict.",
)


@dataclass(frozen=True)
class JointParts(ReleasePart):
    """Parts that hold the same people."""

    kind: ClassVar[str] = "joint"
    form: ClassVar[SettingGroup] = JOINT_FORM

    members: tuple[ReleasePart, ...] = field(default=(), repr=False)

    @property
    def settings(self) -> JointSettings:
        """How the parts are combined."""
        same = {name: tuple(places) for name, places in (self.given.get("same") or {}).items()}
        known, leaks = self.given.get("known"), self.given.get("leaks")
        return JointSettings(2 if known is None else known, leaks or "model", same)

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Refuse links and attributes of parts that are not named, and two offsets for one person."""
        names = self.given["parts"]
        for name in self.given.get("people") or {}:
            if name not in names:
                raise place.at("people").wrong(
                    f"names {name!r}, which is not among the parts.", hint="Name it in parts: too."
                )
        for attribute, places in (self.given.get("same") or {}).items():
            wrong = [one for one in places if one.partition(".")[0] not in names or "." not in one]
            if wrong:
                raise (
                    place.at("same")
                    .at(attribute)
                    .wrong(
                        f"names {wrong[0]!r}, which is no attribute of the parts.", hint="Write PART.NAME."
                    )
                )

        check_one_offset(((part.name, part.moved_dates) for part in self.members), place.at("parts"))

    def sources(self) -> tuple[str, ...]:
        """Everything that the parts read."""
        return tuple(dict.fromkeys(source for part in self.members for source in part.sources()))

    def counted(self) -> Mapping[str, Any]:
        """The links, and what the parts count."""
        stated = {name: self.given.get(name) for name in ("parts", "people", "same", "known", "leaks")}
        return {**stated, "of": {part.name: dict(part.counted()) for part in self.members}}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """Link the people of all parts, and count how many fit what may be known."""
        linked: list[JointPart] = []
        unlinked: list[tuple[str, str]] = []
        links = self.given.get("people") or {}
        for part in self.members:
            control.report(self.name, f"people of {part.name}")
            found = people_of_part(part, links.get(part.name), control)
            if isinstance(found, str):
                unlinked.append((part.name, found))
            else:
                linked.append(found)
        control.report(self.name, "people together")
        settings = replace(self.settings, seed=control.seed)
        return joint_risk(linked, settings, unlinked=unlinked).measured()

    def judge(
        self, measured: Mapping[str, Any], score: ContextScore, *, seed: int, quick: bool = False
    ) -> PartVerdict:
        """The most exposed person over all parts decides, whatever the context's rule for one part is."""
        risk = JointRisk.from_measured(measured, replace(self.settings, seed=seed), score.threshold)
        highest = risk.together.highest
        return PartVerdict(
            acceptable=risk.acceptable,
            statistic=STATISTIC,
            risk=highest,
            attempt=1.0,
            overall=highest,
            threshold=score.threshold.probability,
            cell_size=score.threshold.cell_size,
            sentence=" ".join(reason.text for reason in risk.reasons()),
            final=RiskFigure(STATISTIC, highest),
            inventory=self._inventory(risk),
            result=None if quick else risk.to_dict(),
        )

    def _inventory(self, risk: JointRisk) -> Inventory:
        items = [
            InventoryItem(
                f"what {', '.join(risk.names)} tell together",
                "people in several parts",
                "as released",
                "measured",
                "the people of the parts were linked and counted",
            )
        ]
        items += [
            InventoryItem(f"what {name} adds", "people in several parts", "as released", "unmeasured", why)
            for name, why in risk.unlinked
        ]
        return Inventory(tuple(items))

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Leave out a part, or give it to another recipient."""
        risk = JointRisk.from_measured(measured, self.settings, case.score.threshold)
        for place, name in enumerate(risk.names):
            left = risk.without[place]
            if left is None or left.highest >= risk.together.highest:
                continue
            now, then = probability(risk.together.highest), probability(left.highest)
            if now == then:
                continue
            accepts = case.score.threshold.accepts(left.highest)
            text = (
                f"Leave out the part {name}, or give it to a recipient who does not get the others: lowers "
                f"the highest risk from {now} to {then}, {verdict_words(accepts)}."
            )
            yield replace(
                case.untested_remedy("drop", text, None, 6),
                risk_after=left.highest,
                part_acceptable_after=accepts,
                acceptable_after=_acceptable_without(accepts=accepts, others=case.others_acceptable),
            )


def _acceptable_without(*, accepts: bool, others: bool) -> bool | None:
    """Whether the release is acceptable then; unknown if it hangs on a part that may be the one left out."""
    if not accepts:
        return False
    return True if others else None


def joint_parts(
    given: Any, parts: Sequence[ReleasePart], place: SettingPlace, score: ContextScore
) -> tuple[JointParts, ...]:
    """The groups of the section `joint`; none if it is absent or says that there are none."""
    if given is None or isinstance(given, Mapping):
        return ()
    by_name = {part.name: part for part in parts}
    taken, found = list(by_name), []
    for at, group in enumerate(given):
        here = place.at(at)
        _check_group(group, list(by_name), here)
        for wanted, names in _judged(group):
            name = _free_name(wanted or ("together" if at == 0 else f"together-{at + 1}"), taken)
            members = tuple(by_name[one] for one in names)
            part = JointParts(name, _narrowed(group, names), members[0].folder, members)
            part.check(here, score)
            taken.append(name)
            found.append(part)
    return tuple(found)


def _check_group(group: Mapping[str, Any], known: list[str], here: SettingPlace) -> None:
    missing = [name for name in group["parts"] if name not in known]
    if missing:
        raise here.at("parts").among(missing[0], known)
    if group.get("none") is not None:
        return
    if len(group["parts"]) < 2:
        raise here.at("parts").wrong("names fewer than two parts.", hint="Name all that go together.")
    received = group.get("recipients") or {}
    for recipient, names in received.items():
        wrong = [name for name in names if name not in group["parts"]]
        if wrong:
            raise here.at("recipients").at(recipient).among(wrong[0], group["parts"])
    forgotten = [
        name for name in group["parts"] if received and not any(name in own for own in received.values())
    ]
    if forgotten:
        raise here.at("recipients").wrong(
            f"does not say who receives {forgotten[0]}.", hint="Name each part under its recipients."
        )
    if group.get("apart") is not None and not received:
        raise here.at("apart").wrong("needs recipients:.", hint="Write recipients: {NAME: [PART]}, too.")


def _judged(group: Mapping[str, Any]) -> Iterator[tuple[str | None, list[str]]]:
    """The sets of parts to judge: what each recipient has, and what all have if they may pool it."""
    if group.get("none") is not None:
        return
    everything = list(group["parts"])
    for recipient, names in (group.get("recipients") or {}).items():
        own = [name for name in everything if name in names]
        if 1 < len(own) < len(everything):
            words = "-".join(re.findall(r"[A-Za-z0-9]+", recipient)).lower()
            yield f"together-{words}"[:60].rstrip("-"), own
    if not group.get("apart") or any(set(own) >= set(everything) for own in group["recipients"].values()):
        yield None, everything


def _narrowed(group: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The settings of a group for some of its parts."""
    same = {
        attribute: [one for one in places if one.partition(".")[0] in names]
        for attribute, places in (group.get("same") or {}).items()
    }
    people = {name: link for name, link in (group.get("people") or {}).items() if name in names}
    whole = set(names) == set(group["parts"])
    return dict(group) if whole else {**group, "parts": list(names), "same": same, "people": people}


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    lower = {name.lower() for name in taken}
    while wanted in lower:
        wanted = f"{wanted}-all"
    return wanted


def parts_apart(given: Any, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Parts that no group of `joint` names; and the reasons given for not joining others."""
    groups = given if isinstance(given, list | tuple) else []
    named = {name for group in groups for name in group["parts"]}
    reasons = [
        f"{', '.join(group['parts'])}: {reason}"
        for group in groups
        for reason in (group.get("none"), group.get("apart"))
        if reason
    ]
    return [name for name in names if name not in named], reasons
