"""What would make a release acceptable, computed from what was measured."""
