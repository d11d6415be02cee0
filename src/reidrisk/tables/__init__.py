"""Tables: measure the risk, and make it acceptable with the least loss."""
