"""The sequence model, which learns to find identifiers from annotated texts in any language."""

from reidrisk.detect.model.file import load_model

__all__ = ["load_model"]
