"""Clinical documents: read, find, redact or replace, prove, and measure what remains."""

import logging

for _reader in ("pdfminer", "pikepdf", "pypdfium2"):
    # What they log may quote a document: it goes nowhere unless a program that uses us asks for it.
    logging.getLogger(_reader).addHandler(logging.NullHandler())
