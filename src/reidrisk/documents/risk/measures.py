"""What was done to lower the risk, as the study says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reidrisk.documents.risk.measured import Measure
from reidrisk.documents.risk.settings import Scenario
from reidrisk.documents.study.cdisc import SITE

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

SUPPRESSED = "suppressed"
RULES = {
    "leave_out": "left out",
    "redact": "everything found is redacted",
    "replace": "everything found is replaced",
    "keep": "kept as it is",
}


def measures(study: Study, scenario: Scenario) -> tuple[Measure, ...]:
    """In the order of their effect: what is masked everywhere, what is released instead, sections."""
    roles = study.roles
    direct = (study.subject, *roles.direct)
    found = []
    if scenario == "redacted":
        found.append(Measure("redaction", (*direct, *roles.quasi, *roles.dates), "removed and boxed"))
    elif scenario != "qualitative":
        found += _replaced(study)
    found += [
        Measure("section", (), f"{section}: {RULES[rule]}")
        for section, rule in sorted(study.sections.items())
    ]
    return tuple(found)


def _replaced(study: Study) -> list[Measure]:
    from reidrisk.documents.study.rules import ReleaseRules

    rules = study.deidentified
    if rules is None:
        return []
    if not isinstance(rules, ReleaseRules):
        return [Measure("replacement", study.roles.quasi, "by the values of the released tables")]
    found = []
    released = study.released
    recoded = (*rules.recode, *(() if SITE in rules.recode else (SITE,)))
    recoded = tuple(name for name in recoded if released and "new value" in released.treatment(name))
    if recoded:
        found.append(Measure("recoding", recoded, "by a key; the form is kept"))
    if rules.shift_days is not None:
        days = f"one offset a participant, at most {rules.shift_days} days"
        found.append(Measure("date shift", study.roles.dates, days))
    found += [
        Measure("generalization", (name,), f"to the level {level}")
        for name, level in rules.levels.items()
        if level != SUPPRESSED
    ]
    gone = tuple(name for name, level in rules.levels.items() if level == SUPPRESSED)
    if gone:
        found.append(Measure("suppression", gone, "no value is released"))
    dropped = tuple(
        sorted(name for name in study.dropped if released and released.treatment(name) == "removed")
    )
    if dropped:
        found.append(Measure("removal", dropped, "not released"))
    return found
