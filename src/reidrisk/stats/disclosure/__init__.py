"""What equivalence classes reveal about a sensitive column, even if nobody is singled out."""
