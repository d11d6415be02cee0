"""All words of documents, one file a language."""
