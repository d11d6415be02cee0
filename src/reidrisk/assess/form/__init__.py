"""The form of a release file, declared once: checked, as a JSON Schema, and as a page of the docs."""
