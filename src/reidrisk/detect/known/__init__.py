"""Values that are known of the people whom the texts are about, in all their writings."""
