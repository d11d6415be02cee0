"""Names that CDISC gives to variables (SDTM, ADaM), and what they mean for privacy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reidrisk.documents.study.schema import StudySchema
from reidrisk.errors import InvalidSetting

SUBJECT = "USUBJID"
SITE = "SITEID"
STUDY = "STUDYID"
DIRECT = ("SUBJID", "SUBJINIT", "INITIALS")
QUASI = ("AGE", "SEX", "RACE", "ETHNIC", "COUNTRY", SITE)
DATE = re.compile(r"[A-Z]\w*(?:DTC|DT|DTM)")
"""Such as RFSTDTC of SDTM, TRTSDT of ADaM."""
_EVENT = re.compile(r"(?:AE|MH|CE|CM|PR|SU|DV|DS)(?:TERM|DECOD|TRT|LLT|MODIFY)")


def is_date(variable: str) -> bool:
    """Whether a variable is a date by its name."""
    return DATE.fullmatch(variable.upper()) is not None


def is_age(variable: str) -> bool:
    """Whether a variable is an age in years by its name."""
    return re.fullmatch(r"AGE|AGE_?(?:YEARS|YRS|Y)|AAGE", variable.upper()) is not None


def is_event(variable: str) -> bool:
    """Whether a variable says what happened or was taken."""
    return _EVENT.fullmatch(variable.upper()) is not None


def proposed_schema(tables: Mapping[str, Sequence[str]], subject: str) -> StudySchema:
    """The roles that CDISC names suggest; `tables` has the columns of each, that of participants first."""
    (_, participants), *others = tables.items()
    free = [name for name in participants if name != subject]
    quasi = [name for name in free if name.upper() in QUASI]
    if not quasi:
        raise InvalidSetting(
            "No quasi-identifier has a name that CDISC knows.",
            hint="Name them in the study: schema: {quasi: [...]}.",
        )
    events = {
        table: tuple(name for name in columns if name != subject and (is_event(name) or is_date(name)))
        for table, columns in others
    }
    return StudySchema(
        quasi=tuple(quasi),
        direct=tuple(name for name in free if name.upper() in DIRECT),
        dates=tuple(name for name in free if is_date(name)),
        events={table: columns for table, columns in events.items() if columns},
    )
