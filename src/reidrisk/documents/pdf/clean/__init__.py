"""Everything besides the pages' text that could carry a value."""
