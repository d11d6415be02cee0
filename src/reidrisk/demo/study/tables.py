"""The data of the synthetic trial as XPT and CSV files.

Layout: "The Record Layout of a SAS Version 5 or 6 Data Set in SAS Transport (XPORT) Format" (SAS TS-140).
We write it ourselves because the same table must give the same bytes; other writers add the current time.
"""

from __future__ import annotations

import csv
import io
import struct
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from reidrisk.demo.study.cohort import STUDY, Participant

_RECORD = 80
_STAMP = "01JAN21:00:00:00"
_HEADER = "HEADER RECORD*******{:<8}HEADER RECORD!!!!!!!{}"
Value = str | float | None


def xport_bytes(name: str, columns: Mapping[str, Sequence[Value]], labels: Mapping[str, str]) -> bytes:
    """One table as a transport file; a column is text or numbers, and None is a missing value."""
    fields = [_Field(number, key, values) for number, (key, values) in enumerate(columns.items(), start=1)]
    place, described = 0, b""
    for field in fields:
        described += field.described(labels.get(field.name, ""), place)
        place += field.width
    rows = zip(*(field.cells() for field in fields), strict=True)
    head = _head(name, len(fields))
    return head + _pad(described) + _line("OBS", "0" * 30) + _pad(b"".join(map(b"".join, rows)))


class _Field:
    """One column: its type, its width, its cells."""

    def __init__(self, number: int, name: str, values: Sequence[Value]) -> None:
        self.number, self.name, self._values = number, name, values
        self.text = any(isinstance(value, str) for value in values)
        self.width = max([1, *(len(str(value or "").encode()) for value in values)]) if self.text else 8

    def described(self, label: str, place: int) -> bytes:
        """The descriptor of the column, 140 bytes."""
        kind = 2 if self.text else 1
        form, length = ("DATE", 9) if self.name.endswith("DT") else ("", 0)
        names = _ascii(self.name, 8) + _ascii(label, 40) + _ascii(form, 8)
        formats = struct.pack(">hhh2s8shh", length, 0, 0, b"\0\0", _ascii("", 8), 0, 0)
        return (
            struct.pack(">hhhh", kind, 0, self.width, self.number)
            + names
            + formats
            + struct.pack(">i", place)
            + bytes(52)
        )

    def cells(self) -> list[bytes]:
        """The cells as bytes of the same width."""
        if self.text:
            return [str(value or "").encode().ljust(self.width) for value in self._values]
        return [_ibm(value) for value in self._values]


def _head(name: str, fields: int) -> bytes:
    first = _line("LIBRARY", "0" * 30)
    library = f"{'SAS':<8}{'SAS':<8}{'SASLIB':<8}{'9.4':<8}{'':<8}{'':<24}{_STAMP}"
    member = _line("MEMBER", "0" * 17 + "1600000000140") + _line("DSCRPTR", "0" * 30)
    table = f"{'SAS':<8}{name:<8}{'SASDATA':<8}{'9.4':<8}{'':<8}{'':<24}{_STAMP}"
    names = _line("NAMESTR", f"000000{fields:04d}" + "0" * 20)
    stamp = _ascii(_STAMP, _RECORD)
    return first + _ascii(library, _RECORD) + stamp + member + _ascii(table, _RECORD) + stamp + names


def _line(kind: str, numbers: str) -> bytes:
    return _ascii(_HEADER.format(kind, numbers), _RECORD)


def _ascii(text: str, width: int) -> bytes:
    return text.encode("ascii").ljust(width)[:width]


def _pad(content: bytes) -> bytes:
    return content + b" " * (-len(content) % _RECORD)


def _ibm(value: Value) -> bytes:
    """A number in IBM 360 floating-point format: sign, power of 16 plus 64, fraction of 56 bits.

    >>> _ibm(1.0).hex(), _ibm(-118.625).hex(), _ibm(None).hex()
    ('4110000000000000', 'c276a00000000000', '2e00000000000000')
    """
    if value is None:
        return b"." + bytes(7)
    number, power = abs(float(value)), 0
    if number == 0:
        return bytes(8)
    while number >= 1:
        number, power = number / 16, power + 1
    while number < 1 / 16:
        number, power = number * 16, power - 1
    sign = 0x80 if float(value) < 0 else 0
    return bytes([sign | (power + 64)]) + int(number * 2**56).to_bytes(7, "big")


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
