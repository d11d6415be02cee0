"""Job 2: tables. How large the risk is, and the least loss that makes it acceptable."""
