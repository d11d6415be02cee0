"""The sequence model, which learns to find identifiers from annotated texts in any language."""
