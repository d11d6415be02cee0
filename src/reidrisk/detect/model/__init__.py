"""The sequence model: learns from annotated texts, in any language, what identifiers look like there."""

from reidrisk.detect.model.file import load_model

__all__ = ["load_model"]
