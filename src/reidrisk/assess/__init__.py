"""From a release file to one verdict: measure every part, judge them in their context."""
