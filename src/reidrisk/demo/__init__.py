"""Realistic invented data: clinical notes with a gold standard, and the output of a tool on them."""

from reidrisk.demo.notes import clinical_notes
from reidrisk.demo.tool import case_study_tool, simulate_tool

__all__ = ["case_study_tool", "clinical_notes", "simulate_tool"]
