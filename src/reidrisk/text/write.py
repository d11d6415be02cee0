"""Every format that can be written."""

from __future__ import annotations

from reidrisk.errors import InvalidSetting
from reidrisk.text.formats.write_brat import BRAT
from reidrisk.text.formats.write_conll import CONLL
from reidrisk.text.formats.write_docbin import DOCBIN
from reidrisk.text.formats.write_gate import BDOC, GATE_XML
from reidrisk.text.formats.write_inline import INLINE
from reidrisk.text.formats.write_json import (
    DOCCANO,
    JSONL,
    LABEL_STUDIO,
    PRESIDIO,
    PRESIDIO_RESEARCH,
    PRODIGY,
    SPACY_TRAIN,
    TAB,
)
from reidrisk.text.formats.write_physionet import PHYSIONET
from reidrisk.text.formats.write_uima import UIMA_JSON, UIMA_XMI
from reidrisk.text.formats.write_xml import I2B2_2006, I2B2_2014
from reidrisk.text.formats.writer import Writer

WRITERS: tuple[Writer, ...] = (
    JSONL,
    BRAT,
    I2B2_2014,
    I2B2_2006,
    TAB,
    PRESIDIO,
    DOCBIN,
    SPACY_TRAIN,
    PRODIGY,
    DOCCANO,
    LABEL_STUDIO,
    PHYSIONET,
    GATE_XML,
    BDOC,
    UIMA_JSON,
    UIMA_XMI,
    CONLL,
    INLINE,
    PRESIDIO_RESEARCH,
)
"""In the order of their names."""


def writer_named(name: str) -> Writer:
    """The writer of a format."""
    for writer in WRITERS:
        if writer.name == name:
            return writer
    raise InvalidSetting.among("The format to write", name, [writer.name for writer in WRITERS])
