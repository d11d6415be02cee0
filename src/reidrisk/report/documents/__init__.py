"""From an assessment to documents; one file a template."""
