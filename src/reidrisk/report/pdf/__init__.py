"""Documents as PDF, set by Typst."""
