"""Known values of the people in the texts, however they are written."""
