"""What shows questions."""
