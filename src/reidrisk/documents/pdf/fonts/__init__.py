"""Fonts as text needs them: how long a code is, what it says, how far it moves."""
