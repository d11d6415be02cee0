"""Clinical documents: read, find, redact or replace, prove, and measure what remains."""
