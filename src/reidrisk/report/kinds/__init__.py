"""One file per kind of result: everything that any view shows of it."""
