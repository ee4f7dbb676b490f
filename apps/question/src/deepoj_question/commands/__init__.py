"""What changes questions."""
