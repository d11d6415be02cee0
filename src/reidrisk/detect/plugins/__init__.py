"""Other tools that look for identifiers beside our own parts."""
