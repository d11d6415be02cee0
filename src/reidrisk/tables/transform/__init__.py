"""Single transformations of a table; the risk is measured afterward."""
