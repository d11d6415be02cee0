"""Drawing primitives: axes, styles and chart shapes that the kinds of results use for their charts."""
