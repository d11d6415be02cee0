"""Single transformations of a table, each with what it promises; the risk is measured afterwards."""
