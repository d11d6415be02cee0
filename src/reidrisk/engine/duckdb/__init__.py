"""The embedded engine: DuckDB inside this process."""
