"""Reports of an assessment; one file per template."""
