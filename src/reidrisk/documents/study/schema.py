"""What the variables of a trial mean, as somebody says it or as their CDISC names do (SDTM, ADaM)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from reidrisk.core.schema import Roles, Schema
from reidrisk.errors import InvalidSetting

TextTreatment = Literal["drop", "keep"]
TEXT_TREATMENTS: tuple[TextTreatment, ...] = get_args(TextTreatment)
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


@dataclass(frozen=True, slots=True)
class StudySchema:
    """Variables by their role; those of events belong to one table each."""

    quasi: tuple[str, ...]
    direct: tuple[str, ...] = ()
    """Besides the column that names a participant."""
    dates: tuple[str, ...] = ()
    """Dates of participants: in the data that are released they are shifted."""
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of tables with several rows a participant: terms and dates of what happened."""
    text: Mapping[str, TextTreatment] = field(default_factory=dict)
    """What people typed, in any table: dropped from the released data, or kept."""
    other: Mapping[str, str] = field(default_factory=dict)
    """Variables that are released although they are dropped by default, or hold text; and the reason."""

    def __post_init__(self) -> None:
        for name in ("quasi", "direct", "dates"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        events = {table: _names(columns, f"events.{table}") for table, columns in self.events.items()}
        object.__setattr__(self, "events", MappingProxyType(events))
        object.__setattr__(self, "text", MappingProxyType(dict(self.text)))
        object.__setattr__(self, "other", MappingProxyType(dict(self.other)))
        self._check_text()
        if not self.quasi:
            raise InvalidSetting(
                "A study names at least one quasi-identifier.", hint="Usual are AGE, SEX, RACE and COUNTRY."
            )
        twice = (set(self.quasi) & set(self.direct)) | (set(self.dates) & {*self.quasi, *self.direct})
        if twice:
            raise InvalidSetting(
                f"A variable has one role: {', '.join(sorted(twice))} has two.",
                hint="Name it once, in its strictest role.",
            )

    def _check_text(self) -> None:
        for name, treatment in self.text.items():
            if treatment not in TEXT_TREATMENTS:
                raise InvalidSetting.among(f"The treatment of the text {name}", treatment, TEXT_TREATMENTS)
        for name, reason in self.other.items():
            if not isinstance(reason, str) or not reason.strip():
                raise InvalidSetting(
                    f"{name} is released without a reason.", hint=f"Write other: {{{name}: REASON}}."
                )

    @classmethod
    def of(cls, given: StudySchema | Roles) -> StudySchema:
        """From the schema of a table or a list of quasi-identifiers too, without dates and events."""
        if isinstance(given, StudySchema):
            return given
        roles = Schema.of(given)
        return cls(roles.quasi, direct=roles.direct)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every variable of participants."""
        return (*self.direct, *self.quasi, *self.dates)


def _names(given: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidSetting(
            f"{what} takes several variables, not one text.", hint=f"Write {what}: [{given}]."
        )
    names = tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{what} names a variable that is not text.", hint="Put it in quotes.")
    return names


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
