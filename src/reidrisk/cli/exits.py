"""Exit codes, promised to users."""

ACCEPTABLE = 0
FAILURE = 1
WRONG_USAGE = 2
ABOVE_THRESHOLD = 3
