"""Local recoding: every combination of values is generalized only as far as its own class needs."""
