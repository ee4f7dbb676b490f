"""Who calls us."""
