"""The letters of labels and of new values: a font that comes with the package, measured and embedded."""
