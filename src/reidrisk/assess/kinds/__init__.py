"""Kinds of parts, one file each; a file is imported when a release file names its kind."""
