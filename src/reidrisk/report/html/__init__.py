"""Results as parts of a page, one file a kind; documents as pages."""
