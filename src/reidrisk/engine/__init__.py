"""The only room that knows the database: it scans, counts, collapses and writes; rows stay inside."""
