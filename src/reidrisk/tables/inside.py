"""Identifiers inside values: how a telephone number, a name or a date looks in a sentence.

The expressions are in RE2 syntax, so that the engine can search all rows of a table. They have no
access to the rest of the text; numbers without a form of their own, such as account numbers and license
plates, therefore need a word before them that says what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reidrisk.core.reference_lists import first_names
from reidrisk.engine.results import TextSearch
from reidrisk.tables.column_kinds import Confidence, kind_named

STATES = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC"
    "|ND|OH"
    "|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR"
)
MONTHS = (
    "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[eé]v(?:rier)?|mar(?:ch|s|zo)?|m[aä]rz|apr(?:il)?|avril|may"
    "|mai|mayo|june?"
    "|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|ao[uû]t|agosto|sept?(?:ember|embre)?|septiembre"
    "|oct(?:ober"
    "|obre|ubre)?|okt(?:ober)?|nov(?:ember|embre|iembre)?|dec(?:ember)?|dez(?:ember)?|d[eé]c(?:embre)?"
    "|diciembre"
    "|enero|ene|febrero|abril|abr|ago|dic|jänner"
)
DAY, YEAR = r"(?:0?[1-9]|[12][0-9]|3[01])", r"(?:1[89]|20)[0-9]{2}"
MONTH = r"(?:0?[1-9]|1[0-2])"
START, END = r"(?:^|[^\w.,:/+-])", r"(?:$|[^\w/:-])"
"""Before and after a number that is not part of a longer one."""
IS = r"(?:\s?(?:is|was|ist|war|est|es|of)\b)?[\s:.,#=()º°-]{0,5}"
"""Between the words for a number and the number."""
SAYS = r"(?:\s(?:is|was|ist|war|est|es|of)\b)?[\s:.,#=()º°-]{1,5}"
"""The same after a word that alone is no sign of a number, as in DEA: there must be something between."""
UUID = r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
CODE = r"(?:(?:[A-Z]{1,4}[-/ ]?)?[0-9][0-9A-Z/.-]{2,}[0-9A-Z]|[0-9]{2,4}(?: [0-9]{2,})+)"
NUMBER_WORD = r"(?:[\s-]?(?:numbers?|num|nummer|numero|número|no|nr|nº|n°|id|ids|identifier|code|#)\b\.?|#)"
CAPITAL = r"\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}\p{Ll}+)?"
STREETS = (
    "street|st|avenue|ave|road|rd|lane|ln|drive|dr|court|ct|boulevard|blvd|terrace|place|pl|parkway|pkwy"
    "|way|circle"
    "|cir|highway|hwy|square|trail|trl|crescent|plaza|loop|turnpike|crossing|mews"
)


def _labelled(labels: str, number: str = CODE, *, bare: str = "") -> str:
    """A number after its name; names in `bare` need no word such as "number" behind them."""
    named = rf"(?:{labels}){NUMBER_WORD}{IS}"
    short = rf"|(?:{bare})(?:{NUMBER_WORD}{IS}|{SAYS})" if bare else ""
    return rf"(?i)(?:^|[^\pL0-9])(?:{named}{short}){number}"


CALLED = (
    r"(?:tele)?phone|telefon(?:o|nummer)?|teléfono|téléphone|telefoon|tel|tlf|tfno|ph|cell(?:phone)?|mobile"
    r"|móvil|movil"
    r"|handy|mobil|pager|beeper|call(?:s|ed|ing)?|contact|reach(?:ed)?|ring|text(?:ed)?|whatsapp|hotline|dial"
    r"|rückfragen|appeler|llamar|answering|messages?"
)
FAXED = r"fax(?:ed|nummer|-nr)?|telefax|télécopie"
DIALED = r"\+?[(]?[0-9](?:[ ()/.–-]{0,3}[0-9]){6,16}"
BETWEEN = (
    r"(?:[\s.:#/-]|\b(?:at|on|is|no|nr|number|him|her|them|back|wife|husband|home|work|us|me|the|his|to"
    r"|under)\b){0,9}"
)
PHONES = (
    rf"{START}(?:\+?1[ .-]?)?(?:[(][2-9][0-9]{{2}}[)][ .-]?"
    rf"|[2-9][0-9]{{2}}[ .-])[2-9][0-9]{{2}}[ .-][0-9]{{4}}"
    rf"(?: ?(?:x|ext)[ .]?[0-9]{{1,6}})?{END}",
    rf"(?:(?:^|[^\w])\+[1-9][0-9]{{0,2}}[ .-]?|{START}00[1-9][0-9]{{0,2}}[ .-])"
    rf"(?:[(]0?[0-9]{{0,4}}[)][ .-]?)?[0-9]{{1,5}}"
    rf"(?:[ .-]?[0-9]{{2,5}}){{1,4}}(?: ?x[0-9]{{1,6}})?{END}",
    rf"{START}0[1-9][0-9]{{1,3}}(?: [0-9]{{2,4}}){{2,3}}{END}",
    rf"{START}0[1-9](?:[ .-][0-9]{{2}}){{4}}{END}",
    rf"{START}[(]?0[1-9][0-9]{{1,4}}[)]?(?: ?/ ?| [-–] )[0-9](?:[ -]?[0-9]){{4,8}}{END}",
    rf"(?i)(?:^|[^\pL])(?:{CALLED})\b{BETWEEN}{DIALED}{END}",
)
NEARBY = (
    "wife|husband|spouse|partner|mother|father|mom|dad|son|daughter|brother|sister|aunt|uncle|cousin"
    "|grandmother"
    "|grandfather|grandson|granddaughter|niece|nephew|friend|neighbor|neighbour|caregiver|guardian"
    "|fianc[eé]e?"
    "|ehefrau|ehemann|tochter|sohn|mutter|vater|femme|mari|esposa|esposo|hija|hijo|madre|padre"
)
TITLES = (
    r"Mr|Mrs|Ms|Miss|Mx|Dr|Drs|Prof|Professor|Doctor|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|Sr|Sra|Srta"
    r"|Señora?|Don|Doña"
    r"|Hr|Fr|Fru|Pani?|Nurse|Rev"
)
NO_NAMES = (
    r"(?i)\b(?:calle|avda?|avenida|plaza|paseo|c/)[.]? (?:\pL+ ){1,3}|\b[\pL'’-]+[ -](?:disease|syndrome"
    r"|sign|test|score|scale|hospitals?|clinic|center|centre|university|street|st|avenue"
    r"|ave|road|rd|drive|lane|ward|unit|classification|grade|stage|stain|fracture|catheter|procedure|index"
    r"|criteria"
    r"|krankheit|syndrom|klinik|krankenhaus|medical|health|college|church|school|foundation|institute)\b"
)
"""Words that make a name part of something else; they are left out before names are sought."""
NAMED = (
    r"(?:patient|client|member|full|first|last|family|given|contact)?\s?name|surname|nombre|apellidos"
    r"|nachname|vorname"
    r"|nom|prénom|nazwisko(?: i imię)?|imię"
)
BEARERS = (
    r"paciente|patient(?:in)?|m[eé]dico|doctor|physician|arzt|nurse|remitido por|signed(?: by)?|seen by"
    r"|contact"
)


LONG_ENOUGH = ("(?s)^.{5}", r"[0-9@.:\s]", "[^0-9]|^[0-9]{15}")
"""What every value with an identifier inside it has: five characters, and a digit, a space or a mark. Of
digits alone, only the numbers of cards are known by their form, and these have fifteen or more."""
CAPITALS = (*LONG_ENOUGH, r"\p{Lu}", r"\pL{2}")
DIGITS = (*LONG_ENOUGH, "[0-9]")
LABELLED = (*DIGITS, r"\pL{2}")
"""What values also have that contain names, numbers with a form of their own, and numbers after a word."""


@dataclass(frozen=True, slots=True)
class InsideRule:
    """How one kind of identifier looks inside a value."""

    kind: str
    """The kind of column that would contain it."""
    says: str
    expressions: tuple[str, ...]
    """One of them is enough."""
    sure: Confidence = "likely"
    ignore: str = ""
    """What to leave out of the text before the search."""
    only: tuple[str, ...] = LONG_ENOUGH
    """Short expressions, all of which a value that contains the identifier matches."""
    apart: bool = False
    """Whether the expressions are too large to be searched together."""
    letter: str = ""
    """The letter in 45 CFR 164.514(b)(2)(i); that of the kind if empty."""

    def __post_init__(self) -> None:
        if not self.letter:
            object.__setattr__(self, "letter", kind_named(self.kind).hipaa or "R")

    @property
    def is_direct(self) -> bool:
        """Whether it identifies people directly."""
        return kind_named(self.kind).role == "direct identifier"

    @property
    def search(self) -> TextSearch:
        """What the engine looks for."""
        joined = "|".join(f"(?:{one})" for one in self.expressions)
        return TextSearch(self.expressions if self.apart else (joined,), self.ignore, self.only)


@cache
def inside_rules() -> Mapping[str, InsideRule]:
    """Return the rules by name, in the order of the list of identifiers."""
    return {**_names(), **_places(), **_dates(), **_contacts(), **_numbers(), **_things()}


def _names() -> dict[str, InsideRule]:
    listed = "|".join(first_names())
    titled = rf"(?:^|[^\pL])(?:{TITLES})[.]? ?(?:med[.] )?(?:\p{{Lu}}[.] ?)?{CAPITAL}"
    kin = rf"(?i:\b(?:{NEARBY})),? (?:\(|(?i:is|named|called) )?(?:{listed})\b"
    whole = rf"(?:^|[^\pL])(?:{listed})(?: \p{{Lu}}[.]?)? (?:(?:de|da|van|von|der|del|la|Mc|O') ?)?{CAPITAL}"
    reversed_ = rf"(?:^|[^\pL]){CAPITAL}, (?:{listed})(?:$|[^\pL])"
    labelled = rf"(?i:(?:^|[^\pL])(?:{NAMED}))\s?: {{0,3}}{CAPITAL}"
    borne = rf"(?i:(?:^|[^\pL])(?:{BEARERS}))\s?: {{0,3}}{CAPITAL} {CAPITAL}"
    short = rf"(?:^|[^\pL])(?:{listed}) \p{{Lu}}[.]"
    return {
        "name after a title": InsideRule(
            "person_name", "names after a title", (titled,), ignore=NO_NAMES, only=CAPITALS
        ),
        "name": InsideRule(
            "person_name",
            "words that look like names of people",
            (kin, whole, reversed_, labelled, borne, short),
            "possible",
            NO_NAMES,
            only=CAPITALS,
            apart=True,
        ),
    }


def _places() -> dict[str, InsideRule]:
    street = (
        rf"\b[0-9]{{1,6}}[A-Za-z]?,? (?:[NSEW]{{1,2}}[.]? )?(?:(?:[0-9]{{1,3}}(?:st|nd|rd|th)"
        rf"|\p{{Lu}}[\pL'’.-]*) ){{1,4}}(?i:{STREETS})\b",
        r"(?i)\bp[.]? ?o[.]? box [0-9]+",
        r"\b\pL+(?:straße|strasse|str[.]|weg|platz|allee|gasse|ring) [0-9]{1,4}\b",
        r"\b\p{Lu}\p{Ll}+(?:er)? (?:Straße|Strasse|Str[.]|Allee|Platz|Weg) [0-9]{1,4}\b",
        r"(?i:\b(?:calle|avenida|avda|av|c/|plaza|paseo|carrer|ul|ulica|al)\b[.]?) ?(?:(?:de|del|la|las"
        r"|los) )*\p{Lu}[\pL .]+[ ,]{1,2}[0-9]{1,4}\b",
        r"\b[0-9]{1,4},? (?:bis )?(?:rue|avenue|boulevard|place|chemin|allée|impasse) "
        r"(?:\pL+ ){0,3}\p{Lu}",
    )
    postal = (
        rf"\b(?:{STATES})[,.]? +[0-9]{{5}}(?:-[0-9]{{4}})?\b",
        r"(?i)\b(?:zip|postal|post)(?: ?code)?\b[\s:]{0,3}(?:of |is )?[0-9]{5}",
        r"(?i)\b(?:PLZ|CP|C[.]P[.]|kod pocztowy|código postal|code postal)[\s:]{1,3}[0-9]{2}-?[0-9]{3}\b",
        r"\b[A-CEGHJ-NPR-TVXY][0-9][A-CEGHJ-NPR-TV-Z][ -][0-9][A-CEGHJ-NPR-TV-Z][0-9]\b",
        r"\b[A-PR-UWYZ][A-HK-Y]?[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{2}\b",
        r"\b(?:D-|A-|CH-|F-|PL-|E-)?[0-9]{5} \p{Lu}\p{Ll}{3,}(?:$|[^\pL ])",
    )
    town = (
        rf"(?:^|[^\pL]){CAPITAL}(?:['’]s)?(?: (?:of |the )?{CAPITAL}){{0,3}} (?:Hospital|Clinic"
        rf"|Medical Center|Infirmary|Health System|Klinik|Klinikum|Krankenhaus)\b",
        r"(?i:\b(?:lives?|living|lived|resid(?:es|ed|ing)|resident|moved|from|wohnt|wohnhaft|habite|vive"
        r"|residente)) "
        rf"(?i:(?:in|at|near|to|of|à|en|de)) (?:the )?(?:(?:St|San|Santa|New|Los|Las|Fort"
        rf"|Bad)[.]? )?{CAPITAL}(?:,? (?:{STATES})\b)?",
        rf"(?:^|[^\pL]){CAPITAL}, (?:{STATES})(?:$|[^\pL])",
        r"(?:^|[^\pL])(?:Hospital|Clínica|Hôpital|CHU|Universitätsklinikum|Uniklinik) (?:(?:de|del|la|du"
        r"|General|Universitario) )*\p{Lu}\p{Ll}+",
    )
    return {
        "street": InsideRule("street_address", "street addresses", street, only=LABELLED),
        "postal code": InsideRule("postal_code", "postal codes", postal, only=DIGITS),
        "place": InsideRule(
            "place", "words that look like places", town, "possible", only=CAPITALS, apart=True
        ),
    }


def _dates() -> dict[str, InsideRule]:
    exact = (
        rf"{START}{YEAR}[-/.]{MONTH}[-/.]{DAY}(?:$|[^0-9])",
        rf"{START}(?:{MONTH}/{DAY}|{DAY}/{MONTH})/(?:{YEAR}|[0-9]{{2}})(?:$|[^0-9/])",
        rf"{START}(?:{MONTH}-{DAY}|{DAY}-{MONTH})-{YEAR}(?:$|[^0-9-])",
        rf"{START}{DAY}[.] ?{MONTH}[.] ?(?:{YEAR}(?:$|[^0-9])|[0-9]{{2}}(?:$|[^0-9.]|[.](?:$|[^0-9])))",
        rf"(?i)(?:^|[^\pL])(?:{MONTHS})[.]? {DAY}(?:st|nd|rd|th)?,? '?(?:{YEAR}|[0-9]{{2}})\b",
        rf"(?i)\b{DAY}(?:st|nd|rd|th|[.])?[ -]?(?:de |of )?(?:{MONTHS})[.]?,?[ -]?(?:de |del )?{YEAR}\b",
        rf"(?i)\b(?:on|since|until|from) (?:the )?(?:(?:{MONTHS})[.]? {DAY}(?:st|nd|rd|th)?|{DAY}(?:st|nd"
        rf"|rd|th)? (?:of )?(?:{MONTHS}))\b",
    )
    month = (
        rf"(?i)(?:^|[^\pL])(?:{MONTHS})[.]?,?[ -](?:of |de |del )?{YEAR}\b",
        rf"{START}{MONTH}/(?:19[3-9]|20[0-4])[0-9]{END}",
    )
    old = (
        r"(?i)\b(?:9[0-9]|1[01][0-9])[ -]?(?:-?(?:years?|yrs?)[ -]?(?:old|of age)|y[/.]?o\b|yo[mf]\b|"
        r"(?:-?jährige?[rnms]?|jahre alt)\b"
        r"|ans\b|años\b|anni\b)|\b(?:age|aged|edad|alter|âge)\b[\s:]{0,3}(?:of |is |was |de )?(?:9[0-9]"
        r"|1[01][0-9])(?:$|[^\w%/.-])"
    )
    return {
        "exact date": InsideRule("event_date", "dates", exact, only=DIGITS),
        "month and year": InsideRule("event_date", "months with a year", month, only=DIGITS),
        "age over 89": InsideRule("age", "ages over 89", (old,), only=LABELLED),
    }


def _contacts() -> dict[str, InsideRule]:
    faxes = rf"(?i)(?:^|[^\pL])(?:{FAXED})\b{BETWEEN}{DIALED}{END}"
    octet = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
    address = (
        rf"{START}(?:{octet}[.]){{3}}{octet}(?:$|[^\w.:-]|[.:](?:$|\s))|(?:^|[^\w:])"
        rf"(?:[0-9A-Fa-f]{{1,4}}:){{5,7}}:?[0-9A-Fa-f]{{1,4}}(?:$|[^\w:])"
    )
    link = (
        r"(?i)(?:https?|ftp)://\S|\bwww[.][\w-]+[.]|(?:^|[\s(])[a-z0-9][a-z0-9-]*(?:[.][a-z0-9-]+)*[.]"
        r"(?:com|org|net|edu|gov|info|de|uk|ca|fr)(?:/\S*)?(?:$|[\s,;)]|[.](?:$|\s))"
    )
    return {
        "telephone number": InsideRule("phone", "telephone numbers", PHONES, ignore=faxes, only=DIGITS),
        "fax number": InsideRule("fax", "fax numbers", (faxes,), only=LABELLED),
        "e-mail address": InsideRule(
            "email", "e-mail addresses", (r"[\w.+%'-]+@[\w-]+(?:[.][\w-]+)*[.][A-Za-z]{2,}",)
        ),
        "web address": InsideRule("url", "web addresses", (link,), ignore=r"[\w.+%'-]+@[\w.-]+"),
        "IP address": InsideRule("ip_address", "IP addresses", (address,), only=DIGITS),
    }


def _numbers() -> dict[str, InsideRule]:
    ssn = (
        rf"{START}(?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{{2}}|6[0-57-9][0-9]|66[0-57-9])-(?:0[1-9]"
        rf"|[1-9][0-9])-[0-9]{{4}}{END}"
    )
    last_four = (
        rf"(?i)\b(?:ssn|social security|social insurance)\b(?:{NUMBER_WORD})?(?: ?(?:ending|last four"
        rf"|last 4)(?: (?:in|digits))?)?{IS}[0-9X*]{{0,3}}[- ]?[0-9X*]{{0,2}}[- ]?[0-9]{{4}}\b"
    )
    record = _labelled(
        r"medical records?|med rec|charts?|patients?|hospital|records?|nhs|pat|patienten|fall|aufnahme"
        r"|historia(?: clínica| clinica)?"
        r"|dossier|pesel|case|client|person",
        bare=r"mrns?|nhc|ipp|medical record|patienten(?:nummer|nr|-id)|fall(?:nummer|nr)|aufnahme(?:nummer"
        r"|nr)|pid|pesel",
    )
    plan = _labelled(
        r"medicare|medicaid|insurance|policy|members?|subscribers?|beneficiar(?:y|ies)|health ?(?:card|plan"
        r"|insurance)|plan|group"
        r"|versicherten|sv|insurer|insur|hmo|versicherung|krankenkasse|assurance|tarjeta sanitaria|payer",
        bare=r"ohip|ramq|mbi|hicn|nass|cipa|health card|versicherten(?:nummer|nr)|krankenversichertennummer"
        r"|medicare|medicaid|health plan|beneficiary"
        r"|policy|member id|insurance|insurer|ins|hmo|hbn|sv-?nr",
    )
    cards = (
        r"\b(?:4[0-9]{3}|5[1-5][0-9]{2}|6011|65[0-9]{2})[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b",
        r"\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b",
        r"(?i)\b(?:card|cc)\b[^0-9]{0,12}[0-9]{12,19}\b",
    )
    iban = r"\b[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,3})?\b"
    account = _labelled(
        r"accounts?|acct|billing|bank|credit card|card|konto|cuenta|compte|invoice|guarantor",
        bare="iban|account|acct|kontonummer",
    )
    paper = _labelled(
        r"(?:driver['’]?s?|driving|medical|nursing|professional)? ?licen[sc]e|certificate|certification|dea"
        r"|npi|registration"
        r"|colegiado|führerschein|approbation|permis",
        bare=r"dea|npi|driver['’]?s? licen[sc]e|dl ?#|n[ºo°]?[.]? ?col(?:egiado)?|führerscheinnummer"
        r"|permis de conduire|birth certificate|lanr",
    )
    other = _labelled(
        r"passport|national|identity card|tax|visit|encounter|accession|claim|specimen|sample|study|subject"
        r"|participant|employee"
        r"|badge|reisepass|ausweis|personalausweis|order|unique|tracking|application|trial",
        bare=r"passport|dni|nie|nif|nip|regon|curp|cpf|aadhaar|accession|steuer-?id|ausweisnummer"
        r"|application no|dow[oó]d(?: osobisty)?|case no|episodio|episode|fallzahl|e-nr|fn",
    )
    return {
        "social security number": InsideRule(
            "social_security", "social security numbers", (ssn, last_four), only=DIGITS
        ),
        "medical record number": InsideRule(
            "medical_record_number", "medical record numbers", (record,), ignore=UUID, only=LABELLED
        ),
        "health plan number": InsideRule(
            "health_plan_number", "health plan numbers", (plan,), ignore=UUID, only=LABELLED
        ),
        "account number": InsideRule(
            "account", "account numbers", (account, *cards, iban), ignore=UUID, only=DIGITS
        ),
        "certificate or license": InsideRule(
            "licence", "certificate and license numbers", (paper,), ignore=UUID, only=LABELLED
        ),
        "other number": InsideRule(
            "national_number",
            "other numbers of people, visits and papers",
            (other,),
            "possible",
            only=LABELLED,
        ),
    }


def _things() -> dict[str, InsideRule]:
    plate = r"[A-ZÄÖÜ0-9]{1,4}[ -]?[A-ZÄÖÜ]{0,3}[ -]?[0-9]{1,4}[ -]?[A-Z0-9]{0,4}\b"
    vehicle = (
        rf"(?i:\b(?:(?:licen[sc]e|number|registration|car|vehicle|reg)[ -]?plates?|plates? ?(?:number|no|nr"
        rf"|#)|plate|tag (?:number|no|#)|(?:auto|kfz-)?kennzeichen|immatriculation|matr[ií]cula|targa"
        rf"|kenteken|rejestracyjny))(?i:{IS})(?:[A-Z]{{2}} )?{plate}",
        r"(?i)\b(?:vin|chassis|vehicle id(?:entification)?)\b(?:\s?(?:number|no|#))?[\s:.#]{0,4}"
        r"(?:is )?[A-HJ-NPR-Z0-9]{11,17}\b",
        r"\b[1-5JKLSVWZ][A-HJ-NPR-Z][A-HJ-NPR-Z0-9]{6}[0-9X][A-HJ-NPR-Z0-9]{2}[0-9]{6}\b",
    )
    device = (
        _labelled(
            r"serial|device|implant|pacemaker|pump|serien",
            bare=r"udi|imei|serial|seriennummer|serien-nr|device id",
        ),
        r"(?:^|[^\w:-])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}(?:$|[^\w:-])",
        r"[(]01[)][0-9]{14}",
    )
    picture = r"(?i)\b[\w-]+[.](?:jpe?g|png|heic|bmp|tiff?|gif)\b|data:image/"
    return {
        "vehicle": InsideRule("vehicle", "vehicle numbers and license plates", vehicle, only=LABELLED),
        "device": InsideRule("device", "device and serial numbers", device, only=DIGITS),
        "picture": InsideRule("photo", "names of image files", (picture,), "possible"),
    }
