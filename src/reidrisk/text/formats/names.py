"""The names of all formats in one light place: help texts need them before anything is imported."""

from __future__ import annotations

READABLE = (
    "jsonl",
    "brat",
    "i2b2-2014",
    "i2b2-2006",
    "tab",
    "presidio",
    "spacy",
    "spacy-train",
    "prodigy",
    "doccano",
    "doccano-graphemes",
    "label-studio",
    "physionet",
    "gate-xml",
    "bdoc",
    "uima-json",
    "uima-xmi",
    "asq",
    "conll",
    "inline",
    "redacted",
    "surrogate",
)
"""Formats that are read, in the order in which their readers are asked whether a file is theirs."""

WRITABLE = (
    *(name for name in READABLE if name not in ("doccano-graphemes", "asq", "redacted", "surrogate")),
    "presidio-research",
)
"""Formats that are written."""
