"""The risk that documents of a trial leave: through what leaked, and through what was put in its place."""
