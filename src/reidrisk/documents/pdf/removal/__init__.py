"""Take glyphs out of the content so that the rest keeps its place, and draw what stands there instead."""
