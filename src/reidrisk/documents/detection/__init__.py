"""Where documents tell of participants: their ids, their values, and what identifies anybody."""
