"""Pages as pictures: what is seen, whether it stayed the same, and what is only seen."""
