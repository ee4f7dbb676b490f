"""Pages with what a guest may read already in them (ADR 0142)."""
