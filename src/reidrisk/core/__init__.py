"""Types and functions that every other package of reidrisk uses."""
