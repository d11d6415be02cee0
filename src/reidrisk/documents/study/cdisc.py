"""Names that CDISC gives to variables (SDTM, ADaM), and what they mean for privacy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reidrisk.documents.study.schema import StudySchema
from reidrisk.errors import InvalidSetting

SUBJECT = "USUBJID"
SITE = "SITEID"
STUDY = "STUDYID"
DIRECT = ("SUBJID", "SUBJINIT", "INITIALS", "BRTHDTC", "BRTHDT", "BRTHDTM", "SITENAM")
DROPPED = ("BRTHDTC", "BRTHDT", "BRTHDTM", "SITENAM", "INVID", "INVNAM")
"""Never released by default. A date of birth that moves with the other dates shows the age in days."""
QUASI = ("AGE", "SEX", "RACE", "ETHNIC", "COUNTRY", SITE)
DATE = re.compile(r"[A-Z]\w*(?:DTC|DT|DTM)")
"""Such as RFSTDTC of SDTM, TRTSDT of ADaM."""
_NUMBER = re.compile(r"[A-Z]{2}(?:SPID|REFID)")
"""Numbers that a site or a laboratory gave, such as AESPID and LBREFID."""
_TEXT = re.compile(
    r"[A-Z]{2}(?:TERM|MODIFY|INDC|REASND)|(?:CM|PR|SU|AG|ML)TRT|COVAL\d*|COREF|QVAL|SEUPDES"
    r"|\w+(?:OTH|OTHSP|OTHSPEC|SPFY|SPECIFY|COMM|COMMENTS?|VERBATIM|TXT)"
)
"""What people typed: verbatim terms, comments, and what they wrote after "other, specify"."""
_DAY = re.compile(r"\w*(?:STDY|ENDY|[A-Z]DY)|ADURN|AVALDY")
"""Days of the study, such as AESTDY: the interval between a date and the first dose."""
_DETAIL = re.compile(
    r"[A-Z]{2}(?:BODSYS|BDSYCD|SOC|SOCCD|HLGT|HLGTCD|HLT|HLTCD|PTCD|LLT|LLTCD|CLAS|CLASCD|OUT|SDTH|SHOSP)"
)
"""The same event in other words, and how it ended."""
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


def is_study_day(variable: str) -> bool:
    """Whether a variable counts days from the first dose.

    >>> [is_study_day(name) for name in ("AESTDY", "AENDY", "VISITDY", "LBDY", "BODY_SITE")]
    [True, True, True, True, False]
    """
    return _DAY.fullmatch(variable.upper()) is not None


def is_event_detail(variable: str) -> bool:
    """Whether a variable tells of an event what its term or its date tells, or how it ended.

    >>> [is_event_detail(name) for name in ("AEBODSYS", "AEPTCD", "AEOUT", "AESTDY", "AESEQ", "AEREL")]
    [True, True, True, True, False, False]
    """
    return is_study_day(variable) or _DETAIL.fullmatch(variable.upper()) is not None


def is_text(variable: str) -> bool:
    """Whether a variable holds what people typed.

    >>> [is_text(name) for name in ("AETERM", "CMTRT", "COVAL1", "RACEOTH", "AEDECOD", "EXTRT", "LBSPEC")]
    [True, True, True, True, False, False, False]
    """
    return _TEXT.fullmatch(variable.upper()) is not None


def is_dropped(variable: str) -> bool:
    """Whether a variable is left out of released data by default: birth, names of sites and staff, numbers.

    >>> [is_dropped(name) for name in ("BRTHDTC", "SITENAM", "INVID", "INVNAM", "AESPID", "SITEID")]
    [True, True, True, True, True, False]
    """
    return variable.upper() in DROPPED or _NUMBER.fullmatch(variable.upper()) is not None


def event_columns(columns: Sequence[str], subject: str) -> tuple[str, ...]:
    """The variables of a table that say what happened, and when."""
    return tuple(name for name in columns if name != subject and (is_event(name) or is_date(name)))


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
    events = {table: event_columns(columns, subject) for table, columns in others}
    return StudySchema(
        quasi=tuple(quasi),
        direct=tuple(name for name in free if name.upper() in DIRECT),
        dates=tuple(name for name in free if is_date(name) and name.upper() not in DIRECT),
        events={table: columns for table, columns in events.items() if columns},
    )
