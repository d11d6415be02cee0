"""A synthetic clinical study: data of its participants, its report as PDF and DOCX, and an answer key."""

from reidrisk.demo.study.case import (
    ANSWERS,
    CONFIG,
    DATA,
    LONG,
    MASKED,
    REPORTS,
    STRICT,
    USUAL,
    Size,
    write_study,
)

__all__ = ["ANSWERS", "CONFIG", "DATA", "LONG", "MASKED", "REPORTS", "STRICT", "USUAL", "Size", "write_study"]
