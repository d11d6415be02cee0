"""Realistic synthetic data: clinical notes with a gold standard, tool output, tables and a study."""

from reidrisk.demo.notes import clinical_notes
from reidrisk.demo.tool import case_study_tool, label_map, simulate_tool

__all__ = ["case_study_tool", "clinical_notes", "label_map", "simulate_tool"]
