"""Institutions whose kind comes first; all names are invented."""

from __future__ import annotations

from typing import Literal

import pytest

from reidrisk.detect.detector import build_detector
from reidrisk.detect.dictionaries.institutions import InstitutionDetector
from reidrisk.detect.settings import DetectSettings

SPANISH = "La paciente, de 40 años, acude a la consulta del {} por dolor en la rodilla."


def found(text: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.type) for one in InstitutionDetector().find(text)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Hospital General de Villanueva", "HOSPITAL"),
        ("Hospital Lara Montemar", "HOSPITAL"),
        ("Hospital Universitario Dr. Lara Soto", "HOSPITAL"),
        ('Hospital "Virgen de la Ermita"', "HOSPITAL"),
        ("Hospital 3 de abril", "HOSPITAL"),
        ("HOSPITAL COMARCAL DE ALBORADA", "HOSPITAL"),
        ("Clínica Los Olivares", "HOSPITAL"),
        ("Universidad de Montemar", "ORGANIZATION"),
        ("Centro Penitenciario de Alborada", "ORGANIZATION"),
        ("Facultad de Medicina y Farmacia de Montemar", "ORGANIZATION"),
    ],
)
def test_the_whole_name_is_found(name: str, kind: str) -> None:
    assert found(SPANISH.format(name)) == [(name, kind)]


def test_the_name_ends_before_the_ward_and_before_labels() -> None:
    for more in ("Servicio de Cardiología", "Avenida Mayor", "E-mail"):
        text = SPANISH.format(f"Hospital Comarcal de Alborada {more}")
        assert found(text) == [("Hospital Comarcal de Alborada", "HOSPITAL")]


def test_the_name_ends_with_its_sentence_and_line() -> None:
    assert found(SPANISH.format("Hospital de Alborada. Vive en Soto")) == [
        ("Hospital de Alborada", "HOSPITAL")
    ]
    assert found(SPANISH.format("Hospital de Alborada\nLara")) == [("Hospital de Alborada", "HOSPITAL")]


@pytest.mark.parametrize(
    "text",
    [
        "Hospital Course: the patient was seen on Hospital Day 3 at the Hospital Discharge Unit.",
        "HOSPITAL COURSE AND TREATMENT",
        SPANISH.format("hospital de la zona"),
        SPANISH.format("Historia Clínica Digital"),
        SPANISH.format("centro de salud"),
    ],
)
def test_other_words_are_no_institutions(text: str) -> None:
    assert found(text) == []


def test_in_an_english_text_a_little_word_must_follow() -> None:
    text = "She was treated at the Hospital de Montemar and studied at Universidad Alborada."
    assert found(text) == [("Hospital de Montemar", "HOSPITAL")]


@pytest.mark.parametrize("rules", ["english", "universal"])
def test_the_detector_masks_the_whole_name(rules: Literal["english", "universal"]) -> None:
    text = SPANISH.format("Hospital Clínico Universitario de Villanueva")
    start = text.index("Hospital")
    findings = build_detector(DetectSettings(model=None, rules=rules)).find(text)
    covered = {place for one in findings for place in range(one.start, one.end)}
    assert set(range(start, text.index(" por dolor"))) <= covered
