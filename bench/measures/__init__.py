"""What the benchmark page measures: one module per subject, each measure a small declaration."""
