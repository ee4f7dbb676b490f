"""What a system keeps, and what of it nobody needs."""
