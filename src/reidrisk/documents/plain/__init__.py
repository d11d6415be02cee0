"""Documents that are texts themselves: plain text, Markdown, HTML and RTF."""
