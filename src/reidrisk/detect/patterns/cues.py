"""Numbers that are identifiers because of the words before them."""

from __future__ import annotations

import re

_WIDTH = 44
KINDS = {
    "MEDICALRECORD": r"mrns?|mr ?#|m\.r\.n\.?|medical record|med rec|record|chart|patient id|patient identifier|pt id|patient number"
    r"|patient no|hospital number|hospital id|hospital no|unit number|unit no|ehr|emr|urn|medical id|mrno",
    "HEALTHPLAN": r"health ?plan|member|beneficiary|policy|insurance|insurer|subscriber|medicare|medicaid|hicn|mbi|nhs|plan"
    r"|hpbn|group|coverage|payer|claim|hpid|health id|hmo|ppo|health card|ohip",
    "ACCOUNT": r"account|acct|a/c|invoice|billing|bank|routing|iban|credit card|card|bill",
    "LICENSE": r"licen[cs]e|licen[cs]e plate certificate|certificate|certification|cert|dea|npi|registration|driver'?s|driver’s|passport|lic",
    "DEVICE": r"device|serial|s/n|pacemaker|implant|imei|udi|lot|machine|pump|sn|device id|unit id|prosthesis",
    "VEHICLE": r"vehicle|licen[cs]e plate|plate|vin|registration plate|tag|car",
    "SSN": r"ssns?|social security|social|soc sec",
    "BIOID": r"fingerprint|biometric|retina(?:l)? scan|voice ?print|iris(?: scan)?|facial id",
    "USERNAME": r"username|user name|user id|login|userid",
    "ZIP": r"zip|zip ?code|postal ?code|postcode",
    "FAX": r"fax",
    "PHONE": r"phone|telephone|tel|cell|mobile|pager|beeper|extension",
    "IDNUM": r"id|i\.d\.|ids|identifier|identification|unique identifier|case|accession|acc|specimen|sample|subject|participant|encounter|visit|csn|fin"
    r"|reference|ref|ticket|order|confirmation|study id|trial id|protocol|site id|document|doc|lab|employee|badge|protocol id|code|referral",
    "ROOM": r"room|rm|bed|ward|bay|suite|ste|apt|apartment|pod|icu bed|floor",
}
_CUE = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(f"(?P<{kind}>{words})" for kind, words in KINDS.items())
    + r")(?:['’]s)?(?:[ \t]{0,2}(?:number|no\b\.?|num\b\.?|nos\b|nr\b\.?|id\b|ids\b|identifier|code|was|is|of|as|with|ending in|the|patient's|registered|listed|account|card|plan|record|beneficiary|member|holder|serial|plate|in|file))"
    r"{0,4}[ \t]{0,2}[:#.=()\[\]\"“'\-–—]{0,3}[ \t]{0,2}[#:(]{0,2}$"
)
_STRONG = 0.95
_WEAK = {"PHONE": 0.6, "FAX": 0.6, "ROOM": 0.85, "IDNUM": 0.9}
_SHORT = {"ROOM": 1, "USERNAME": 1, "ZIP": 5, "PHONE": 3, "FAX": 3}
_LOOSE = re.compile(
    r"record|chart|plan|policy|group|member|card|case|order|code|lab|visit|sample|lot|pump|tag|car|bay|floor|document|claim|"
    r"insurance|coverage|subject|participant|site|study|protocol|implant|pacemaker|device|plate|social|bank|bill|employee|mobile|cell|tel|"
    r"reference|hmo|ppo|encounter|medicare|medicaid|certificate|suite|apartment"
)
"""Words that mean something else before a small number, as in "group 2"."""
_UNITS = re.compile(
    r"^[ -]?(?:mg|mcg|ml|cm|mm|years?|yrs?|days?|weeks?|months?|hours?|minutes?|%|patients|percent|mmhg|kg|times|x\b)"
)


def cue_of(text: str, start: int) -> str | None:
    """The type that the words before a place announce, and None if there are none."""
    found = _CUE.search(text[max(0, start - _WIDTH) : start].lower())
    return None if found is None else found.lastgroup


def weigh(match: re.Match[str]) -> tuple[str, float] | None:
    """Type and confidence of a value after a cue."""
    text, start = match.string, match.start()
    found = _CUE.search(text[max(0, start - _WIDTH) : start].lower())
    if found is None or found.lastgroup is None or _UNITS.match(text[match.end() : match.end() + 12].lower()):
        return None
    kind, word = found.lastgroup, found[found.lastgroup]
    digits = sum(character.isdigit() for character in match[0])
    least = _SHORT.get(kind, 4 if _LOOSE.search(word) else 3)
    if digits < least and not (digits >= 2 and len(match[0]) >= 6):
        return None
    return kind, _WEAK.get(kind, _STRONG)


VALUE = re.compile(r"[A-Za-z0-9]{1,20}(?:[-/._][A-Za-z0-9]{1,20}){0,5}(?: \d{3,6}(?!\w)){0,3}")
