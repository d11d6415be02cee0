"""One file for each kind of target; each writes a whole relation under the name that it is given."""
