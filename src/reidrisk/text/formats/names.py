"""The names of all formats: help texts need them before anything else is imported."""

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
"""Formats that can be read, in the order in which their readers try to recognize a file."""

WRITABLE = (
    *(name for name in READABLE if name not in ("doccano-graphemes", "asq", "redacted", "surrogate")),
    "presidio-research",
)
"""Formats that can be written."""
