"""The report of the synthetic study, from the title to the listings of single participants."""

from reidrisk.demo.study.report.whole import study_report

__all__ = ["study_report"]
