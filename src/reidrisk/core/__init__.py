"""Words shared by all jobs."""
