"""Evaluate annotations in Parquet files on Spark, with the same numbers as on one machine."""
