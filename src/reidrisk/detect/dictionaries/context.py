"""What stands before and after a word with a capital, and what it says about it."""

from __future__ import annotations

import re

from reidrisk.detect.lists import listed

TITLES = listed("titles")
TITLES_BEFORE = TITLES - listed("kin")
"""Titles that are titles also where they are written in lower case."""
PEOPLE = listed("people")
DEGREE = re.compile(
    r",? {0,2}(?:M\.?D|D\.?O|Ph\.?D|R\.?N|N\.?P|P\.?A(?:-C)?|F\.?N\.?P|L\.?P\.?N|B\.?S\.?N|M\.?S\.?N"
    r"|A\.?P\.?R\.?N|L\.?C\.?S\.?W|M\.?S\.?W|D\.?D\.?S|D\.?M\.?D|Pharm\.?D|Psy\.?D|D\.?P\.?M"
    r"|C\.?R\.?N\.?A|M\.?P\.?H|FACS|FACP|FRCP"
    r"|Jr|Sr|III|Esq)\b"
)
PLACE_BEFORE = listed("place-before")
PLACE_LABELS = listed("place-labels")
STREET_ENDS = listed("street-ends")
AT_BEFORE = listed("at")
SENT = listed("sent")
STATES = listed("states")
COUNTRIES = listed("countries")
STATE_AFTER = re.compile(
    r"(?:, ?| (?=[A-Z]{2},? \d{5}))(?P<state>AL|AK|AZ|AR|CA|CO|CT|DE|D\.?C\.?|FL|GA|HI|ID|IL|IN|IA|KS|KY"
    r"|LA|ME|MD|MA|MI"
    r"|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|ON|BC|QC|AB"
    r"|NSW|QLD|UK|USA)"
    r"\b(?!['’-]\w)"
)
ALSO_DEGREES = frozenset(("MD", "MA", "PA", "MS", "DC"))
"""Abbreviations of states that are also written after a person."""
FACILITY = listed("facility")
FACILITY_HEAD = listed("facility-head")
FACILITY_SURE = listed("facility-sure")
ORGANIZATION_HEAD = listed("organization-head")
OPENERS = listed("openers")
"""Words that have a capital only because they begin a sentence."""
SAINTS = listed("saints")
ABBREVIATED = listed("abbreviated")
WITH_EPONYM = tuple(listed("with-eponym"))
_PARTICLES = (
    "de",
    "del",
    "de la",
    "van",
    "von",
    "der",
    "van der",
    "van den",
    "la",
    "bin",
    "ibn",
    "di",
    "da",
    "dos",
    "du",
)
PARTICLES = frozenset(f" {particle} " for particle in (*_PARTICLES, "le", "ten", "ter", "el", "al"))
PARTICLES_BEFORE = re.compile(
    r"(?<!\w)(?:(?:van|von|de|del|der|den|ter|ten|la|di|da|bin|ibn|dos|du|le) ){1,3}$"
)
"""Small words that begin a surname: a search ends where the word with the capital begins."""
FACILITY_LINKS = frozenset((" of ", " of the ", " for ", " and ", " & ", " at ", " - ", "/"))
