"""What was found in documents: places, whose and what they are, and what reviewers said of them."""
