"""Job 1: the risk that a text de-identification tool leaves."""
