"""A trial: its participants' data, the documents that tell of them, and what is released instead."""
