"""A population part: what a sharing policy exposes, measured once and judged in any context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from reidrisk.assess.kind import PartCase, ReleasePart, RunControl
from reidrisk.assess.sketch import DraftFile, PartSketch, draft_line
from reidrisk.assess.verdict import PartVerdict, Remedy, RiskFigure, decide_records, verdict_words
from reidrisk.context.rule import TOTAL
from reidrisk.context.score import ContextScore
from reidrisk.core.inventory import Inventory, InventoryItem
from reidrisk.core.place import SettingPlace
from reidrisk.core.result import Result
from reidrisk.core.settings import (
    PART_NAME,
    Choice,
    Entry,
    SettingGroup,
    form_entries,
)
from reidrisk.core.wording import percent, plural, probability
from reidrisk.core.yaml_file import yaml_text
from reidrisk.errors import InvalidSetting, ReidRiskError
from reidrisk.population.attack import known_areas
from reidrisk.population.attacker import Attacker, read_attacker
from reidrisk.population.compare import compare_policies
from reidrisk.population.dates import read_birth_dates
from reidrisk.population.explore import PopulationExplorer, explore_policies
from reidrisk.population.options import PopulationOptions
from reidrisk.population.people import AREAS, Population
from reidrisk.population.policy import LIMITED_DATASET, SAFE_HARBOR, YAML, Policy, read_policy
from reidrisk.population.read import read_population
from reidrisk.population.readers.long import LongForm
from reidrisk.population.risk import population_risk
from reidrisk.population.settings import (
    ATTACKER,
    BIRTH_DATES,
    BY_CALENDAR,
    EVEN,
    PART_SETTINGS,
    PEOPLE,
    POLICY,
    G,
)
from reidrisk.population.settings import TOTAL as TOTAL_MEASURE
from reidrisk.population.voters import VoterLists, read_voter_lists, state_names, voter_lists

BIRTHS = (EVEN, BY_CALENDAR)

POPULATION_FORM = SettingGroup(
    {
        "name": PART_NAME,
        "kind": Entry(Choice(("population",)), "What a policy exposes in a population.", needed=True),
        **form_entries(PART_SETTINGS),
        **{one.name: replace(one.entry, needed=True) for one in (PEOPLE, POLICY)},
    },
    title="A population part",
    about="As on the command line of `reidrisk population`.",
)


class PopulationPart(ReleasePart):
    """A policy and the people it applies to."""

    kind: ClassVar[str] = "population"
    form: ClassVar[SettingGroup] = POPULATION_FORM
    sketch_order: ClassVar[int] = 3

    @property
    def shown_task(self) -> str:
        """A comparison if there are other policies."""
        return "compare" if self.given.get("compare") else self.task

    @property
    def policies(self) -> list[str]:
        """The policy of the release, then those to compare it with."""
        others = self.given.get("compare") or []
        return [str(self.given["policy"]), *([others] if isinstance(others, str) else others)]

    @property
    def limits(self) -> Mapping[str, float]:
        """The largest acceptable shares that the part itself states."""
        return {str(name): float(share) for name, share in (self.given.get("max_share") or {}).items()}

    def check(self, place: SettingPlace, score: ContextScore) -> None:  # noqa: ARG002 - part of the contract
        """Check files, limits and options."""
        self.check_sources(place)
        for key in self.limits:
            if key != "total" and not (key.isdecimal() and int(key) > 0):
                raise (
                    place.at("max_share")
                    .at(key)
                    .wrong("is neither a group size nor total.", hint="Write 5: 0.01 or total: 0.001.")
                )
        with place.at("state").names_line():
            _ = self.options

    def sources(self) -> tuple[str, ...]:
        """Counts, the data set, and any setting that is a file."""
        named = [self.given.get(name) for name in ("population", "dataset", "voter_lists")]
        rules = [*self.policies, self.given.get("attacker") or ""]
        files = [str(name) for name in named if name]
        files += [text for text in rules if Path(text).suffix.lower() in YAML]
        births = self.given.get("birth_dates")
        return (*files, *([births] if births and births not in BIRTHS else []))

    def counted(self) -> Mapping[str, Any]:
        """Every setting but the limits."""
        return {name: value for name, value in self.given.items() if name not in {"name", "max_share"}}

    def measure(self, control: RunControl) -> dict[str, Any]:
        """The risk under each policy."""
        control.report(self.name, "people")
        found: dict[str, Any] = self.with_short_paths(self._result().to_dict())
        return found

    def _result(self) -> Result:
        policies = [self._policy(text) for text in self.policies]
        arguments: dict[str, Any] = {
            "by": self.given.get("by"),
            "dataset": self.path(self.given["dataset"]) if self.given.get("dataset") else None,
            "options": self.options,
        }
        people = self._people()
        if len(policies) == 1:
            return population_risk(people, policies[0], self._attacker(), **arguments)
        return compare_policies(people, policies, self._attacker(), **arguments)

    def explore(self, measure: str = TOTAL_MEASURE) -> PopulationExplorer:
        """The policies between the two of the part, or between Safe Harbor and its own policy."""
        policies = [self._policy(text) for text in self.policies]
        pairs = [(policies[-1], policies[0]), (policies[0], policies[-1])]
        if len(policies) == 1:
            pairs = [(SAFE_HARBOR, policies[0]), (policies[0], LIMITED_DATASET)]
        people = self._people()
        try:
            return explore_policies(
                people, self._attacker(), between=pairs[0], measure=measure, options=self.options
            )
        except InvalidSetting:  # the other one is the finer policy
            return explore_policies(
                people, self._attacker(), between=pairs[1], measure=measure, options=self.options
            )

    @property
    def options(self) -> PopulationOptions:
        """How the population is measured, without the limits."""
        births = str(self.given.get("birth_dates") or BIRTH_DATES.default)
        return PopulationOptions(
            g=self._group_sizes(),
            birth_dates=read_birth_dates(
                births if births in BIRTHS else self.path(births), days=self.given.get("days")
            ),
            across=bool(self.given.get("across")),
            counted_in=self.given.get("counted_in"),
        )

    def _group_sizes(self) -> list[int]:
        """The stated g, and those that have a limit."""
        limited = [int(name) for name in self.limits if name.isdecimal()]
        return sorted({*(self.given.get(G.name) or G.default), *limited})

    def _policy(self, text: str) -> Policy:
        return read_policy(self.path(text) if Path(text).suffix.lower() in YAML else text)

    def _attacker(self) -> Attacker | VoterLists:
        who, own = str(self.given.get("attacker") or ATTACKER.default), self.given.get("voter_lists")
        if who == "voter":
            lists = read_voter_lists(self.path(own)) if own else voter_lists()
            return lists.with_price(self.given.get("price"))
        named = self.path(who) if Path(who).suffix.lower() in YAML else who
        return read_attacker(named).with_price(self.given.get("price"))

    def _people(self) -> Population:
        found = read_population(
            self.path(self.given["population"]),
            areas=self.given.get("areas"),
            open_band_years=self.given.get("open_band_years"),
            year=self.given.get("year"),
        )
        wanted = self.given.get("state")
        if not wanted:
            return found
        return _only_states(found, [wanted] if isinstance(wanted, str) else wanted)

    def judge(
        self,
        measured: Mapping[str, Any],
        score: ContextScore,
        *,
        seed: int,  # noqa: ARG002 - part of the contract
        quick: bool = False,  # noqa: ARG002
    ) -> PartVerdict:
        """By the rule of the context, or by the limits that the part states."""
        return self.judge_policy(measured, _policy_risks(measured)[0], score)

    def judge_policy(
        self, measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore
    ) -> PartVerdict:
        """The verdict for the risk under one of the policies."""
        if risk["total_risk"]["share"] is None:
            return _unknown_risk(measured, risk, score)
        if self.limits:
            return _judge_by_limits(self.limits, measured, risk)
        return _judge_by_context(measured, risk, score)

    def leaves(self, parts: Sequence[ReleasePart]) -> Inventory:  # noqa: ARG002 - part of the contract
        """The fields that the policy releases for each person."""
        reason = "people with the same values were counted in the population"
        return Inventory((InventoryItem("fields of the policy", "policy", "kept", "measured", reason),))

    def remedies(self, measured: Mapping[str, Any], case: PartCase) -> Iterator[Remedy]:
        """Use one of the policies that it was compared with."""
        own, *others = self.policies
        for at, risk in enumerate(_policy_risks(measured)[1:]):
            rejudge = partial(self.judge_policy, measured, risk)
            rest = [own, *(text for text in others if text != others[at])]
            change = {
                f"parts.{self.name}.policy": others[at],
                f"parts.{self.name}.compare": rest[0] if len(rest) == 1 else rest,
            }
            text = f"Share only what {risk['policy']['name']} allows"
            yield from case.remedy("generalize", text, rejudge, change, 4)

    @classmethod
    def sketch(cls, file: DraftFile) -> PartSketch | None:
        """For a table with counts of people by area and age."""
        names = {name.strip().casefold() for name in file.columns}
        if "n" not in names or not names & {"age_lo", "age"} or not names & set(AREAS):
            return None
        try:
            form = LongForm.of(file.columns, areas=None, fields=None, source=file.name)
        except ReidRiskError:
            return None
        return PopulationSketch(file.written, areas=form.areas, fields=form.fields)


def _only_states(population: Population, wanted: list[str]) -> Population:
    """The people of some states, by their labels or other names of these states."""
    if not known_areas(population):
        raise InvalidSetting(f"{population.source} has no states.", hint="Leave out state.")
    column = known_areas(population)[-1]
    known = set(population.labels[column])
    labels = [next((name for name in (text, *state_names(text)) if name in known), text) for text in wanted]
    return population.of(column, labels)


def _policy_risks(measured: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The risk under the policy of the release, then under those it was compared with."""
    found: list[dict[str, Any]] = measured["risks"] if "risks" in measured else [dict(measured)]
    return found


def _judge_by_context(
    measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore
) -> PartVerdict:
    share, smallest = float(risk["total_risk"]["share"]), int(risk["smallest_group"] or 1)
    decision = decide_records(score, smallest=smallest, average=share, part="population")
    return PartVerdict(
        acceptable=decision.acceptable,
        statistic=decision.statistic,
        risk=decision.risk,
        attempt=decision.attempt,
        overall=decision.overall,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=(
            f"Under {risk['policy']['name']}, {percent(share)} of {risk['people']:,} people are expected to "
            f"be re-identified, and the smallest group has {plural(smallest, 'member')}; the "
            f"{decision.statistic} is {probability(decision.risk)}; {decision.why}: "
            f"{verdict_words(decision.acceptable)}."
        ),
        final=RiskFigure(decision.statistic, decision.risk),
        measures=_measures(risk),
        result=dict(measured),
    )


def _judge_by_limits(
    limits: Mapping[str, float], measured: Mapping[str, Any], risk: Mapping[str, Any]
) -> PartVerdict:
    total = float(risk["total_risk"]["share"])
    shares = {name: total if name == "total" else float(risk["g_distinct"][name]) for name in limits}
    worst = max(limits, key=lambda name: shares[name] / max(limits[name], 1e-300))
    acceptable = all(shares[name] <= limit for name, limit in limits.items())
    clauses = "; ".join(
        f"{'total risk' if name == 'total' else f'{name}-distinct'} {percent(shares[name])}, limit "
        f"{percent(limit)}"
        for name, limit in limits.items()
    )
    return PartVerdict(
        acceptable=acceptable,
        statistic=TOTAL if worst == "total" else f"share of people who are {worst}-distinct",
        risk=shares[worst],
        attempt=1.0,
        overall=shares[worst],
        threshold=max(limits[worst], 1e-300),
        cell_size=None,
        sentence=(
            f"Under {risk['policy']['name']}: {clauses} (limits set by the custodian instead of the "
            f"rule of the context): "
            f"{verdict_words(acceptable)}."
        ),
        final=RiskFigure(TOTAL, total),
        measures=_measures(risk),
        result=dict(measured),
    )


def _unknown_risk(measured: Mapping[str, Any], risk: Mapping[str, Any], score: ContextScore) -> PartVerdict:
    return PartVerdict(
        acceptable=False,
        statistic=TOTAL,
        risk=None,
        attempt=score.rule_for("population").attempt,
        overall=None,
        threshold=score.threshold.probability,
        cell_size=score.threshold.cell_size,
        sentence=f"The risk is unknown: {risk['unknown']} An unknown risk is not acceptable.",
        measures=_measures(risk),
        result=dict(measured),
    )


def _measures(risk: Mapping[str, Any]) -> tuple[str, ...]:
    fields = ", ".join(f"{name} ({how})" for name, how in risk["policy"]["fields"].items())
    return (f"Under {risk['policy']['name']}, only these fields are released for each person: {fields}.",)


@dataclass(frozen=True)
class PopulationSketch(PartSketch):
    """Counts of people."""

    areas: tuple[str, ...] = ()
    """The finest last."""
    fields: tuple[str, ...] = ()
    """Columns beside areas and ages."""
    kind: ClassVar[str] = "population"

    @property
    def reason(self) -> str:
        """What only such a table has."""
        return "It counts people: it has a column n, ages and areas."

    def lines(self, name: str) -> Iterator[str]:
        """The YAML of a population part."""
        yield draft_line("name", name, first=True)
        yield draft_line("kind", "population", "what a sharing policy exposes")
        yield draft_line("population", yaml_text(self.path))
        if {"county", "sex", "race"} <= {*self.areas, *self.fields}:
            yield draft_line(
                "policy", "limited", "what is released about each person: limited, safe, or fields"
            )
            yield draft_line("compare", "safe", "another policy to compare it with")
        else:
            fields = ",".join(("year_of_birth", *self.fields))
            yield draft_line(
                "policy", yaml_text(fields), "what is released about each person: fields, or a file"
            )
        yield draft_line("attacker", "general", "who attacks: general, voter, or the fields of a list")
        if len(self.areas) > 1:
            yield draft_line("by", yaml_text(self.areas[-1]), "areas whose risk is shown separately")
