"""Tables of events, many a person, and adversaries who know some of them."""
