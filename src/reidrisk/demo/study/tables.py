"""The data of the study as CDISC tables: ADSL with one row a participant, AE and MH with one an event."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date
from typing import Any

from reidrisk.demo.study.cohort import STUDY, Participant
from reidrisk.demo.study.xport import xport_bytes

Row = dict[str, Any]
_SAS_ZERO = date(1960, 1, 1)
LABELS = {
    "STUDYID": "Study Identifier",
    "USUBJID": "Unique Subject Identifier",
    "SUBJID": "Subject Identifier for the Study",
    "SITEID": "Study Site Identifier",
    "SITENAM": "Name of Study Site",
    "SUBJINIT": "Subject Initials",
    "BRTHDTC": "Date/Time of Birth",
    "AGE": "Age",
    "AGEU": "Age Units",
    "SEX": "Sex",
    "RACE": "Race",
    "COUNTRY": "Country",
    "TRT01A": "Actual Treatment for Period 01",
    "RFSTDTC": "Subject Reference Start Date/Time",
    "RFENDTC": "Subject Reference End Date/Time",
    "TRTSDT": "Date of First Exposure to Treatment",
    "DTHDTC": "Date/Time of Death",
    "DTHFL": "Subject Death Flag",
}


def adsl(people: Sequence[Participant]) -> list[Row]:
    """Subject-level analysis data."""
    return [
        {
            "STUDYID": STUDY,
            "USUBJID": one.name,
            "SUBJID": one.subject,
            "SITEID": one.site.number,
            "SITENAM": one.site.name,
            "SUBJINIT": one.initials,
            "BRTHDTC": one.birth,
            "AGE": one.age,
            "AGEU": "YEARS",
            "SEX": one.sex,
            "RACE": one.race,
            "COUNTRY": one.site.country,
            "TRT01A": one.arm,
            "RFSTDTC": one.first_dose.isoformat(),
            "RFENDTC": one.last_dose.isoformat(),
            "TRTSDT": (one.first_dose - _SAS_ZERO).days,
            "DTHDTC": one.death.isoformat() if one.death else "",
            "DTHFL": "Y" if one.death else "",
        }
        for one in people
    ]


def ae(people: Sequence[Participant]) -> list[Row]:
    """Adverse events."""
    return [
        {
            "STUDYID": STUDY,
            "DOMAIN": "AE",
            "USUBJID": one.name,
            "AESEQ": number,
            "AETERM": event.verbatim,
            "AEDECOD": event.trouble.term,
            "AEBODSYS": event.trouble.system,
            "AESEV": event.severity,
            "AESER": "Y" if event.serious else "N",
            "AEOUT": event.outcome,
            "AESTDTC": event.start.isoformat(),
            "AEENDTC": event.end.isoformat() if event.end else "",
            "AESTDY": (event.start - one.first_dose).days + 1,
        }
        for one in people
        for number, event in enumerate(one.events, start=1)
    ]


def mh(people: Sequence[Participant]) -> list[Row]:
    """Medical history."""
    return [
        {
            "STUDYID": STUDY,
            "DOMAIN": "MH",
            "USUBJID": one.name,
            "MHSEQ": number,
            "MHTERM": illness.verbatim,
            "MHDECOD": illness.term,
            "MHBODSYS": illness.system,
            "MHSTDTC": illness.start,
        }
        for one in people
        for number, illness in enumerate(one.illnesses, start=1)
    ]


def xport_of(name: str, rows: Sequence[Row]) -> bytes:
    """The rows as a SAS transport file."""
    return xport_bytes(name, {key: [row[key] for row in rows] for key in rows[0]}, LABELS)


def csv_of(rows: Sequence[Row]) -> str:
    """The rows as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
