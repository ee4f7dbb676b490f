"""Who calls, and whether they may."""
