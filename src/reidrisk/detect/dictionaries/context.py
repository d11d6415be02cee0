"""What stands before and after a word with a capital, and what it says about it."""

from __future__ import annotations

import re

TITLES = frozenset(
    "mr mrs ms miss mx dr drs prof professor doctor sir madam rev reverend fr father sister brother nurse capt captain sgt lt col "
    "judge sen senator rep rabbi imam pastor aunt uncle grandma grandpa señor señora don doña herr frau mme monsieur hon".split()
)
PEOPLE = frozenset(
    "patient pt pts patients name named names called daughter son wife husband mother father brother sister spouse partner boyfriend "
    "girlfriend friend neighbor neighbour cousin niece nephew grandson granddaughter grandmother grandfather caregiver guardian "
    "client resident mom dad attending physician surgeon cardiologist oncologist neurologist psychiatrist dermatologist pediatrician "
    "urologist nephrologist endocrinologist internist pulmonologist gastroenterologist radiologist pathologist anesthesiologist "
    "therapist nurse pharmacist provider pcp doctor specialist consultant by signed dear cc re attn like am i'm alias aka son's fiancé".split()
)
DEGREE = re.compile(
    r"^,? {0,2}(?:M\.?D|D\.?O|Ph\.?D|R\.?N|N\.?P|P\.?A(?:-C)?|F\.?N\.?P|L\.?P\.?N|B\.?S\.?N|M\.?S\.?N|A\.?P\.?R\.?N|L\.?C\.?S\.?W|M\.?S\.?W"
    r"|D\.?D\.?S|D\.?M\.?D|Pharm\.?D|Psy\.?D|D\.?P\.?M|C\.?R\.?N\.?A|M\.?P\.?H|FACS|FACP|FRCP|Jr|Sr|III|Esq)\b"
)
PLACE_BEFORE = frozenset(
    "in from near at of to outside around towards toward through visiting visited via leaving".split()
)
AT_BEFORE = frozenset("at visited attended".split())
SENT = frozenset(
    "admitted transferred referred presented discharged came presents returned sent brought moved relocated flew drove traveled "
    "travelled admission transfer referral trip visit visits admit went go going back".split()
)
STATES = frozenset(
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas"
    "|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire"
    "|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina"
    "|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|puerto rico|ontario|quebec"
    "|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland|new south wales|queensland|victoria"
    "|tasmania|england|scotland|wales|northern ireland".split("|")
)
COUNTRIES = frozenset(
    "usa|us|u.s|u.s.a|uk|u.k|united states|united kingdom|russia|south korea|north korea|iran|syria|vietnam|uae".split(
        "|"
    )
)
STATE_AFTER = re.compile(
    r"^(?:, ?|  ?)(?P<state>AL|AK|AZ|AR|CA|CO|CT|DE|D\.?C\.?|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND"
    r"|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|ON|BC|QC|AB|NSW|QLD|UK|USA)\b(?!['’-]\w)"
)
FACILITY = frozenset(
    "hospital hospitals clinic clinics infirmary hospice sanatorium polyclinic medcenter healthcare medical center centre health "
    "institute rehabilitation rehab urgent surgery surgical pediatrics orthopedics oncology cardiology dermatology neurology "
    "memorial general regional community pavilion nursing home practice associates imaging radiology diagnostics laboratory "
    "laboratories pharmacy wellness physicians specialists cancer heart eye children's childrens women's womens veterans va "
    "ambulatory care trauma burn maternity hospital's clinic's campus tower wing building".split()
)
FACILITY_HEAD = frozenset(
    "hospital hospitals clinic clinics infirmary hospice sanatorium polyclinic center centre institute rehab pavilion pharmacy "
    "healthcare health medical practice associates imaging campus laboratory laboratories care home memorial general wing "
    "hospital's clinic's pediatrics orthopedics oncology cardiology dermatology neurology physicians specialists wellness".split()
)
ORGANIZATION_HEAD = frozenset(
    "inc llc ltd corp corporation company co university college school academy church foundation bank plc gmbh industries "
    "partners holdings enterprises ministry agency bureau union airlines motors technologies systems solutions".split()
)
SAINTS = frozenset("st saint mount mt san santa our fort ft".split())
PARTICLES = frozenset(
    (
        " de ",
        " del ",
        " de la ",
        " van ",
        " von ",
        " der ",
        " van der ",
        " van den ",
        " la ",
        " bin ",
        " ibn ",
        " di ",
        " da ",
        " dos ",
        " du ",
        " le ",
        " ten ",
        " ter ",
        " el ",
        " al ",
    )
)
FACILITY_LINKS = frozenset((" of ", " of the ", " for ", " and ", " & ", " at ", " - ", "/"))
ABBREVIATED = frozenset("st mt ft dr mr mrs ms prof jr sr rev no".split())
