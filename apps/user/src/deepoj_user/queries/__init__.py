"""What shows them."""
