"""What kind of surrogate each type of identifier takes."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

Kind = Literal[
    "name", "date", "age", "code", "phone", "mail", "user", "address", "town", "state", "country", "zip",
    "organization", "profession", "words",
]  # fmt: skip
_TYPES: dict[Kind, str] = {
    "name": "NAME PATIENT DOCTOR PERSON NAME_PATIENT NAME_DOCTOR NAME_RELATIVE NAME_EXT NAME_OTHER "
    "NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO HCPNAME PTNAME PTNAMEINITIAL RELATIVEPROXYNAME",
    "date": "DATE DATETIME DATE_TIME FECHAS DATEYEAR DOB",
    "age": "AGE EDAD_SUJETO_ASISTENCIA",
    "phone": "PHONE FAX PHONE_NUMBER FAX_NUMBER CONTACT_PHONE CONTACT_FAX NUMERO_TELEFONO NUMERO_FAX",
    "mail": "EMAIL URL EMAIL_ADDRESS WEB_URL DOMAIN_NAME CONTACT_EMAIL CONTACT_URL CORREO_ELECTRONICO "
    "URL_WEB",
    "user": "USERNAME NAME_USERNAME",
    "address": "STREET LOCATION_STREET STREET_ADDRESS CALLE",
    "town": "CITY LOCATION_CITY LOCATION LOC GPE TERRITORIO LOCATION-OTHER LOCATION_OTHER "
    "GEOGRAPHIC_LOCATION",
    "state": "STATE LOCATION_STATE",
    "country": "COUNTRY LOCATION_COUNTRY PAIS",
    "zip": "ZIP LOCATION_ZIP ZIP_CODE",
    "organization": "HOSPITAL ORGANIZATION DEPARTMENT ROOM ORG LOCATION_HOSPITAL LOCATION_ORGANIZATION "
    "INSTITUCION CENTRO_SALUD",
    "profession": "PROFESSION PROFESION",
    "code": "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM IPADDR ID CODE US_SSN "
    "IP_ADDRESS MAC_ADDRESS CREDIT_CARD IBAN_CODE CONTACT",
}


@lru_cache(maxsize=4096)
def kind_of(type_: str) -> Kind:
    """The kind of a type of the public schemes; what is unknown is judged by its letters.

    >>> kind_of("PATIENT"), kind_of("FECHAS"), kind_of("US_SSN"), kind_of("PET")
    ('name', 'date', 'code', 'words')
    """
    upper = type_.upper()
    for kind, types in _TYPES.items():
        if upper in types.split():
            return kind
    return "code" if any(part in upper for part in ("NUMBER", "NUMERO", "ID_", "_ID", "IDENTIF")) else "words"
