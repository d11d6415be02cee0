"""Write documents without what identifies participants, and prove that it is gone."""
