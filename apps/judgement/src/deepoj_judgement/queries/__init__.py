"""Questions that change nothing."""
