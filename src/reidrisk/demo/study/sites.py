"""Where the invented study ran: no such hospital, and none of these people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """A hospital that takes part."""

    number: str
    name: str
    city: str
    country: str
    """ISO 3166 code of three letters, as CDISC has it."""
    investigator: str


SITES = (
    Site("101", "Clinique des Tilleuls", "Lyon", "FRA", "Odile Marchand"),
    Site("204", "Klinikum am Lindenhof", "Ulm", "DEU", "Henning Brockmeyer"),
    Site("307", "Szpital Zielona Brama", "Lublin", "POL", "Agnieszka Wolska"),
    Site("412", "Cedar Hollow Medical Center", "Dayton", "USA", "Lorraine Pettigrew"),
    Site("105", "Hopital Saint-Aubin", "Nantes", "FRA", "Thibault Garnier"),
    Site("418", "Blue Ridge Clinical Research", "Asheville", "USA", "Desmond Oyelaran"),
    Site("209", "Universitaetsklinik Nordheim", "Kassel", "DEU", "Sigrid Ahlers"),
    Site("503", "Hospital Virgen del Olmo", "Zaragoza", "ESP", "Joaquin Barreda"),
    Site("311", "Centrum Medyczne Wisla", "Torun", "POL", "Zbigniew Kaczor"),
    Site("606", "Maple Bay Health Sciences Centre", "Halifax", "CAN", "Kathleen Drummond"),
)
COUNTRIES = {
    "FRA": ("France",),
    "DEU": ("Germany",),
    "POL": ("Poland",),
    "USA": ("United States", "USA"),
    "ESP": ("Spain",),
    "CAN": ("Canada",),
}
"""How a country is written."""
RACES = {
    "WHITE": ("White", "Caucasian", "white"),
    "BLACK OR AFRICAN AMERICAN": ("Black or African American", "Black", "African American"),
    "ASIAN": ("Asian",),
}
"""How a race is written, the controlled term first."""


def sites_for(subjects: int) -> tuple[Site, ...]:
    """About ten participants a site, three sites at least."""
    return SITES[: min(len(SITES), max(3, subjects // 10))]
