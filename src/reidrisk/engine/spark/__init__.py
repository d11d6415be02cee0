"""What concerns Spark itself: sessions, failures, tables, and Parquet files read in parts."""
