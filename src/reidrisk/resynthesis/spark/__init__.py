"""De-identify Parquet files of texts on Spark, with the same texts as on one machine."""
